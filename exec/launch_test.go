package exec_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"runtime/trace"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
)

func addInt(dst, src *int) { *dst += *src }

func TestInvalidLaunches(t *testing.T) {
	var a, b int
	serial := policy.Range(0, 10).On(exec.Serial{})
	ran := func(int, *int) { t.Error("the functor ran") }
	tests := []struct {
		name   string
		launch func() error
		want   string
	}{
		{"reversed bounds", func() error { return exec.ParallelFor(policy.Range(5, 2), func(int) { t.Error("ran") }) }, "Range(5, 2) is reversed"},
		{"chunk", func() error { return exec.ParallelFor(serial.Chunk(-1), func(int) { t.Error("ran") }) }, "a chunk of -1 items"},
		{"nil policy", func() error { return exec.ParallelFor(exec.Policy[int](nil), func(int) { t.Error("ran") }) }, "the policy is nil"},
		{"nil policy of Map", func() error {
			return exec.ParallelFold(exec.Map(exec.Policy[int](nil), func(int) int { return 1 }), reducers.New(&a, addInt))
		}, "the policy is nil"},
		{"zero source", func() error { return exec.ParallelFold(exec.Source[int]{}, reducers.New(&a, addInt)) }, "zero Source"},
		{"nil functor of For", func() error { return exec.ParallelFor[int](serial, nil) }, "functor is nil"},
		{"nil functor of Reduce", func() error { return exec.ParallelReduce(serial, nil, reducers.New(&a, addInt)) }, "functor is nil"},
		{"nil functor of Reduce2", func() error {
			return exec.ParallelReduce2(serial, nil, reducers.New(&a, addInt), reducers.New(&b, addInt))
		}, "functor is nil"},
		{"nil functor of Scan", func() error { return exec.ParallelScan(serial, nil, reducers.New(&a, addInt)) }, "functor is nil"},
		{"nil functor of Lanes", func() error {
			return exec.ParallelReduceLanes(policy.Spans(0, 3), (func(exec.Lanes[int]))(nil), reducers.New(&a, addInt))
		}, "functor is nil"},
		{"nil functor of Map", func() error {
			return exec.ParallelFold(exec.Map[int, int](serial, nil), reducers.New(&a, addInt))
		}, "functor is nil"},
		{"nil functor of Fill", func() error {
			return exec.ParallelFold(exec.Fill[int](serial, nil), reducers.New(&a, addInt))
		}, "functor is nil"},
		{"nil reducer", func() error { return exec.ParallelReduce(serial, ran, nil) }, "the reducer is nil"},
		{"nil folder", func() error {
			return exec.ParallelFold(exec.Slice(serial, make([]int, 10)), reducers.New(&a, addInt), nil)
		}, "reducer 2 of 2 is nil"},
		{"nil result", func() error { return exec.ParallelReduce(serial, ran, reducers.New(nil, addInt)) }, "nil result place"},
		{"nil result of Scan", func() error {
			return exec.ParallelScan(serial, func(int, *int, bool) { t.Error("ran") }, reducers.New(nil, addInt))
		}, "nil result place"},
		{"two reducers for one place", func() error {
			return exec.ParallelReduce2(serial, func(int, *int, *int) { t.Error("ran") }, reducers.New(&a, addInt), reducers.New(&a, addInt))
		}, "reducers 1 and 2 have the same result place"},
		{"slice too short", func() error {
			return exec.ParallelFold(exec.Slice(serial, make([]int, 9)), reducers.New(&a, addInt))
		}, "exec: Slice over Range(0, 10) of a slice of length 9, expected 0 <= begin <= end <= 9"},
		{"slice before its begin", func() error {
			return exec.ParallelFold(exec.Slice(policy.Range(-1, 2), make([]int, 9)), reducers.New(&a, addInt))
		}, "exec: Slice over Range(-1, 2) of a slice of length 9, expected 0 <= begin <= end <= 9"},
		{"empty slice before its begin", func() error {
			return exec.ParallelFold(exec.Slice(policy.Range(-5, -5), make([]int, 9)), reducers.New(&a, addInt))
		}, "exec: Slice over Range(-5, -5) of a slice of length 9, expected 0 <= begin <= end <= 9"},
		{"Map over spans", func() error {
			return exec.ParallelFold(exec.Map(policy.Spans(0, 9), func(policy.Span) int { return 1 }), reducers.New(&a, addInt))
		}, "expected one index per item"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			a, b = 3, 4
			assert.ErrorContains(t, test.launch(), test.want)
			assert.Equal(t, [2]int{3, 4}, [2]int{a, b}, "the old content is kept")
		})
	}
}

