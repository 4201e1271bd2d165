package workers

import (
	"math"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/gokkos/gokkos/exec/space"
)

// costs remembers what launches took, by functor: each entry is the functor's key, if it
// has not lost its place to another. It decides whether helpers are asked for, and
// nothing else; it may be wrong.
var costs [1024]atomic.Uint64

// A cost is what launches took, as an entry of the table.
type cost struct {
	key    uint32  // of keyBits
	item   perItem // work
	alone  bool    // the caller did that work alone
	helped perItem // how long launches with helpers took in all, where they follow one another, 0 if not known
	fails  uint8   // grows with launches that the caller should not have run alone, to maxFails
	wait   uint8   // launches that are to ask for helpers, before the caller tries again
}

const (
	keyBits  = 21
	maxFails = 8
)

func (c cost) pack() uint64 {
	x := uint64(c.key)<<43 | uint64(c.item)<<28 | uint64(c.helped)<<12 | uint64(c.fails)<<8 | uint64(c.wait)
	if c.alone {
		x |= 1 << 27
	}
	return x
}

func unpack(x uint64) cost {
	const mask = 1<<perItemBits - 1
	return cost{uint32(x >> 43), perItem(x >> 28 & mask), x>>27&1 == 1, perItem(x >> 12 & mask), uint8(x >> 8 & 15), uint8(x)}
}

// perItem is a time per item: the first perItemBits bits of a float32, in nanoseconds. It
// is to within two percent, from picoseconds to days.
type perItem uint16

const perItemBits = 15

func perItemOf(d time.Duration, items int) perItem {
	return perItem(math.Float32bits(float32(d)/float32(items)) >> (32 - perItemBits))
}

// of returns how long that many items take.
func (t perItem) of(items int) time.Duration {
	return time.Duration(math.Float32frombits(uint32(t)<<(32-perItemBits)) * float32(items))
}

// renew sets t to a time that differs by more than a quarter.
func (t *perItem) renew(to perItem) {
	const scale = 1 << 10
	if old, now := t.of(scale), to.of(scale); max(now-old, old-now) > old/4 {
		*t = to
	}
}

// follow sets t to a shorter time at once, and to longer ones little by little.
func (t *perItem) follow(to perItem) {
	const scale = 1 << 20
	if old, now := t.of(scale), to.of(scale); *t == 0 || now < old {
		*t = to
	} else {
		*t = perItemOf(old+(now-old)/8, scale)
	}
}

// stopwatch times a launch.
type stopwatch struct {
	entry   *atomic.Uint64
	cost    cost
	items   int
	workers int
	limit   time.Duration // the caller runs a launch up to this alone: soloLimit or soloLimitWarm
	start   time.Duration
	alone   bool // the caller is to run the launch alone

	own  int           // items that the caller ran beside helpers, if known
	busy time.Duration // and how long it did
}

// watch begins to time a launch of that many items. The key is that of its functor, and
// ended when a launch ended before it.
//
// Beside helpers, some of which may wait for a processor, a launch may seem to be more work
// than it is: the caller tries alone what may take less than the limit, less and less often
// if it does not. Where helpers turn out to be no help, it runs up to eight times that alone:
//
//	work, by what is known of the functor   the caller runs it alone
//	up to the limit                         always, unless trials failed lately
//	up to 8 limits, timed beside helpers    as a trial
//	up to 8 limits, timed alone             if helpers are awake and took longer in all
//	more                                    never
func watch(key uintptr, items, workers int, ended time.Duration) stopwatch {
	entry, tag := entryOf(key)
	w := stopwatch{entry: entry, items: items, workers: workers, start: Now(), limit: soloLimit}
	if w.start-ended < soloLimit {
		w.limit = soloLimitWarm
	}
	w.cost = unpack(w.entry.Load())
	if w.cost.key != tag {
		w.cost = cost{key: tag}
		return w
	}
	w.alone = w.cost.wait == 0 && w.worthTrying()
	return w
}

// worthTrying reports whether the caller is to run the launch alone, unless it has tried
// that in vain lately.
func (w *stopwatch) worthTrying() bool {
	switch work := w.cost.item.of(w.items); {
	case work <= w.limit:
		return true
	case work > 8*w.limit:
		return false
	case !w.cost.alone:
		return true // the work may be less than it seems
	case w.limit == soloLimit || w.cost.item > w.cost.helped:
		return false
	case rand.Uint32()%256 == 0:
		w.cost.wait = 8 // is it still so, once helpers are awake?
		return false
	}
	return true
}

// untimed reports whether a launch of that many items is too short to be timed, and not the
// one of some sixteen that is timed nevertheless, as its functor may become slower.
func untimed(key uintptr, items int) bool {
	entry, tag := entryOf(key)
	c := unpack(entry.Load())
	return c.key == tag && c.alone && c.wait == 0 && c.item.of(items) <= untimedLimit && rand.Uint32()%timedOneIn != 0
}

// entryOf returns where the cost of a functor may be, and the key that it then has.
func entryOf(key uintptr) (entry *atomic.Uint64, tag uint32) {
	h := uint64(key) * 0x9e3779b97f4a7c15
	return &costs[h>>54], uint32(h) >> (32 - keyBits)
}

// cut returns how to share the launch, and the leaves of it that there are then.
func (w *stopwatch) cut(g space.Grid, j space.Job, h *space.Hints) (space.Grid, cut) {
	if w.cost.item == 0 {
		return cutEvenly(g, j, w.workers, h)
	}
	come := comeTime
	if w.limit == soloLimit {
		come = parkedComeTime
	}
	work := w.cost.item.of(w.items)
	wanted := sharersFor(w.workers, work, come)
	g, apart := divided(g, j, wanted)
	c := cutFor(g.Leaves, wanted, w.workers, h, work, come)
	c.apart = apart
	return g, c
}

// stop remembers what the launch took, and returns when it ended.
func (w *stopwatch) stop() (end time.Duration) {
	end = Now()
	took := end - w.start
	work := max(took-launchOverhead, 0)
	switch {
	case w.alone:
	case w.own > 0:
		work = time.Duration(float64(w.busy) / float64(w.own) * float64(w.items))
	default:
		work *= time.Duration(w.workers)
	}
	c := w.cost
	switch {
	case !w.alone:
		c.wait = max(c.wait, 1) - 1
		if w.limit == soloLimitWarm { // else helpers had to wake
			c.helped.follow(perItemOf(took, w.items))
		}
	case took > w.limit && (w.limit == soloLimit || perItemOf(took, w.items) > c.helped):
		c.fails = min(c.fails+1, maxFails)
		c.wait = 1<<c.fails - 1
	default:
		c.fails = max(c.fails, 1) - 1
	}
	if c.item.renew(perItemOf(work, w.items)); c.alone != w.alone {
		c.item, c.alone = perItemOf(work, w.items), w.alone
	}
	if c != w.cost {
		w.entry.Store(c.pack())
	}
	return end
}

var epoch = time.Now()

// Now is the time since the program began; it is cheaper than time.Now.
func Now() time.Duration { return time.Since(epoch) }
