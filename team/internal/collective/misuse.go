package collective

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/gokkos/gokkos/internal/lane"
)

// Misuse ends the launch with an error that names the caller's line.
func Misuse(format string, args ...any) {
	line, _ := Caller()
	misuseAt(line, format, args...)
}

// Disagree ends the launch with an error that names the line of a site: members differ, which
// is seen when all have arrived.
func Disagree(site uintptr, format string, args ...any) {
	var line runtime.Frame
	if site != 0 {
		line, _ = runtime.CallersFrames([]uintptr{site}).Next()
	}
	misuseAt(line, format, args...)
}

func misuseAt(line runtime.Frame, format string, args ...any) {
	err := fmt.Errorf(format, args...)
	if line.File != "" {
		err = fmt.Errorf("%w, at %s:%d", err, filepath.Base(line.File), line.Line)
	}
	panic(&lane.Misuse{Err: err})
}

// Caller returns the innermost line on the stack that is neither of package team, of those below it,
// nor of the runtime, which makes deferred calls.
func Caller() (line runtime.Frame, ok bool) {
	var pcs [16]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for more := true; more; {
		line, more = frames.Next()
		name, ours := strings.CutPrefix(line.Function, "github.com/gokkos/gokkos/team")
		ours = ours && (name[0] == '.' || strings.HasPrefix(name, "/group.") || strings.HasPrefix(name, "/internal/"))
		if !ours && !strings.HasPrefix(line.Function, "runtime.") {
			return line, true
		}
	}
	return line, false
}
