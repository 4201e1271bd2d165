package exec_test

import (
	"context"
	"fmt"
	"math"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
)

// A joined is a functor whose loop joins the lanes of leaves, but for those with an item that it leaves.
type joined struct {
	x      []float64
	leaves func(i int) bool
	panics int // item of the functor that does
	op     joinOp
	next   int // added to what Leaves returns
	ran    *joinedRun
}

// joinedRun is what the loop was asked for.
type joinedRun struct {
	sums, lanes atomic.Int64  // leaves whose lanes it joined, and others
	begins      atomic.Uint64 // the bits that a lane begins with
}

// A joinOp is an operation, what it does, and an item's part of it.
type joinOp struct {
	name kernel.Op
	join func(x, y float64) float64
}

var (
	joinsSum  = joinOp{concept.OpSum, func(x, y float64) float64 { return x + y }}
	joinsProd = joinOp{concept.OpProd, func(x, y float64) float64 { return x * y }}
	joinsMin  = joinOp{concept.OpMin, func(x, y float64) float64 { return min(x, y) }}
	joinsMax  = joinOp{concept.OpMax, func(x, y float64) float64 { return max(x, y) }}
)

func (k *joined) at(i int, acc *float64) {
	if i == k.panics {
		panic(fmt.Sprint("item ", i))
	}
	*acc = k.op.join(*acc, k.x[i])
}

func (k *joined) stops(i int) bool { return k.leaves(i) || i == k.panics }

func (k *joined) Span(begin, end, item int, a []float64) (next int) {
	for i := begin; i < end; i++ {
		if k.stops(i) {
			return i
		}
		k.at(i, lane(begin, item, i, a))
	}
	return end
}

func (k *joined) Joins() kernel.Op { return k.op.name }

func (k *joined) Leaves(begin, end, leaf, lanes int, a, sums []float64) (next int) {
	if (end-begin)%leaf != 0 || leaf%lanes != 0 || sums != nil && (len(a) < lanes || len(sums) < (end-begin)/leaf) {
		panic("leaves that are not whole, or too few lanes or sums")
	}
	var room [32]float64
	for n := 0; begin < end; n++ {
		for i := range leaf {
			if k.stops(begin + i) {
				return begin + k.next
			}
		}
		own := a[:lanes]
		if sums == nil {
			a = a[lanes:]
			k.ran.lanes.Add(1)
		} else {
			k.ran.sums.Add(1)
			k.ran.begins.Store(math.Float64bits(own[lanes-1]))
			own = room[:copy(room[:], own)]
		}
		for i := range leaf {
			k.at(begin+i, &own[i%lanes])
		}
		if sums != nil {
			for h := lanes / 2; h > 0; h /= 2 {
				for l := range h {
					own[l] = k.op.join(own[l], own[l+h])
				}
			}
			sums[n] = own[0]
		}
		begin += leaf
	}
	return end + k.next
}

func init() {
	from := kernel.Source{Name: "exec_test.joined", File: "compiledsums_test.go", Version: kernel.Version}
	kernel.Attach(kernel.Go, from, func(k *joined) func(int, *float64) { return k.at }, func(k *joined) kernel.Reduce[float64] { return k })
}

// newJoined returns a functor over n items behind the first three, which join to other bits in another order.
func newJoined(n int, op joinOp, leaves func(i int) bool) *joined {
	k := &joined{x: make([]float64, n+3), leaves: leaves, panics: -1, op: op, ran: new(joinedRun)}
	for i := range k.x {
		k.x[i] = 1 + math.Sin(float64(i))*math.Ldexp(1, i%5-9)
		if op.name == concept.OpMin || op.name == concept.OpMax {
			k.x[i] = math.Copysign(0, float64(i%7-3))
		}
	}
	return k
}

