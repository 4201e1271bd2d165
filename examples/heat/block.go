package main

import (
	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/examples/heat/stencil"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/npy"
)

// A block has three dimensions.
type block struct {
	on          exec.Space
	now, before views.View3[float64]
}

func newBlock(on exec.Space, n, m, k int) (*block, error) {
	c := &block{on: on}
	for _, v := range []*views.View3[float64]{&c.now, &c.before} {
		var err error
		if *v, err = views.New3[float64]("temperature", n, m, k); err != nil {
			return nil, err
		}
		for i := range n {
			for j := range m {
				v.Set(i, j, 0, stencil.Hot(i+j))
			}
		}
	}
	return c, nil
}

// step computes all points but the faces, a row at a time.
func (c *block) step() error {
	c.now, c.before = c.before, c.now
	now, before := c.now, c.before
	inner := policy.MDRange3([3]int{1, 1, 1}, [3]int{now.Extent(0) - 1, now.Extent(1) - 1, now.Extent(2) - 1}).On(c.on).WithLabel("step")
	return exec.ParallelFor(inner.Rows(), func(r policy.Row[policy.Index3]) {
		i, j, a, b := r.At.I, r.At.J, r.Begin, r.End
		stencil.Spread3(now.Row(i, j)[a:b], before.Row(i-1, j)[a:b], before.Row(i+1, j)[a:b],
			before.Row(i, j-1)[a:b], before.Row(i, j+1)[a:b], before.Row(i, j)[a-1:b+1])
	})
}

func (c *block) report() (heat, change float64, err error) {
	now, before, m := c.now, c.before, c.now.Extent(1)
	rows := policy.Range(0, now.Extent(0)*m).On(c.on).WithLabel("report")
	err = exec.ParallelReduce2(rows, func(i int, heat, change *float64) {
		stencil.Compare(now.Row(i/m, i%m), before.Row(i/m, i%m), heat, change)
	}, builtin.Sum(&heat), builtin.Max(&change))
	return heat, change, err
}

func (c *block) temperatures() ([]float64, error) {
	all, _ := c.now.Slice()
	return all, nil
}

func (c *block) write(path string) error { return npy.WriteViewFile(path, c.now.View) }
