package league

import (
	"sync"
	"unsafe"

	"github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/exec/space"
)

// runLoop runs the teams begin to end-1 of the leaf that begins with team leaf by the compiled loop. It calls the functor
// for teams that the loop leaves.
func (k *teamKernel) runLoop(at *launch.Walk, leaf, begin, end int) {
	w := &k.workers[at.Worker]
	if w.team == nil {
		w.team = takeTeam(k.shape)
	}
	if len(k.accs) == 0 {
		for begin < end {
			if begin = k.loop.Teams(begin, end, w.team); begin < end {
				k.call(at, leaf, begin, begin+1)
				begin++
			}
		}
		return
	}
	for item := begin; item < end; item++ {
		if !k.runTeam(at.Worker, leaf, item) {
			k.call(at, leaf, item, item+1)
		}
	}
}

// runTeam runs one team by the compiled loop, with its accumulators. It reports whether the team is done.
func (k *teamKernel) runTeam(worker, leaf, item int) (done bool) {
	t := k.workers[worker].team
	for n, a := range k.accs {
		a.beginTeam(worker, item-leaf)
		accs := &a.workers[worker].accs
		t.Accs[n] = unsafe.Slice((*byte)(accs.At), uintptr(accs.N)*accs.Size)
	}
	if k.loop.Teams(item, item+1, t) == item {
		return false
	}
	if k.shape.Size > 1 {
		for _, a := range k.accs {
			a.endTeam(worker, item-leaf)
		}
	}
	return true
}

// idleTeams are teams of launches that have ended, for the memory that they have.
var idleTeams sync.Pool

// takeTeam returns the team of a worker.
func takeTeam(shape space.TeamShape) *kernel.Team {
	t, ok := idleTeams.Get().(*kernel.Team)
	if !ok {
		t = new(kernel.Team)
	}
	t.Shape = shape
	for level := range t.Scratch {
		words := shape.Bytes(level) / 8
		if cap(t.Scratch[level]) < words {
			t.Scratch[level] = make([]uint64, words)
		}
		t.Scratch[level] = t.Scratch[level][:words]
	}
	return t
}

// giveTeam keeps a team for another launch, without what that must not see.
func giveTeam(t *kernel.Team) {
	t.Accs = [4][]byte{}
	idleTeams.Put(t)
}
