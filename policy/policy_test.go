package policy_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
)

// named is a space as far as package policy is concerned.
type named string

func (n named) Name() string                     { return string(n) }
func (named) Concurrency() int                   { return 1 }
func (named) Launch(space.Grid, space.Job) error { return nil }

type planner interface{ Plan() policy.Plan }

type key struct{}

// variants builds each kind of policy, over six items, with the changes that
// all of them have in common.
type variant struct {
	name  string
	whole bool
	plain planner
	chunk func(n int) planner
	on    func(space.Space) planner
	with  func(context.Context) planner
	label func(string) planner
	like  func(...policy.Launch) planner
	all   func(int, space.Space, context.Context, string) planner
}

type common[P planner] interface {
	planner
	Chunk(int) P
	On(space.Space) P
	WithContext(context.Context) P
	WithLabel(string) P
	With(...policy.Launch) P
}

func newVariant[P common[P]](name string, whole bool, p P) variant {
	return variant{
		name, whole, p,
		func(n int) planner { return p.Chunk(n) },
		func(s space.Space) planner { return p.On(s) },
		func(ctx context.Context) planner { return p.WithContext(ctx) },
		func(label string) planner { return p.WithLabel(label) },
		func(on ...policy.Launch) planner { return p.With(on...) },
		func(n int, s space.Space, ctx context.Context, label string) planner {
			return p.Chunk(n).On(s).WithContext(ctx).WithLabel(label)
		},
	}
}

var variants = []variant{
	newVariant("Range", false, policy.Range(-2, 4)),
	newVariant("Spans", true, policy.Spans(-2, 4)),
	newVariant("MDRange2", false, policy.MDRange2([2]int{}, [2]int{2, 3})),
	newVariant("MDRange3", false, policy.MDRange3([3]int{}, [3]int{1, 2, 3})),
	newVariant("MDRange4", false, policy.MDRange4([4]int{}, [4]int{1, 1, 2, 3})),
	newVariant("MDRange5", false, policy.MDRange5([5]int{}, [5]int{1, 1, 1, 2, 3})),
	newVariant("MDRange6", false, policy.MDRange6([6]int{}, [6]int{1, 1, 1, 1, 2, 3})),
	newVariant("Team", false, policy.Team(6, 3)),
}

func TestPlan(t *testing.T) {
	ctx := context.WithValue(context.Background(), key{}, 1)
	for _, v := range variants {
		t.Run(v.name, func(t *testing.T) {
			plain := policy.Plan{Items: 6, Whole: v.whole, Team: v.plain.Plan().Team}
			want := func(change func(p *policy.Plan)) policy.Plan {
				p := plain
				change(&p)
				return p
			}
			assert.Equal(t, plain, v.plain.Plan())
			assert.Equal(t, want(func(p *policy.Plan) { p.Chunk = 3 }), v.chunk(3).Plan())
			assert.Equal(t, plain, v.chunk(0).Plan(), "0 is the rule's own")
			assert.Equal(t, want(func(p *policy.Plan) { p.Chunk = math.MaxInt }), v.chunk(math.MaxInt).Plan())
			assert.Equal(t, want(func(p *policy.Plan) { p.Space = named("s") }), v.on(named("s")).Plan())
			assert.Equal(t, want(func(p *policy.Plan) { p.Context = ctx }), v.with(ctx).Plan())
			assert.Equal(t, want(func(p *policy.Plan) { p.Label = "l" }), v.label("l").Plan())
			all := want(func(p *policy.Plan) { p.Chunk, p.Space, p.Context, p.Label = 2, named("s"), ctx, "l" })
			assert.Equal(t, all, v.all(2, named("s"), ctx, "l").Plan())
			all.Chunk = 0
			assert.Equal(t, all, v.like(policy.On(named("s")), policy.Launch{}.WithContext(ctx).WithLabel("l")).Plan())
			assert.Equal(t, plain, v.like().Plan())
			assert.Equal(t, plain, v.plain.Plan(), "methods do not change their receiver")
		})
	}
}

func TestChunkErrors(t *testing.T) {
	for _, v := range variants {
		for _, n := range []int{-1, -2, math.MinInt} {
			t.Run(fmt.Sprint(v.name, n), func(t *testing.T) {
				assert.EqualError(t, v.chunk(n).Plan().Err, fmt.Sprintf("policy: a chunk of %d items, expected at least 1, or 0 for the rule's own", n))
				assert.NoError(t, v.plain.Plan().Err)
				all := v.all(n, named("s"), context.Background(), "l").Plan()
				assert.Error(t, all.Err)
				assert.Equal(t, "l", all.Label, "what is said after an error is kept too")
			})
		}
	}
}

func TestFirstErrorIsKept(t *testing.T) {
	reversed := "reversed"
	assert.ErrorContains(t, policy.Range(1, 0).Chunk(-1).Plan().Err, reversed)
	assert.ErrorContains(t, policy.Spans(1, 0).Chunk(-1).Plan().Err, reversed)
	box := policy.MDRange2([2]int{1, 9}, [2]int{0, 8})
	assert.ErrorContains(t, box.Plan().Err, "dimension 0")
	assert.ErrorContains(t, box.Chunk(-1).Tile([2]int{0, 0}).Iterate(7, 7).Plan().Err, "dimension 0 from 1 to 0")

	box = policy.MDRange2([2]int{0, 0}, [2]int{4, 4})
	assert.ErrorContains(t, box.Chunk(-1).Chunk(-2).Plan().Err, "chunk of -1")
	assert.ErrorContains(t, box.Tile([2]int{3, 0}).Chunk(-1).Plan().Err, "tile")
	assert.ErrorContains(t, box.Iterate(policy.Left, 2).Tile([2]int{3, 0}).Plan().Err, "Iterate")
	assert.ErrorContains(t, policy.Range(0, 4).Chunk(-1).Chunk(1).Plan().Err, "chunk of -1", "a later call does not heal it")
}
