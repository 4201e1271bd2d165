package device_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/exec/space/ranks"
	"github.com/gokkos/gokkos/exec/space/spacetest"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
)

// card is a space that folds with loops of its own, as far as it knows the operations: nodes
// of up to that many leaves, which it joins itself. The job runs and joins all else.
type card struct {
	leaves   int
	own, ran atomic.Int64 // nodes of the last launch
}

func (*card) Name() string     { return "card" }
func (*card) Concurrency() int { return 1 }

func (c *card) Launch(g space.Grid, j space.Job) error {
	c.launch(g, j, kernelOf(g, j))
	return nil
}

// launch computes the nodes that there is a kernel for, and runs the others.
func (c *card) launch(g space.Grid, j space.Job, kernel func(first, last int) []byte) {
	c.own.Store(0)
	c.ran.Store(0)
	j.Open(1, 64)
	var walk func(first, last, slot int) bool
	walk = func(first, last, slot int) bool {
		if last-first <= c.leaves {
			if kernel != nil {
				c.own.Add(1)
				return j.(device.Job).Accept(0, first, last, slot, kernel(first, last))
			}
			c.ran.Add(1)
			return j.Run(0, first, last, slot)
		}
		middle := first + half(last-first)
		left, right := walk(first, middle, slot), walk(middle, last, slot+1)
		return left && right && j.Join(slot, slot+1)
	}
	if g.Leaves > 0 {
		walk(0, g.Leaves, 0)
	}
}

// half returns the largest power of two below n.
func half(n int) int {
	w := 1
	for 2*w < n {
		w *= 2
	}
	return w
}

// kernelOf returns what computes nodes of a job, or nil.
func kernelOf(g space.Grid, j space.Job) func(first, last int) []byte {
	job, ok := j.(device.Job)
	if !ok {
		return nil
	}
	f, ok := job.Fold()
	if !ok {
		return nil
	}
	for _, values := range []any{f.X, f.Y} {
		if v := reflect.ValueOf(values); v.IsValid() && v.Len() != g.Items {
			panic(fmt.Sprintf("%d values for %d items", v.Len(), g.Items))
		}
	}
	switch x := f.X.(type) {
	case []float64:
		y, _ := f.Y.([]float64)
		return kernel(g, f, x, y, math.Inf(1), math.Abs)
	case []float32:
		y, _ := f.Y.([]float32)
		return kernel(g, f, x, y, float32(math.Inf(1)), func(v float32) float32 { return float32(math.Abs(float64(v))) })
	case []int:
		return kernel(g, f, x, nil, math.MaxInt, func(v int) int { return max(v, -v) })
	}
	return nil
}

// operation is one that the card knows.
type operation[T any] struct {
	identity T
	mapped   func(x T) T
	join     func(a, b T) T
	lanes    int
}

func kernel[T float64 | float32 | int](g space.Grid, f device.Fold, x, y []T, most T, abs func(T) T) func(first, last int) []byte {
	var list []operation[T]
	for _, c := range f.Columns {
		o := operation[T]{lanes: c.Lanes}
		switch c.Operation.Join {
		case concept.OpSum:
			o.join = func(a, b T) T { return a + b }
		case concept.OpMin:
			o.identity, o.join = most, func(a, b T) T { return min(a, b) }
		default:
			return nil
		}
		switch c.Operation.Map {
		case "":
			o.mapped = func(x T) T { return x }
		case concept.MapSquare:
			o.mapped = func(x T) T { return T(x * x) }
		case concept.MapAbs:
			o.mapped = abs
		default:
			return nil
		}
		list = append(list, o)
	}
	return func(first, last int) (value []byte) {
		for _, o := range list {
			v := o.node(g, first, last, func(item int) T {
				if y != nil {
					return T(x[item] * y[item])
				}
				return x[item]
			})
			value = append(value, unsafe.Slice((*byte)(unsafe.Pointer(&v)), unsafe.Sizeof(v))...)
		}
		return value
	}
}

func (o operation[T]) node(g space.Grid, first, last int, value func(item int) T) T {
	if last-first > 1 {
		middle := first + half(last-first)
		return o.join(o.node(g, first, middle, value), o.node(g, middle, last, value))
	}
	lanes := slices.Repeat([]T{o.identity}, o.lanes)
	begin := first * g.Leaf
	items := min(g.Leaf, g.Items-begin)
	for k := range items {
		lane := &lanes[k%o.lanes]
		y := o.mapped(value(begin + k))
		*lane = o.join(*lane, y)
	}
	return o.butterfly(lanes, items)
}

// butterfly returns what the lanes of a leaf come to.
func (o operation[T]) butterfly(lanes []T, items int) T {
	for h := len(lanes) / 2; h > 0; h /= 2 {
		for l := 0; l < h && l+h < items; l++ {
			lanes[l] = o.join(lanes[l], lanes[l+h])
		}
	}
	return lanes[0]
}

