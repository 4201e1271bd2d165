package split

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"sync"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/ranks"
)

// World is a number of ranks that share the work of each launch. All of them make the same
// launches, each from a goroutine of its own, and end with the same results.
type World struct {
	inner []exec.Space

	mu      sync.Mutex
	turn    *sync.Cond
	posted  [][]byte // by rank, in the round that is going on
	arrived int
	last    [][]byte // what was posted in the round before
	round   int
}

// NewWorld returns a world with one rank for each space, which runs that rank's part.
func NewWorld(inner ...exec.Space) *World {
	w := &World{inner: inner, posted: make([][]byte, len(inner))}
	w.turn = sync.NewCond(&w.mu)
	return w
}

// Size returns the number of ranks.
func (w *World) Size() int { return len(w.inner) }

// Rank returns the space with which that rank makes its launches.
func (w *World) Rank(rank int) exec.Space { return ranked{w, rank} }

// exchange gives what each rank has posted to all of them, in the order of the ranks, as an
// MPI_Allgatherv does.
func (w *World) exchange(rank int, data []byte) [][]byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.posted[rank] = data
	round := w.round
	if w.arrived++; w.arrived == len(w.inner) {
		w.last, w.posted = w.posted, make([][]byte, len(w.inner))
		w.arrived = 0
		w.round++
		w.turn.Broadcast()
	}
	for w.round == round {
		w.turn.Wait()
	}
	return w.last
}

// ranked is the space of a rank.
type ranked struct {
	world *World
	rank  int
}

// Name names the rank.
func (r ranked) Name() string { return fmt.Sprintf("rank %d of %d", r.rank, r.world.Size()) }

// Concurrency returns that of the rank's own space, the same on all ranks or not.
func (r ranked) Concurrency() int { return r.world.inner[r.rank].Concurrency() }

// Launch implements [space.Space]. It returns once all the ranks have called it.
func (r ranked) Launch(g space.Grid, j space.Job) error {
	c, ok := j.(ranks.Carrier)
	if !ok {
		return fmt.Errorf("split: %s cannot run a job whose partial results cannot leave it", r.Name())
	}
	print, err := c.AppendFingerprint(nil)
	if err != nil { // on all the ranks, if they make the same launch
		print = []byte(err.Error())
	}
	for rank, other := range r.world.exchange(r.rank, print) {
		if !bytes.Equal(other, print) {
			return fmt.Errorf("split: %s makes another launch than rank %d:\n%s\n\n%s", r.Name(), rank, print, other)
		}
	}
	if err != nil {
		return err
	}
	nodes, failure := ranks.RunShare(g, c, r.world.inner[r.rank], r.rank, r.world.Size())
	for _, fault := range r.world.exchange(r.rank, c.AppendFault(nil)) {
		if err := c.SetFault(fault); err != nil {
			failure = err
		}
	}
	// A rank whose space failed has no nodes, and then the nodes are not complete anywhere.
	var all []ranks.Node
	for _, data := range r.world.exchange(r.rank, encode(nodes)) {
		all = append(all, decode(data)...)
	}
	if err := ranks.Assemble(g, c, all); failure == nil {
		failure = err
	}
	return failure
}

// encode writes nodes down, one after another.
func encode(nodes []ranks.Node) (data []byte) {
	for _, n := range nodes {
		for _, x := range []int{n.First, n.Last, len(n.Data)} {
			data = binary.LittleEndian.AppendUint64(data, uint64(x))
		}
		data = append(data, n.Data...)
	}
	return data
}

// decode returns what encode has written.
func decode(data []byte) (nodes []ranks.Node) {
	for len(data) > 0 {
		var head [3]int
		for k := range head {
			head[k] = int(binary.LittleEndian.Uint64(data[8*k:]))
		}
		data = data[24:]
		nodes = append(nodes, ranks.Node{First: head[0], Last: head[1], Data: data[:head[2]]})
		data = data[head[2]:]
	}
	return nodes
}
