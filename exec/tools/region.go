package tools

import (
	"sync"
	"sync/atomic"
)

// region is a region that was begun in another one, or in none.
type region struct {
	path  string
	outer *region
	ended bool
}

var (
	regions   sync.Mutex
	innermost atomic.Pointer[region] // of those that are open
)

// StartRegion begins a region, a phase of the program with a name, and returns what ends it. It is
// Kokkos::Profiling::pushRegion. Events have the path of the regions that are open when they begin. Regions
// are of the program and not of a goroutine: what other goroutines do meanwhile counts as in the region.
func StartRegion(name string) (end func()) {
	told := begin(Event{Kind: Region, Label: name})
	r := &region{path: name}
	regions.Lock()
	if r.outer = innermost.Load(); r.outer != nil {
		r.path = r.outer.path + "/" + name
	}
	innermost.Store(r)
	regions.Unlock()
	return sync.OnceFunc(func() {
		r.end()
		told(nil)
	})
}

// end ends the region. Others that were begun in it go on, and are the path until they have ended.
func (r *region) end() {
	regions.Lock()
	defer regions.Unlock()
	r.ended = true
	open := innermost.Load()
	for open != nil && open.ended {
		open = open.outer
	}
	innermost.Store(open)
}

// path returns the names of the open regions.
func path() string {
	if r := innermost.Load(); r != nil {
		return r.path
	}
	return ""
}