func TestCard(t *testing.T) {
	for _, leaves := range []int{1, 4, 1 << 20} {
		spacetest.TestSpace(t, &card{leaves: leaves})
	}
}

// sizes are those at which trees go wrong.
var sizes = []int{0, 1, 2, 7, 17, 100, 1000, 1023, 4097, 100_003}

// computed checks that the card folds without the job, and has the bits of Serial.
func computed[T float64 | float32 | int](t *testing.T, value func() T) {
	t.Helper()
	results := func(on space.Space, c *card, s func(p policy.RangePolicy) exec.Source[T], n, chunk int) (list []string) {
		p := policy.Range(3, 3+n).Chunk(chunk).On(on)
		var a, b, d, e, initial, ordered T = 1, 2, 3, 4, 5, 6
		for _, rs := range [][]reducers.Folder[T]{
			{builtin.Sum(&a)},
			{builtin.Min(&b)},
			{builtin.Norm1(&a), builtin.Min(&b), builtin.SumSq(&d), builtin.Sum(&e)},
			{reducers.WithInitial(builtin.Sum(&initial))},
			{reducers.Ordered(builtin.Sum(&ordered)), builtin.Sum(&a)},
		} {
			require.NoError(t, exec.ParallelFold(s(p), rs[0], rs[1:]...))
			list = append(list, fmt.Sprintf("%x", []T{a, b, d, e, initial, ordered})) // tells -0 from 0
			if c != nil {
				assert.Equal(t, n > 0, c.own.Load() > 0, "%d items", n)
				assert.Zero(t, c.ran.Load())
			}
		}
		return list
	}
	for _, n := range sizes {
		x, y := make([]T, n+5), make([]T, n+5)
		for k := range x {
			x[k], y[k] = value(), value()
		}
		for name, s := range map[string]func(p policy.RangePolicy) exec.Source[T]{
			"slice":    func(p policy.RangePolicy) exec.Source[T] { return exec.Slice(p, x) },
			"products": func(p policy.RangePolicy) exec.Source[T] { return products(p, x, y) },
		} {
			for _, chunk := range []int{0, 1, 50} {
				want := results(exec.Serial{}, nil, s, n, chunk)
				for _, leaves := range []int{1, 4, 1 << 20} {
					c := &card{leaves: leaves}
					assert.Equal(t, want, results(c, c, s, n, chunk), "%s of %d, chunk %d, nodes of %d", name, n, chunk, leaves)
				}
			}
		}
	}
}

// products are those of floats; integers have none.
func products[T any](p policy.RangePolicy, x, y []T) exec.Source[T] {
	var s any
	switch x := any(x).(type) {
	case []float64:
		s = exec.Products(p, x, any(y).([]float64))
	case []float32:
		s = exec.Products(p, x, any(y).([]float32))
	default:
		return exec.Slice(p, any(y).([]T))
	}
	return s.(exec.Source[T])
}

func TestFoldByOwnCode(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	t.Run("float64", func(t *testing.T) { computed(t, rng.NormFloat64) })
	t.Run("float32", func(t *testing.T) { computed(t, func() float32 { return float32(rng.NormFloat64()) }) })
	t.Run("int", func(t *testing.T) { computed(t, func() int { return int(rng.Uint64()) }) })
	t.Run("zeros", func(t *testing.T) { computed(t, func() float64 { return math.Copysign(0, rng.NormFloat64()) }) })
	t.Run("infinite", func(t *testing.T) { computed(t, func() float64 { return math.Inf(1) }) })
}

