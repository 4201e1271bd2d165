package mpi

import (
	"errors"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// A goroutine that a functor has started may launch on the communicator that the functor runs on. It
// waits for the launch around it, which ends when the functor does, which may wait for that
// goroutine. So who waits for long looks who has started it. Its labels tell, unless it was given
// others, by package pprof, or a member of a team has started it, whose goroutine is used by many
// launches. Then the runtime says so in the stacks of all goroutines. It names the function that did,
// too: one that still runs in the functor. A goroutine that was started before the functor may have
// its launch later.

var errStarted = errors.New("mpi: a launch by a goroutine that a functor has started, on the communicator that the functor runs on: expected it on the goroutine that the functor is called on")

// await waits until a ticket has the rank.
func (q *queue) await(t *ticket) error {
	select {
	case err := <-t.turn:
		return err
	case <-startedGrace():
	}
	if q.runs.Load() && (q.marks.inherited() || startedInside(q.id, stacks())) && q.withdraw(t) {
		return errStarted
	}
	waitsOn()
	return <-t.turn
}

// withdraw takes a ticket back, if it still waits.
func (q *queue) withdraw(t *ticket) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	k := slices.Index(q.waiting, t)
	if k >= 0 {
		q.waiting = slices.Delete(q.waiting, k, k+1)
	}
	return k >= 0
}

// stacks returns the stacks of all goroutines, the caller's first.
func stacks() string {
	for size := 1 << 16; ; size *= 4 {
		buf := make([]byte, size)
		if n := runtime.Stack(buf, true); n < size {
			return string(buf[:n])
		}
	}
}

// startedInside reports whether the goroutine whose stack is the first one was started, or one that
// has started it was, by a function that is still running in a Run of the communicator of a number,
// or in a member of a team.
func startedInside(id uint, stacks string) bool {
	type goroutine struct{ stack, creator, parent string }
	all := make(map[string]goroutine)
	var child goroutine
	for text := range strings.SplitSeq(stacks, "\n\n") {
		head, stack, _ := strings.Cut(text, "\n")
		name, _, _ := strings.Cut(strings.TrimPrefix(head, "goroutine "), " ")
		stack, created, _ := strings.Cut(stack, "created by ")
		created, _, _ = strings.Cut(created, "\n")
		creator, parent, _ := strings.Cut(created, " in goroutine ")
		all[name] = goroutine{stack, creator, parent}
		if len(all) == 1 {
			child = all[name]
		}
	}
	for range all {
		parent, ok := all[child.parent]
		if !ok {
			break
		}
		if runsInside(id, parent.stack, child.creator) {
			return true
		}
		child = parent
	}
	return false
}

// runsInside reports whether a function runs in a Run of the communicator, or in a member of a team, by
// the stack of a goroutine in words. The innermost function is in front.
func runsInside(id uint, stack, function string) bool {
	runs, found := false, uint(0)
	for line := range strings.Lines(stack) {
		name, mine := strings.CutPrefix(line, ours)
		switch {
		case strings.HasPrefix(line, function+"("):
			runs = true
		case mine && strings.HasPrefix(name, "digit"):
			digit, _ := strconv.Atoi(name[len("digit"):][:1])
			found = base*found + uint(digit)
		case mine && strings.HasPrefix(name, "(*guest).Run("):
			if found == id {
				return runs
			}
			found = 0
		case runs && strings.HasPrefix(line, members):
			return true
		}
	}
	return false
}
