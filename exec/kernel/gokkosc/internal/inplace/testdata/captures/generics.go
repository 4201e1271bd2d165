package main

import (
	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/inplace/testdata/other"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

type number interface {
	~float32 | ~float64 | ~int32
}

// Functions and methods of generic types have a functor for each instance in the program.
func generics(x []float64) {
	y := make([]float32, n)
	z := make([]celsius, n)
	addTo(y, 4)
	addTo(z, 5)
	k := make([]int32, n)
	ramp(k, 3)
	ramp(x, .5)
	twice(x)
	twice(y)
	g := newGrid[float64](x)
	h := newGrid[int32](k)
	h.smooth()
	x[0] += g.sum() + float64(h.sum())
	g.smooth()
	g.each(g.step) // loops
	other.Fill(z, 3)
	other.Fill(x[90:], 2)
	other.Fill(make([]point, 3), point{1, 2})
	exec.Must(exec.ParallelFor(policy.Range(0, n), triple(x)))
	each(increment[float64]) // loops
	copies(x, [3]float64{1, 2, 3})
	copies(x, [30]float64{7, 2, 3})
	var most float64
	exec.Must(exec.ParallelFold(squares(x), builtin.Max(&most)))
	for i := range x {
		x[i] += float64(y[i]) + float64(z[i]) + float64(k[i])
	}
	x[0] += most + float64(total[0])
}

func ramp[T number](x []T, by T) {
	T1 := T(1)
	each(func(i int) { x[i] = T(i)*by + T1 }) // loops loops
}

// Twice has an instance of another function for each of its own.
func twice[F ~float32 | ~float64](x []F) {
	type pair struct{ a, b F }
	p := pair{2, 1}
	each(func(i int) { x[i] = x[i]*p.a + p.b }) // loops loops
	again(x, func(v F) F { return v + p.b })
}

func again[S ~[]E, E any](s S, f func(v E) E) {
	g := func(i int) { s[i] = f(s[i]) } // body body: cannot have functions that are not known when it is compiled
	each(g)
}

type grid[T number] struct {
	of   views.View1[T]
	next *grid[T]
	w    [3]T
}

func newGrid[T number](x []T) *grid[T] {
	g := &grid[T]{of: views.Must(views.Of1("grid", x)), w: [3]T{1, 2, 3}}
	g.next = g
	return g
}

func (g *grid[T]) sum() (sum T) {
	exec.Must(exec.ParallelReduce(policy.Range(0, g.of.Len()), func(i int, acc *T) { *acc += g.at(i) * g.w[i%3] }, builtin.Sum(&sum))) // loops loops
	return sum
}

func (g *grid[E]) at(i int) E { return g.next.of.At(i) }

func (g *grid[T]) step(i int) { g.of.Set(i, g.at(i)+g.w[1]) }

func (g *grid[T]) each(f func(i int)) { each(f) }

func (g *grid[T]) smooth() {
	old := views.Must(views.New1[T]("old", n))
	each(func(i int) { old.Set(i, g.at(i)) })                                                               // loops loops
	exec.Must(exec.ParallelFor(policy.Range(1, n-1), func(i int) { g.of.Set(i, old.At(i-1)+old.At(i+1)) })) // loops loops
	each(g.step)                                                                                            // loops loops
}

func triple[T number](x []T) func(i int) {
	return func(i int) { x[i] *= 3 } // loops
}

var total = make([]int32, n)

func increment[T number](i int) { total[i] += int32(T(i)) }

// Copies captures its argument by value or by address.
func copies[T [3]float64 | [30]float64](x []float64, t T) {
	each(func(i int) { // loops closure: it captures otherwise than with other types
		u := t
		x[i] += u[i%3]
	})
}

func squares[T number](x []T) exec.Source[float64] {
	return exec.Map(policy.Range(0, len(x)), func(i int) float64 { return float64(x[i] * x[i]) }) // loops
}
