package team

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"

	"github.com/gokkos/gokkos/internal/lane"
)

// misuse ends the launch with an error that names the caller's line.
func misuse(format string, args ...any) {
	line, _ := caller()
	misuseAt(line, format, args...)
}

// disagree ends the launch with an error that names the line of a site: members differ, which
// is seen when all have arrived.
func disagree(site uintptr, format string, args ...any) {
	var line runtime.Frame
	if site != 0 {
		line, _ = runtime.CallersFrames([]uintptr{site}).Next()
	}
	misuseAt(line, format, args...)
}

func misuseAt(line runtime.Frame, format string, args ...any) {
	err := fmt.Errorf("team: "+format, args...)
	if line.File != "" {
		err = fmt.Errorf("%w, at %s:%d", err, filepath.Base(line.File), line.Line)
	}
	panic(&lane.Misuse{Err: err})
}

// ErrDivergence is wrapped by the error of a launch in which members of a team waited
// for one another for ever, because only some of them reached a barrier or collective.
var ErrDivergence = errors.New("members of a team wait for one another for ever")
