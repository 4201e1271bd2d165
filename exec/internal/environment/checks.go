package environment

import (
	"fmt"
	"os"
	"sync"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/memory"
	"github.com/gokkos/gokkos/internal/watch"
)

// Checks reports whether each simulated GPU watches its kernels. ErrChecks is the error in GOKKOS_SIMGPU,
// which each launch on a simulated GPU returns, or nil.
var Checks, ErrChecks = watchFromEnv(os.Getenv("GOKKOS_SIMGPU"))

func watchFromEnv(value string) (bool, error) {
	if value != "" && value != "check" {
		return false, fmt.Errorf("exec: GOKKOS_SIMGPU=%q, expected check, or nothing", value)
	}
	return value == "check", nil
}

// WatchedOn reports whether a space watches functors. Package exec sets it to what its SimGPU says: a launch on any other space
// begins nothing that could watch.
var WatchedOn = func(space.Space) bool { return false }

// seen is done once a launch that the environment watches has seen an access, or standard error says that
// none can be seen. Without the message, a kernel with a race would look right.
var seen sync.Once

// TellBlind prints once why no access can be seen.
func TellBlind(why string) {
	if Checks {
		seen.Do(func() { fmt.Fprintln(os.Stderr, "gokkos: GOKKOS_SIMGPU=check: "+why) })
	}
}

// Seen notes that an access was seen. The first call prints a warning if this build cannot see a wrong index
// inside a typed view.
func Seen() { seen.Do(tellUnchecked) }

func tellUnchecked() {
	if Checks && !memory.ChecksDimensions {
		fmt.Fprintln(os.Stderr, "gokkos: GOKKOS_SIMGPU=check: this build does not see an index that is outside of its dimension "+
			"and inside a typed view: add -tags gokkos_bounds")
	}
}

// Watches reports whether a launch on a space is watched. A launch inside a watched thread is a part of that
// thread.
func Watches(on space.Space) bool {
	if on == nil && Checks {
		on, _ = Default() // the launch returns the error
	}
	if !WatchedOn(on) {
		return false
	}
	if !watch.Possible {
		TellBlind("no access can be seen in this build: " +
			"expected amd64 or arm64, without -race and without the tag noasm")
		return false
	}
	return !watch.Inside()
}
