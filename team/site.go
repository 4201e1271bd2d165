package team

import (
	"runtime"
	"strings"

	"github.com/gokkos/gokkos/internal/lane"
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
		line, ok := caller()
		known.site, known.outOfLine = site, !ok || runtime.FuncForPC(site-1).Entry() != line.Entry
		if !known.outOfLine {
			lane.Name(site, line)
		}
	}
	return !known.outOfLine
}

// caller returns the innermost line on the stack that is neither of this package nor of the
// runtime, which makes deferred calls.
func caller() (line runtime.Frame, ok bool) {
	var pcs [16]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for more := true; more; {
		line, more = frames.Next()
		if !strings.HasPrefix(line.Function, "github.com/gokkos/gokkos/team.") && !strings.HasPrefix(line.Function, "runtime.") {
			return line, true
		}
	}
	return line, false
}
