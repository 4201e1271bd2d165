//go:build linux && (amd64 || arm64)

package conformance

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/x448/float16"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/tensor"
	"github.com/gokkos/gokkos/views/tensor/bfloat16"
)

// A Shape is the extents of a tensor, and the dimensions that are reduced.
type Shape struct{ Extents, Over []int }

// Shapes are tensors whose results and their values are neighbours, or not, in leaves of 1 to 32 lanes, and in more or fewer
// leaves than are joined at a time.
var Shapes = []Shape{
	{[]int{3, 5}, []int{1}}, {[]int{5, 3}, []int{0}}, {[]int{1, 1}, []int{0, 1}}, {[]int{40, 33}, []int{0}}, {[]int{33, 40}, []int{1}},
	{[]int{700, 35}, []int{0}}, {[]int{3, 1100}, []int{1}}, {[]int{2100, 3}, []int{0}}, {[]int{4, 5, 6, 7}, []int{1, 3}},
	{[]int{6, 70, 5, 20}, []int{0, 2}}, {[]int{9, 11, 13}, []int{0, 1, 2}}, {[]int{4, 30, 3}, nil}, {[]int{0, 4}, []int{0}}, {[]int{4, 0}, []int{0}},
	{[]int{17, 4400, 2}, []int{1}}, {[]int{5, 600, 40}, []int{0, 1}}, {[]int{2, 130}, []int{1}}, // that of 33 chunks of 4
}

// Tensors checks reductions of tensors in the memory of a device.
func Tensors(t *testing.T, s Space, shapes ...Shape) {
	hash := func(i int) uint64 { return (uint64(i) + 12345) * 0x9e3779b97f4a7c15 }
	real := func(i int) float64 { return float64(i*7919%2003-1000)/128 + 1/float64(i+1) }
	for _, shape := range shapes {
		tensorOf(t, s, shape, real)
		tensorOf(t, s, shape, func(i int) float32 { return float32(real(i)) })
		tensorOf(t, s, shape, func(i int) int32 { return int32(hash(i) >> 30) })
		tensorOf(t, s, shape, func(i int) int16 { return int16(hash(i) >> 30) }) // which is wider where the device keeps it
		deviations(t, s, shape, real)
		deviations(t, s, shape, func(i int) float32 { return float32(real(i)) })
		widened(t, s, shape, func(i int) float32 { return float32(real(i)) })
		halves(t, s, shape, 0, func(i int) float16.Float16 { return float16.Fromfloat32(float32(real(i))) }, float16.Float16.Float32)
		halves(t, s, shape, 1, func(i int) float16.Float16 { return float16.Frombits(uint16(i) & 0xbfff) }, float16.Float16.Float32)
		halves(t, s, shape, 0, func(i int) bfloat16.BFloat16 { return bfloat16.FromFloat32(float32(real(i))) }, bfloat16.BFloat16.Float32)
	}
	transposed(t, s, real)
	for _, shape := range []Shape{{[]int{33_100, 3}, []int{0}}, {[]int{2, 33_100}, []int{1}}} { // more leaves than the threads of a block join at a time
		leaves(t, s, shape, real)
		leaves(t, s, shape, func(i int) float32 { return float32(real(i)) })
	}
	wrong(t, s)
}

// A result is views of results on the host, for the host and for the device.
type result[T any] struct{ want, got views.View[T] }

func newResult[T any](shape Shape) (r result[T]) {
	extents := []int{}
	for d, n := range shape.Extents {
		reduced := false
		for _, over := range shape.Over {
			reduced = reduced || over == d
		}
		if !reduced {
			extents = append(extents, n)
		}
	}
	return result[T]{views.Must(views.New[T]("want", extents)), views.Must(views.New[T]("got", extents))}
}

func (r result[T]) same(t *testing.T, what string) {
	t.Helper()
	h, d := elements(t, r.want), elements(t, r.got)
	bad := 0
	for k := range h {
		if !agree(h[k], d[k]) {
			if bad++; bad < 4 {
				t.Errorf("%s: result %d is %v, expected %v", what, k, d[k], h[k])
			}
		}
	}
	assert.Zero(t, bad, "%s: wrong of %d", what, len(h))
}

