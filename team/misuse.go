package team

import (
	"fmt"
	"path/filepath"

	"github.com/gokkos/gokkos/internal/lane"
)

// misuse ends the launch with an error that names the caller's line.
func misuse(format string, args ...any) {
	err := fmt.Errorf("team: "+format, args...)
	if line, ok := caller(); ok {
		err = fmt.Errorf("%w, at %s:%d", err, filepath.Base(line.File), line.Line)
	}
	panic(&lane.Misuse{Err: err})
}
