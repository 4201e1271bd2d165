package main

import (
	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/examples/heat/stencil"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/mpi"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// rows is a plate of which each rank has some rows.
type rows struct {
	on          mpi.Space
	policy      policy.RangePolicy
	now, before *mpi.Array[float64]
}

func newRows(on mpi.Space, o options) (*rows, error) {
	p := &rows{on: on, policy: policy.Range(0, o.n).Chunk(1).On(on)}
	for _, a := range []**mpi.Array[float64]{&p.now, &p.before} {
		var err error
		if *a, err = mpi.NewArray[float64](p.policy, "temperature", []int{o.m}, 1); err != nil {
			return nil, err
		}
		local := views.Must(views.As2((*a).Local(), nil))
		for i := range local.Extent(0) {
			local.Set(i, 0, stencil.Hot(i+(*a).First()))
		}
	}
	return p, nil
}

func (p *rows) Step() error {
	p.now, p.before = p.before, p.now
	halo, err := p.before.Begin()
	if err != nil {
		return err
	}
	begin, end := p.now.Rows()
	if err := p.update(begin+1, end-1); err != nil {
		return err
	}
	if err := halo.Wait(); err != nil {
		return err
	}
	if err := p.update(begin, min(begin+1, end)); err != nil {
		return err
	}
	return p.update(max(end-1, begin+1), end)
}

// update computes rows begin to end-1. The edges of the plate keep their temperatures.
func (p *rows) update(begin, end int) error {
	begin, end = max(begin, 1), min(end, p.now.Extents()[0]-1)
	if begin >= end {
		return nil
	}
	now, before := views.Must(views.As2(p.now.Local(), nil)), views.Must(views.As2(p.before.Local(), nil))
	first, last := p.now.First(), now.Extent(1)-1
	return exec.ParallelFor(policy.Range(begin, end).On(p.on.Inner()), func(i int) {
		k := i - first
		stencil.Spread(now.Row(k)[1:last], before.Row(k - 1)[1:last], before.Row(k), before.Row(k + 1)[1:last])
	})
}

func (p *rows) Report() (heat, change float64, err error) {
	now, before := views.Must(views.As2(p.now.Local(), nil)), views.Must(views.As2(p.before.Local(), nil))
	first := p.now.First()
	err = exec.ParallelReduce2(p.policy.WithLabel("report"), func(i int, heat, change *float64) {
		stencil.Compare(now.Row(i-first), before.Row(i-first), heat, change)
	}, builtin.Sum(&heat), builtin.Max(&change))
	return heat, change, err
}

func (p *rows) Write(path string) error { return mpi.WriteNPY(path, p.now) }

func (p *rows) Temperatures() ([]float64, error) { return gathered(p.on, p.now) }

// gathered returns the temperatures of all ranks, on the first one.
func gathered(on mpi.Space, a interface {
	Extents() []int
	Gather(dst views.Viewer[float64], root int, on ...policy.Launch) error
}) ([]float64, error) {
	if on.Comm().Rank() > 0 {
		return nil, a.Gather(nil, 0)
	}
	whole, err := views.New[float64]("whole", a.Extents())
	if err != nil {
		return nil, err
	}
	all, _ := whole.Slice()
	return all, a.Gather(whole, 0)
}