// filledBy returns a tensor on the host and one like it on the device, each a part of a larger one, from so far within on.
func filledBy[T any](s Space, shape Shape, begin int, of func(i int) T) (host, card views.View[T]) {
	var larger []int
	for _, n := range shape.Extents {
		if larger = append(larger, n+2); n > 32 { // rows of an even length and parts of an odd one, and the other way round
			larger[len(larger)-1]++
		}
	}
	h := views.Must(views.New[T]("x", larger))
	x, _ := h.Slice()
	for k := range x {
		x[k] = of(k)
	}
	part := func(v views.View[T]) views.View[T] {
		var at []views.Selector
		for _, n := range shape.Extents {
			at = append(at, views.Range(begin, begin+n))
		}
		return views.Must(v.Sub(at...))
	}
	return part(h), part(views.Must(views.MirrorCopy(s.Memory(), h)))
}

func tensorOf[T builtin.Real](t *testing.T, s Space, shape Shape, of func(i int) T) {
	host, card := filledBy(s, shape, 0, of)
	what := fmt.Sprintf("%+v of %T", shape, *new(T))
	sum, squares, most, scaled := newResult[T](shape), newResult[T](shape), newResult[T](shape), newResult[T](shape)
	at := newResult[int](shape)
	run := func(x tensor.Source[T], pick func(r result[T]) views.View[T], where views.View[int], operations int) {
		t.Helper()
		all := []tensor.Operation[T]{
			tensor.Fold(builtin.Sum[T], tensor.Into(pick(sum)), tensor.Into(pick(scaled)).Scaled(2, 3)),
			tensor.Fold(builtin.SumSq[T], tensor.Into(pick(squares))),
			tensor.Fold(builtin.MaxLoc[T, int], tensor.IntoMap(pick(most), tensor.Value[T]), tensor.IntoMap(where, tensor.Index[T])),
		}
		require.NoError(t, tensor.Reduce(x, all[:operations]...), what)
	}
	want, got := func(r result[T]) views.View[T] { return r.want }, func(r result[T]) views.View[T] { return r.got }
	for operations := 1; operations <= 3; operations++ {
		run(tensor.Over(host, shape.Over...).On(exec.Serial{}), want, at.want, operations)
		run(tensor.Over(card, shape.Over...), got, at.got, operations)
	}
	run(tensor.Over(host, shape.Over...).Chunk(4).On(exec.Serial{}), want, at.want, 3)
	run(tensor.Over(card, shape.Over...).Chunk(4), got, at.got, 3)
	for _, r := range []result[T]{sum, squares, most, scaled} {
		r.same(t, what)
	}
	at.same(t, what)
}

// leaves checks results of 130 leaves of 32 lanes.
func leaves[T builtin.Real](t *testing.T, s Space, shape Shape, of func(i int) T) {
	host, card := filledBy(s, shape, 0, of)
	sum, most := newResult[T](shape), newResult[T](shape)
	what := fmt.Sprintf("%+v of %T in leaves of 256", shape, *new(T))
	for k, x := range []views.View[T]{host, card} {
		to := func(r result[T]) views.View[T] { return []views.View[T]{r.want, r.got}[k] }
		for range 2 { // blocks that have counted themselves do so again
			require.NoError(t, tensor.Reduce(tensor.Over(x, shape.Over...).Chunk(256),
				tensor.Fold(builtin.Sum[T], tensor.Into(to(sum))), tensor.Fold(builtin.Max[T], tensor.Into(to(most)))), what)
		}
	}
	sum.same(t, what)
	most.same(t, what)
}

// transposed checks results that are elsewhere in memory than their numbers say.
func transposed(t *testing.T, s Space, of func(i int) float64) {
	shape := Shape{[]int{6, 30, 7, 4}, []int{1}}
	host, card := filledBy(s, shape, 0, of)
	of4 := func(v views.View[float64]) tensor.Source[float64] {
		return tensor.Over(views.Must(v.Permute(3, 1, 0, 2)), 1)
	}
	r := newResult[float64](Shape{[]int{4, 30, 6, 7}, []int{1}})
	require.NoError(t, tensor.Reduce(of4(host).On(exec.Serial{}), tensor.Fold(builtin.Sum[float64], tensor.Into(r.want))))
	require.NoError(t, tensor.Reduce(of4(card), tensor.Fold(builtin.Sum[float64], tensor.Into(r.got))))
	r.same(t, fmt.Sprintf("%+v transposed", shape))
}

