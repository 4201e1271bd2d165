package main

import (
	"fmt"
	"math"
	"time"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
)

type float interface{ float32 | float64 }

// What arrays begin with, and the factor.
const startA, startB, startC, scalar = .1, .2, 0, .4

// A stream is the three arrays. Kernels own their loops; the dot product is a fold.
type stream[T float] struct {
	on      exec.Space
	a, b, c []T
	sums    []T // of the rounds
}

// newStream makes the arrays where they are used: a part of memory belongs to the core that writes it first.
func newStream[T float](on exec.Space, n int) (*stream[T], error) {
	s := &stream[T]{on: on, a: make([]T, n), b: make([]T, n), c: make([]T, n)}
	return s, s.each("init", func(x policy.Span) {
		for i := range x.All() {
			s.a[i], s.b[i], s.c[i] = startA, startB, startC
		}
	})
}

func (s *stream[T]) each(label string, f func(x policy.Span)) error {
	return exec.ParallelFor(policy.Spans(0, len(s.a)).On(s.on).WithLabel(label), f)
}

func (s *stream[T]) copy() error {
	return s.each("copy", func(x policy.Span) { copy(s.c[x.Begin:x.End], s.a[x.Begin:x.End]) })
}

func (s *stream[T]) mul() error {
	return s.each("mul", func(x policy.Span) {
		b, c := s.b[x.Begin:x.End], s.c[x.Begin:x.End]
		for i := range b {
			b[i] = scalar * c[i]
		}
	})
}

func (s *stream[T]) add() error {
	return s.each("add", func(x policy.Span) {
		a, b, c := s.a[x.Begin:x.End], s.b[x.Begin:x.End], s.c[x.Begin:x.End]
		for i := range c {
			c[i] = a[i] + b[i]
		}
	})
}

func (s *stream[T]) triad() error {
	return s.each("triad", func(x policy.Span) {
		a, b, c := s.a[x.Begin:x.End], s.b[x.Begin:x.End], s.c[x.Begin:x.End]
		for i := range a {
			a[i] = b[i] + T(scalar*c[i])
		}
	})
}

func (s *stream[T]) dot() error {
	var sum T
	err := exec.ParallelFold(exec.Products(policy.Range(0, len(s.a)).On(s.on).WithLabel("dot"), s.a, s.b), builtin.Sum(&sum))
	s.sums = append(s.sums, sum)
	return err
}

// A row is a kernel with the seconds of its rounds.
type row struct {
	name    string
	arrays  int // that it reads or writes
	seconds []float64
}

// rounds runs the kernels by turns.
func (s *stream[T]) rounds(times int, onlyTriad bool) ([]row, error) {
	rows := []row{{"Copy", 2, nil}, {"Mul", 2, nil}, {"Add", 3, nil}, {"Triad", 3, nil}, {"Dot", 2, nil}}
	kernels := []func() error{s.copy, s.mul, s.add, s.triad, s.dot}
	if onlyTriad {
		rows, kernels = rows[3:4], kernels[3:4]
	}
	for range times {
		for k := range rows {
			start := time.Now()
			if err := kernels[k](); err != nil {
				return nil, err
			}
			rows[k].seconds = append(rows[k].seconds, time.Since(start).Seconds())
		}
	}
	return rows, nil
}

// results returns the sums of the rounds and of the arrays.
func (s *stream[T]) results() ([]any, error) {
	sums := [3]T{}
	for k, x := range [][]T{s.a, s.b, s.c} {
		if err := exec.ParallelFold(exec.Slice(policy.Range(0, len(x)).On(s.on), x), builtin.Sum(&sums[k])); err != nil {
			return nil, err
		}
	}
	return []any{s.sums, sums}, nil
}

// check compares all elements with those of one that is computed beside, and the last sum with a product.
func (s *stream[T]) check(times int, onlyTriad bool) error {
	a, b, c := T(startA), T(startB), T(startC)
	for range times {
		if !onlyTriad {
			c = a
			b = T(scalar * c) // rounded, as it is in memory: not fused with the next line
			c = a + b
		}
		a = b + T(scalar*c)
	}
	for i := range s.a {
		if s.a[i] != a || s.b[i] != b || s.c[i] != c {
			return fmt.Errorf("element %d is %v, %v, %v, expected %v, %v, %v", i, s.a[i], s.b[i], s.c[i], a, b, c)
		}
	}
	if onlyTriad {
		return nil
	}
	want, got := float64(a)*float64(b)*float64(len(s.a)), float64(s.sums[len(s.sums)-1])
	most := 1e-8
	if _, single := any(a).(float32); single {
		most = 1e-5
	}
	if !(math.Abs(got-want) <= most*want) {
		return fmt.Errorf("the dot product is %v, expected %v", got, want)
	}
	return nil
}
