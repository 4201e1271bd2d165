package main

import (
	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
)

// A scaling is a functor with its data, as ports of C++ have it.
type scaling[T number] struct {
	by   T
	x, y []T
}

func (f scaling[T]) call(i int)              { f.y[i] += f.by * f.x[i] }
func (f *scaling[T]) twice(i int)            { f.y[i] += 2 * f.by * f.x[i] }
func (f scaling[T]) sum(i int, acc *float64) { *acc += float64(f.x[i]) }

// A part of a functor's receiver.
type scaled struct{ scaling[float64] }

// Functors are methods of values of expressions, which Go evaluates once.
func held(x []float64) {
	y := make([]float64, n)
	each(scaling[float64]{2, x, y}.call)     // loops
	each((&scaling[float64]{3, x, y}).call)  // loops
	each((&scaling[float64]{4, x, y}).twice) // loops
	list, taken := []scaling[float64]{{5, x, y}, {6, y, x}}, 0
	next := func() int {
		taken++
		x[taken] = float64(taken)
		return taken % 2
	}
	each(list[next()].call)  // loops
	each(list[next()].twice) // loops
	list[0].by = 7
	each(list[next()].call) // loops
	var total float64
	exec.Must(exec.ParallelReduce(policy.Range(0, n), scaling[float64]{x: y}.sum, builtin.Sum(&total))) // loops
	x[0] = total + float64(taken)
	small := make([]int32, n)
	rescale(small, 3)
	rescale(x, .5)
	x[1] += float64(small[n-1])
	each(scaled{list[0]}.call) // closure: a part of the value of an expression; keep it in a variable
	none := func() *scaling[float64] { return nil }
	defer func() { x[2] = float64(len(recover().(error).Error())) }()
	each(none().call) // loops
}

// rescale has a functor for each type.
func rescale[T number](x []T, by T) {
	exec.Must(exec.ParallelFor(policy.Range(0, len(x)), scaling[T]{by, x, x}.call)) // loops loops
}
