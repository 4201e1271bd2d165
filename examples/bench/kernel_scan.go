package main

import (
	"gonum.org/v1/gonum/floats"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/algorithms"
)

var scanKernel = kernel{
	name: "scan", bytes: 16, sizes: []int{small, medium, 1e6, large}, writes: "z",
	make: scan[float64]{
		of: func(s setup) (x, z []float64) { return s.x[:s.n], s.z[:s.n] },
		gonum: func(s setup) { // the inclusive one, one further: it has no other
			s.z[0] = 0
			floats.CumSum(s.z[1:s.n], s.x[:s.n-1])
		},
	}.implementations(),
}

var scanInclusiveKernel = kernel{
	name: "scan_inclusive", bytes: 16, sizes: []int{medium, large}, writes: "z",
	make: scan[float64]{
		inclusive: true,
		of:        func(s setup) (x, z []float64) { return s.x[:s.n], s.z[:s.n] },
		gonum:     func(s setup) { floats.CumSum(s.z[:s.n], s.x[:s.n]) },
	}.implementations(),
}

// scanInt32Kernel makes offsets of counts.
var scanInt32Kernel = kernel{
	name: "scan_int32", bytes: 8, sizes: []int{medium, large}, writes: "ints", exact: true,
	make: scan[int32]{
		of: func(s setup) (x, z []int32) { return s.counts[:s.n], s.ints[:s.n] },
	}.implementations(),
}

// A scan is a kernel that writes prefix sums.
type scan[T float64 | int32] struct {
	inclusive bool
	of        func(s setup) (x, z []T)
	gonum     func(s setup) // nil if gonum has none
}

func (c scan[T]) implementations() implementations {
	m := implementations{
		"gokkos-fold":  c.algorithm,
		"gokkos-index": c.index,
		"gokkos-span":  c.span,
		plain: func(s setup) implementation {
			x, z := c.of(s)
			return intoZ(func() { c.part(z, x, 0) })
		},
	}
	for name, by := range sharers {
		m[name] = func(s setup) implementation { return c.by(by, s) }
	}
	if c.gonum != nil {
		m["gonum"] = func(s setup) implementation { return intoZ(func() { c.gonum(s) }) }
	}
	return m
}

// algorithm is the call that there is for it.
func (c scan[T]) algorithm(s setup) implementation {
	a, b := c.of(s)
	x, z := views.Must(views.Of1("x", a)), views.Must(views.Of1("z", b))
	f := algorithms.ExclusiveScan[T]
	if c.inclusive {
		f = algorithms.InclusiveScan[T]
	}
	var total T
	return intoZ(func() { must(f(z, x, reducers.Reducer[T](builtin.Sum(&total)), policy.On(s.space))) })
}

func (c scan[T]) index(s setup) implementation {
	p, total := s.items(), T(0)
	x, z := c.of(s)
	f := func(i int, acc *T, final bool) {
		if final {
			z[i] = *acc
		}
		*acc += x[i]
	}
	if c.inclusive {
		f = func(i int, acc *T, final bool) {
			*acc += x[i]
			if final {
				z[i] = *acc
			}
		}
	}
	return intoZ(func() { must(exec.ParallelScan(p, f, builtin.Sum(&total))) })
}

func (c scan[T]) span(s setup) implementation {
	p, total := s.spans(), T(0)
	x, z := c.of(s)
	return intoZ(func() {
		must(exec.ParallelScan(p, func(s policy.Span, acc *T, final bool) {
			if final {
				*acc = c.part(z[s.Begin:s.End], x[s.Begin:s.End], *acc)
				return
			}
			t := *acc
			for i := range s.All() {
				t += x[i]
			}
			*acc = t
		}, builtin.Sum(&total)))
	})
}

// by has each worker sum its share, and then scan it from what comes before.
func (c scan[T]) by(by sharer, s setup) implementation {
	x, z := c.of(s)
	sums := make([]struct {
		sum T
		_   [64]byte // each in a cache line of its own
	}, s.workers)
	return intoZ(func() {
		by(s.n, s.workers, func(w, begin, end int) {
			var t T
			for _, v := range x[begin:end] {
				t += v
			}
			sums[w].sum = t
		})
		by(s.n, s.workers, func(w, begin, end int) {
			var t T
			for _, part := range sums[:w] {
				t += part.sum
			}
			c.part(z[begin:end], x[begin:end], t)
		})
	})
}

// part scans x into z, starting from t, and returns the sum of both.
func (c scan[T]) part(z, x []T, t T) T {
	z = z[:len(x)]
	if c.inclusive {
		for i, v := range x {
			t += v
			z[i] = t
		}
		return t
	}
	for i, v := range x {
		z[i] = t
		t += v
	}
	return t
}
