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
	l := p.claims.Get().(*claims)
	l.epoch++
	at := p.post(l, 2)
	let := func() {
		l.epoch++
		l.door.let(l.epoch, 2)
	}
	require.Same(t, &p.posted[0], at)
	l.door.close()
	for _, c := range []struct{ id, passes, seat int }{{1, 0, 1}, {2, 0, 2}, {3, patience, 1}, {7, patience, 1}} {
		h := &helper{pool: p, id: c.id}
		for range 2 {
			let()
			for k := range c.passes {
				found, _ := h.find()
				require.Nil(t, found, "look %d of helper %d", k, c.id)
			}
			found, seat := h.find()
			require.Same(t, l, found, "helper %d", c.id)
			assert.Equal(t, c.seat, seat)
			l.door.leave(seat)
			l.door.close()
		}
		let()
		for k := range 3*patience + 1 {
			asked := k%2 == 0 || k == 3*patience
			if p.posted[0].Store(nil); asked {
				p.posted[0].Store(l)
			}
			found, seat := h.find()
			assert.Equal(t, asked && c.passes == 0, found != nil, "launches that follow one another, of which none lasts")
			if found != nil {
				l.door.leave(seat)
				l.door.close()
				let()
			}
		}
		l.door.close()
	}
}

// Where there is no claim left, nobody comes in for whom the caller would have to wait.
func TestHelpersPassByLaunchesThatAreSpent(t *testing.T) {
	p := New(2)
	p.hired.Store(1)
	l := p.claims.Get().(*claims)
	l.epoch++
	p.post(l, 1)
	h := &helper{pool: p, id: 1}
	l.spent.Store(l.epoch)
	found, _ := h.find()
	assert.Nil(t, found)
	l.spent.Store(l.epoch - 1)
	found, _ = h.find()
	assert.Same(t, l, found)
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

// A helper begins with the share that has the number of its seat.
func TestHelpersBeginWithTheShareOfTheirSeat(t *testing.T) {
	for _, c := range []struct {
		worker, seat int
		want         string
	}{
		{1, 1, "run 1 2 3"},
		{2, 2, "run 2 4 5"},
		{3, 3, "run 3 6 7"},
		{6, 2, "run 6 4 5"},
		{7, 3, "run 7 6 7"},
	} {
		var j written
		l := claims{door: newDoor(7)}
		l.begin(space.NewGrid(8, 1, false), &j, &space.Hints{}, 8, cut{0, 8, 4, false})
		l.door.let(l.epoch, 3)
		seat := l.door.enter(c.seat, false)
		require.Equal(t, c.seat, seat)
		l.help(c.worker, seat)
		assert.Equal(t, c.want, j.log[0])
		assert.Len(t, j.log, 8)
		assert.Equal(t, [2]int{0, 2}, counted(&l.door))
	}
}