// deviations checks a reducer that has constants beside its text.
func deviations[T builtin.Float](t *testing.T, s Space, shape Shape, of func(i int) T) {
	host, card := filledBy(s, shape, 0, of)
	mean, deviation := newResult[T](shape), newResult[T](shape)
	what := fmt.Sprintf("%+v of %T", shape, *new(T))
	for k, x := range []views.View[T]{host, card} {
		to := func(r result[T]) views.View[T] { return []views.View[T]{r.want, r.got}[k] }
		require.NoError(t, tensor.Reduce(tensor.Over(x, shape.Over...), tensor.Fold(builtin.Variance[T],
			tensor.IntoMap(to(mean), func(m builtin.Moments[T], _ int) T { return m.Mean }),
			tensor.IntoMap(to(deviation), func(m builtin.Moments[T], _ int) T { return m.M2 }))), what)
	}
	mean.same(t, what)
	deviation.same(t, what)
}

// halves checks values that are converted: where a result begins at an even address, and there is an even number, two at a time.
func halves[T any](t *testing.T, s Space, shape Shape, begin int, of func(i int) T, float func(T) float32) {
	host, card := filledBy(s, shape, begin, of)
	mean, square := newResult[float32](shape), newResult[float32](shape)
	what := fmt.Sprintf("%+v of %T", shape, *new(T))
	for k, x := range []views.View[T]{host, card} {
		over := tensor.Map(tensor.Over(x, shape.Over...), float)
		to := func(r result[float32]) views.View[float32] { return []views.View[float32]{r.want, r.got}[k] }
		require.NoError(t, tensor.Reduce(over,
			tensor.Fold(builtin.Sum[float32], tensor.IntoMap(to(mean), tensor.Average[float32])),
			tensor.Fold(builtin.SumSq[float32], tensor.IntoMap(to(square), tensor.Average[float32]))), what)
	}
	mean.same(t, what)
	square.same(t, what)
}

// widened checks float32 in sums of float64.
func widened(t *testing.T, s Space, shape Shape, of func(i int) float32) {
	host, card := filledBy(s, shape, 0, of)
	sum := newResult[float64](shape)
	for k, x := range []views.View[float32]{host, card} {
		over := tensor.MapSlice(tensor.Over(x, shape.Over...), tensor.Float64s)
		to := []views.View[float64]{sum.want, sum.got}[k]
		require.NoError(t, tensor.Reduce(over, tensor.Fold(builtin.SumSq[float64], tensor.Into(to))))
	}
	sum.same(t, fmt.Sprintf("%+v widened", shape))
}

// wrong checks what a card does not reduce.
func wrong(t *testing.T, s Space) {
	x := views.Must(views.NewIn[float64](s.Memory(), "x", []int{3, 4}))
	y := views.Must(views.New[float64]("y", []int{3}))
	require.NoError(t, views.Fill(y, 7))
	sum := func(of tensor.Source[float64]) error {
		return tensor.Reduce(of, tensor.Fold(builtin.Sum[float64], tensor.Into(y)))
	}
	for want, err := range map[string]error{
		"tensor: operation 1 over values in the memory of CUDA device": tensor.Reduce(tensor.Over(x, 1), tensor.FoldMap(math.Sqrt, builtin.Sum[float64], tensor.Into(y))),
		"expected float16.Float16.Float32 or":                          sum(tensor.Map(tensor.Over(x, 1), math.Sqrt)),
	} {
		assert.ErrorContains(t, err, want)
	}
	err := sum(tensor.Over(x, 1).On(exec.Serial{}))
	assert.ErrorContains(t, err, "on the space serial, which cannot touch it")
	err = tensor.Reduce(tensor.Over(x, 1), tensor.Fold(tensor.IgnoreNaN(builtin.Min[float64]), tensor.Into(y)))
	assert.ErrorContains(t, err, `tensor: Reduce of "x" [3 4]: cuda: the device cannot fold values of type float64 by reducer 1, a `)
	assert.Equal(t, []float64{7, 7, 7}, elements(t, y))
}
