package trial

import (
	"math/rand/v2"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ptx/trial"
	"github.com/gokkos/gokkos/exec/space/device"
)

// PTX runs a case as PTX, in leaves of some length, and returns the differences from the interpreter. A
// kernel of points or rows runs over a box.
func (c Case) PTX(k *trial.Kernel) error {
	types, err := typesOf(k.IR)
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(c.Seed, 13))
	launch := trial.Case{
		Begin: c.Begin, Items: c.End - c.Begin, Blocks: 1 + r.IntN(3), Threads: 32 << r.IntN(2), Seed: c.Seed,
		Leaf: c.Lanes << r.IntN(3), Lanes: c.Lanes,
	}
	if k.IR.Index.Row {
		launch.Leaf, launch.Lanes = 1<<r.IntN(8), 1
	}
	for _, a := range k.IR.Accs {
		joins := trial.Joins(a.Type)
		launch.Joins = append(launch.Joins, joins[r.IntN(len(joins))])
		launch.Identities = append(launch.Identities, toBits(c.Start(Types[a.GoType], 1), nil)[0])
	}
	if !k.IR.Scan && (k.IR.Structured() || r.IntN(4) == 0) {
		launch.Joins = trial.Apart(len(k.IR.Accs))
	}
	if k.IR.Scan { // final is its last parameter
		return k.CheckScan(func() []any { return c.Params(types[:len(types)-1]) }, launch)
	}
	if k.IR.Index.Rank == 0 {
		_, err = k.Check(func() []any { return c.Params(types) }, launch)
		return err
	}
	if r.IntN(2) == 0 { // rows of which blocks have parts
		c.Length, c.End = 500, c.Begin+300+r.IntN(500)
	}
	b := c.box(r, k.IR)
	launch.Begin, launch.Items = 0, b.Extent[0]
	for _, e := range b.Extent[1:] {
		launch.Items *= e
	}
	if launch.Items > launch.Leaf && r.IntN(3) == 0 { // a part of the box
		launch.First = r.IntN(launch.Items/launch.Leaf) * launch.Leaf
	}
	_, err = k.CheckBox(func() []any { return c.Params(types) }, b, launch)
	return err
}

// box returns a box from Begin to End along one dimension. If the kernel stores, the box has one point along
// the others: there, neighbouring items would store to the same elements.
func (c Case) box(r *rand.Rand, k *ir.Kernel) device.Box {
	b := device.Box{LeftTiles: r.IntN(4) == 0, LeftPoints: k.Index.Dim == 0}
	stores := false
	k.Body.Walk(func(v *ir.Value) { stores = stores || v.Writes() })
	for d := range k.Index.Rank {
		lower, extent := r.IntN(5)-1, 1+r.IntN(3)
		switch {
		case d == k.Index.Dim:
			lower, extent = c.Begin, c.End-c.Begin
		case stores:
			extent = 1
		}
		b.Lower, b.Extent, b.Tile = append(b.Lower, lower), append(b.Extent, extent), append(b.Tile, max(extent, 1))
	}
	if r.IntN(3) == 0 {
		for d, e := range b.Extent {
			b.Tile[d] = 1 + r.IntN(e+1)
		}
	}
	if !k.Index.Row && r.IntN(3) == 0 {
		b.LeftPoints = !b.LeftPoints
	}
	return b
}
