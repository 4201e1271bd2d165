package trial

import (
	"fmt"

	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/interp"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ptx"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/machine"
	"github.com/gokkos/gokkos/exec/space"
)

// Teams are teams to run as PTX, in some blocks. Those of reductions have identities and joins as a [Case] has.
type Teams struct {
	Shape       space.TeamShape
	Blocks      int
	Seed        uint64
	Leaf, Lanes int
	Identities  []uint64
	Joins       []int
}

// Run runs all teams, with the parameters of the constructor. It returns the lowest team that stops, and the
// accumulators.
func (t Teams) Run(c *ptx.Code, params ...any) (stopped int, roots []uint64, err error) {
	m, err := machine.Parse(c.Text)
	if err != nil {
		return 0, nil, fmt.Errorf("%w\n%s", err, c.Text)
	}
	own := make([]uint64, 1) // the memory of blocks is used in its place
	args, err := interp.Bind(c.IR, append(params, kernel.Team{Shape: t.Shape, Room: own, Scratch: [2][]uint64{own, own}})...)
	if err != nil {
		return 0, nil, err
	}
	mem, s := &machine.Memory{}, t.Shape
	status := []uint64{none, mem.Map(bytesOf(make([]uint64, 1)))}
	far := mem.Map(bytesOf(make([]uint64, t.Blocks*s.Bytes(1)/8)))
	p := append([]uint64{0, uint64(s.League), mem.Map(bytesOf(status))}, (&kernel.Text{}).Shape(s, 0, far)...)
	blocks := t.Blocks
	var joins []uint64
	var outs [][]byte
	if len(c.IR.Accs) > 0 {
		leaf, lanes := uint64(t.Leaf), uint64(t.Lanes)
		p = append(p, leaf, lanes)
		count := s.League
		if s.Size == 1 {
			blocks = (s.League + t.Leaf - 1) / t.Leaf * t.Lanes
			count, leaf = (s.League-1)/t.Leaf*t.Lanes+min((s.League-1)%t.Leaf+1, t.Lanes), lanes
		}
		joins = []uint64{0, uint64(count), leaf, lanes, mem.Map(bytesOf(make([]uint64, 1)))}
		var columns []uint64
		for n, a := range c.IR.Accs {
			values, leaves := bytesOf(make([]uint64, max(blocks, s.League)*a.Elem.Bytes()/8+1)), bytesOf(make([]uint64, s.League+1))
			outs = append(outs, bytesOf(make([]uint64, 1)))
			p = append(p, mem.Map(values), t.Identities[n], uint64(t.Joins[n]))
			joins = append(joins, mem.Map(values))
			columns = append(columns, mem.Map(leaves), mem.Map(outs[n]), t.Identities[n], uint64(t.Joins[n]))
		}
		joins = append(joins, columns...)
	}
	for n, x := range args.Scalars() {
		if of := c.IR.Scalars[n]; of.Param != len(c.IR.Params)-1 {
			p = append(p, x)
		}
	}
	for n, of := range c.IR.Captured() {
		if !of.Own {
			p = append(p, mem.Map(args.Memory(n)))
		}
	}
	entry := c.Entry
	if s.Vector > 1 {
		entry = c.Lanes
	}
	shared := s.Bytes(0) + 16 + 8*c.IR.Room[0]*s.Size
	err = m.Run(mem, machine.Launch{Entry: entry, Blocks: blocks, Threads: s.Size * s.Vector, Shared: shared, Params: p, Seed: t.Seed})
	if err == nil && c.Join != "" {
		err = m.Run(mem, machine.Launch{Entry: c.Join, Blocks: 1 + int(t.Seed%3), Threads: 64, Params: joins, Seed: t.Seed})
	}
	if err != nil {
		return 0, nil, fmt.Errorf("%w\n%s\n%s", err, c.IR, c.Text)
	}
	for n, a := range c.IR.Accs {
		roots = append(roots, extended(a.Elem, load(outs[n], a.Elem.Bytes())))
	}
	if stopped = s.League; status[0] != none {
		stopped = int(status[0] >> 16)
	}
	return stopped, roots, nil
}
