package tools

import (
	"slices"
	"sync"
	"sync/atomic"
)

// A Listener is told of an event that begins. What it returns is told that the event has ended, with its
// error or [ErrPanic]; it may be nil. Both are called by the goroutine of the event, which waits for them:
// several may call at a time. A listener launches and copies nothing itself, as it would hear of that, too.
type Listener func(e Event) (end func(err error))

var (
	listening sync.Mutex // listeners change
	listeners atomic.Pointer[[]*Listener]
)

// Listen adds a listener until stop is called. Events that have begun before end unheard; those that have
// begun until then are told to the end.
func Listen(l Listener) (stop func()) {
	change(func(all []*Listener) []*Listener { return append(all, &l) })
	return func() {
		change(func(all []*Listener) []*Listener {
			return slices.DeleteFunc(all, func(other *Listener) bool { return other == &l })
		})
	}
}

// change replaces the listeners, as others may be going through them.
func change(by func(all []*Listener) []*Listener) {
	listening.Lock()
	defer listening.Unlock()
	var all []*Listener
	if now := listeners.Load(); now != nil {
		all = slices.Clone(*now)
	}
	if all = by(all); len(all) == 0 {
		listeners.Store(nil)
	} else {
		listeners.Store(&all)
	}
}

// On reports whether anybody listens. It is for those who make an event only then.
func On() bool { return listeners.Load() != nil }

// Do calls f, as the event that listeners are told of. It is for spaces and containers; patterns and views
// tell of themselves.
func Do(e Event, f func() error) (err error) {
	if !On() {
		return f()
	}
	err = ErrPanic
	e.Region = path()
	end := begin(e)
	defer func() { end(err) }()
	return f()
}

// begin tells of an event, and returns what tells of its end.
func begin(e Event) (end func(err error)) {
	all := listeners.Load()
	if all == nil {
		return func(error) {}
	}
	ends := make([]func(error), 0, len(*all))
	for _, l := range *all {
		if end := (*l)(e); end != nil {
			ends = append(ends, end)
		}
	}
	return func(err error) {
		for _, end := range slices.Backward(ends) {
			end(err)
		}
	}
}
