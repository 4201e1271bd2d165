package device_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/exec/space/spacetest"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/views"
)

// What a generator would write: kernels with loops over whole leaves. A leaf that a loop cannot
// do is left as it is, for the functor.

type (
	leafLoop   func(begin, end int) bool
	lanesLoop  func(begin, end int, lanes []float64) bool
	pointsLoop func(i, begin, end int) bool // a part of a row
)

type axpy struct {
	a    float64
	x, y []float64
}

func Axpy(a float64, x, y []float64) func(i int) { return (&axpy{a, x, y}).at }

func (k *axpy) at(i int) { k.y[i] += float64(k.a * k.x[i]) }

func (k *axpy) loop(begin, end int) bool {
	if begin < 0 || end > min(len(k.x), len(k.y)) {
		return false
	}
	x, y := k.x[begin:end], k.y[begin:end]
	for i := range x {
		y[i] += float64(k.a * x[i])
	}
	return true
}

type dot struct{ x, y []float64 }

func Dot(x, y []float64) func(i int, acc *float64) { return (&dot{x, y}).at }

func (k *dot) at(i int, acc *float64) { *acc += float64(k.x[i] * k.y[i]) }

func (k *dot) loop(begin, end int, lanes []float64) bool {
	if begin < 0 || end > min(len(k.x), len(k.y)) {
		return false
	}
	for i := begin; i < end; i++ {
		lanes[(i-begin)%len(lanes)] += float64(k.x[i] * k.y[i])
	}
	return true
}

type stencil struct{ u, v views.View2[float64] }

func (k *stencil) at(at policy.Index2) {
	k.v.Set(at.I, at.J, k.u.At(at.I-1, at.J)+k.u.At(at.I, at.J+1))
}

func (k *stencil) loop(i, begin, end int) bool {
	for j := begin; j < end; j++ {
		k.v.Set(i, j, k.u.At(i-1, j)+k.u.At(i, j+1))
	}
	return true
}

func init() {
	device.AttachCode("go", func(k *axpy) func(int) { return k.at }, func(k *axpy) any { return leafLoop(k.loop) })
	device.AttachCode("go", func(k *dot) func(int, *float64) { return k.at }, func(k *dot) any { return lanesLoop(k.loop) })
	device.AttachCode("go", func(k *stencil) func(policy.Index2) { return k.at }, func(k *stencil) any { return pointsLoop(k.loop) })
	device.AttachCode("none", func(k *axpy) func(int) { return k.at }, func(*axpy) any { return nil })
}

// runner is a space that runs code of its target where there is some.
type runner struct {
	card
	target string
	strict bool // nothing else
}

func (*runner) Name() string { return "runner" }

func (r *runner) Launch(g space.Grid, j space.Job) error {
	job, ok := j.(device.Job)
	if !ok {
		r.launch(g, j, nil)
		return nil
	}
	f := job.Functor()
	kernel := loopOf(g, f, r.target)
	if kernel == nil {
		if r.strict {
			return f.Without(r.target, r)
		}
		r.launch(g, j, nil)
		return nil
	}
	r.launch(g, fallback{job, &r.card}, kernel)
	return nil
}

// fallback runs the nodes that a loop has left alone.
type fallback struct {
	device.Job
	count *card
}

func (f fallback) Accept(worker, first, last, slot int, value []byte) bool {
	if value == nil {
		f.count.ran.Add(1)
		return f.Run(worker, first, last, slot)
	}
	return f.Job.Accept(worker, first, last, slot, value)
}

