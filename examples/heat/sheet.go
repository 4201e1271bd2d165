package main

import (
	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/examples/heat/stencil"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/npy"
)

// A sheet is a plate.
type sheet struct {
	on          exec.Space
	now, before views.View2[float64]
}

func newSheet(on exec.Space, n, m int) (*sheet, error) {
	s := &sheet{on: on}
	for _, v := range []*views.View2[float64]{&s.now, &s.before} {
		var err error
		if *v, err = views.New2[float64]("temperature", n, m); err != nil {
			return nil, err
		}
		for i := range n {
			v.Set(i, 0, stencil.Hot(i))
		}
	}
	return s, nil
}

// step computes all points but the edges, a row at a time.
func (s *sheet) step() error {
	s.now, s.before = s.before, s.now
	now, before := s.now, s.before
	inner := policy.MDRange2([2]int{1, 1}, [2]int{now.Extent(0) - 1, now.Extent(1) - 1}).On(s.on).WithLabel("step")
	return exec.ParallelFor(inner.Rows(), func(r policy.Row[policy.Index2]) {
		i, a, b := r.At.I, r.Begin, r.End
		stencil.Spread(now.Row(i)[a:b], before.Row(i - 1)[a:b], before.Row(i)[a-1:b+1], before.Row(i + 1)[a:b])
	})
}

func (s *sheet) report() (heat, change float64, err error) {
	now, before := s.now, s.before
	err = exec.ParallelReduce2(policy.Range(0, now.Extent(0)).Chunk(1).On(s.on).WithLabel("report"), func(i int, heat, change *float64) {
		stencil.Compare(now.Row(i), before.Row(i), heat, change)
	}, builtin.Sum(&heat), builtin.Max(&change))
	return heat, change, err
}

func (s *sheet) temperatures() ([]float64, error) {
	all, _ := s.now.Slice()
	return all, nil
}

func (s *sheet) write(path string) error { return npy.WriteViewFile(path, s.now.View) }
