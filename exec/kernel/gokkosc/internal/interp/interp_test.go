package interp_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/interp"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

func bits(x float64) uint64 { return math.Float64bits(x) }

// put appends a value to a block.
func put(k *ir.Kernel, b *ir.Block, op ir.Op, t ir.Type, index int, args ...*ir.Value) *ir.Value {
	v := k.NewValue(op, t, args...)
	v.Index = index
	if op == ir.Arg {
		b.Params = append(b.Params, v)
	} else {
		b.Values = append(b.Values, v)
	}
	return v
}

// scatter is func(i int) { y[i] = 1; y[at[i]] = 2 }.
func scatter() *ir.Kernel {
	length := []ir.Step{{Kind: ir.Len}}
	k := &ir.Kernel{
		Name:    "scatter",
		Params:  []ir.Param{{Name: "at", Type: "[]int"}, {Name: "y", Type: "[]float64"}},
		Scalars: []ir.Scalar{{Param: 0, Path: length, Type: ir.I64}, {Param: 1, Path: length, Type: ir.I64}},
		Mems:    []ir.Mem{{Param: 0, Elem: ir.I64}, {Param: 1, Elem: ir.F64}},
		Setup:   &ir.Block{},
		Body:    &ir.Block{},
	}
	i := put(k, k.Body, ir.Item, ir.I64, 0)
	n, m := put(k, k.Body, ir.Uniform, ir.I64, 0), put(k, k.Body, ir.Uniform, ir.I64, 1)
	one, two := put(k, k.Body, ir.Const, ir.F64, 0), put(k, k.Body, ir.Const, ir.F64, 0)
	one.Bits, two.Bits = bits(1), bits(2)
	put(k, k.Body, ir.Check, ir.None, 0, i, m)
	put(k, k.Body, ir.Store, ir.None, 1, i, one)
	put(k, k.Body, ir.Check, ir.None, 0, i, n)
	at := put(k, k.Body, ir.Load, ir.I64, 0, i)
	put(k, k.Body, ir.Check, ir.None, 0, at, m)
	put(k, k.Body, ir.Store, ir.None, 1, at, two)
	return k
}

// An item that stops leaves the memory as it was.
func TestStop(t *testing.T) {
	k := scatter()
	require.NoError(t, k.Verify())
	for _, c := range []struct {
		at         []int
		begin, end int
		next       int
		want       []float64
	}{
		{[]int{0, 0, 0}, 0, 3, 3, []float64{2, 1, 1}},
		{[]int{0, 3, 0}, 0, 3, 1, []float64{2, 0, 0}},
		{[]int{0, -1, 0}, 1, 3, 1, []float64{0, 0, 0}},
		{[]int{2, 2}, 0, 3, 2, []float64{1, 1, 2}},
		{[]int{2, 2}, 2, 2, 2, []float64{0, 0, 0}},
		{[]int{2, 2}, -1, 2, -1, []float64{0, 0, 0}},
	} {
		y := make([]float64, 3)
		args, err := interp.Bind(k, c.at, y)
		require.NoError(t, err)
		assert.Equal(t, c.next, interp.Span(k, args, c.begin, c.end, 0, nil), "%v", c)
		assert.Equal(t, c.want, y, "%v", c)
	}
	_, err := interp.Bind(k, []int{})
	assert.EqualError(t, err, "interp: kernel scatter of 1 parameters, expected 2")
}

// power is func(i int, acc *float64) { for range p.n[1] { *acc *= x[i] } }, with 1 if x[i] < 0.
func power() *ir.Kernel {
	k := &ir.Kernel{
		Name:    "power",
		Params:  []ir.Param{{Name: "p", Type: "struct{n [2]int32}"}, {Name: "x", Type: "[4]float64"}},
		Scalars: []ir.Scalar{{Param: 0, Path: []ir.Step{{Kind: ir.Field, Field: "N"}, {Kind: ir.Elem, N: 1}}, Type: ir.I32}},
		Mems:    []ir.Mem{{Param: 1, Elem: ir.F64, Array: true}},
		Lanes:   []ir.Lanes{{Name: "acc", GoType: "float64", Size: 8}},
		Accs:    []ir.Acc{{Name: "acc", Type: ir.F64, Elem: ir.F64}},
		Setup:   &ir.Block{},
		Body:    &ir.Block{},
	}
	acc := put(k, k.Body, ir.Arg, ir.F64, 0)
	i := put(k, k.Body, ir.Item, ir.I64, 0)
	n := put(k, k.Body, ir.Uniform, ir.I32, 0)
	x := put(k, k.Body, ir.Load, ir.F64, 0, i)
	zero := put(k, k.Body, ir.Const, ir.I32, 0)
	loop := put(k, k.Body, ir.Loop, ir.None, 0, zero, acc)
	loop.Blocks = []*ir.Block{{}, {}}
	j, s := put(k, loop.Head(), ir.Arg, ir.I32, 0), put(k, loop.Head(), ir.Arg, ir.F64, 1)
	loop.Head().Yield = []*ir.Value{put(k, loop.Head(), ir.Lt, ir.Bool, 0, j, n)}
	none := put(k, loop.LoopBody(), ir.Const, ir.F64, 0)
	negative := put(k, loop.LoopBody(), ir.Lt, ir.Bool, 0, x, none)
	branch := put(k, loop.LoopBody(), ir.If, ir.None, 0, negative)
	one := k.NewValue(ir.Const, ir.F64)
	one.Bits = bits(1)
	branch.Blocks = []*ir.Block{{Values: []*ir.Value{one}, Yield: []*ir.Value{one}}, {Yield: []*ir.Value{x}}}
	factor := put(k, loop.LoopBody(), ir.Result, ir.F64, 0, branch)
	step := put(k, loop.LoopBody(), ir.Const, ir.I32, 0)
	step.Bits = 1
	loop.LoopBody().Yield = []*ir.Value{put(k, loop.LoopBody(), ir.Add, ir.I32, 0, j, step), put(k, loop.LoopBody(), ir.Mul, ir.F64, 0, s, factor)}
	k.Body.Yield = []*ir.Value{put(k, k.Body, ir.Result, ir.F64, 1, loop)}
	return k
}

