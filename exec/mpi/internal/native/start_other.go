//go:build !(linux && (amd64 || arm64 || loong64 || ppc64le || riscv64))

package native

import (
	"fmt"
	"os"
	"runtime"

	"github.com/gokkos/gokkos/exec/mpi/internal/link"
)

// Start is an error where a launcher has started this process.
func Start(Level) (*World, error) {
	launcher, found, err := findLauncher(os.Getenv, nil)
	if err != nil || !found {
		return nil, err
	}
	return nil, fmt.Errorf("mpi: started as %v, on %s/%s: several ranks are for 64-bit Linux", launcher, runtime.GOOS, runtime.GOARCH)
}

// A World is that of the library, which there is none of.
type World struct {
	link.Link
	Version string
	Level   Level
}

// Finalize is not reached.
func (w *World) Finalize() error { return nil }
