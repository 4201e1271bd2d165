// Package plate lets heat spread over a plate, or through a block, in the memory of one space.
package plate

import (
	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/examples/heat/stencil"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/npy"
)

// A Sheet is the temperatures of a plate after a step, and before it.
type Sheet struct {
	on          exec.Space
	now, before views.View2[float64]
}

// NewSheet returns a plate of n rows and m columns whose left edge is hot.
func NewSheet(on exec.Space, n, m int) (*Sheet, error) {
	s := &Sheet{on: on}
	for _, v := range []*views.View2[float64]{&s.now, &s.before} {
		start, err := views.New2[float64]("temperature", n, m)
		if err != nil {
			return nil, err
		}
		for i := range n {
			start.Set(i, 0, stencil.Hot(i))
		}
		if *v, err = views.MirrorCopy(views.MemoryOf(on), start); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Step computes all points but the edges, a row at a time.
func (s *Sheet) Step() error {
	s.now, s.before = s.before, s.now
	now, before := s.now, s.before
	inner := policy.MDRange2([2]int{1, 1}, [2]int{now.Extent(0) - 1, now.Extent(1) - 1}).On(s.on).WithLabel("step")
	return exec.ParallelFor(inner.Rows(), func(r policy.Row[policy.Index2]) {
		i, a, b := r.At.I, r.Begin, r.End
		stencil.Spread(now.Row(i)[a:b], before.Row(i - 1)[a:b], before.Row(i)[a-1:b+1], before.Row(i + 1)[a:b])
	})
}

// Report returns the sum of the temperatures, and the largest change of the last step.
func (s *Sheet) Report() (heat, change float64, err error) {
	now, before := s.now, s.before
	err = exec.ParallelReduce2(policy.Range(0, now.Extent(0)).Chunk(1).On(s.on).WithLabel("report"), func(i int, heat, change *float64) {
		stencil.Compare(now.Row(i), before.Row(i), heat, change)
	}, builtin.Sum(&heat), builtin.Max(&change))
	return heat, change, err
}

// Temperatures returns a copy of the temperatures in the memory of the host, or the memory itself if it is there.
func (s *Sheet) Temperatures() ([]float64, error) {
	h, err := views.MirrorCopy(views.Host, s.now)
	all, _ := h.Slice()
	return all, err
}

// Write writes the temperatures to a file in NumPy's format.
func (s *Sheet) Write(path string) error {
	h, err := views.MirrorCopy(views.Host, s.now)
	if err != nil {
		return err
	}
	return npy.WriteViewFile(path, h.View)
}
