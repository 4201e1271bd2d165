package main

import (
	"fmt"
	"math"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/views"
)

// sizes are numbers of items: none, one, odd ones, and several leaves.
var sizes = []int{0, 1, 7, 33, 4095, 10007}

// lanesOf returns the sum of a functor that owns its loop, over all sizes.
func lanesOf[T any](r func(sum *T) reducers.Reducer[T], f func(s exec.Lanes[T])) (all []T) {
	for _, size := range sizes {
		var sum T
		exec.Must(exec.ParallelReduceLanes(policy.Spans(3, 3+size), f, r(&sum)))
		var again T
		exec.Must(exec.ParallelReduceLanes(policy.Spans(3, 3+size).On(exec.Serial{}), f, r(&again)))
		all = append(all, sum, again)
	}
	return all
}

func sumOf(sum *float64) reducers.Reducer[float64] { return builtin.Sum(sum) }

type weighted struct{ by, from []float64 }

func (w *weighted) lanes(s exec.Lanes[float64]) {
	for i, acc := range s.Items() {
		*acc += w.by[i%len(w.by)] * w.from[i%len(w.from)]
	}
}

func counted(s exec.Lanes[int]) {
	for i, acc := range s.Items() {
		if i%3 == 0 {
			continue
		}
		*acc += i
	}
}

func ownedLoops(x []float64) {
	y := make([]float64, 20000)
	for i := range y {
		y[i] = 1 / float64(i+3)
	}
	a := 2.0
	out := lanesOf(sumOf, func(s exec.Lanes[float64]) { // loops
		for i, acc := range s.Items() {
			*acc += a * y[i]
		}
	})
	a = 3
	out = append(out, lanesOf(sumOf, func(s exec.Lanes[float64]) { // loops
		row, c := y[1:], 2*a
		for i, acc := range s.Items() {
			if v := row[i]; v > 0.01 {
				*acc += c * v
			} else {
				continue
			}
			*acc++
		}
	})...)
	out = append(out, lanesOf(func(most *float64) reducers.Reducer[float64] { return builtin.Max(most) }, func(s exec.Lanes[float64]) { // loops
		for i, acc := range s.Items() {
			*acc = max(*acc, math.Sin(y[i]))
		}
	})...)
	w := &weighted{x, y}
	out = append(out, lanesOf(sumOf, w.lanes)...)                                                          // loops
	for _, n := range lanesOf(func(sum *int) reducers.Reducer[int] { return builtin.Sum(sum) }, counted) { // loops
		out = append(out, float64(n))
	}
	var least builtin.ValLoc[float64, int]
	exec.Must(exec.ParallelReduceLanes(policy.Spans(0, 9999), func(s exec.Lanes[builtin.ValLoc[float64, int]]) { // loops
		for i, acc := range s.Items() {
			if v := y[(i*7919)%9999]; v < acc.Val {
				acc.Val, acc.Loc = v, i
			}
		}
	}, builtin.MinLoc(&least)))
	out = append(out, least.Val, float64(least.Loc))
	out = append(out, genericLoops(y, 0.5), float64(genericLoops([]float32{1, 2, 3}, 4)))
	out = append(out, refusedLoops(x, y)...)
	for k, v := range out {
		x[k%n] = x[k%n]*3 + v
	}
	stoppedLoops(y)
}

// Loops that may share something between items stay as they are.
func refusedLoops(x, y []float64) (out []float64) {
	out = append(out, lanesOf(sumOf, func(s exec.Lanes[float64]) { // closure: the loop over the functor's items may end early
		for i, acc := range s.Items() {
			if i == 4000 {
				break
			}
			*acc += y[i]
		}
	})...)
	out = append(out, lanesOf(sumOf, func(s exec.Lanes[float64]) { // closure: the loop over the functor's items may end early
		for i, acc := range s.Items() {
			if i == 4000 {
				return
			}
			*acc += y[i]
		}
	})...)
	out = append(out, lanesOf(sumOf, func(s exec.Lanes[float64]) { // closure: the loop over the functor's items changes before
		before := 0.0
		for i, acc := range s.Items() {
			*acc += y[i] * before
			before = y[i]
		}
	})...)
	out = append(out, lanesOf(sumOf, func(s exec.Lanes[float64]) { // closure: may make memory that its items share
		w := make([]float64, 2)
		for i, acc := range s.Items() {
			*acc += w[i%2]
			w[i%2] = y[i]
		}
	})...)
	out = append(out, lanesOf(sumOf, func(s exec.Lanes[float64]) { // closure: is no definition
		var w [2]float64
		for i, acc := range s.Items() {
			*acc += w[i%2]
			w[i%2] = y[i]
		}
	})...)
	out = append(out, lanesOf(sumOf, func(s exec.Lanes[float64]) { // closure: the functor uses s beside
		for i, acc := range s.Items() {
			*acc += y[i] / float64(s.Len()+s.Begin)
		}
	})...)
	out = append(out, lanesOf(sumOf, func(s exec.Lanes[float64]) { // closure: does not end with a loop
		for i, acc := range s.Items() {
			*acc += y[i]
		}
		for _, acc := range s.Items() {
			*acc *= 2
		}
		_ = y
	})...)
	var sum float64
	exec.Must(exec.ParallelReduceLanes(policy.Spans(0, n).On(exec.Serial{}), func(s exec.Lanes[float64]) { // closure: stores to memory
		for i, acc := range s.Items() {
			x[i] = y[i] + x[max(i-1, 0)]
			*acc += x[i]
		}
	}, builtin.Sum(&sum)))
	return append(out, sum)
}

