package watch

import (
	"runtime"
	"strings"
)

// A site is a place in the source that accesses memory.
type site struct {
	File     string
	Line     int
	Function string

	ours    bool // our own code accesses memory for itself
	through bool // a function of ours accesses it for its caller, whose line counts
	inViews bool // one of package views does
}

var (
	sites  = make([]site, 1) // number 0 is none
	siteAt = map[uintptr]uint32{}
)

// recentSites are those of the last return addresses.
var recentSites [recentSlots]struct {
	pc   uintptr
	site uint32
	role uint32
}

// What an access is at a return address.
const (
	direct  = 1 + iota // one of the functor's, at that site
	ours               // one of our own code's
	unusual            // else
)

// siteOf returns the number of the site that accesses memory, given the return addresses of
// its function and of the callers of that.
//
//go:norace
func siteOf(pcs *[maxDepth]uintptr) uint32 {
	s := siteOfPC(pcs[0], 0)
	for depth := 1; depth < len(pcs) && pcs[depth] != 0 && sites[s].through; depth++ {
		s = siteOfPC(pcs[depth], depth)
	}
	return s
}

//go:norace
func siteOfPC(pc uintptr, depth int) uint32 {
	e := &recentSites[pc>>1&(recentSlots-1)]
	if e.pc == pc {
		return e.site
	}
	s, ok := siteAt[pc]
	if !ok {
		sites = append(sites, resolve(pc, depth))
		s = uint32(len(sites) - 1)
		siteAt[pc] = s
	}
	e.pc, e.site, e.role = pc, s, unusual
	switch {
	case depth != 0 || sites[s].through:
	case sites[s].ours:
		e.role = ours
	default:
		e.role = direct
	}
	return s
}

// Calling says that the running thread meets others, in a call that returns to pc.
//
//go:norace
func Calling(pc uintptr) {
	if _, ok := siteAt[pc]; !ok {
		Leave()
		sites = append(sites, resolve(pc, 1))
		siteAt[pc] = uint32(len(sites) - 1)
	}
}

// siteOfCall returns the number of the site of a call that returns to pc.
//
//go:norace
func siteOfCall(pc uintptr) uint32 {
	s, ok := siteAt[pc]
	if !ok {
		f, _ := runtime.CallersFrames([]uintptr{pc}).Next()
		sites = append(sites, site{File: f.File, Line: f.Line, Function: f.Function})
		s = uint32(len(sites) - 1)
		siteAt[pc] = s
	}
	return s
}

const module = "github.com/gokkos/gokkos/"

// resolve finds out about a return address on the running stack. The innermost call there that
// is not ours is what counts; of what our functions do, only the accesses of views are for
// their callers.
//
//go:norace
func resolve(pc uintptr, depth int) site {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(0, pcs[:])])
	physical := runtime.FuncForPC(pc - 1).Entry()
	var s site
	inside, innermost := false, true
	for {
		f, more := frames.Next()
		inside = inside || f.Entry == physical && !isWatch(f.Function, f.File)
		if inside && f.Entry != physical { // that function is ours from its innermost call on
			s.through = !s.ours
			return s
		}
		if inside {
			ours := isOurs(f.Function, f.File)
			if innermost {
				s = site{File: f.File, Line: f.Line, Function: f.Function}
				s.ours = ours && !accessor(f.Function) && depth == 0
				s.inViews = ours && strings.HasPrefix(f.Function, module+"views.")
				innermost = false
			}
			if !ours {
				return site{File: f.File, Line: f.Line, Function: f.Function, ours: s.ours, inViews: s.inViews}
			}
		}
		if !more {
			s.ours = s.ours || !inside // a wrapper that the compiler makes, which is in no stack trace
			return s
		}
	}
}

//go:norace
func isWatch(function, file string) bool {
	return strings.HasPrefix(function, module+"internal/watch.") && !strings.HasSuffix(file, "_test.go") || strings.HasPrefix(function, "runtime.")
}

// isOurs reports whether a function is of this library, and not of its tests and examples.
//
//go:norace
func isOurs(function, file string) bool {
	return strings.HasPrefix(function, module) && !strings.HasSuffix(file, "_test.go") && !strings.HasPrefix(function, module+"examples/")
}

// accessor reports whether a function of ours touches memory for its caller.
//
//go:norace
func accessor(function string) bool {
	return strings.HasPrefix(function, module+"views.") || strings.HasPrefix(function, module+"views/atomics.")
}
