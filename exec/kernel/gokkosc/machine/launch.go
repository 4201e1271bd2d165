package machine

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// A Launch names an entry to run, and its arguments.
type Launch struct {
	Entry   string
	Blocks  int      // in x
	Threads int      // of a block, in x
	Params  []uint64 // all of them; numbers that are shorter are in the lower bits
	Shared  int      // bytes of shared memory that the entry has besides its arrays
	Seed    uint64   // of the order in which warps and threads that have diverged run

	Count map[string]int // if it is not nil, Run adds how often threads have run instructions of a name
}

// Limits of devices.
const (
	warpSize   = 32
	maxThreads = 1024
	maxSteps   = 1 << 24 // instructions of warps in a launch: a thread that waits for ever is an error, too
)

// Run runs a launch to its end. Run returns an error if an access is outside of the memory, or a register is
// read before it is written. So it does if threads wait for others for ever. A launch that does not fit its
// entry is an error, too. Memory is then as the launch has left it.
func (m *Module) Run(mem *Memory, l Launch) error {
	e := m.entries[l.Entry]
	switch {
	case e == nil:
		names := m.Entries()
		slices.Sort(names)
		return fmt.Errorf("machine: no entry %q, expected one of %q", l.Entry, names)
	case l.Blocks < 1 || l.Threads < 1 || l.Threads > maxThreads:
		return fmt.Errorf("machine: launch of %s with %d blocks of %d threads, expected at least 1 and 1 to %d", l.Entry, l.Blocks, l.Threads, maxThreads)
	case l.Shared < 0 || e.shared+l.Shared > maxLaunched:
		return fmt.Errorf("machine: launch of %s with %d and %d bytes of shared memory, expected up to %d", l.Entry, e.shared, l.Shared, maxLaunched)
	case len(l.Params) != e.count:
		return fmt.Errorf("machine: launch of %s with %d parameters, expected %d", l.Entry, len(l.Params), e.count)
	}
	mem.begin()
	g := &grid{entry: e, launch: l, mem: mem, constants: m.memory, random: rand.New(rand.NewPCG(l.Seed, 1)), writers: map[uint64]writer{}}
	for _, b := range g.random.Perm(l.Blocks) {
		if err := g.block(b); err != nil {
			return err
		}
	}
	return nil
}

// A grid is a launch that runs.
type grid struct {
	entry     *entry
	launch    Launch
	mem       *Memory
	constants *Memory
	random    *rand.Rand
	steps     int

	writers map[uint64]writer // by address
}

// bytes returns how much shared memory a block has.
func (g *grid) bytes() int {
	if g.launch.Shared == 0 {
		return g.entry.shared
	}
	return (g.entry.shared+15)&^15 + g.launch.Shared
}

// block runs the warps of a block, in an order at random, from barrier to barrier.
func (g *grid) block(b int) error {
	var warps []*warp
	order := &blockOrder{shared: newShared(g.bytes())}
	for first := 0; first < g.launch.Threads; first += warpSize {
		warps = append(warps, newWarp(g, order, b, first))
	}
	for {
		left := 0
		for _, n := range g.random.Perm(len(warps)) {
			w := warps[n]
			if err := w.run(); err != nil {
				return err
			}
			if w.live != 0 {
				left++
			}
		}
		if left == 0 {
			return nil
		}
		order.meet()
		for _, w := range warps { // all threads have ended or wait at the barrier
			w.waiting = 0
		}
	}
}
