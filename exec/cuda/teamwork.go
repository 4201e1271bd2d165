package cuda

import (
	"errors"
	"fmt"

	"github.com/gokkos/gokkos/exec/cuda/internal/driver"
	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
)

// A teamWork runs the text of a functor of teams: a block to a team, and a thread to each vector lane of a member.
type teamWork struct {
	kernelWork
	shape  space.TeamShape
	before int // teams in front of item 0
	shared int // bytes of shared memory of a block
}

// Limits of blocks of all cards.
const (
	maxBlockThreads = 1024
	maxLanes        = 32
)

// maxFar is how much scratch memory of level 1 a launch has, in bytes, unless one team has more: blocks take teams in turn.
const maxFar = 256 << 20

// teamsOf returns the work of a functor of teams with a text, if the device can run it.
func (s *Space) teamsOf(g space.Grid, job device.Failer, f device.Functor, call *kernel.Call) (work, error) {
	w := &teamWork{kernelWork: kernelWork{grid: g, job: job, call: call}, shape: f.Teams, before: f.FirstTeam}
	if err := call.Check(s.memory); err != nil {
		return nil, err
	}
	t := w.shape
	if t.Vector > maxLanes || t.Vector&(t.Vector-1) != 0 {
		return nil, fmt.Errorf("a vector length of %d, expected a power of two up to %d", t.Vector, maxLanes)
	}
	if threads := t.Size * t.Vector; threads > maxBlockThreads {
		return nil, fmt.Errorf("a team of %d members with %d vector lanes each is %d threads, expected at most the %d of a block", t.Size, t.Vector, threads, maxBlockThreads)
	}
	const flag = 16
	scratch, own := t.Bytes(0), flag+8*call.Text.Room*t.Size
	if w.shared = scratch + own; w.shared > max(s.driver.Shared, driver.PlainShared) {
		return nil, fmt.Errorf("%d bytes of scratch memory of level 0 and %d of what members exchange, expected at most the %d bytes of shared memory of a block: level 1 has more", scratch, own, s.driver.Shared)
	}
	var err error
	if w.joins, w.grid.Lanes, w.apart, err = joinsOf(g, f, call); err != nil {
		return nil, err
	}
	const most = bufferBytes - valuesAt - 1<<10
	if leaf := bytesOf(w.sizes(), 1); leaf > most {
		return nil, fmt.Errorf("the %d teams of a leaf, of %d members, leave %d bytes for the host to join by the reducers%s, expected at most %d: fewer members, or fewer teams in a Chunk", g.Leaf, t.Size, leaf, reducersOf(f), most)
	}
	return w, nil
}

// again implements work.
func (w *teamWork) again() work {
	other := *w
	return &other
}

// sizes implements work.
func (w *teamWork) sizes() []int { return w.values(w.left(w.grid.Leaf)) }

// left implements work: lanes of teams of one member, and all members of others.
func (w *teamWork) left(teams int) int {
	if w.apart && w.shape.Size > 1 {
		return teams * w.shape.Size
	}
	return w.kernelWork.left(teams)
}

// reducersOf lists the types of a functor's reducers, each behind a blank.
func reducersOf(f device.Functor) (list string) {
	for _, c := range f.Columns {
		list += " " + c.Reducer
	}
	return list
}

// load implements work.
func (w *teamWork) load(s *Space) (*code, error) {
	c, err := w.kernelWork.load(s)
	if err == nil && w.shared > driver.PlainShared {
		err = errors.Join(s.driver.AllowShared(c.entry, s.driver.Shared), s.driver.AllowShared(c.lanes, s.driver.Shared))
	}
	return c, err
}

// run implements work.
func (w *teamWork) run(q *queue, c *code, begin, end int, at places) error {
	t, g := w.shape, w.grid
	teams := end - begin
	blocks, leaf := teams, g.Leaf
	values := teams // of teams
	if alone := t.Size == 1 && len(w.joins) > 0; alone {
		leaves := (teams + g.Leaf - 1) / g.Leaf
		blocks, leaf = leaves*g.Lanes, g.Lanes
		values = (leaves-1)*g.Lanes + min((teams-1)%g.Leaf+1, g.Lanes)
	} else if far := t.Bytes(1); far > 0 {
		blocks = min(blocks, max(maxFar/far, 1))
	}
	room := make([]int, len(w.joins)+1)
	bytes := 0
	stored := max(values, blocks)
	if w.apart { // in the buffer
		stored = 0
	}
	for k, n := range w.bytes(stored, t.Bytes(1)*blocks) {
		room[k], bytes = bytes, bytes+(n+255)&^255
	}
	memory, err := q.apart(bytes)
	if err != nil {
		return err
	}
	leaves := w.sizes()
	of := func(k int) uint64 {
		if w.apart && k < len(w.joins) {
			return uint64(at.outs[k]) + uint64(begin/g.Leaf*leaves[k])
		}
		return uint64(memory) + uint64(room[k])
	}
	p := append([]uint64{uint64(begin), uint64(end), uint64(at.status)}, w.call.Text.Shape(t, w.before, of(len(w.joins)))...)
	join := []uint64{0, uint64(values), uint64(leaf), uint64(g.Lanes), uint64(at.done)}
	if len(w.joins) > 0 {
		p = append(p, uint64(g.Leaf), uint64(g.Lanes))
	}
	for k, j := range w.joins {
		p = append(p, of(k), j.Identity, j.Op)
		join = append(join, of(k))
	}
	for k, j := range w.joins {
		join = append(join, uint64(at.outs[k])+uint64(begin/g.Leaf*j.Bytes), uint64(at.roots[k]), j.Identity, j.Op)
	}
	p = w.captured(p)
	f := c.entry
	if t.Vector > 1 {
		f = c.lanes
	}
	if len(w.joins) == 0 || w.apart {
		return q.Run(f, blocks, t.Size*t.Vector, w.shared, q.host[argumentsAt:], p)
	}
	if err := q.Launch(f, blocks, t.Size*t.Vector, w.shared, q.host[argumentsAt:], p); err != nil {
		return err
	}
	lanes := lanesOf(space.Grid{Leaf: leaf, Lanes: g.Lanes}, 0, values)
	return q.Run(c.nodes, (lanes-1)/blockThreads+1, blockThreads, 0, q.host[argumentsAt:], join)
}

// bytes returns how much memory the values of accumulators take, and scratch memory behind these.
func (w *teamWork) bytes(values, far int) (list []int) {
	for _, j := range w.joins {
		list = append(list, values*j.Bytes)
	}
	return append(list, far)
}

// fail implements work.
func (w *teamWork) fail(status uint64) {
	team := int(status >> 16)
	w.job.Fail(team, &fault{fmt.Sprintf("%s, in team %d of the kernel %s", w.why(status), w.before+team, w.call.Text.Source.Name)})
}
