package team

import (
	"runtime"
	"strings"

	"github.com/gokkos/gokkos/internal/lane"
)

// sites are those that lane.Name was told of lately. Barriers are inlined into the
// user's function, where a return address does not lead to the user's line.
type sites [64]uintptr

// line returns the site of a call of Barrier, given the return address of the function
// that Barrier calls.
func (s *sites) line(site uintptr) uintptr {
	known := &s[site>>2%uintptr(len(s))]
	if *known == site {
		return site
	}
	line, ok := caller()
	switch {
	case !ok:
	case runtime.FuncForPC(site-1).Entry() == line.Entry:
		*known = site
		lane.Name(site, line)
	default: // Barrier is not inlined, as in a build for debugging
		return line.PC + 1
	}
	return site
}

// caller returns the line outside of this package that the call came from.
func caller() (line runtime.Frame, ok bool) {
	var pcs [16]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for more := true; more; {
		line, more = frames.Next()
		if !strings.HasPrefix(line.Function, "github.com/gokkos/gokkos/team.") {
			return line, true
		}
	}
	return line, false
}