// loopOf returns what computes leaves, or nil.
func loopOf(g space.Grid, f device.Functor, target string) func(first, last int) []byte {
	if f.Box == nil {
		return nil
	}
	done := func(ok bool) []byte {
		if ok {
			return []byte{}
		}
		return nil
	}
	low := f.Box.Lower[0] + f.Box.First
	switch code := f.Code(target).(type) {
	case leafLoop:
		return func(first, last int) []byte {
			return done(code(low+first*g.Leaf, low+min(last*g.Leaf, g.Items)))
		}
	case lanesLoop:
		if len(f.Columns) != 1 || f.Columns[0].Operation.Join != concept.OpSum {
			return nil
		}
		o := operation[float64]{join: func(a, b float64) float64 { return a + b }}
		return func(first, last int) []byte {
			begin := first * g.Leaf
			items := min(g.Leaf, g.Items-begin)
			lanes := make([]float64, f.Columns[0].Lanes)
			if !code(low+begin, low+begin+items, lanes) {
				return nil
			}
			sum := o.butterfly(lanes, items)
			return unsafe.Slice((*byte)(unsafe.Pointer(&sum)), unsafe.Sizeof(sum))
		}
	case pointsLoop:
		if len(f.Box.Extent) != 2 || f.Box.LeftTiles || f.Box.LeftPoints || f.Box.Tile[0] < f.Box.Extent[0] || f.Box.Tile[1] < f.Box.Extent[1] {
			return nil
		}
		return func(first, last int) []byte {
			n := f.Box.Extent[1]
			low, before := f.Box.Lower[0], f.Box.First
			for item, end := before+first*g.Leaf, before+min(last*g.Leaf, g.Items); item < end; {
				next := min(end, item-item%n+n)
				j := f.Box.Lower[1] + item%n
				code(low+item/n, j, j+next-item)
				item = next
			}
			return []byte{}
		}
	}
	return nil
}

func TestRunner(t *testing.T) { spacetest.TestSpace(t, &runner{card: card{leaves: 1}, target: "go"}) }

// A functor with code is called, passed on and tested as any other.
func TestCodeInPlaceOfAFunctor(t *testing.T) {
	for _, n := range sizes {
		x, y, want := make([]float64, n+2), make([]float64, n+2), make([]float64, n+2)
		for i := range x {
			x[i], y[i], want[i] = 1/float64(i+1), float64(i), float64(i)
		}
		f := Axpy(3, x, want)
		for i := 1; i < n+1; i++ {
			f(i)
		}
		on := &runner{card: card{leaves: 1}, target: "go"}
		p := policy.Range(1, n+1).On(on)
		require.NoError(t, exec.ParallelFor(p, passedOn(Axpy(3, x, y))))
		assert.Equal(t, want, y)
		assert.Equal(t, []bool{n > 0, false}, []bool{on.own.Load() > 0, on.ran.Load() > 0})

		var sum float64
		for _, r := range []reducers.Reducer[float64]{builtin.Sum(&sum), reducers.Ordered(builtin.Sum(&sum))} {
			require.NoError(t, exec.ParallelReduce(p.On(exec.Serial{}), func(i int, acc *float64) { *acc += float64(x[i] * y[i]) }, r))
			want := sum
			require.NoError(t, exec.ParallelReduce(p, Dot(x, y), r))
			assert.Equal(t, math.Float64bits(want), math.Float64bits(sum), "%d items", n)
			assert.Equal(t, []bool{n > 0, false}, []bool{on.own.Load() > 0, on.ran.Load() > 0})
		}
	}
}

//go:noinline
func passedOn(f func(int)) func(int) { return f }

func TestCodeOverABox(t *testing.T) {
	u, v, want := views.Must(views.New2[float64]("u", 70, 50)), views.Must(views.New2[float64]("v", 70, 50)), views.Must(views.New2[float64]("w", 70, 50))
	for i := range 70 {
		for j := range 50 {
			u.Set(i, j, float64(i*j))
		}
	}
	p := policy.MDRange2([2]int{1, 2}, [2]int{69, 48})
	require.NoError(t, exec.ParallelFor(p.On(exec.Serial{}), (&stencil{u, want}).at))
	on := &runner{card: card{leaves: 4}, target: "go"}
	require.NoError(t, exec.ParallelFor(p.On(on), (&stencil{u, v}).at))
	assert.Equal(t, []bool{true, false}, []bool{on.own.Load() > 0, on.ran.Load() > 0})
	for i := range 70 {
		for j := range 50 {
			assert.Equal(t, want.At(i, j), v.At(i, j))
		}
	}
	require.NoError(t, exec.ParallelFor(p.Tile([2]int{8, 8}).On(on), (&stencil{u, v}).at))
	assert.Equal(t, []bool{false, true}, []bool{on.own.Load() > 0, on.ran.Load() > 0})
}

