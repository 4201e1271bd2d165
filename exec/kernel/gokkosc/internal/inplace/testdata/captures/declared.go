package main

import (
	"fmt"
	"runtime"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
)

// chosenOf is a function that is known only when the program runs.
var chosenOf = chosen(func(v float64) float64 { return v/3 + 1 })

var declaredInto []float64

func declaredItem(i int) {
	if i%7 == 3 {
		return
	}
	declaredInto[i] += chosenOf(float64(i))
	i += 5
	declaredInto[i%n] *= 1.5
}

func unnamedItem(int) { declaredInto[0] += chosenOf(2) }

func declaredSum(i int, acc *float64) { *acc += chosenOf(float64(i)) }

func declaredLines(i int) {
	_, _, line, _ := runtime.Caller(0)
	declaredInto[i] += float64(line) + chosenOf(0)
}

func deferring(i int) {
	defer func() { declaredInto[i]++ }()
	declaredInto[i] = chosenOf(declaredInto[i])
}

func launching(i int) {
	each(func(k int) { declaredInto[k] += 1 }) // loops
	chosenOf(1)
}

func declaredPanic(i int) {
	if declaredInto[i] = chosenOf(0); i == 41 {
		panic("forty-one")
	}
}

type walker struct {
	x    []float64
	gain float64
	next *walker
}

// changed changes its receiver, which each item has for itself.
func (w walker) changed(i int) {
	w.gain++
	w.x[i] += chosenOf(w.gain)
	w.x = nil
}

func (w walker) addressed(i int) {
	p := &w
	p.gain *= 2
	w.x[i] += chosenOf(w.gain)
}

func (w walker) plain(i int) { w.x[i] -= chosenOf(w.gain) }

func (w *walker) forward(i int) {
	w = w.next
	w.x[i] += chosenOf(w.gain)
}

func (w *walker) kept(i int) { w.x[i] += chosenOf(w.gain); w.gain += 0.125 }

func (*walker) nameless(i int) { declaredInto[i] -= chosenOf(0.5) }

func (w *walker) point(at policy.Index2, acc *float64, count *int) {
	*acc += chosenOf(w.x[at.J]) * float64(at.I)
	*count++
}

func (w *walker) self() *walker { w.gain++; return w }

type around2 struct {
	extra float64
	*walker
}

type genericOwner[T number] struct{ x []T }

func (s genericOwner[T]) run(f func(v T) T) {
	serial(func(i int) { s.x[i] = f(s.x[i]) + T(i) }) // body body
	var sum T
	exec.Must(exec.ParallelReduce(policy.Range(0, len(s.x)).On(exec.Serial{}), func(i int, acc *T) { *acc += f(s.x[i]) }, builtin.Sum(&sum))) // closure closure: functions that are not known
	var count int
	exec.Must(exec.ParallelReduce(policy.Range(0, len(s.x)).On(exec.Serial{}), func(i int, acc *int) { // body body
		if f(s.x[i]) > 3 {
			return
		}
		*acc += i
	}, builtin.Sum(&count)))
	s.x[0] += sum + T(count)
}

func (s genericOwner[T]) at(i int) { s.x[i] += T(chosenOf(float64(i))) }

func genericBody[T number, F any](x []T, f func(v T) T, other F) {
	exec.Must(exec.ParallelFor(policy.MDRange2([2]int{1, 1}, [2]int{4, 20}).On(exec.Serial{}), func(p policy.Index2) { // body body body
		if _, isInt := any(other).(int); isInt {
			x[p.I] += f(x[p.J%len(x)])
			return
		}
		x[p.J%len(x)] += f(T(p.I))
	}))
}

func declaredFunctors(x []float64) {
	declaredInto = x
	serial(declaredItem)                                                         // body
	serial(declaredItem)                                                         // body
	serial(unnamedItem)                                                          // body
	serial(declaredLines)                                                        // body
	serial(deferring)                                                            // closure
	exec.Must(exec.ParallelFor(policy.Range(0, 3).On(exec.Serial{}), launching)) // closure
	var sum float64
	exec.Must(exec.ParallelReduce(policy.Range(0, 5003), declaredSum, builtin.Sum(&sum))) // body
	x[1] += sum
	w := walker{x: x, gain: 2}
	w.next = &walker{x: x, gain: 9}
	serial(w.changed)   // body
	serial(w.addressed) // body
	serial(w.plain)     // body
	held := w.plain     // body
	w.gain = 1000
	serial(held)
	serial(w.forward)                // body
	serial(w.kept)                   // body
	serial(w.next.kept)              // body
	serial((&w).kept)                // closure
	serial(w.self().kept)            // closure
	serial(w.nameless)               // body
	serial((*walker).self(&w).plain) // closure
	o := around2{3, &w}
	serial(o.kept)         // body
	serial(o.walker.plain) // body
	x[2] += w.gain + w.next.gain
	var count int
	exec.Must(exec.ParallelReduce2(policy.MDRange2([2]int{0, 3}, [2]int{50, 60}), w.point, builtin.Sum(&sum), builtin.Sum(&count))) // body
	x[3] += sum + float64(count)
	func() {
		declaredItem := func(i int) { x[i] -= chosenOf(7) } // body
		serial(declaredItem)
		defer func() {
			p := recover().(*exec.Panic)
			fmt.Println(p.Value, p.Begin, p.End, p.Index)
		}()
		serial(declaredPanic) // body
	}()
	var nobody *walker
	fails(func(i int) { // body
		if i == 3 {
			nobody.kept(i)
			chosenOf(3)
		}
	})
	genericOwner[float64]{x}.run(chosenOf)
	y := make([]float32, n)
	genericOwner[float32]{y}.run(func(v float32) float32 { return v / 7 })
	s := genericOwner[float64]{x}
	serial(s.at) // closure
	genericBody(x, chosenOf, 3)
	genericBody(x, chosenOf, "text")
	genericBody(y, func(v float32) float32 { return v + 2 }, 1)
	for k, v := range y {
		x[k] += float64(v)
	}
}
