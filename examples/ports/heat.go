package main

import (
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// heat is a plate before and after a step.
type heat struct {
	on          exec.Space
	n           int
	now, before views.View2[float64]
}

func newHeat(on exec.Space, n int) (*heat, error) {
	h := &heat{on: on, n: n}
	for _, v := range []*views.View2[float64]{&h.now, &h.before} {
		var err error
		if *v, err = views.New2[float64]("temperature", n, n); err != nil {
			return nil, err
		}
		for i := range n {
			v.Set(i, 0, 100)
			v.Set(i, n-1, float64(i))
		}
	}
	return h, nil
}

func (h *heat) steps() []step {
	form := func(f func() error) func() ([]float64, error) {
		return func() ([]float64, error) {
			err := f()
			all, _ := h.now.Slice()
			return all, err
		}
	}
	return []step{{"literal: a functor per point", form(h.literal)}, {"a functor per row", form(h.rows)}, {"the first, compiled", form(h.compiled)}}
}

// inner is the plate without its edges.
func (h *heat) inner() policy.MDRangePolicy[policy.Index2, [2]int] {
	return policy.MDRange2([2]int{1, 1}, [2]int{h.n - 1, h.n - 1}).On(h.on)
}

// literal is the lambda of Kokkos, called for each point.
func (h *heat) literal() error {
	now, before := h.now, h.before
	return exec.ParallelFor(h.inner(), func(at policy.Index2) {
		i, j := at.I, at.J
		around := before.At(i-1, j) + before.At(i+1, j) + (before.At(i, j-1) + before.At(i, j+1))
		now.Set(i, j, before.At(i, j)+float64(.2*(around-float64(4*before.At(i, j)))))
	})
}

// rows owns the inner loop. Slices of the three rows leave one check of an index for each row.
func (h *heat) rows() error {
	now, before := h.now, h.before
	return exec.ParallelFor(h.inner().Rows(), func(r policy.Row[policy.Index2]) {
		i, a, b := r.At.I, r.Begin, r.End
		out := now.Row(i)[a:b]
		up, row, down := before.Row(i - 1)[a:b][:len(out)], before.Row(i)[a-1 : b+1][:len(out)+2], before.Row(i + 1)[a:b][:len(out)]
		for j := range out {
			around := up[j] + down[j] + (row[j] + row[j+2])
			out[j] = row[j+1] + float64(.2*(around-float64(4*row[j+1])))
		}
	})
}

// compiled runs the functor of the literal port as gokkosc has compiled it.
func (h *heat) compiled() error {
	return exec.ParallelFor(h.inner(), Spread(h.now, h.before))
}
