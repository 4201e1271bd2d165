package main

import (
	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/examples/heat/stencil"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/mpi"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

type tile = policy.Tile[policy.Index2]

// tiles is a plate of which each rank has some tiles.
type tiles struct {
	on             mpi.Space
	policy         policy.TilesPolicy[policy.Index2, [2]int]
	now, before    *mpi.TiledArray[float64]
	inside, border []tile // of this rank
}

func newTiles(on mpi.Space, o options) (*tiles, error) {
	plate := policy.MDRange2([2]int{}, [2]int{o.n, o.m}).Iterate(policy.Hilbert, policy.Right)
	p := &tiles{on: on, policy: plate.Chunk(1).On(on).Tiles([2]int{o.tile, o.tile})}
	for _, a := range []**mpi.TiledArray[float64]{&p.now, &p.before} {
		var err error
		if *a, err = mpi.NewTiledArray[float64](p.policy, "temperature", nil, 1); err != nil {
			return nil, err
		}
		local, lower := views.Must(views.As2((*a).Local(), nil)), (*a).Lower()
		for i := range local.Extent(0) {
			if lower.J == 0 {
				local.Set(i, 0, stencil.Hot(i+lower.I))
			}
		}
	}
	p.inside, p.border = p.now.Tiles()
	return p, nil
}

func (p *tiles) Step() error {
	p.now, p.before = p.before, p.now
	halo, err := p.before.Begin()
	if err != nil {
		return err
	}
	if err := p.update(p.inside); err != nil {
		return err
	}
	if err := halo.Wait(); err != nil {
		return err
	}
	return p.update(p.border)
}

// update computes the points of tiles. The edges of the plate keep their temperatures.
func (p *tiles) update(all []tile) error {
	now, before := views.Must(views.As2(p.now.Local(), nil)), views.Must(views.As2(p.before.Local(), nil))
	lower, extents := p.now.Lower(), p.now.Extents()
	return exec.ParallelFor(policy.Range(0, len(all)).Chunk(1).On(p.on.Inner()), func(k int) {
		t := all[k]
		begin, end := max(t.Lower.J, 1)-lower.J, min(t.Upper.J, extents[1]-1)-lower.J
		if begin >= end {
			return
		}
		for i := max(t.Lower.I, 1) - lower.I; i < min(t.Upper.I, extents[0]-1)-lower.I; i++ {
			stencil.Spread(now.Row(i)[begin:end], before.Row(i - 1)[begin:end], before.Row(i)[begin-1:end+1], before.Row(i + 1)[begin:end])
		}
	})
}

func (p *tiles) Report() (heat, change float64, err error) {
	now, before := views.Must(views.As2(p.now.Local(), nil)), views.Must(views.As2(p.before.Local(), nil))
	lower := p.now.Lower()
	err = exec.ParallelReduce2(p.policy, func(t tile, heat, change *float64) {
		begin, end := t.Lower.J-lower.J, t.Upper.J-lower.J
		for i := t.Lower.I - lower.I; i < t.Upper.I-lower.I; i++ {
			stencil.Compare(now.Row(i)[begin:end], before.Row(i)[begin:end], heat, change)
		}
	}, builtin.Sum(&heat), builtin.Max(&change))
	return heat, change, err
}

func (p *tiles) Write(path string) error { return mpi.WriteNPY(path, p.now) }

func (p *tiles) Temperatures() ([]float64, error) { return gathered(p.on, p.now) }
