package tools

import (
	"sync"
	"sync/atomic"
)

// region is a region that was begun in another one, or in none.
type region struct {
	name  string
	path  string
	outer *region // the next that is open
}

var (
	regions   sync.Mutex
	innermost atomic.Pointer[region] // of those that are open
)

// StartRegion begins a region, a phase of the program with a name, and returns what ends it. It is
// Kokkos::Profiling::pushRegion. Events have the path of the regions that are open when they begin. Regions
// are of the program and not of a goroutine: what other goroutines do meanwhile counts as in the region.
func StartRegion(name string) (end func()) {
	regions.Lock()
	r := &region{name: name, outer: innermost.Load()}
	outer := r.outer.names()
	r.path = joined(outer, name)
	innermost.Store(r)
	regions.Unlock()
	told := begin(Event{Kind: Region, Label: name, Region: outer})
	return sync.OnceFunc(func() {
		r.end()
		told(nil)
	})
}

// end ends the region. Others that were begun in it go on, with the path that they have; those that begin
// after are not in it.
func (r *region) end() {
	regions.Lock()
	defer regions.Unlock()
	open := innermost.Load()
	if open == r {
		innermost.Store(r.outer)
		return
	}
	for open.outer != r {
		open = open.outer
	}
	open.outer = r.outer
}

// names returns the names of the region and of those around it that are open, outermost first.
func (r *region) names() string {
	if r == nil {
		return ""
	}
	return joined(r.outer.names(), r.name)
}

// joined returns the path of a region in another one, or in none.
func joined(outer, name string) string {
	if outer == "" {
		return name
	}
	return outer + "/" + name
}

// path returns the names of the open regions.
func path() string {
	if r := innermost.Load(); r != nil {
		return r.path
	}
	return ""
}
