package main

import (
	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
)

// A reduction is a kernel that reduces items to an A.
type reduction[A any] struct {
	gokkos launches[A]
	over   func(n int) (begin, end int)    // what the loop is over: items if nil, or rows
	loop   func(s setup, begin, end int) A // over part of that
	join   func(a, b A) A                  // of two parts
	gonum  func(s setup) A                 // nil if gonum has none
	value  func(a A) float64
}

// launches are how gokkos reduces, by implementation: each is set up once, for the place of
// its result, and returns the launch that is measured.
type launches[A any] map[string]func(s setup, result *A) (launch func() error)

// implementations are the launches, the loop as a whole and shared out by the peers, and
// gonum.
func (r reduction[A]) implementations() implementations {
	over := r.over
	if over == nil {
		over = items
	}
	m := implementations{
		"loop": func(s setup) implementation {
			begin, end := over(s.n)
			return func() float64 { return r.value(r.loop(s, begin, end)) }
		},
	}
	for name, by := range sharers {
		m[name] = func(s setup) implementation {
			first, last := over(s.n)
			part := func(begin, end int) A { return r.loop(s, first+begin, first+end) }
			return func() float64 { return r.value(reduceBy(by, last-first, s.workers, part, r.join)) }
		}
	}
	if r.gonum != nil {
		m["gonum"] = func(s setup) implementation {
			return func() float64 { return r.value(r.gonum(s)) }
		}
	}
	for name, of := range r.gokkos {
		m[name] = func(s setup) implementation {
			var result A
			launch := of(s, &result)
			return func() float64 {
				must(launch())
				return r.value(result)
			}
		}
	}
	return m
}

func items(n int) (begin, end int) { return 0, n }

// functors are what gokkos is given to reduce values V to an A with one reducer. Those that
// are nil are not measured. A launch that takes a functor makes it and its reducer anew.
type functors[A, V any] struct {
	reducer func(result *A) builtin.Reduction[A, V]
	source  func(s setup) exec.Source[V]
	span    func(s setup) func(span policy.Span, acc *A)
	lanes   func(s setup) func(span exec.Lanes[A])
	index   func(s setup) func(i int, acc *A)
}

func (f functors[A, V]) launches() launches[A] {
	m := launches[A]{}
	if f.source != nil {
		m["gokkos-fold"] = func(s setup, result *A) func() error {
			source, r := f.source(s), f.reducer(result)
			return func() error { return exec.ParallelFold(source, r) }
		}
	}
	if f.span != nil {
		m["gokkos-span"] = func(s setup, result *A) func() error {
			p := s.spans()
			return func() error { return exec.ParallelReduce(p, f.span(s), f.reducer(result)) }
		}
	}
	if f.lanes != nil {
		m["gokkos-lanes"] = func(s setup, result *A) func() error {
			p := s.spans()
			return func() error { return exec.ParallelReduceLanes(p, f.lanes(s), f.reducer(result)) }
		}
	}
	if f.index != nil {
		m["gokkos-index"] = func(s setup, result *A) func() error {
			p := s.items()
			return func() error { return exec.ParallelReduce(p, f.index(s), f.reducer(result)) }
		}
	}
	return m
}
