package space

import (
	"io"
	"sync"
)

// Teams are what a space decides about how teams run on it. The zero value is right for a
// space that is no device.
type Teams struct {
	// SubGroup is the number of lanes of a sub-group, where the policy does not say: a
	// member has as many lanes as its vector is long. 0 stands for 32.
	SubGroup int
	// Schedule is the order in which the members of a team run. 0 is that of their ranks,
	// from one meeting of all to the next. In others a member that can run may be the next
	// one, and a barrier holds those only that wait at it: in 1, one sub-group runs as far
	// as it can, then the next; in 2, the last one that can run does; in 3, one member
	// does; from 4 on it is random.
	Schedule uint64
	// Poison says that scratch memory begins as NaN and not as zero, so that a functor
	// that reads what nobody wrote is found out.
	Poison bool
	// Limits say which teams the space cannot run. nil stands for none.
	Limits TeamLimiter
	// Engines are kept from one launch to the next. Without, each launch makes its own.
	Engines *Engines
}

// A TeamSpace is a space that decides how teams run on it. A space that keeps goroutines
// should be one, for the sake of the engines; a device must be one. A space that embeds an
// *[Engines] is one.
type TeamSpace interface {
	Space
	// Teams is called before each launch of teams.
	Teams() Teams
}

// A TeamLimiter says which teams a space cannot run. A device should have one: its limits are
// then heard of before anything runs.
type TeamLimiter interface {
	// CheckTeams says what of the shape the space cannot run, or returns nil.
	CheckTeams(t TeamShape) error
	// TeamSizes returns the number of members of the largest team that has the vector
	// length and the scratch of t, and a good number. The size of t does not matter.
	TeamSizes(t TeamShape) (most, recommended int, err error)
}

// Engines keep engines that no worker uses now, so that a launch of teams need not start
// goroutines. An engine has the goroutines that run the members of teams of several, for one worker; the pattern makes
// it. The zero value keeps none. It can be used by several launches at a time.
type Engines struct {
	mu   sync.Mutex
	idle []io.Closer
}

// Teams returns teams of zero but for these engines.
func (e *Engines) Teams() Teams { return Teams{Engines: e} }

// Take returns an engine that was given back, or nil.
func (e *Engines) Take() io.Closer {
	e.mu.Lock()
	defer e.mu.Unlock()
	last := len(e.idle) - 1
	if last < 0 {
		return nil
	}
	engine := e.idle[last]
	e.idle[last] = nil
	e.idle = e.idle[:last]
	return engine
}

// Give keeps an engine that nothing runs on.
func (e *Engines) Give(engine io.Closer) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.idle = append(e.idle, engine)
}

// Close ends the engines that are kept. A space that is closed should call it, once no
// launch runs.
func (e *Engines) Close() {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, engine := range e.idle {
		_ = engine.Close() // it is idle
	}
	e.idle = nil
}
