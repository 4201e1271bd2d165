// Package teams is what a pattern runs teams with. Package team implements it: there a functor
// finds what it may ask of its team, and nothing of who runs it.
package teams

import (
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/lane"
)

// Settings are what a space decides about the teams that it runs.
type Settings struct {
	SubGroup int           // lanes per sub-group, if the shape does not say
	Schedule uint64        // the order in which members run, see [space.Teams]
	Poison   bool          // scratch memory begins as NaN, not as zero
	Observer lane.Observer // told what happens in every team, or nil
	Watched  bool          // the launch is watched, see package watch
}

// A Runner runs the teams of one launch, one at a time, for one worker of a space.
type Runner interface {
	// Run runs the team with the given rank in the league. The engine runs the members of
	// a team of several, so that the caller must be in a [lane.Engine.Do]; a team of one
	// needs none and panics as its functor does. An error is that of [lane.Engine.Run].
	Run(e *lane.Engine, league int) error
	// Release ends the launch. Members that a functor has kept are zero then, so that their
	// use is an error. The caller holds the engine.
	Release()
}

// New returns a Runner for teams of the given shape, whose members run body, a
// func(*team.Member). Package team sets it when the program starts.
var New func(shape space.TeamShape, s Settings, body any) Runner
