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

// A launch is cut into the pieces that were asked for or up to twice as many, of which each
// sharer has a share. The leaves of a scan are taken in their order, so all are one share, and
// a claim has so few that their results can be computed soon.
func TestClaimsAreCutAsTheLaunchAsks(t *testing.T) {
	type cut struct{ leavesEach, claims, shares int }
	for _, c := range []struct {
		name                    string
		leaves, sharers, pieces int
		least, most             int
		want                    cut
	}{
		{"as many as asked for", 4096, 4, 32, 0, 0, cut{128, 32, 4}},
		{"more than asked for", 1000, 4, 32, 0, 0, cut{16, 63, 4}},
		{"fewer leaves than pieces", 20, 4, 32, 0, 0, cut{1, 20, 4}},
		{"fewer leaves than sharers", 3, 4, 32, 0, 0, cut{1, 3, 3}},
		{"one leaf", 1, 4, 32, 0, 0, cut{1, 1, 1}},
		{"a scan", 1000, 4, 32, 4, 64, cut{16, 63, 1}},
		{"a scan, at most", 4096, 4, 32, 4, 64, cut{64, 64, 1}},
		{"a scan, at most and no power of 2", 4096, 4, 32, 4, 100, cut{64, 64, 1}},
		{"a scan, at least", 100, 4, 32, 4, 64, cut{4, 25, 1}},
		{"a scan, fewer leaves than that", 3, 4, 32, 4, 64, cut{4, 1, 1}},
		{"at least", 100, 4, 32, 4, 0, cut{4, 25, 4}},
		{"at least, and no power of 2", 100, 4, 32, 7, 0, cut{4, 25, 4}},
		{"at least, fewer leaves than that", 3, 4, 32, 4, 0, cut{4, 1, 1}},
		{"one claim for each of three more", 98, 10, 10, 0, 0, cut{8, 13, 13}},
		{"not for one more than two", 3, 2, 2, 0, 0, cut{1, 3, 2}},
		{"not for more than there are", 280, 15, 15, 0, 0, cut{16, 18, 15}},
		{"no larger pieces than asked for", 20, 16, 128, 0, 0, cut{1, 20, 16}},
		{"even shares", 98, 2, 2, 0, 0, cut{16, 7, 2}},
		{"even shares, at least", 98, 2, 2, 32, 0, cut{32, 4, 2}},
	} {
		h := space.Hints{MinClaim: c.least, MaxClaim: c.most}
		var l claims
		l.begin(space.NewGrid(c.leaves, 1, false), noJob{}, &h, 16, split{c.sharers - 1, c.pieces, 8})
		assert.Equal(t, c.want, cut{1 << l.shift, l.count, len(l.shares)}, c.name)
		next := 0
		for k := range l.shares {
			begin, end := l.rangeOf(k)
			assert.Equal(t, next, begin, c.name)
			next = end
		}
		assert.Equal(t, l.count, next, c.name)
	}
}

// Workers use slots of their own, each as many as it has results at a time, and no slot that was not opened. In a
// later launch they begin anew.
func TestWorkersHaveSlotsOfTheirOwn(t *testing.T) {
	const workers, stride = 3, 4
	var l claims
	for range 3 {
		var j opened
		l.begin(space.NewGrid(64, 1, false), &j, &space.Hints{SlotStride: stride}, workers, split{workers - 1, 64, 64})
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
	l.begin(g, &j, &space.Hints{AtEnd: atEnd}, 3, split{pieces: 2})
	assert.Equal(t, 2, l.work(0, 0))
	l.work(2, 0) // which finds no claim
	assert.Equal(t, []string{"run 0 0 1", "run 0 1 2", "end 0", "end 2"}, j.log)
	l.end()
	assert.Nil(t, l.atEnd, "which refers to what the caller gave")
	j.log = nil
	l.begin(g, &j, &space.Hints{}, 3, split{pieces: 2})
	l.work(1, 0)
	assert.Equal(t, []string{"run 1 0 1", "run 1 1 2"}, j.log)
}
