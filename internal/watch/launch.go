package watch

import (
	"errors"
	"math"
	"runtime/debug"
	"sync"
	"time"
)

// On says that hooks look at accesses. Code that is not the functor's asks it before it tells of
// threads.
var On bool

// launched says that a launch is watched.
var launched bool

// watching is held by the launch that is watched.
var watching sync.Mutex

// A launch that waits for another one looks at its progress after each nap, and gives up after so many naps
// without any. Tests change nap.
const patience = 10_000

var nap = doze

//go:norace
func doze() { time.Sleep(time.Millisecond) }

// ErrStuck says that the launch that is watched waits for another one.
var ErrStuck = errors.New("another launch is watched whose functor has done nothing for 10 seconds: does it wait for this one, on another goroutine?")

// Begin begins to watch a launch on this goroutine. It waits until no other launch is watched,
// and returns ErrStuck if that one makes no progress.
//
//go:norace
//go:noinline
func Begin() error {
	if err := wait(); err != nil {
		return err
	}
	if shadow == nil || run.next > 1<<31 { // numbers are getting scarce
		if shadow == nil {
			shadow = make([]*arena, arenas)
		}
		forget()
		run.next = 1
	}
	run.items = true
	endDeviceOnly()
	forgetReleases()
	findings, inOrder, open, accesses = map[findingKey]*Finding{}, nil, nil, 0
	unwritten = unwritten[:0]
	scratch, results, accumulators, meetings = scratch[:0], results[:0], accumulators[:0], meetings[:0]
	run.here, run.nested = point{}, 0
	run.points, run.stretches = run.points[:0], run.stretches[:0]
	run.since, run.base, run.first = run.next, run.next, run.next
	run.own, run.readOnly, run.know = run.own[:0], false, knowledge{}
	clear(reached[:])
	runOn(region{})
	run.ample = 0
	run.accumulator = 0
	names.runs, names.data, names.lost = names.runs[:0], names.data[:0], 0
	mark(counters)
	Leave()
	var c caller
	probe(&c, 0, 1)
	run.g = c.g
	// Memory that is used again would be another variable's, and see hooks.go.
	percent, limit = debug.SetGCPercent(-1), debug.SetMemoryLimit(math.MaxInt64)
	beginHost()
	launched, On = true, true
	return nil
}

// wait takes the place of the launch that is watched.
//
//go:norace
func wait() error {
	if watching.TryLock() {
		return nil
	}
	idle := 0
	steps, seen := run.next, accesses
	for !watching.TryLock() {
		nap()
		if idle++; run.next != steps || accesses != seen {
			idle, steps, seen = 0, run.next, accesses
		}
		if idle > patience {
			return ErrStuck
		}
	}
	return nil
}

// percent and limit are those of the garbage collector.
var (
	percent int
	limit   int64
)

// End ends the launch. It returns what was found, in the order in which it was, and how many
// accesses were seen.
//
//go:norace
func End() ([]*Finding, int) {
	Leave()
	settle()
	endHost()
	for _, f := range inOrder {
		f.name()
	}
	launched = false
	On = armed()
	debug.SetMemoryLimit(limit)
	debug.SetGCPercent(percent)
	found := inOrder
	if accesses == 0 { // only atomic operations were seen, which tell nothing of an order alone
		found = nil
		for _, f := range inOrder {
			if f.Kind == HostMemory {
				found = append(found, f)
			}
		}
	}
	names.text = nil
	clear(joined[:cap(joined)]) // it keeps nothing alive
	joined = joined[:0]
	findings, inOrder, open = nil, nil, nil
	seen := accesses
	watching.Unlock()
	return found, seen
}

// Opening reports whether the caller prepares the launch that is watched.
//
//go:norace
//go:noinline
func Opening() bool {
	return launched && !run.on && onG()
}

// Result says that no functor may touch that memory.
//
//go:norace
func Result(addr, bytes uintptr) { results = with(results, addr, bytes) }

// with adds memory that is looked at more closely.
//
//go:norace
func with(to []region, addr, bytes uintptr) []region {
	r := region{addr, addr + bytes}
	mark(r)
	return append(to, r)
}

// Renew says that memory begins anew: nobody has touched it.
//
//go:norace
func Renew(addr, bytes uintptr) { set(addr, bytes, cell{}) }

// set makes all cells of memory the same.
//
//go:norace
func set(addr, bytes uintptr, c cell) {
	for end := addr + bytes; addr < end; {
		p := pageOf(addr)
		stop := min(end, (p.number+1)<<pageBits)
		p.at(addr) // a cell begins there
		cells := p.cells[addr&(pageSize-1)>>p.shift : (stop-1)&(pageSize-1)>>p.shift+1]
		for k := range cells {
			cells[k] = c
		}
		addr = stop
	}
}
