package workers

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func counted(d *door) [2]int {
	inside, free := d.count()
	return [2]int{inside, free}
}

func TestDoorHasASeatForEachHelper(t *testing.T) {
	d := newDoor(4095)
	assert.Zero(t, d.enter(1, true), "a door that was never open")
	for k, seats := range []int{3, 0, 1, 4095} {
		d.let(int64(k+1), seats)
		assert.Equal(t, [2]int{0, seats}, counted(&d))
		for k := seats; k > 0; k-- {
			require.Equal(t, k, d.enter(k, false))
			require.Zero(t, d.enter(k, false), "which is taken")
		}
		assert.Zero(t, d.enter(seats+1, true))
		assert.Equal(t, [2]int{seats, 0}, counted(&d))
		for k := range seats {
			d.leave(k + 1)
		}
		assert.Equal(t, [2]int{0, 0}, counted(&d))
		assert.Zero(t, d.enter(1, true), "nobody comes back")
		d.close()
		assert.Zero(t, d.enter(1, true), "which is shut")
	}
}

// One who was not asked for takes a seat only if told that it may, and then that of another, who finds no
// place then.
func TestDoorLetsOthersTakeSeats(t *testing.T) {
	d := newDoor(8)
	d.let(1, 3)
	require.Equal(t, 1, d.enter(1, true))
	assert.Zero(t, d.enter(5, false))
	assert.Equal(t, 2, d.enter(5, true))
	assert.Zero(t, d.enter(2, false))
	assert.Equal(t, [2]int{2, 1}, counted(&d))
	assert.Equal(t, 3, d.enter(2, true))
	for k := range 3 {
		d.leave(k + 1)
	}
	d.close()
}

// A helper that looked at the door when it was open for one launch, and comes in when it is open for a later one
// with more seats, finds none: those are not of its launch.
func TestDoorOfALateHelper(t *testing.T) {
	d := newDoor(8)
	d.let(1, 2)
	launch, last := d.launch()
	d.close()
	d.let(2, 6)
	for k := 1; k <= last; k++ {
		assert.False(t, d.seats[k].take(launch, 1))
	}
	assert.Equal(t, [2]int{0, 6}, counted(&d))
	d.close()
	assert.Equal(t, [2]int{0, 0}, counted(&d))
}

// close returns once all have left, however late that is.
func TestDoorWaits(t *testing.T) {
	d := newDoor(3)
	for k := range 3 {
		d.let(int64(k+1), 2)
		require.Equal(t, 2, d.enter(2, false))
		var left atomic.Bool
		go func() {
			time.Sleep(20 * time.Millisecond) // longer than close spins
			left.Store(true)
			d.leave(2)
		}()
		d.close()
		assert.True(t, left.Load())
	}
}

// Helpers that come at any time to a door that is open now and then: as many come in as there
// are seats, each in one of its own, and none while it is shut.
func TestDoorOfManyLaunches(t *testing.T) {
	const helpers, launches = 4, 1000
	d := newDoor(helpers + 2)
	var open, over atomic.Bool
	var inside, came atomic.Int32
	var taken [helpers + 2]atomic.Bool
	var all sync.WaitGroup
	for h := range helpers {
		all.Go(func() {
			for n := 0; !over.Load(); n++ {
				if seat := d.enter(h+1, n%3 > 0); seat > 0 {
					assert.False(t, taken[seat].Swap(true))
					inside.Add(1)
					came.Add(1)
					assert.True(t, open.Load())
					inside.Add(-1)
					taken[seat].Store(false)
					d.leave(seat)
				}
				runtime.Gosched()
			}
		})
	}
	for k := range launches {
		seats := k % (helpers + 2)
		open.Store(true)
		d.let(int64(k+1), seats)
		for k%3 == 0 && int(came.Load()) < seats {
			runtime.Gosched()
		}
		d.close()
		require.Zero(t, inside.Load())
		open.Store(false)
		if n := int(came.Swap(0)); n > seats || k%3 == 0 && n < seats {
			require.Equal(t, seats, n)
		}
	}
	over.Store(true)
	all.Wait()
	assert.Equal(t, [2]int{0, 0}, counted(&d))
}
