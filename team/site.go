package team

import (
	"runtime"

	"github.com/gokkos/gokkos/internal/lane"
	"github.com/gokkos/gokkos/team/internal/collective"
)

// sites is a cache of the last return addresses of calls in Barrier: was Barrier inlined
// there?
//
//	inlined      the address lies in the functor, but its line is that of Barrier's body
//	out of line  the address lies in Barrier: the functor's is one frame up
type sites [64]struct {
	site      uintptr
	outOfLine bool
}

// inlined reports whether Barrier was inlined at a site. If so, it names the functor's line
// to package lane.
func (s *sites) inlined(site uintptr) bool {
	known := &s[site>>2%uintptr(len(s))]
	if known.site != site {
		line, ok := collective.Caller()
		known.site, known.outOfLine = site, !ok || runtime.FuncForPC(site-1).Entry() != line.Entry
		if !known.outOfLine {
			lane.Name(site, line)
		}
	}
	return !known.outOfLine
}