func TestPanicSaysWhatAndWhere(t *testing.T) {
	total := 5
	defer func() {
		p, ok := recover().(*exec.Panic)
		require.True(t, ok)
		assert.Equal(t, io.ErrUnexpectedEOF, p.Value)
		assert.Equal(t, [2]int{40, 48}, [2]int{p.Begin, p.End})
		assert.Contains(t, string(p.Stack), "TestPanicSaysWhatAndWhere")
		assert.ErrorIs(t, p, io.ErrUnexpectedEOF)
		assert.Contains(t, p.Error(), `exec: panic at index 143, in items [40, 48) of "sum": unexpected EOF`)
		assert.Equal(t, 5, total)
	}()
	_ = exec.ParallelReduce(policy.Range(100, 200).Chunk(8).WithLabel("sum").On(exec.Serial{}), func(i int, acc *int) {
		if i == 143 {
			panic(io.ErrUnexpectedEOF)
		}
	}, reducers.New(&total, addInt))
}

func TestPanicWithoutAnError(t *testing.T) {
	assert.NoError(t, (&exec.Panic{Value: "text"}).Unwrap())
}

func TestPanicInOneFinalKeepsAllResults(t *testing.T) {
	a, b := 1, 2
	assert.Panics(t, func() {
		_ = exec.ParallelReduce2(policy.Range(0, 10).On(exec.Serial{}), func(i int, a, b *int) { *a++; *b++ },
			reducers.New(&a, addInt), reducers.New(&b, addInt, reducers.Final(func(*int) { panic("final") })))
	})
	assert.Equal(t, [2]int{1, 2}, [2]int{a, b})
}

func TestCancellation(t *testing.T) {
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	total, items := 5, 0
	p := policy.Range(0, 100).Chunk(1).On(exec.Serial{}).WithContext(ctx).WithLabel("sum")
	sum := func() error {
		return exec.ParallelReduce(p, func(i int, acc *int) {
			items++
			if i == 10 {
				cancel(why)
			}
		}, reducers.New(&total, addInt))
	}
	err := sum()
	assert.ErrorIs(t, err, why)
	assert.ErrorContains(t, err, `launch of "sum" cancelled`)
	assert.Equal(t, 11, items, "leaves after the cancellation do not run")
	assert.ErrorIs(t, sum(), why)
	assert.Equal(t, 11, items, "nothing runs with a context that is done")
	assert.Equal(t, 5, total)

	scanned := 0
	err = exec.ParallelScan(policy.Range(0, 9).WithContext(ctx).On(exec.Serial{}), func(int, *int, bool) { scanned++ }, reducers.New(&total, addInt)) //gokkosvet:ignore it counts the passes
	assert.ErrorIs(t, err, why)
	assert.Zero(t, scanned)
}

func TestNoResultsOfAScanAfterCancellation(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	total := 5
	err := exec.ParallelScan(policy.Range(0, 9).WithContext(ctx).On(exec.Serial{}), func(i int, _ *int, final bool) {
		assert.False(t, final && ctx.Err() != nil, "item %d", i)
		if i == 8 {
			cancel()
		}
	}, reducers.New(&total, addInt))
	assert.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, 5, total)
}

// The way for a functor to fail: the error is returned whichever item it is.
func TestFunctorCancelsInTheLastLeaf(t *testing.T) {
	why := errors.New("item 99")
	ctx, cancel := context.WithCancelCause(t.Context())
	total := 5
	err := exec.ParallelReduce(policy.Range(0, 100).On(exec.Serial{}).WithContext(ctx), func(i int, _ *int) {
		if i == 99 {
			cancel(why)
		}
	}, reducers.New(&total, addInt))
	assert.ErrorIs(t, err, why)
	assert.Equal(t, 5, total)
}

func TestPanicBetweenThePassesOfAScan(t *testing.T) {
	total := 5
	joins := 0
	r := reducers.New(&total, func(dst, src *int) {
		if joins++; joins == 1 {
			panic("join")
		}
	})
	var p *exec.Panic
	func() {
		defer func() { p, _ = recover().(*exec.Panic) }()
		_ = exec.ParallelScan(policy.Range(0, 9).On(exec.Serial{}), func(int, *int, bool) {}, r)
	}()
	require.NotNil(t, p)
	assert.Equal(t, "join", p.Value)
	assert.Equal(t, [2]int{0, 9}, [2]int{p.Begin, p.End})
	assert.Equal(t, 5, total)
}

