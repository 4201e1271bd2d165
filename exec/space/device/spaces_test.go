package device_test

import (
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/ranks"
)

// watcher looks at a launch before it runs.
type watcher struct {
	look func(g space.Grid, j space.Job)
}

func (watcher) Name() string     { return "watcher" }
func (watcher) Concurrency() int { return 1 }
func (w watcher) Launch(g space.Grid, j space.Job) error {
	w.look(g, j)
	space.Alone(g, j)
	return nil
}

// shared is a space that has two others run half of each launch.
type shared struct{ left, right exec.Space }

func (shared) Name() string     { return "shared" }
func (shared) Concurrency() int { return 1 }

func (s shared) Launch(g space.Grid, j space.Job) error {
	c, ok := j.(ranks.Carrier)
	if !ok {
		return s.left.Launch(g, j)
	}
	if _, err := c.AppendFingerprint(nil); err != nil { // the values have no form in bytes
		return s.left.Launch(g, j)
	}
	nodes, err := ranks.RunShare(g, c, s.left, 0, 2)
	if err != nil {
		return err
	}
	more, err := ranks.RunShare(g, c, s.right, 1, 2)
	if err != nil {
		return err
	}
	return ranks.Assemble(g, c, append(nodes, more...))
}
