package exec

import "github.com/gokkos/gokkos/exec/space"

// Serial runs everything on the calling goroutine, leaf after leaf in order; in a scan,
// leaves may take turns. It is the oracle that every other space is compared with.
type Serial struct{}

// Name returns "serial".
func (Serial) Name() string { return "serial" }

// Concurrency returns 1.
func (Serial) Concurrency() int { return 1 }

// Launch implements [Space].
func (Serial) Launch(g space.Grid, j space.Job) error {
	space.Alone(g, j)
	return nil
}
