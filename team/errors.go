package team

import (
	"errors"

	"github.com/gokkos/gokkos/team/internal/collective"
)

// ErrDivergence is wrapped by the error of a launch in which members of a team waited
// for one another for ever, because only some of them reached a barrier or collective.
var ErrDivergence = errors.New("members of a team wait for one another for ever")

// misuse ends the launch with an error that names the caller's line.
func misuse(format string, args ...any) { collective.Misuse("team: "+format, args...) }
