// Package split has two execution spaces that run the parts of a launch apart from each other:
// a pattern for spaces over several devices or machines. Both use the public contract in
// package exec/space only, and give the bits of exec.Serial.
//
//   - [Space] runs parts of a launch one after another on other spaces, and puts their partial
//     results together from bytes.
//   - [World] is several ranks that make the same launch, each with memory of its own if they
//     were processes. What travels between them is bytes.
package split

import (
	"errors"
	"strings"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/ranks"
)

// Space splits launches over other spaces. Launches whose partial results have no form in
// bytes run on the first one.
type Space struct{ inner []exec.Space }

// Over returns a space that gives each of the others an equal part of a launch.
func Over(inner ...exec.Space) (Space, error) {
	for _, s := range inner {
		if s == nil {
			return Space{}, errors.New("split: a space is nil")
		}
	}
	if len(inner) == 0 {
		return Space{}, errors.New("split: no spaces, expected at least one")
	}
	return Space{inner}, nil
}

// Name names the other spaces.
func (s Space) Name() string {
	names := make([]string, len(s.inner))
	for k, inner := range s.inner {
		names[k] = inner.Name()
	}
	return "split(" + strings.Join(names, ", ") + ")"
}

// Concurrency returns that of the widest space: they run one after another.
func (s Space) Concurrency() int {
	widest := 0
	for _, inner := range s.inner {
		widest = max(widest, inner.Concurrency())
	}
	return widest
}

// Teams implements [space.TeamSpace]: teams are alike on all the spaces.
func (s Space) Teams() space.Teams {
	if on, ok := s.inner[0].(space.TeamSpace); ok {
		return on.Teams()
	}
	return space.Teams{}
}

// Launch implements [space.Space].
func (s Space) Launch(g space.Grid, j space.Job) error {
	c, ok := j.(ranks.Carrier)
	if !ok || len(s.inner) == 1 {
		return s.inner[0].Launch(g, j)
	}
	if _, err := c.AppendFingerprint(nil); err != nil {
		return s.inner[0].Launch(g, j)
	}
	var nodes []ranks.Node
	for k, inner := range s.inner {
		share, err := ranks.RunShare(g, c, inner, k, len(s.inner))
		if err != nil {
			return err
		}
		nodes = append(nodes, share...)
	}
	return ranks.Assemble(g, c, nodes)
}
