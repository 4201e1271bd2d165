package lane

import (
	"runtime"
	"slices"
	"strings"
)

// An ending is the unwinding of a lane that waits for a meeting that cannot come about.
//
// A lane may wait in a deferred function that its own panic or runtime.Goexit has called. To
// unwind it by another runtime.Goexit would replace that, and the runtime tells nobody what
// was replaced. So the lane goes on there, for its own panic to come out.
//
// The runtime does not tell either whether the deferred function has recovered the panic. The
// stack does, in the end: a panic's frames stay on it until the panic is recovered. So what
// comes out of the lane above those frames is its own panic, or one that has replaced it.
type ending struct {
	place   strandedAt
	own     []uintptr // the return addresses below its own runtime.gopanic or runtime.Goexit, or none
	refused int       // meetings
}

// maxRefused is how many meetings an ending lane may go on from. Without a bound, a deferred
// function that loops until another lane has done something would go on for ever.
const maxRefused = 100

// within reports whether the lane has a panic or runtime.Goexit of its own and this is a stack
// above it.
func (e *ending) within(stack []uintptr) bool {
	n := len(stack) - len(e.own)
	return len(e.own) > 0 && n > 0 && slices.Equal(stack[n:], e.own)
}

// stack returns the return addresses of the calling lane, from its innermost call to the
// beginning of its coroutine.
func stack() []uintptr {
	pcs := make([]uintptr, 64)
	for {
		if n := runtime.Callers(2, pcs); n < len(pcs) {
			return pcs[:n]
		}
		pcs = make([]uintptr, 4*len(pcs))
	}
}

// ownOf returns what is below the outermost panic or runtime.Goexit on a stack, which outlives
// those further in, and what that is, as in Place.After.
func ownOf(stack []uintptr) (below []uintptr, what string) {
	for k, pc := range slices.Backward(stack) {
		switch runtime.FuncForPC(pc - 1).Name() {
		case "runtime.gopanic":
			what = "a panic"
		case "runtime.Goexit":
			what = "runtime.Goexit"
		default:
			continue
		}
		below = stack[k+1:]
		line := outside(below, "runtime.")
		return below, what + " at " + at(line.File, line.Line)
	}
	return nil, ""
}

// stranded is called when the meeting that the lane waits in cannot come about. See refused.
func (l *Lane) stranded() bool {
	pcs, e := stack(), l.end
	e.own, e.place.after = ownOf(pcs)
	if name := runtime.FuncForPC(l.where().site - 1).Name(); strings.HasPrefix(name, "runtime.") {
		e.place.deferred = outside(pcs[2:], packageOf(pcs[2])) // those of stranded and Meet are before
	}
	return l.refused()
}

// refused is called when a lane that is being unwound meets. It returns false in a deferred
// function of the lane's own panic or runtime.Goexit, and else ends the lane.
func (l *Lane) refused() bool {
	e := l.end
	e.refused++
	if e.refused > maxRefused || !e.within(stack()) {
		e.own = nil
		runtime.Goexit()
	}
	return false
}

// outside returns the first line on a stack that is neither of the runtime nor of a package.
func outside(stack []uintptr, pkg string) (line runtime.Frame) {
	frames := runtime.CallersFrames(stack)
	for more := true; more; {
		line, more = frames.Next()
		if !strings.HasPrefix(line.Function, "runtime.") && !strings.HasPrefix(line.Function, pkg) {
			break
		}
	}
	return line
}

// packageOf returns what the names of the functions of a package begin with.
func packageOf(pc uintptr) string {
	name := runtime.FuncForPC(pc - 1).Name()
	at := strings.LastIndexByte(name, '/') + 1
	return name[:at+strings.IndexByte(name[at:], '.')+1]
}

// unwind ends the lanes that wait, and says where they did.
func (c *core) unwind() *Divergence {
	c.parked = 0
	d := &Divergence{Lanes: c.Lanes}
	index := map[strandedAt]int{}
	for rank, l := range c.at[:c.Lanes] {
		if l == nil {
			d.Returned = add(d.Returned, rank)
			continue
		}
		c.at[rank] = nil
		at := l.retire().place
		i, known := index[at]
		if !known {
			i = len(d.Places)
			index[at] = i
			d.Places = append(d.Places, at.place())
		}
		d.Places[i].Lanes = add(d.Places[i].Lanes, rank)
	}
	return d
}

// retire ends the coroutine and with it the lane that waits in it, whose deferred functions
// run. The runtime.Goexit that does it comes out of stop, hence the goroutine.
func (l *Lane) retire() *ending {
	e := &ending{place: strandedAt{wait: l.where()}}
	l.end = e
	over := make(chan struct{})
	go func() {
		defer close(over)
		l.stop()
	}()
	<-over
	l.end = nil // from here on a use of l panics
	return e
}
