package team

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/gokkos/gokkos/internal/lane"
)

// misuse ends the launch with an error that names the caller's line.
func misuse(format string, args ...any) {
	err := fmt.Errorf("team: "+format, args...)
	if at := caller(); at != "" {
		err = fmt.Errorf("%w, at %s", err, at)
	}
	panic(&lane.Misuse{Err: err})
}

// caller returns the line outside of this package that the call came from.
func caller() string {
	var pcs [16]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		frame, more := frames.Next()
		if !strings.HasPrefix(frame.Function, lane.Library) {
			return fmt.Sprintf("%s:%d", filepath.Base(frame.File), frame.Line)
		}
		if !more {
			return ""
		}
	}
}
