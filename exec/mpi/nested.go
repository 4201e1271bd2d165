package mpi

import (
	"runtime"
	"strings"
	"sync/atomic"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/exec/space/ranks"
)

// A functor may launch on the space that it runs on. The ranks of that communicator are in a
// launch then, and only this one makes the new one: it runs on the inner space alone, with the
// same bits. So a launch has to know whether it is made inside of another one of the same
// communicator, or has to wait for that. Goroutines have no names in Go, and the space does not
// know on which ones a functor runs: each Run leaves the number of its communicator on the stack, in
// which functions it goes through, and who would have to wait looks there.

// full is what the job of a launch is.
type full interface {
	ranks.Carrier
	device.Stepper
	space.Hinter
	device.Failer
}

// guest is a job that leaves the number of its communicator on the stack, and the labels of the launch
// on the goroutine.
type guest struct {
	full
	id    uint
	marks *marks // nil inside of another launch, which has marked the goroutine
}

// of returns j with the number of a communicator, if it is of package exec.
func (g *guest) of(j ranks.Carrier, id uint, m *marks) ranks.Carrier {
	if f, ok := j.(full); ok {
		g.full, g.id, g.marks = f, id, m
		return g
	}
	return j
}

//go:noinline
func (g *guest) Run(worker, first, last, slot int) bool {
	if g.marks == nil || labelsType == nil {
		return digits[g.id%base](g.id/base, g.full, worker, first, last, slot)
	}
	before := goroutineLabels()
	setGoroutineLabels(g.marks.of(before))
	ok := digits[g.id%base](g.id/base, g.full, worker, first, last, slot)
	setGoroutineLabels(before) // if the goroutine goes on
	return ok
}

// Steps implements [device.Stepper].
func (g *guest) Steps() device.Steps { return guestSteps{g.full.Steps(), g.id, g.marks} }

type guestSteps struct {
	device.Steps
	id    uint
	marks *marks
}

func (s guestSteps) RunLanes(leaf, slot int, order []int) bool {
	g := guest{laneRunner{s: s.Steps, order: order}, s.id, s.marks}
	return g.Run(0, leaf, leaf+1, slot)
}

// laneRunner is a job of which Run runs the lanes of a leaf.
type laneRunner struct {
	full
	s     device.Steps
	order []int
}

func (r laneRunner) Run(_, leaf, _, slot int) bool { return r.s.RunLanes(leaf, slot, r.order) }

// base is how many functions there are, and digits are these. A number is written with the
// lowest digit first, so up to the highest that is not 0.
const base = 4

var digits [base]func(id uint, j space.Job, worker, first, last, slot int) bool

func init() {
	digits = [...]func(uint, space.Job, int, int, int, int) bool{digit0, digit1, digit2, digit3}
}

func descend(id uint, j space.Job, worker, first, last, slot int) bool {
	if id == 0 {
		return j.Run(worker, first, last, slot)
	}
	return digits[id%base](id/base, j, worker, first, last, slot)
}

//go:noinline
func digit0(id uint, j space.Job, worker, first, last, slot int) bool {
	return descend(id, j, worker, first, last, slot)
}

//go:noinline
func digit1(id uint, j space.Job, worker, first, last, slot int) bool {
	return descend(id, j, worker, first, last, slot)
}

//go:noinline
func digit2(id uint, j space.Job, worker, first, last, slot int) bool {
	return descend(id, j, worker, first, last, slot)
}

//go:noinline
func digit3(id uint, j space.Job, worker, first, last, slot int) bool {
	return descend(id, j, worker, first, last, slot)
}

// numbers counts the communicators of this process.
var numbers atomic.Uint32

// How the names of functions begin: of this package, and of those that members of teams are in.
const (
	ours    = "github.com/gokkos/gokkos/exec/mpi."
	members = "github.com/gokkos/gokkos/internal/lane."
)

// inside reports whether the calling goroutine is in a Run of the communicator of a number, or
// a member of a team, of which it is not known whose it is.
func inside(id uint) bool {
	pcs := make([]uintptr, 64)
	n := runtime.Callers(2, pcs)
	for n == len(pcs) {
		pcs = make([]uintptr, 2*len(pcs))
		n = runtime.Callers(2, pcs)
	}
	frames := runtime.CallersFrames(pcs[:n])
	found := uint(0)
	for {
		frame, more := frames.Next()
		name, mine := strings.CutPrefix(frame.Function, ours)
		switch {
		case mine && strings.HasPrefix(name, "digit"):
			found = base*found + uint(name[len("digit")]-'0')
		case mine && name == "(*guest).Run":
			if found == id {
				return true
			}
			found = 0
		case strings.HasPrefix(frame.Function, members):
			return true
		}
		if !more {
			return false
		}
	}
}
