package ranks

import "github.com/gokkos/gokkos/exec/space"

// A Space runs the items of a launch in several processes, so the writes of a functor are seen in one of
// them only. Code that relies on these writes asks whether a space is one.
type Space interface {
	space.Space
	// Processes returns the number of processes, at least 1.
	Processes() int
	// Inner returns the space of this process, for work that each process does by itself.
	Inner() space.Space
	// Refuse returns the error of a launch that is not made, in place of err: a policy or a reducer is invalid.
	// Other processes may make the launch, and wait.
	Refuse(err error) error
}
