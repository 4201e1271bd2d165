package kokkos

import (
	"cmp"
	"strings"

	"github.com/gokkos/gokkos/exec/tools"
)

// listen is the [tools.Listener] of a library. It reports nothing behind finalize.
func (l *library) listen(e tools.Event) (end func(error)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.finalized {
		return nil
	}
	done := l.begin(e)
	if done == nil {
		return nil
	}
	return func(err error) {
		l.mu.Lock()
		defer l.mu.Unlock()
		if !l.finalized {
			done(err)
		}
	}
}

// begin tells of an event, and returns what tells of its end.
func (l *library) begin(e tools.Event) (end func(error)) {
	switch e.Kind {
	case tools.For:
		return kernel(e, l.BeginFor, l.EndFor)
	case tools.Reduce, tools.Fold:
		return kernel(e, l.BeginReduce, l.EndReduce)
	case tools.Scan:
		return kernel(e, l.BeginScan, l.EndScan)
	case tools.Region:
		if l.Push != nil {
			l.Push(e.Label)
		}
		return unnamed(l.Pop)
	case tools.Copy:
		if l.BeginCopy != nil {
			src, dst := copied(e.Label)
			l.BeginCopy(handleOf(e.Space), dst, 0, handleOf(e.From), src, 0, uint64(e.Bytes))
		}
		return unnamed(l.EndCopy)
	case tools.Allocation:
		if l.Allocate == nil {
			return nil
		}
		return func(err error) {
			if err == nil { // else there is no memory to tell of
				l.Allocate(handleOf(e.Space), e.Label, l.address(e.Bytes), uint64(e.Bytes))
			}
		}
	}
	return nil
}

// copied returns the names of the views in the label of a copy, such as "a" [3] to "b" [3].
func copied(label string) (src, dst string) {
	const between = `] to "` // not within a name, whose quotes have a backslash
	at := strings.Index(label, between)
	if at < 0 {
		return label, label
	}
	return label[:at+1], label[at+len(between)-1:]
}

// address returns one for so many bytes, in which no others are: there are libraries that stop at an address that
// they know. Those of the collector's memory do not tell views apart, as it is used again.
func (l *library) address(bytes int) uintptr {
	const first = 4096
	at := first + l.allocated
	l.allocated += uint64(max(bytes, 1))
	return uintptr(at)
}

// kernel begins a kernel, and returns what ends the one that the library has numbered.
func kernel(e tools.Event, begin func(name string, device uint32, id *uint64), end func(id uint64)) func(error) {
	id := new(uint64)
	if begin != nil {
		begin(cmp.Or(e.Label, e.Code, e.Policy, e.Kind.String()), deviceOf(e.Space), id)
	}
	if end == nil {
		return nil
	}
	return func(error) { end(*id) }
}

// unnamed returns the end of what ends without a name.
func unnamed(end func()) func(error) {
	if end == nil {
		return nil
	}
	return func(error) { end() }
}

// deviceOf returns the number of a space for Kokkos, which has the kind of a device in the upper eight bits.
func deviceOf(space string) uint32 {
	const (
		serial  = 0
		cuda    = 2
		threads = 6
		unknown = 9
	)
	kind := uint32(unknown)
	switch space {
	case "serial":
		kind = serial
	case "goroutines":
		kind = threads
	case "cuda":
		kind = cuda
	}
	return kind << 24
}