// Leaves whose lanes a loop joins have the bits that they have one by one, whatever is left to the functor. It is
// asked to if the reducer joins by its operation, and by no other one.
func TestSumsOfLeaves(t *testing.T) {
	add := func(dst, src *float64) { *dst += *src }
	ctx, cancel := context.WithCancel(t.Context()) // pieces begin within leaves
	defer cancel()
	for what, of := range map[string]struct {
		op     joinOp
		into   func(*float64) reducers.Reducer[float64]
		asked  bool
		begins float64
	}{
		"sum":          {joinsSum, func(v *float64) reducers.Reducer[float64] { return builtin.Sum(v) }, true, 0},
		"product":      {joinsProd, func(v *float64) reducers.Reducer[float64] { return builtin.Prod(v) }, true, 1},
		"minimum":      {joinsMin, func(v *float64) reducers.Reducer[float64] { return builtin.Min(v) }, true, math.Inf(1)},
		"maximum":      {joinsMax, func(v *float64) reducers.Reducer[float64] { return builtin.Max(v) }, true, math.Inf(-1)},
		"onto a value": {joinsSum, func(v *float64) reducers.Reducer[float64] { return reducers.WithInitial(builtin.Sum(v)) }, true, 0},
		"another one":  {joinsMin, func(v *float64) reducers.Reducer[float64] { return builtin.Sum(v) }, false, 0},
		"a function":   {joinsSum, func(v *float64) reducers.Reducer[float64] { return reducers.New(v, add) }, false, 0},
		"none":         {joinOp{"", joinsSum.join}, func(v *float64) reducers.Reducer[float64] { return builtin.Sum(v) }, false, 0},
	} {
		for left, leaves := range map[string]func(int) bool{"none": never, "all": always, "some": func(i int) bool { return i%1997 == 41 }, "the last": func(i int) bool { return i > 4000 }} {
			for _, n := range []int{0, 1, 31, 255, 256, 257, 1000, 1024, 5000, 33_000, 70_001} {
				k := newJoined(n, of.op, leaves)
				p := policy.Range(3, 3+n)
				want := 5.
				require.NoError(t, exec.ParallelReduce(p.On(exec.Serial{}), func(i int, acc *float64) { k.at(i, acc) }, of.into(&want)))
				for _, s := range compiledSpaces(t) {
					k.ran = new(joinedRun)
					got, pieces := 5., 5.
					require.NoError(t, exec.ParallelReduce(p.On(s), k.at, of.into(&got)))
					message := fmt.Sprintf("%s of %d items on %s, %s left", what, n, s.Name(), left)
					require.Equal(t, math.Float64bits(want), math.Float64bits(got), message)
					if n >= 256 && left == "none" && compiles() && s.Name() != "simgpu" { // which takes steps
						require.Equal(t, of.asked, k.ran.sums.Load() > 0, message)
						require.Equal(t, of.asked, k.ran.lanes.Load() == 0, message)
						if of.asked {
							require.Equal(t, math.Float64bits(of.begins), k.ran.begins.Load(), message)
						}
					}
					require.NoError(t, exec.ParallelReduce(p.On(s).WithContext(ctx), k.at, of.into(&pieces)))
					require.Equal(t, math.Float64bits(want), math.Float64bits(pieces), message+", in pieces")
				}
			}
		}
	}
}

// A panic has the items that it has where leaves run one by one, and the leaves of a launch behind it begin anew.
func TestSumsOfLeavesPanic(t *testing.T) {
	const n = 5000
	panicOf := func(s exec.Space, f func(int, *float64)) (p *exec.Panic) {
		sum := 7.
		defer func() {
			if p, _ = recover().(*exec.Panic); p != nil {
				assert.Equal(t, 7., sum)
			}
		}()
		_ = exec.ParallelReduce(policy.Range(0, n).On(s), f, builtin.Sum(&sum))
		return nil
	}
	for _, s := range compiledSpaces(t) {
		for _, at := range []int{0, 1, 255, 256, 300, 2500, 4999} {
			k := newJoined(n, joinsSum, never)
			k.panics = at
			want := panicOf(exec.Serial{}, func(i int, acc *float64) { k.at(i, acc) })
			got := panicOf(s, k.at)
			require.NotNil(t, got)
			assert.Equal(t, []any{want.Value, want.Begin, want.End}, []any{got.Value, got.Begin, got.End}, "item %d on %s", at, s.Name())
			k.panics = -1
			var sum, after float64
			require.NoError(t, exec.ParallelReduce(policy.Range(0, n).On(exec.Serial{}), func(i int, acc *float64) { k.at(i, acc) }, builtin.Sum(&sum)))
			require.NoError(t, exec.ParallelReduce(policy.Range(0, n).On(s), k.at, builtin.Sum(&after)))
			assert.Equal(t, sum, after)
		}
	}
}

// What Leaves returns is looked at, sums or not.
func TestSumsOfLeavesThatLie(t *testing.T) {
	if !compiles() {
		t.Skip("no loops in this build")
	}
	for _, next := range []int{1, -1, 256, -8192} {
		k := newJoined(4096, joinsSum, never)
		k.next = next
		sum := 7.
		err := exec.ParallelReduce(policy.Range(3, 4099).On(exec.Serial{}), k.at, builtin.Sum(&sum))
		assert.ErrorContains(t, err, "expected the first of a leaf", "%d", next)
		assert.Equal(t, 7., sum)
	}
}

// A reduction whose loop joins leaves makes nothing.
func TestSumsOfLeavesMakeNothing(t *testing.T) {
	if raceEnabled || !compiles() {
		t.Skip("no loops in this build")
	}
	k := newJoined(20_000, joinsMin, func(i int) bool { return i == 700 })
	p, f := policy.Range(3, 20_003).On(exec.Serial{}), k.at
	var low float64
	r := builtin.Min(&low)
	assert.Zero(t, testing.AllocsPerRun(20, func() { _ = exec.ParallelReduce(p, f, r) }))
	assert.Positive(t, k.ran.sums.Load())
}
