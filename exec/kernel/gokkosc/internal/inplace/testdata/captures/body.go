package main

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
)

// chosen returns a function that is known only when the program runs.
func chosen(f func(v float64) float64) func(v float64) float64 {
	if len(os.Args) > 9 {
		return math.Sqrt
	}
	return f
}

func serial(f func(i int)) { exec.Must(exec.ParallelFor(policy.Range(0, n).On(exec.Serial{}), f)) }

// A loop around a body would take another len.
func lens(g func(v float64) float64) (sum float64) {
	len := func([]float64) int { return 1 }
	exec.Must(exec.ParallelReduce(policy.Range(0, 10007), func(i int, acc *float64) { *acc += g(float64(i)) }, builtin.Sum(&sum))) // closure: functions that are not known
	return sum * float64(len(nil))
}

// Loops with a functor's body do what the functor does, in its order, also where called functions change what
// the functor has.
func bodies(x []float64) {
	c, y := 0.0, x[:n/2]
	g := chosen(func(v float64) float64 {
		c += v
		x[int(v)%n] += c
		if v == 40 {
			y = x
		}
		return c
	})
	serial(func(i int) { x[i] = x[i] + c + g(float64(i)) + x[(i+1)%n] }) // body: functions that are not known
	x[0] += lens(chosen(func(v float64) float64 { return 1 / (v + 0.3) }))
	c = 0
	serial(func(i int) { // body
		if g(float64(i)); i%3 == 0 {
			return
		}
		func() {
			if i%2 == 0 {
				return
			}
			y[i%len(y)]++
		}()
		for k := range 5 {
			switch k {
			case 3:
				return
			case 2:
				continue
			}
			x[i] += float64(k)
		}
	})
	var list []func() int
	serial(func(i int) { list = append(list, func() int { i++; return i }) }) // body
	for k, f := range list {
		x[k] += float64(f() + f())
	}
	serial(func(int) { g(1) })   // body
	serial(func(i int) { g(2) }) // body
	serial(func(i int) {         // body
		i += 9
		x[i%n] -= g(float64(i))
	})
	serial(func(i int) { defer func() { x[i] *= 2 }(); g(1) }) // closure
	lines(x)
	third := chosen(func(v float64) float64 { return v / 3 })
	reductions(x, third)
	faults(x)
}

// Lines are those of the source.
func lines(x []float64) {
	serial(func(i int) { // body
		_, _, line, _ := runtime.Caller(0)
		if x[i] += float64(line); i%2 == 0 {
			return
		}
		_, _, line, _ = runtime.Caller(0)
		x[i] += float64(line)
	})
	_, _, line, _ := runtime.Caller(0)
	x[0] += float64(line)
}

func reductions(x []float64, third func(v float64) float64) {
	var sum, most float64
	var count int
	exec.Must(exec.ParallelReduce(policy.Range(3, 10000), func(i int, acc *float64) { // body
		if i%5 == 0 {
			return
		}
		*acc += third(float64(i))
	}, builtin.Sum(&sum)))
	x[0] += sum
	exec.Must(exec.ParallelReduce3(policy.Range(0, 7777), func(i int, a, b *float64, c *int) { // body
		v := third(float64(i % 1000))
		*a, *b = *a+v, max(*b, v)
		if a = b; v > 300 {
			*c++
		}
	}, builtin.Sum(&sum), builtin.Max(&most), builtin.Sum(&count)))
	x[1] += sum + most + float64(count)
	z := make([]float64, 60*70)
	box := policy.MDRange2([2]int{2, 3}, [2]int{60, 70})
	exec.Must(exec.ParallelFor(box, func(p policy.Index2) { // body
		if p.I == 5 {
			return
		}
		z[p.I*70+p.J] = third(float64(p.I)) + float64(p.J)
		p.I = 7
	}))
	exec.Must(exec.ParallelReduce(policy.MDRange3([3]int{}, [3]int{30, 40, 50}), func(p policy.Index3, acc *float64) { // body
		*acc += third(float64(p.I*100+p.J)) + z[p.K]
	}, builtin.Sum(&sum)))
	x[2] += sum
	exec.Must(exec.ParallelReduce2(box, func(p policy.Index2, a *float64, b *int) { // body
		*a += third(z[p.I*70+p.J])
		*b += p.J
	}, builtin.Sum(&sum), builtin.Sum(&count)))
	x[3] += sum + float64(count)
	exec.Must(exec.ParallelFor(policy.MDRange4([4]int{}, [4]int{3, 4, 5, 6}), func(p policy.Index4) { // body
		z[((p.I*4+p.J)*5+p.K)*6+p.L] += third(float64(p.L))
	}))
	x[4] += slices.Max(z)
}

// Panics tell the item.
func faults(x []float64) {
	fault := func(launch func() error) {
		defer func() {
			p := recover().(*exec.Panic)
			fmt.Println(p.Value, p.Begin, p.End, p.Index)
		}()
		exec.Must(launch())
	}
	at := chosen(func(v float64) float64 {
		if v == 17 {
			panic("seventeen")
		}
		return v
	})
	on := exec.Serial{}
	fault(func() error {
		return exec.ParallelFor(policy.Range(0, n).On(on), func(i int) { x[i]++; x[i] += at(float64(i)) }) // body
	})
	fault(func() error {
		return exec.ParallelFor(policy.Range(0, n+1).On(on), func(i int) { x[i] += at(1) }) // body
	})
	fault(func() error {
		return exec.ParallelFor(policy.MDRange2([2]int{1, 2}, [2]int{40, 50}).On(on), func(p policy.Index2) { x[p.J] += at(float64(p.I)) }) // body
	})
	var sum float64
	fault(func() error {
		return exec.ParallelReduce(policy.Range(0, 5000).On(on), func(i int, acc *float64) { *acc += at(float64(i - 1700)) }, builtin.Sum(&sum)) // body
	})
}
