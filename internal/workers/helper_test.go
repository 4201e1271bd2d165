package workers

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/space"
)

// A launch that wants two helpers is for those with the numbers 1 and 2. Others come once they have
// passed it by for long enough, each time anew.
func TestHelpersPassByLaunchesForOthers(t *testing.T) {
	p := New(8)
	p.hired.Store(7) // as far as it knows
	var l claims
	at := p.post(&l, 2)
	require.Same(t, &p.posted[0], at)
	l.door.close()
	for _, c := range []struct{ id, passes int }{{1, 0}, {2, 0}, {3, patience}, {7, patience}} {
		h := &helper{pool: p, id: c.id}
		for range 2 {
			l.door.open(2)
			for k := range c.passes {
				found, _ := h.find()
				require.Nil(t, found, "look %d of helper %d", k, c.id)
			}
			found, left := h.find()
			require.Same(t, &l, found, "helper %d", c.id)
			assert.Equal(t, 1, left)
			l.door.leave()
			l.door.close()
		}
		l.door.open(2)
		for k := range 3*patience + 1 {
			asked := k%2 == 0 || k == 3*patience
			if p.posted[0].Store(nil); asked {
				p.posted[0].Store(&l)
			}
			found, _ := h.find()
			assert.Equal(t, asked && c.passes == 0, found != nil, "launches that follow one another, of which none lasts")
			if found != nil {
				l.door.leave()
				l.door.close()
				l.door.open(2)
			}
		}
		l.door.close()
	}
}

// Those with the lowest numbers wake first, in whatever order they have parked.
func TestHelpersWakeByNumber(t *testing.T) {
	p := New(8)
	all := map[int]*helper{}
	for _, id := range []int{4, 1, 3, 5, 2} {
		all[id] = &helper{pool: p, id: id, alarm: make(chan struct{}, 1)}
		p.park(all[id])
	}
	p.unpark(all[1])
	assert.Equal(t, 2, p.wake(2))
	assert.EqualValues(t, 2, p.parked.Load())
	assert.Equal(t, 2, p.wake(8), "as many as there are")
	assert.Zero(t, p.parked.Load())
	assert.Empty(t, all[1].alarm, "which was not parked")
	for _, id := range []int{2, 3, 4, 5} {
		assert.Len(t, all[id].alarm, 1, "helper %d", id)
	}
	for _, id := range []int{4, 5, 3} {
		<-all[id].alarm
		p.park(all[id])
	}
	p.wake(1)
	assert.Equal(t, [3]int{1, 0, 0}, [3]int{len(all[3].alarm), len(all[4].alarm), len(all[5].alarm)})
}

// A helper that was asked for begins with the share that has its number. Who comes in its place takes
// one by the places that are left.
func TestHelpersBeginWithTheirShare(t *testing.T) {
	for _, c := range []struct {
		worker, left int
		want         string
	}{
		{1, 2, "run 1 2 3"},
		{2, 2, "run 2 4 5"},
		{3, 0, "run 3 6 7"},
		{6, 1, "run 6 4 5"},
		{7, 0, "run 7 2 3"},
	} {
		var j written
		var l claims
		l.begin(space.NewGrid(8, 1, false), &j, &space.Hints{}, 8, 4, 8)
		l.door.open(1)
		_, ok := l.door.enter()
		require.True(t, ok)
		l.help(c.worker, c.left)
		assert.Equal(t, c.want, j.log[0])
		assert.Len(t, j.log, 8)
		assert.Zero(t, l.door.inside())
	}
}
