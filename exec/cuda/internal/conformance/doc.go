// Package conformance checks that a device gives the bits of the host, and measures it.
package conformance

import (
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space/device"
)

// A Space is a device that has a memory, makes random numbers and sorts there, whatever its type: tests inside of package cuda would have this package compiled once
// more if it imported that.
type Space interface {
	exec.Space
	device.RandomFiller
	device.Rearranger
}