// What the code cannot do, the functor does, and fails as it does everywhere.
func TestPanicBesideCode(t *testing.T) {
	x := make([]float64, 1000)
	panicOf := func(on space.Space, y []float64) (p *exec.Panic) {
		defer func() { p = recover().(*exec.Panic) }()
		_ = exec.ParallelFor(policy.Range(0, 1000).WithLabel("axpy").On(on), Axpy(3, x, y))
		return nil
	}
	on := &runner{card: card{leaves: 1}, target: "go"}
	got, want := panicOf(on, make([]float64, 700)), panicOf(exec.Serial{}, make([]float64, 700))
	assert.Equal(t, fmt.Sprint(want.Value), fmt.Sprint(got.Value))
	assert.Equal(t, []any{want.Begin, want.End, want.Label}, []any{got.Begin, got.End, got.Label})
	assert.Equal(t, []bool{true, true}, []bool{on.own.Load() > 0, on.ran.Load() > 0})
}

func TestFunctorsWithoutCode(t *testing.T) {
	x := make([]float64, 10)
	on := &runner{card: card{leaves: 1}, target: "ptx", strict: true}
	p := policy.Range(0, 10).On(on)
	labelled := p.WithLabel("axpy")
	const here = `the functor at code_test\.go:\d+ \(github\.com/gokkos/gokkos/exec/space/device_test\.TestFunctorsWithoutCode\.func\d+\) has no ptx code$`
	var sum float64
	for _, c := range []struct {
		says string
		err  error
	}{
		{`^exec: launch of "axpy" on runner: ` + here, exec.ParallelFor(labelled, func(i int) { x[i]++ })},
		{`^exec: launch on runner: ` + here, exec.ParallelReduce(p, func(i int, acc *float64) { *acc += x[i] }, builtin.Sum(&sum))},
		{here, exec.ParallelReduce2(p, func(int, *float64, *int) {}, builtin.Sum(&sum), builtin.Count(new(int)))},
		{here, exec.ParallelReduce3(p, func(int, *float64, *int, *int) {}, builtin.Sum(&sum), builtin.Count(new(int)), builtin.Count(new(int)))},
		{here, exec.ParallelReduce4(p, func(int, *float64, *int, *int, *int) {}, builtin.Sum(&sum), builtin.Count(new(int)), builtin.Count(new(int)), builtin.Count(new(int)))},
		{here, exec.ParallelScan(p, func(int, *float64, bool) {}, builtin.Sum(&sum))},
		{here, exec.ParallelFor(policy.Team(2, 2).On(on), func(*team.Member) {})},
		{here, exec.ParallelReduce2(policy.Team(2, 2).On(on), func(*team.Member, *float64, *int) {}, builtin.Sum(&sum), builtin.Count(new(int)))},
		{here, exec.ParallelFold(exec.Map(p, func(int) float64 { return 1 }), builtin.Sum(&sum))},
		{here, exec.ParallelReduceLanes(policy.Spans(0, 10).On(on), func(exec.Lanes[float64]) {}, builtin.Sum(&sum))},
		{`: the functor github\.com/gokkos/gokkos/exec/space/device_test\.\(\*axpy\)\.at has no ptx code$`, exec.ParallelFor(p, Axpy(1, x, x))},
		{`^exec: launch on runner: it calls no functor, expected one with ptx code$`, exec.ParallelFold(exec.Slice(p, x), builtin.Sum(&sum))},
		{`it calls no functor`, exec.ParallelFold(exec.Products(p, x, x), builtin.Sum(&sum))},
	} {
		if assert.Error(t, c.err, c.says) {
			assert.Regexp(t, c.says, c.err.Error())
		}
	}
	assert.Equal(t, make([]float64, 10), x)

	on = &runner{card: card{leaves: 1}, target: "none"} // there is none after all
	require.NoError(t, exec.ParallelFor(policy.Range(0, 10).On(on), Axpy(1, x, x)))
	assert.Equal(t, []int64{0, 10}, []int64{on.own.Load(), on.ran.Load()})
}

