package workers

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/gokkos/gokkos/exec/space"
)

func TestCostPacks(t *testing.T) {
	for _, alone := range []bool{false, true} {
		const most = 1<<perItemBits - 1
		full := cost{1<<keyBits - 1, most, alone, most, maxFails, 255}
		for _, c := range []cost{
			{alone: alone}, {key: full.key, alone: alone}, {item: most, alone: alone}, {helped: most, alone: alone},
			{fails: maxFails, alone: alone}, {wait: 255, alone: alone}, full,
		} {
			assert.Equal(t, c, unpack(c.pack()))
		}
	}
}

func TestTimesPerItem(t *testing.T) {
	for _, d := range []time.Duration{1, 37, time.Microsecond, time.Second, time.Hour} {
		for _, n := range []int{1, 3, 1000, 1 << 30} {
			x := perItemOf(d, n)
			assert.InEpsilon(t, float64(d), float64(x.of(n))+1, .03+1/float64(d), "%v, %d items", d, n)
			assert.Less(t, x, perItemOf(d+d/32+1, n))
		}
	}
	assert.Zero(t, perItemOf(0, 5).of(7))
	x := perItemOf(100, 1)
	x.renew(perItemOf(110, 1))
	assert.Equal(t, perItemOf(100, 1), x)
	x.renew(perItemOf(130, 1))
	assert.Equal(t, perItemOf(130, 1), x)
	x.renew(perItemOf(0, 1))
	assert.Zero(t, x)
	x.follow(perItemOf(800, 1))
	assert.Equal(t, perItemOf(800, 1), x)
	x.follow(perItemOf(1600, 1))
	assert.InEpsilon(t, 900, int(x.of(1)), .02)
	x.follow(perItemOf(80, 1))
	assert.Equal(t, perItemOf(80, 1), x)
}

// forget leaves nothing known of any functor.
func forget() {
	for k := range costs {
		costs[k].Store(0)
	}
}

// took pretends that a launch of that many items took so long, and reports whether its
// caller was to run it alone.
func took(key uintptr, items int, d time.Duration) (alone bool) {
	w := watch(key, items, 2, -time.Second)
	w.start = Now() - d
	w.stop()
	return w.alone
}

func TestQuickLaunchesAreRunAlone(t *testing.T) {
	forget()
	const key = 0x1234567
	assert.False(t, took(key, 1000, 3*time.Microsecond), "nothing is known of the functor")
	assert.True(t, took(key, 1000, 3*time.Microsecond))
	assert.True(t, took(key, 100, time.Microsecond))
	assert.False(t, took(key, 1_000_000, 3*time.Millisecond), "many items take long")
	assert.True(t, took(key, 1000, 3*time.Microsecond))
}

// A launch that takes less than a microsecond is not worth two looks at the clock, but its
// functor may become slower.
func TestShortLaunchesAreTimedNowAndThen(t *testing.T) {
	forget()
	const key = 0x2222
	timed := func(items int) (n int) {
		for range 1000 {
			if !untimed(key, items) {
				n++
			}
		}
		return n
	}
	assert.Equal(t, 1000, timed(100), "nothing is known of the functor")
	took(key, 100, 500*time.Nanosecond)
	assert.Equal(t, 1000, timed(100), "nothing is known of it alone")
	took(key, 100, 500*time.Nanosecond)
	assert.InDelta(t, 60, timed(100), 40)
	assert.Equal(t, 1000, timed(1000), "many items take longer")
	took(key, 100, 5*time.Microsecond)
	assert.Equal(t, 1000, timed(100))
	took(key, 100, 20*time.Microsecond)
	assert.Equal(t, 1000, timed(2), "the next launch is to ask for helpers")
}

// hinted is a job that does nothing, and its hints.
type hinted struct {
	noJob
	hints space.Hints
}

func (h hinted) Hints() space.Hints { return h.hints }

func TestShortLaunchesAreUntimed(t *testing.T) {
	forget()
	p := New(2)
	defer p.Close()
	const key = 0x7777
	entry, tag := entryOf(key)
	timed := 0
	for range 1000 {
		entry.Store(cost{key: tag, alone: true}.pack()) // whatever the launches before took
		const never = -1
		p.ended.Store(never)
		p.Run(space.NewGrid(100, 0, false), hinted{hints: space.Hints{Functor: key}})
		if p.ended.Load() != never {
			timed++
		}
	}
	assert.InDelta(t, 60, timed, 40)
}