// Items go to lanes by their numbers.
func TestLanes(t *testing.T) {
	k := power()
	require.NoError(t, k.Verify())
	type param struct{ N [2]int32 }
	args, err := interp.Bind(k, param{[2]int32{9, 3}}, [4]float64{2, -5, 3, 7})
	require.NoError(t, err)
	lanes := interp.Lanes{{bits(1), bits(10)}}
	assert.Equal(t, 4, interp.Span(k, args, 0, 4, 5, lanes))
	assert.Equal(t, interp.Lanes{{bits(343), bits(10 * 8 * 27)}}, lanes)
}

// Operations are Go's.
func TestEval(t *testing.T) {
	k := &ir.Kernel{}
	nan, inf := math.NaN(), math.Inf(1)
	negative := uint64(math.MaxUint64) // -1
	for _, c := range []struct {
		op       ir.Op
		t, of    ir.Type
		unsigned bool
		x        [3]uint64
		want     uint64
	}{
		{ir.Add, ir.I32, ir.I32, false, [3]uint64{math.MaxInt32, 1}, 1 << 31},
		{ir.Div, ir.I64, ir.I64, false, [3]uint64{negative - 6, 2}, negative - 2},
		{ir.Div, ir.I64, ir.I64, true, [3]uint64{negative, 2}, math.MaxInt64},
		{ir.Rem, ir.I32, ir.I32, false, [3]uint64{1<<32 - 7, 4}, 1<<32 - 3},
		{ir.Lt, ir.Bool, ir.I64, false, [3]uint64{negative, 0}, 1},
		{ir.Lt, ir.Bool, ir.I64, true, [3]uint64{negative, 0}, 0},
		{ir.Lt, ir.Bool, ir.I32, false, [3]uint64{1<<32 - 1, 0}, 1},
		{ir.Max, ir.I32, ir.I32, true, [3]uint64{1<<32 - 1, 0}, 1<<32 - 1},
		{ir.Shl, ir.I32, ir.I32, false, [3]uint64{3, 31}, 1 << 31},
		{ir.Shl, ir.I64, ir.I64, false, [3]uint64{3, 64}, 0},
		{ir.Shr, ir.I64, ir.I64, false, [3]uint64{negative - 7, 70}, negative},
		{ir.Shr, ir.I64, ir.I64, true, [3]uint64{negative, 63}, 1},
		{ir.Shr, ir.I32, ir.I32, false, [3]uint64{1<<32 - 8, 2}, 1<<32 - 2},
		{ir.AndNot, ir.I64, ir.I64, false, [3]uint64{7, 2}, 5},
		{ir.Not, ir.I32, ir.I32, false, [3]uint64{0}, 1<<32 - 1},
		{ir.Not, ir.Bool, ir.Bool, false, [3]uint64{0}, 1},
		{ir.Eq, ir.Bool, ir.Bool, false, [3]uint64{0, 0}, 1},
		{ir.Ne, ir.Bool, ir.F64, false, [3]uint64{bits(nan), bits(nan)}, 1},
		{ir.Le, ir.Bool, ir.F64, false, [3]uint64{bits(nan), bits(inf)}, 0},
		{ir.Min, ir.F64, ir.F64, false, [3]uint64{bits(0), bits(math.Copysign(0, -1))}, 1 << 63},
		{ir.FMA, ir.F64, ir.F64, false, [3]uint64{bits(1 + 0x1p-52), bits(1 - 0x1p-52), bits(-1)}, bits(-0x1p-104)},
		{ir.Copysign, ir.F64, ir.F64, false, [3]uint64{bits(2), 1 << 63}, bits(-2)},
		{ir.RoundEven, ir.F64, ir.F64, false, [3]uint64{bits(2.5)}, bits(2)},
		{ir.Sqrt, ir.F32, ir.F32, false, [3]uint64{uint64(math.Float32bits(2))}, uint64(math.Float32bits(math.Sqrt2))},
		{ir.Conv, ir.F32, ir.F64, false, [3]uint64{bits(1e300)}, uint64(math.Float32bits(float32(inf)))},
		{ir.Conv, ir.I64, ir.F64, false, [3]uint64{bits(-2.9)}, negative - 1},
		{ir.Conv, ir.F64, ir.I64, false, [3]uint64{negative}, bits(-1)},
		{ir.Conv, ir.F64, ir.I64, true, [3]uint64{negative}, bits(0x1p64)},
		{ir.Conv, ir.I64, ir.I32, false, [3]uint64{1<<32 - 1}, negative},
		{ir.Conv, ir.I64, ir.I32, true, [3]uint64{1<<32 - 1}, 1<<32 - 1},
		{ir.Conv, ir.I32, ir.I64, false, [3]uint64{negative}, 1<<32 - 1},
		{ir.Bits, ir.I64, ir.F64, false, [3]uint64{bits(1)}, bits(1)},
		{ir.Select, ir.F64, ir.Bool, false, [3]uint64{0, 1, 2}, 2},
	} {
		v := k.NewValue(c.op, c.t, k.NewValue(ir.Const, c.of))
		v.Unsigned = c.unsigned
		assert.Equal(t, c.want, interp.Eval(v, c.x), "%s of %s, %x", c.op, c.of, c.x)
	}
}
