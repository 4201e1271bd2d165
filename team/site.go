package team

import (
	"runtime"
	"strings"

	"github.com/gokkos/gokkos/internal/lane"
)

// sites are return addresses of lately, where Barrier called what does its work. Barrier
// is mostly inlined, so that these lie in the user's function, but do not lead to the
// user's line; where it is not, they lie in Barrier itself.
type sites [64]struct {
	site      uintptr
	outOfLine bool
}

// inlined reports whether Barrier was inlined at a site. It tells lane of its line then.
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

// caller returns the line outside of this package that the call came from, be it deferred
// or not.
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