func TestLabelShowsInATrace(t *testing.T) {
	var buf bytes.Buffer
	if err := trace.Start(&buf); err != nil {
		t.Skip(err) // the test run is being traced itself
	}
	require.NoError(t, exec.ParallelFor(policy.Range(0, 10).WithLabel("visible label").On(exec.Serial{}), func(int) {}))
	trace.Stop()
	assert.Contains(t, buf.String(), "visible label")
}

// custom is a policy of 100 items whose plan and steps are the test's.
type custom struct {
	plan policy.Plan
	next func(begin, end int, dst []int) (n, next int)
}

func (p custom) Plan() policy.Plan                            { return p.plan }
func (p custom) Next(begin, end int, dst []int) (n, next int) { return p.next(begin, end, dst) }

func TestFaultyPolicyIsAnError(t *testing.T) {
	tests := []struct {
		name string
		next func(begin, end int, dst []int) (n, next int)
		want string
	}{
		{"stands still", func(begin, end int, dst []int) (int, int) { return 0, begin }, "returned 0 indices and item 0, expected 4 and 4"},
		{"goes back", func(begin, end int, dst []int) (int, int) { return 1, begin - 1 }, "returned 1 indices and item -1"},
		{"gives nothing", func(begin, end int, dst []int) (int, int) { return 0, end }, "returned 0 indices"},
		{"goes too far", func(begin, end int, dst []int) (int, int) { return 1, end + 1 }, "returned 1 indices and item 5, expected 4 and 4"},
		{"gives less", func(begin, end int, dst []int) (int, int) { return len(dst) - 1, begin + len(dst) - 1 }, "returned 3 indices and item 3, expected 4 and 4"},
		{"gives too much", func(begin, end int, dst []int) (int, int) { return len(dst) + 1, end }, "returned 5 indices"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			total := 5
			p := custom{policy.Plan{Items: 100, Space: exec.Serial{}}, test.next}
			err := exec.ParallelReduce(p, func(int, *int) { t.Error("the functor ran") }, reducers.New(&total, addInt))
			assert.ErrorContains(t, err, test.want)
			err = exec.ParallelFold(exec.Map(p, func(int) int { t.Error("the functor ran"); return 1 }), reducers.New(&total, addInt))
			assert.ErrorContains(t, err, "of a exec_test.custom returned")
			assert.Equal(t, 5, total)
		})
	}
	for _, plan := range []policy.Plan{{Items: -5}, {Items: 5, Chunk: -1}} {
		err := exec.ParallelFor(custom{plan: plan}, func(int) { t.Error("the functor ran") })
		assert.ErrorContains(t, err, "expected neither below 0")
	}
}

// faulty is a space that breaks its contract in one way.
type faulty struct {
	launch func(g space.Grid, j space.Job) error
}

func (faulty) Name() string                             { return "faulty" }
func (faulty) Concurrency() int                         { return 1 }
func (f faulty) Launch(g space.Grid, j space.Job) error { return f.launch(g, j) }

func TestFaultySpaceIsNamed(t *testing.T) {
	tests := []struct {
		name   string
		launch func(g space.Grid, j space.Job) error
		want   string
	}{
		{"nothing run", func(g space.Grid, j space.Job) error { return nil }, "space faulty returned without the root"},
		{"half run", func(g space.Grid, j space.Job) error {
			j.Open(1, 1)
			j.Run(0, 0, 8, 0)
			return nil
		}, "space faulty returned without the root"},
		{"not a node", func(g space.Grid, j space.Job) error {
			j.Open(1, 1)
			j.Run(0, 1, 3, 0)
			return nil
		}, "ran leaves 1 to 2, which are not a node of a tree of 16 leaves"},
		{"not neighbours", func(g space.Grid, j space.Job) error {
			j.Open(1, 2)
			j.Run(0, 0, 4, 0)
			j.Run(0, 8, 12, 1)
			j.Join(0, 1)
			return nil
		}, "joined leaves 0 to 3 with leaves 8 to 11"},
		{"not halves", func(g space.Grid, j space.Job) error {
			j.Open(1, 2)
			j.Run(0, 4, 8, 0)
			j.Run(0, 8, 12, 1)
			j.Join(0, 1)
			return nil
		}, "joined leaves 4 to 7 with leaves 8 to 11"},
		{"its own error", func(g space.Grid, j space.Job) error { return io.ErrClosedPipe }, io.ErrClosedPipe.Error()},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			total := 5
			err := exec.ParallelReduce(policy.Range(0, 16).Chunk(1).On(faulty{test.launch}), func(int, *int) {}, reducers.New(&total, addInt))
			assert.ErrorContains(t, err, test.want)
			assert.Equal(t, 5, total)
		})
	}
}

