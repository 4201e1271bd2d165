package exectest

import (
	"cmp"
	"sync"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/tools"
)

// elsewhere is what a kernel launches while it is given a device: a kernel that forgets the space is the same everywhere,
// and its test tells nothing.
type elsewhere struct {
	mu     sync.Mutex
	device bool   // launches ran on a device
	space  string // that the first launch ran on which did not, or ""
	launch string // its label, or its place in the source
}

// hear notes a launch.
func (e *elsewhere) hear(event tools.Event) func(err error) {
	if event.Kind > tools.Fold {
		return nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if event.Space == "simgpu" {
		e.device = true
	} else if e.space == "" {
		e.space, e.launch = event.Space, cmp.Or(event.Code, event.Label, "a "+event.Kind.String())
	}
	return nil
}

// forgotten returns the first launch if none ran on a device, and that one on the space of those that name none.
func (e *elsewhere) forgotten() (launch, space string, yes bool) {
	if e.device || e.space == "" {
		return "", "", false
	}
	on, err := exec.Default()
	return e.launch, e.space, err == nil && on.Name() == e.space
}