// What a job does not tell, or the card does not know, the job runs.
func TestFoldsThatAreNotKnown(t *testing.T) {
	x := make([]float64, 1000)
	for k := range x {
		x[k] = 1 / float64(k+1)
	}
	p := policy.Range(0, len(x))
	var sum float64
	var moments builtin.Moments[float64]
	add := func(dst, src *float64) { *dst += *src }
	for name, c := range map[string]struct {
		told bool
		fold func(p policy.RangePolicy) error
	}{
		"functions": {true, func(p policy.RangePolicy) error { return exec.ParallelFold(exec.Slice(p, x), reducers.New(&sum, add)) }},
		"a functor": {false, func(p policy.RangePolicy) error {
			return exec.ParallelFold(exec.Map(p, func(i int) float64 { return x[i] }), builtin.Sum(&sum))
		}},
		"another": {true, func(p policy.RangePolicy) error {
			return exec.ParallelFold(exec.Slice(p, x), builtin.Variance(&moments))
		}},
		"one of two": {true, func(p policy.RangePolicy) error {
			return exec.ParallelFold(exec.Slice(p, x), builtin.Sum(&sum), reducers.New(new(float64), add))
		}},
		"accepting": {true, func(p policy.RangePolicy) error {
			return exec.ParallelFold(exec.Slice(p, x), reducers.Folding(builtin.Sum(&sum), func(acc *float64, _ int, x float64) { *acc -= x }))
		}},
		"overriding": {true, func(p policy.RangePolicy) error {
			return exec.ParallelFold(exec.Slice(p, x), doubling{builtin.Sum(&sum)})
		}},
		"no fold": {false, func(p policy.RangePolicy) error {
			return exec.ParallelReduce(p, func(i int, acc *float64) { *acc += x[i] }, builtin.Sum(&sum))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			told := false
			look := watcher{func(g space.Grid, j space.Job) { _, told = j.(device.Job).Fold() }}
			require.NoError(t, c.fold(p.On(look)))
			assert.Equal(t, c.told, told)
			require.NoError(t, c.fold(p.On(exec.Serial{})))
			wantSum, wantMoments := sum, moments
			on := &card{leaves: 1}
			require.NoError(t, c.fold(p.On(on)))
			assert.Equal(t, []any{wantSum, wantMoments}, []any{sum, moments})
			assert.Zero(t, on.own.Load())
			assert.NotZero(t, on.ran.Load())
		})
	}
}

// doubling takes values twice, which the fold within does not know.
type doubling struct{ reducers.Folder[float64] }

func (d doubling) Fold() reducers.Fold[float64] {
	fold := d.Folder.Fold()
	reduce.Rejoin(fold, func(own reduce.Adder) reduce.Adder { return twice{own} })
	return fold
}

type twice struct{ reduce.Adder }

func (t twice) AddValues(lanes reduce.Values, first int, x reduce.Values) {
	t.Adder.AddValues(lanes, first, x)
	t.Adder.AddValues(lanes, first, x)
}

// What a space hands in against the contract is an error, and no panic.
func TestMisuseOfAccept(t *testing.T) {
	x := []float64{1, 2, 3}
	p := policy.Range(0, len(x))
	eight := make([]byte, 8)
	asked := func(j space.Job) device.Job {
		_, _ = j.(device.Job).Fold()
		j.Open(2, 3)
		return j.(device.Job)
	}
	for name, c := range map[string]struct {
		says string
		do   func(j space.Job)
	}{
		"node":      {"leaves 1 to 2, which are not a node of a tree of 3 leaves", func(j space.Job) { asked(j).Accept(0, 1, 3, 0, eight) }},
		"slot":      {"slot 3, having opened 2 workers and 3 slots", func(j space.Job) { asked(j).Accept(0, 0, 1, 3, eight) }},
		"worker":    {"worker 2 and slot 0", func(j space.Job) { asked(j).Accept(2, 0, 1, 0, eight) }},
		"short":     {"the space computed leaves 0 to 2: reducers: a partial result of type float64: 7 bytes are left, expected 8", func(j space.Job) { asked(j).Accept(0, 0, 3, 0, eight[1:]) }},
		"long":      {"reducers: 16 bytes were given for a node, expected 8", func(j space.Job) { asked(j).Accept(0, 0, 3, 0, make([]byte, 16)) }},
		"not asked": {"Layout was not called", func(j space.Job) { j.Open(1, 1); j.(device.Job).Accept(0, 0, 3, 0, eight) }},
		"late":      {"asked for the job's fold after Open", func(j space.Job) { j.Open(1, 1); _, _ = j.(device.Job).Fold(); j.Run(0, 0, 3, 0) }},
		"none such": {"asked for the fold of items 1 to 4, expected 0 <= begin <= end <= 3", func(j space.Job) { _, _ = j.(device.Job).FoldOf(1, 4) }},
		"late, too": {"asked for the job's functor after Open", func(j space.Job) { j.Open(1, 1); _ = j.(device.Job).Functor(); j.Run(0, 0, 3, 0) }},
		"overlapping": {"leaves 0 to 0 with leaves 0 to 0, which are not the halves", func(j space.Job) {
			s := asked(j)
			s.Accept(0, 0, 1, 0, eight)
			s.Accept(1, 0, 1, 1, eight)
			j.Join(0, 1)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			sum := 7.0
			err := exec.ParallelFold(exec.Slice(p.On(doing{c.do}), x), builtin.Sum(&sum))
			assert.ErrorContains(t, err, c.says)
			assert.EqualValues(t, 7, sum)
		})
	}
}

// doing is a space that does one thing.
type doing struct{ what func(j space.Job) }

func (doing) Name() string     { return "doing" }
func (doing) Concurrency() int { return 1 }
func (d doing) Launch(_ space.Grid, j space.Job) error {
	d.what(j)
	return nil
}