// A Functor tells the line of the literal, whoever passes it on.
func TestSource(t *testing.T) {
	f := device.Functor{Func: func(int) {}}
	name, file, line := f.Source()
	assert.Regexp(t, `device_test\.TestSource\.func1$`, name)
	assert.Regexp(t, `exec/space/device/code_test\.go$`, file)
	assert.Equal(t, lineOf("f := device.Functor{Func: func(int) {}}"), line)
	for _, none := range []any{nil, 7, (func(int))(nil)} {
		name, _, _ = device.Functor{Func: none}.Source()
		assert.Empty(t, name)
		assert.Equal(t, "no functor", device.Functor{Func: none}.String())
		assert.Nil(t, device.Functor{Func: none}.Code("go"))
	}
}

type pair[T any] struct{ at, other []T }

func (k *pair[T]) first(i int)  { k.at[i] = *new(T) }
func (k *pair[T]) second(i int) { k.other[i] = *new(T) }

type inner struct{ n int }

func (k *inner) at(int) { k.n++ }

type outer struct{ inner }

type byValue struct{ x *int }

func (k byValue) at(int) { *k.x++ }

// Code is of one method of one type, and of whatever receiver the functor has.
// Buffer has the name of the type that it embeds.
type Buffer struct {
	bytes.Buffer
	more [4]int
}

func TestAttachCode(t *testing.T) {
	nothing := func(*pair[*int]) any { return nil }
	device.AttachCode("attached", func(k *pair[*int]) func(int) { return k.first }, func(k *pair[*int]) any { return k })
	k := &pair[*int]{}
	assert.Same(t, k, device.Functor{Func: k.first}.Code("attached"))
	assert.Nil(t, device.Functor{Func: k.first}.Code("other"))
	assert.Nil(t, device.Functor{Func: k.second}.Code("attached"))
	assert.Nil(t, device.Functor{Func: (&pair[*string]{}).first}.Code("attached"), "another type of the same shape")
	assert.Nil(t, device.Functor{Func: func(i int) { k.first(i) }}.Code("attached"))

	const wrong = "expected a function that returns a method of its *"
	assert.Panics(t, func() {
		device.AttachCode("attached", func(b *Buffer) func(int) { return b.Truncate }, func(b *Buffer) any { return b.more })
	}, "a method of another type of that name")
	for what, attach := range map[string]func(){
		"which has such code already": func() { device.AttachCode("attached", func(k *pair[*int]) func(int) { return k.first }, nothing) },
		wrong + "device_test.pair[*int]": func() {
			device.AttachCode("attached", func(k *pair[*int]) func(int) { return func(i int) { k.first(i) } }, nothing)
		},
		wrong + "device_test.outer": func() {
			device.AttachCode("attached", func(k *outer) func(int) { return k.inner.at }, func(*outer) any { return nil })
		},
		wrong + "device_test.byValue": func() {
			device.AttachCode("attached", func(k *byValue) func(int) { return k.at }, func(*byValue) any { return nil })
		},
		wrong + "device_test.inner": func() {
			other := new(inner)
			device.AttachCode("attached", func(*inner) func(int) { return other.at }, func(*inner) any { return nil })
		},
		wrong + "int":                        func() { device.AttachCode("attached", func(k *int) int { return 0 }, func(*int) any { return nil }) },
		"expected a target and two":          func() { device.AttachCode("", func(k *pair[*int]) func(int) { return k.first }, nothing) },
		`AttachCode("attached") of a device`: func() { device.AttachCode[pair[*int], func(int)]("attached", nil, nothing) },
	} {
		func() {
			defer func() { assert.Contains(t, fmt.Sprint(recover()), what) }()
			attach()
		}()
	}
}

// lineOf returns the line of this file that has the text first.
func lineOf(text string) int {
	source, _ := os.ReadFile("code_test.go")
	before, _, _ := strings.Cut(string(source), text)
	return 1 + strings.Count(before, "\n")
}
