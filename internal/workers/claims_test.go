package workers

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/space"
)

// noJob is a job that does nothing.
type noJob struct{}

func (noJob) Open(workers, slots int)                {}
func (noJob) Run(worker, first, last, slot int) bool { return true }
func (noJob) Join(dst, src int) bool                 { return true }

// Each sharer has a share of the claims. The leaves of a scan are taken in their order, so all are one share.
func TestShares(t *testing.T) {
	for _, c := range []struct{ leaves, height, sharers, most, claims, shares int }{
		{4096, 7, 4, 0, 32, 4},
		{1000, 4, 4, 0, 63, 4},
		{3, 0, 3, 0, 3, 3},
		{98, 3, 13, 0, 13, 13},
		{1000, 4, 4, 64, 63, 1},
	} {
		h := space.Hints{MaxClaim: c.most}
		var l claims
		l.begin(space.NewGrid(c.leaves, 1, false), noJob{}, &h, 16, cut{c.height, countOf(c.leaves, c.height), c.sharers, false})
		assert.Equal(t, [2]int{c.claims, c.shares}, [2]int{l.count, len(l.shares)}, "%+v", c)
		next := 0
		for k := range l.shares {
			begin, end := l.rangeOf(k)
			assert.Equal(t, next, begin, "%+v", c)
			next = end
		}
		assert.Equal(t, l.count, next, "%+v", c)
	}
}

// Workers use slots of their own, each as many as it has results at a time, and no slot that was not opened. In a
// later launch they begin anew.
func TestWorkersHaveSlotsOfTheirOwn(t *testing.T) {
	const workers, stride = 3, 4
	var l claims
	for range 3 {
		var j opened
		l.begin(space.NewGrid(64, 1, false), &j, &space.Hints{SlotStride: stride}, workers, cut{0, 64, workers, false})
		of := map[int]int{}
		for k := range 60 {
			worker := []int{0, 1, 1, 2, 2, 2}[k%6]
			l.enter(worker)
			slot := l.take(worker, k+1)
			require.NotContains(t, of, slot)
			require.Less(t, slot, j.slots)
			require.Positive(t, slot, "which is that of claim 0")
			of[slot] = worker
		}
		for slot, worker := range of {
			for k := slot / stride * stride; k < slot/stride*stride+stride; k++ {
				if other, ok := of[k]; ok {
					require.Equal(t, worker, other, "a stride is of one worker")
				}
			}
			l.give(worker, slot)
		}
		for slot, worker := range of {
			require.Equal(t, worker, of[l.take(worker, 1)], "slot %d is used again", slot)
		}
	}
}

type opened struct {
	noJob
	slots int
}

func (o *opened) Open(_, slots int) { o.slots = slots }

// written is a job that writes down what a worker does.
type written struct {
	noJob
	log []string
}

func (w *written) Run(worker, first, last, _ int) bool {
	w.log = append(w.log, fmt.Sprint("run ", worker, " ", first, " ", last))
	return true
}

// A worker calls AtEnd once, behind all that it runs, and in no later launch that does not ask
// for it.
func TestWorkersCallAtEnd(t *testing.T) {
	var j written
	atEnd := func(worker int) { j.log = append(j.log, fmt.Sprint("end ", worker)) }
	var l claims
	g := space.NewGrid(2, 1, false)
	l.begin(g, &j, &space.Hints{AtEnd: atEnd}, 3, cut{0, 2, 1, false})
	assert.Equal(t, 2, l.work(0, 0))
	l.work(2, 0) // which finds no claim
	assert.Equal(t, []string{"run 0 0 1", "run 0 1 2", "end 0", "end 2"}, j.log)
	l.end()
	assert.Nil(t, l.atEnd, "which refers to what the caller gave")
	j.log = nil
	l.begin(g, &j, &space.Hints{}, 3, cut{0, 2, 1, false})
	l.work(1, 0)
	assert.Equal(t, []string{"run 1 0 1", "run 1 1 2"}, j.log)
}

// Where nothing is reduced, each worker has one slot, and nobody joins.
func TestClaimsApart(t *testing.T) {
	j := counting{ran: make([]int, 100)}
	var l claims
	l.begin(space.NewGrid(100, 1, false), &j, &space.Hints{SlotStride: 2}, 3, cut{2, 25, 2, true})
	assert.Equal(t, 60, l.work(1, 1)+l.work(2, 0)-40)
	for leaf, n := range j.ran {
		assert.Equal(t, 1, n, "leaf %d", leaf)
	}
	assert.Zero(t, j.joins)
	assert.Less(t, j.most, j.slots)
}

// counting counts what is run and joined.
type counting struct {
	opened
	ran         []int
	joins, most int
}

func (c *counting) Run(_, first, last, slot int) bool {
	for leaf := first; leaf < last; leaf++ {
		c.ran[leaf]++
	}
	c.most = max(c.most, slot)
	return true
}

func (c *counting) Join(dst, src int) bool {
	c.joins++
	return true
}