// An item that fails is an item of the functor. The items in front of it have run once.
func stoppedLoops(y []float64) {
	for _, at := range []int{0, 1, 37, 4095, 4096, 9998} {
		func() {
			defer func() {
				p := recover().(*exec.Panic)
				fmt.Println(p.Value, p.Begin, p.End, p.Index)
			}()
			var sum float64
			exec.Must(exec.ParallelReduceLanes(policy.Spans(0, 9999).On(exec.Serial{}), func(s exec.Lanes[float64]) { // loops
				for i, acc := range s.Items() {
					if i == at {
						panic(at)
					}
					*acc += y[i]
				}
			}, builtin.Sum(&sum)))
		}()
	}
	var sum, again float64
	guard := func(s exec.Lanes[float64]) { // loops
		for i, acc := range s.Items() {
			if i%97 != 5 {
				*acc += y[i]
			} else {
				*acc += rare(y, i)
			}
		}
	}
	exec.Must(exec.ParallelReduceLanes(policy.Spans(1, 9999), guard, builtin.Sum(&sum)))
	exec.Must(exec.ParallelReduce(policy.Range(1, 9999).On(exec.Serial{}), func(i int, acc *float64) { // loops
		if i%97 != 5 {
			*acc += y[i]
		} else {
			*acc += rare(y, i)
		}
	}, builtin.Sum(&again)))
	fmt.Println(math.Float64bits(sum) == math.Float64bits(again), sum)
}

// rare has no place in loops: an item that calls it runs as the functor.
//
//gokkos:closure
func rare(y []float64, i int) float64 { return y[i] / 3 }

// Rows of boxes, in several orders and tiles.
func ownedRows(x []float64) {
	u := views.Must(views.New3[float64]("u", 5, 6, 70))
	for i := range 5 * 6 * 70 {
		u.Set(i/420, i/70%6, i%70, 1/float64(i+1))
	}
	add := func(v float64) { x[0] = 3*x[0] + v }
	all := func(f func(r exec.RowLanes[policy.Index3, float64])) {
		box := policy.MDRange3([3]int{1, 2, 3}, [3]int{5, 6, 70})
		for _, p := range []policy.RowsPolicy[policy.Index3, [3]int]{
			box.Rows(), box.Tile([3]int{2, 3, 17}).Rows(), box.Iterate(policy.Left, policy.Left).Rows(), box.Iterate(policy.Left, policy.Right).Tile([3]int{2, 2, 16}).Rows(),
			policy.MDRange3([3]int{}, [3]int{1, 1, 1}).Rows(), policy.MDRange3([3]int{}, [3]int{3, 0, 4}).Rows(), box.Rows().On(exec.Serial{}),
		} {
			var sum float64
			exec.Must(exec.ParallelReduceLanes(p, f, builtin.Sum(&sum)))
			add(sum)
		}
	}
	all(func(r exec.RowLanes[policy.Index3, float64]) { // loops
		i, c := r.At.I, float64(r.At.J)
		row := u.Row(r.At.I%5, r.At.J%6)
		for k, acc := range r.Items() {
			if k%9 == 0 {
				continue
			}
			*acc += row[k%70]*c + float64(i)
		}
	})
	all(func(r exec.RowLanes[policy.Index3, float64]) { // loops
		at := r.At
		for k, acc := range r.Items() {
			*acc += u.At(at.I, at.J, k%70)
			if at.I == 3 && k == 50 {
				*acc += rare(x, k)
			}
		}
	})
	all(func(r exec.RowLanes[policy.Index3, float64]) { // closure: the first coordinate of a row
		for k, acc := range r.Items() {
			*acc += float64(k - r.At.K)
		}
	})
	all(func(r exec.RowLanes[policy.Index3, float64]) { // closure: the functor uses r beside
		for k, acc := range r.Items() {
			*acc += float64(k - r.Begin)
		}
	})
	func() {
		defer func() {
			p := recover().(*exec.Panic)
			fmt.Println(p.Value, p.Begin, p.End) // the functor has run a part of the row
		}()
		var sum float64
		exec.Must(exec.ParallelReduceLanes(policy.MDRange2([2]int{}, [2]int{100, 100}).Rows().On(exec.Serial{}), func(r exec.RowLanes[policy.Index2, float64]) { // loops
			for j, acc := range r.Items() {
				if r.At.I == 70 && j == 61 {
					panic("here")
				}
				*acc += x[j]
			}
		}, builtin.Sum(&sum)))
	}()
	var shared float64
	exec.Must(exec.ParallelReduceLanes(policy.Spans(0, len(x)).On(exec.Serial{}), sharing{y: x}.lanes, builtin.Sum(&shared))) // closure: the loop over the functor's items changes w, the receiver
	fmt.Println(shared)
	declaredInto = x
	serial(elsewhere)       // body
	serial((&apart{x}).set) // closure
	a := apart{x}
	serial(a.set) // body
}

func genericLoops[T number](x []T, by T) (sum T) {
	exec.Must(exec.ParallelReduceLanes(policy.Spans(0, len(x)), func(s exec.Lanes[T]) { // loops loops
		for i, acc := range s.Items() {
			*acc += x[i] * by
		}
	}, builtin.Sum(&sum)))
	box := policy.MDRange2([2]int{}, [2]int{len(x) / 3, 3}).Rows()
	var most T
	exec.Must(exec.ParallelReduceLanes(box, func(r exec.RowLanes[policy.Index2, T]) { // loops loops
		for j, acc := range r.Items() {
			*acc = max(*acc, x[3*r.At.I+j])
		}
	}, builtin.Max(&most)))
	return sum + most
}

// A sharing has a receiver that its items share.
type sharing struct {
	k int
	y []float64
}

func (w sharing) lanes(s exec.Lanes[float64]) {
	for i, acc := range s.Items() {
		w.k++
		*acc += float64(w.k) + w.y[i]
	}
}