func TestInitialValueIsReadOnceAndFirst(t *testing.T) {
	space := policy.Range(0, 10).On(exec.Serial{})
	total := 100
	require.NoError(t, exec.ParallelReduce(space, func(i int, acc *int) { *acc++; total = -1 }, reducers.WithInitial(reducers.New(&total, addInt))))
	assert.Equal(t, 110, total)

	total = 100
	require.NoError(t, exec.ParallelScan(space, func(i int, acc *int, _ bool) { *acc++; total = *acc }, reducers.WithInitial(reducers.New(&total, addInt)))) //gokkosvet:ignore what was stored before a pass is looked at
	assert.Equal(t, 110, total)
}

// stored is a reducer whose Store panics.
type stored struct{ reducers.Base[int] }

func (stored) Join(dst, src *int) { *dst += *src }
func (stored) Traits() concept.Traits[int] {
	return concept.Traits[int]{Store: func(*int) { panic("store") }}
}

func TestPanicInStoreIsAPanic(t *testing.T) {
	var a int
	defer func() {
		p, ok := recover().(*exec.Panic)
		require.True(t, ok)
		assert.Equal(t, "store", p.Value)
	}()
	_ = exec.ParallelReduce(policy.Range(0, 10).On(exec.Serial{}), func(int, *int) {}, stored{reducers.Into(&a)})
}

// pair is looked after by fields.
type pair struct{ A, B int }

func TestFieldsAreCheckedByEveryPattern(t *testing.T) {
	var a, b int
	p := policy.Range(0, 10).On(exec.Serial{})
	onlyA := reducers.Field(func(s *pair) *int { return &s.A }, reducers.New(&a, addInt))
	both := reducers.Compose(onlyA, reducers.Field(func(s *pair) *int { return &s.B }, reducers.New(&b, addInt)))
	const want = "no reducer owns field pair.B"
	assert.ErrorContains(t, exec.ParallelReduce2(p, func(int, *pair, *int) { t.Error("ran") }, onlyA, reducers.New(&b, addInt)), want)
	assert.ErrorContains(t, exec.ParallelScan(p, func(int, *pair, bool) { t.Error("ran") }, onlyA), want)
	assert.ErrorContains(t, exec.ParallelReduce2(p, func(int, *pair, *int) { t.Error("ran") }, both, reducers.New(&b, addInt)), "same result place")
}

// A fold over a policy that is no Range knows items by their number.
func TestFoldLocatesByNumberOrIndex(t *testing.T) {
	var at int
	first := func() reducers.Folder[int] {
		return reducers.Folding(reducers.New(&at, func(dst, src *int) { *dst = min(*dst, *src) }, reducers.Init(func(v *int) { *v = 1 << 20 })),
			func(acc *int, i int, x int) { *acc = min(*acc, i) })
	}
	require.NoError(t, exec.ParallelFold(exec.Map(policy.Range(7, 50).On(exec.Serial{}), func(i int) int { return i }), first()))
	assert.Equal(t, 7, at)
	down := custom{policy.Plan{Items: 10, Space: exec.Serial{}}, func(begin, end int, dst []int) (int, int) {
		for k := range dst {
			dst[k] = 1000 - begin - k
		}
		return len(dst), begin + len(dst)
	}}
	require.NoError(t, exec.ParallelFold(exec.Map(down, func(i int) int { return i }), first()))
	assert.Equal(t, 0, at)
}

func TestModifiedFoldOfAnotherTypeIsAnError(t *testing.T) {
	n := 3
	err := exec.ParallelFold(exec.Slice(policy.Range(0, 3).On(exec.Serial{}), []int{5, 6, 7}), reducers.WithInitial(builtin.Count(&n)))
	assert.ErrorContains(t, err, "use Folding")
	assert.Equal(t, 3, n)
}