// A space is told how the values of a scan's functor are joined, which it takes whole.
func TestScanOfAFunctor(t *testing.T) {
	scan := func(last int, value ...byte) (sum int64, err error) {
		on := doing{func(j space.Job) {
			job := j.(device.Job)
			f := job.Functor()
			assert.Equal(t, []int{4}, f.Box.Extent)
			assert.NotNil(t, f.Func)
			if assert.NotNil(t, f.Scan) {
				assert.Equal(t, []any{[]int64(nil), concept.OpSum, make([]byte, 8)}, []any{f.Scan.Src, f.Scan.Result.Operation.Join, f.Scan.Initial})
			}
			_, inMemory := job.Scan()
			assert.False(t, inMemory)
			j.Open(1, 1)
			job.Accept(0, 0, last, 0, value)
		}}
		return sum, exec.ParallelScan(policy.Range(0, 4).On(on), func(int, *int64, bool) {}, builtin.Sum(&sum))
	}
	_, err := scan(2, make([]byte, 8)...)
	assert.ErrorContains(t, err, "the space computed leaves 0 to 1: a part of a scan, expected all leaves, 0 to 3")
	_, err = scan(4)
	assert.ErrorContains(t, err, "the space computed leaves 0 to 3: reducers: a partial result of type int64: 0 bytes are left, expected 8")
	_, err = scan(4, make([]byte, 8)...)
	assert.NoError(t, err)
}

// A space that runs leaves of a scan does not hand in its sum, and the other way round.
func TestScansAreRunOrHandedIn(t *testing.T) {
	run := func(j space.Job) { j.Run(0, 0, 1, 0) }
	accept := func(j space.Job) { j.(device.Job).Accept(0, 0, 4, 0, make([]byte, 8)) }
	for _, c := range []struct {
		first, second func(space.Job)
		err           string
	}{
		{run, accept, "all leaves of a scan, expected none of them to have run or to be handed in before"},
		{accept, accept, "all leaves of a scan, expected none of them to have run or to be handed in before"},
		{accept, run, "the space ran leaves 0 to 0 of a scan whose sum it has handed in, expected one or the other"},
	} {
		var sum int64
		on := doing{func(j space.Job) {
			j.Open(1, 1)
			c.first(j)
			c.second(j)
		}}
		err := exec.ParallelScan(policy.Range(0, 4).On(on), func(int, *int64, bool) {}, builtin.Sum(&sum))
		assert.ErrorContains(t, err, c.err)
		assert.Zero(t, sum)
	}
}

// A node is no longer accepted where a lower one has failed or the launch is
// cancelled.
func TestAcceptOfLaunchesThatFail(t *testing.T) {
	x := make([]float64, 100)
	sum := 7.0
	ctx, cancel := context.WithCancelCause(context.Background())
	var before, after bool
	on := doing{func(j space.Job) {
		_, _ = j.(device.Job).Fold()
		j.Open(1, 2)
		before = j.(device.Job).Accept(0, 0, 1, 0, make([]byte, 8))
		_, part := ranks.Part(space.NewGrid(len(x), 0, false), j.(ranks.Carrier), 0, 1)
		assert.Equal(t, []bool{false, false}, []bool{j.(device.Job).Cancelled(), part.(device.Job).Cancelled()})
		cancel(fmt.Errorf("enough"))
		assert.Equal(t, []bool{true, true}, []bool{part.(device.Job).Cancelled(), j.(device.Job).Cancelled()})
		after = j.(device.Job).Accept(0, 1, 2, 1, make([]byte, 8))
	}}
	err := exec.ParallelFold(exec.Slice(policy.Range(0, len(x)).WithContext(ctx).WithLabel("zeros").On(on), x), builtin.Sum(&sum))
	assert.EqualError(t, err, `exec: launch of "zeros" cancelled: enough`)
	assert.Equal(t, []bool{true, false}, []bool{before, after})
	assert.EqualValues(t, 7, sum)

	on = doing{func(j space.Job) {
		_ = j.(device.Job).Functor()
		j.Open(1, 4)
		assert.True(t, j.(device.Job).Accept(0, 1, 2, 1, make([]byte, 8)))
		assert.False(t, j.Run(0, 2, 3, 2))
		assert.False(t, j.(device.Job).Accept(0, 3, 4, 3, make([]byte, 8)), "above the panic")
		assert.True(t, j.(device.Job).Accept(0, 0, 1, 0, make([]byte, 8)), "below it")
	}}
	launch := func() {
		_ = exec.ParallelReduce(policy.Range(0, 100).On(on), func(i int, _ *float64) { panic(i) }, builtin.Sum(&sum))
	}
	require.Panics(t, launch)
	defer func() {
		p := recover().(*exec.Panic)
		assert.Equal(t, []any{8, 8, 12}, []any{p.Value, p.Begin, p.End})
		assert.EqualValues(t, 7, sum)
	}()
	launch()
}