// Helpers that are awake come to launches that would be run alone if they were not.
func TestLaunchesThatFollowOneAnotherAreShared(t *testing.T) {
	forget()
	const key = 0x3333
	alone := func(ended time.Duration, d time.Duration) bool {
		w := watch(key, 1000, 2, ended)
		w.start = Now() - d
		w.stop()
		return w.alone
	}
	const long = -time.Second
	assert.False(t, alone(long, 4*time.Microsecond), "nothing is known of the functor")
	assert.True(t, alone(long, 5*time.Microsecond))
	assert.False(t, alone(Now(), 4*time.Microsecond))
	for range 20 { // the functor became faster
		alone(long, 2*time.Microsecond)
	}
	assert.True(t, alone(Now(), 2*time.Microsecond))
}

// Where launches with helpers take no less time than without, the caller runs them alone, and
// tries now and then whether this is still so.
func TestHelpersThatAreNoHelpAreNotAskedFor(t *testing.T) {
	forget()
	const key = 0x5555
	shared := func(with time.Duration) (n int) {
		for range 6400 {
			w := watch(key, 1000, 16, Now())
			d := 8 * time.Microsecond
			if !w.alone {
				n++
				d, w.own, w.busy = with, 100, 800*time.Nanosecond
			}
			w.start = Now() - d
			w.stop()
		}
		return n
	}
	assert.InDelta(t, 200, shared(9*time.Microsecond), 150)
	assert.Greater(t, shared(5*time.Microsecond), 5000, "they are a help now")
	assert.Less(t, shared(9*time.Microsecond), 1000)
}

// dividing is a job of as many items as leaves are asked for.
type dividing struct {
	noJob
	leaves int
	asked  *int
}

func (d dividing) Divide(leaves int) (space.Grid, bool) {
	if leaves > d.leaves {
		*d.asked = leaves
		return space.NewGrid(leaves, 1, false), true
	}
	return space.NewGrid(d.leaves, 1, false), true
}

// A launch asks for as many helpers as it has work for, and for leaves if it has few for them.
func TestCutOfALaunch(t *testing.T) {
	forget()
	const key = 0x4444
	ended := -time.Second // of the launch before: helpers are parked
	sharers := func(leaves, items, workers int) (sharers, asked int) {
		w := watch(key, items, workers, ended)
		g, c := w.cut(space.NewGrid(leaves, 1, false), dividing{leaves: leaves, asked: &asked}, &space.Hints{})
		assert.Equal(t, countOf(g.Leaves, c.shift), c.count)
		assert.True(t, c.apart)
		return c.sharers, asked
	}
	check := func(leaves, items, workers, wantSharers, wantAsked int, why string) {
		n, asked := sharers(leaves, items, workers)
		assert.Equal(t, [2]int{wantSharers, wantAsked}, [2]int{n, asked}, why)
	}
	check(1000, 1000, 16, 16, 0, "nothing is known of the functor")
	check(20, 1000, 16, 16, 128, "and there are few leaves")
	w := watch(key, 1000, 16, -time.Second)
	w.start, w.own, w.busy = Now()-time.Second, 100, 10*time.Microsecond // whatever the helpers did
	w.stop()
	check(1000, 1000, 16, 5, 0, "100 us of work")
	check(20, 1000, 16, 4, 32, "and there are few leaves")
	check(1000, 100, 16, 2, 0, "10 us")
	check(1000, 1, 16, 2, 0, "hardly any")
	check(1000, 1_000_000, 16, 16, 0, "100 ms")
	check(1000, 1_000_000, 2, 2, 0, "100 ms")
	ended = Now() + time.Hour // helpers are awake
	check(1000, 1000, 16, 16, 0, "100 us")
	check(1000, 100, 16, 8, 0, "10 us")
}

func TestSlowLaunchesAskForHelpers(t *testing.T) {
	forget()
	const key = 0x7654321
	for range 100 {
		assert.False(t, took(key, 1000, time.Second))
	}
	// One that is quick with helpers and slow without is hardly ever tried alone.
	alone := 0
	for range 1000 {
		w := watch(key, 1000, 2, -time.Second)
		d := 9 * time.Microsecond
		if w.alone {
			alone++
			d = time.Second
		}
		w.start = Now() - d
		w.stop()
	}
	assert.Positive(t, alone)
	assert.Less(t, alone, 20)
}

// On a busy machine a launch with helpers takes long however little work it is.
func TestQuickLaunchesAreFoundOnABusyMachine(t *testing.T) {
	forget()
	const key = 0x1111
	shared := 0
	for range 1000 {
		w := watch(key, 1000, 2, -time.Second)
		d := 3 * time.Microsecond
		if !w.alone {
			shared++
			d = 30 * time.Microsecond
		}
		w.start = Now() - d
		w.stop()
	}
	assert.Less(t, shared, 10)
}
