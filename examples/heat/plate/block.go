package plate

import (
	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/examples/heat/stencil"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/npy"
)

// A Block is a Sheet in three dimensions.
type Block struct {
	on          exec.Space
	now, before views.View3[float64]
}

// NewBlock returns a block of n x m x k points whose front is hot.
func NewBlock(on exec.Space, n, m, k int) (*Block, error) {
	c := &Block{on: on}
	for _, v := range []*views.View3[float64]{&c.now, &c.before} {
		start, err := views.New3[float64]("temperature", n, m, k)
		if err != nil {
			return nil, err
		}
		for i := range n {
			for j := range m {
				start.Set(i, j, 0, stencil.Hot(i+j))
			}
		}
		if *v, err = views.MirrorCopy(views.MemoryOf(on), start); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// Step computes all points but the faces, a row at a time.
func (c *Block) Step() error {
	c.now, c.before = c.before, c.now
	now, before := c.now, c.before
	inner := policy.MDRange3([3]int{1, 1, 1}, [3]int{now.Extent(0) - 1, now.Extent(1) - 1, now.Extent(2) - 1}).On(c.on).WithLabel("step")
	return exec.ParallelFor(inner.Rows(), func(r policy.Row[policy.Index3]) {
		i, j, a, b := r.At.I, r.At.J, r.Begin, r.End
		stencil.Spread3(now.Row(i, j)[a:b], before.Row(i-1, j)[a:b], before.Row(i+1, j)[a:b],
			before.Row(i, j-1)[a:b], before.Row(i, j+1)[a:b], before.Row(i, j)[a-1:b+1])
	})
}

// Report returns the sum of the temperatures, and the largest change of the last step.
func (c *Block) Report() (heat, change float64, err error) {
	now, before, m := c.now, c.before, c.now.Extent(1)
	rows := policy.Range(0, now.Extent(0)*m).On(c.on).WithLabel("report")
	err = exec.ParallelReduce2(rows, func(i int, heat, change *float64) {
		stencil.Compare(now.Row(i/m, i%m), before.Row(i/m, i%m), heat, change)
	}, builtin.Sum(&heat), builtin.Max(&change))
	return heat, change, err
}

// Temperatures returns a copy of the temperatures in the memory of the host, or the memory itself if it is there.
func (c *Block) Temperatures() ([]float64, error) {
	h, err := views.MirrorCopy(views.Host, c.now)
	all, _ := h.Slice()
	return all, err
}

// Write writes the temperatures to a file in NumPy's format.
func (c *Block) Write(path string) error {
	h, err := views.MirrorCopy(views.Host, c.now)
	if err != nil {
		return err
	}
	return npy.WriteViewFile(path, h.View)
}
