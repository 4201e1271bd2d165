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

func TestDoorLetsInAsManyAsThereArePlaces(t *testing.T) {
	var d door
	_, ok := d.enter()
	assert.False(t, ok, "which was never open")
	for _, places := range []int{3, 0, 1, 4095} {
		d.open(places)
		assert.Equal(t, places, d.places())
		for left := places - 1; left >= 0; left-- {
			got, ok := d.enter()
			require.True(t, ok)
			require.Equal(t, left, got)
		}
		_, ok = d.enter()
		assert.False(t, ok)
		assert.Equal(t, places, d.inside())
		for range places {
			d.leave()
		}
		assert.Equal(t, 0, d.places(), "nobody comes back")
		d.close()
		_, ok = d.enter()
		assert.False(t, ok, "which is shut")
		assert.Equal(t, [2]int{0, 0}, [2]int{d.places(), d.inside()})
	}
}

// close returns once all have left, however late that is.
func TestDoorWaits(t *testing.T) {
	var d door
	for range 3 {
		d.open(2)
		_, ok := d.enter()
		require.True(t, ok)
		var left atomic.Bool
		go func() {
			time.Sleep(20 * time.Millisecond) // longer than close spins
			left.Store(true)
			d.leave()
		}()
		d.close()
		assert.True(t, left.Load())
	}
}

// Helpers that come at any time to a door that is open now and then: as many come in as there
// are places, and none while it is shut.
func TestDoorOfManyLaunches(t *testing.T) {
	const helpers, launches = 4, 1000
	var d door
	var open, over atomic.Bool
	var inside, came atomic.Int32
	var all sync.WaitGroup
	for range helpers {
		all.Go(func() {
			for !over.Load() {
				if _, ok := d.enter(); ok {
					inside.Add(1)
					came.Add(1)
					assert.True(t, open.Load())
					inside.Add(-1)
					d.leave()
				}
				runtime.Gosched()
			}
		})
	}
	for k := range launches {
		places := k % (helpers + 2)
		open.Store(true)
		d.open(places)
		for k%3 == 0 && int(came.Load()) < places {
			runtime.Gosched()
		}
		d.close()
		require.Zero(t, inside.Load())
		open.Store(false)
		if n := int(came.Swap(0)); n > places || k%3 == 0 && n < places {
			require.Equal(t, places, n)
		}
	}
	over.Store(true)
	all.Wait()
	assert.Zero(t, int32(d.state.Load()))
}

// A helper that comes while the door is shut may find it open by the time it takes back what
// it has added to the counts.
func TestDoorOfALateHelper(t *testing.T) {
	var d door
	d.open(1)
	d.close()
	d.state.Add(1 - onePlace) // the first half of enter
	d.open(2)
	assert.Equal(t, [2]int{1, 1}, [2]int{d.places(), d.inside()})
	d.out(onePlace - 1) // the second
	assert.Equal(t, [2]int{2, 0}, [2]int{d.places(), d.inside()})
}
