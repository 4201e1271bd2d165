package exec

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"sync"
	"unsafe"

	"github.com/gokkos/gokkos/internal/memory"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/internal/watch"
	"github.com/gokkos/gokkos/policy"
)

// A space that watches gets functors that say which item runs. What they then do is seen by
// package watch.

// watchedByDefault says that each SimGPU watches its kernels, and errWatch what is wrong with the
// environment, which each launch on a SimGPU returns.
var watchedByDefault, errWatch = watchFromEnv(os.Getenv("GOKKOS_SIMGPU"))

func watchFromEnv(value string) (bool, error) {
	if value != "" && value != "check" {
		return false, fmt.Errorf("exec: GOKKOS_SIMGPU=%q, expected check, or nothing", value)
	}
	return value == "check", nil
}

// seen is done when a launch that the environment watches has made an access that was seen, or when
// standard error was told that none is: a kernel with a race would look right.
var seen sync.Once

// tellBlind says once why nothing is seen.
func tellBlind(why string) {
	if watchedByDefault {
		seen.Do(func() { fmt.Fprintln(os.Stderr, "gokkos: GOKKOS_SIMGPU=check: "+why) })
	}
}

// tellUnchecked says that one mistake with views shows in another build only.
func tellUnchecked() {
	if watchedByDefault && !memory.ChecksDimensions {
		fmt.Fprintln(os.Stderr, "gokkos: GOKKOS_SIMGPU=check: this build does not see an index that is outside of its dimension "+
			"and inside a typed view: add -tags gokkos_bounds")
	}
}

// watches reports whether a launch on a space is to be watched. One inside of a thread that is
// watched is a part of that thread.
func watches(on Space) bool {
	if on == nil && watchedByDefault {
		on, _ = Default() // the launch returns the error
	}
	s, ok := on.(*SimGPU)
	if !ok || s.invalid() != nil || !s.checks {
		return false
	}
	if !watch.Possible {
		tellBlind("no access can be seen in this build: " +
			"expected amd64 or arm64, without -race and without the tag noasm")
		return false
	}
	return !watch.Inside()
}

// beginItem says that the functor is called for an item, whose index is text as said.
//
//go:norace
func beginItem[I any](i *I, text func(p unsafe.Pointer) string) {
	watch.Item(unsafe.Pointer(i), unsafe.Sizeof(*i), text)
}

// itemText returns an index as text.
func itemText[I any](p unsafe.Pointer) string {
	i := any(*(*I)(p))
	if s, ok := i.(policy.Span); ok {
		return fmt.Sprintf("items %d to %d", s.Begin, s.End-1)
	}
	kind := "item"
	switch name, _, _ := strings.Cut(reflect.TypeFor[I]().Name(), "["); {
	case reflect.TypeFor[I]().PkgPath() != reflect.TypeFor[policy.Span]().PkgPath():
	case name == "Row":
		kind = "row at"
	case name == "Tile":
		kind = "tile"
	}
	return kind + " " + indexText(reflect.ValueOf(i))
}

// ownLanes says that accumulators belong to the item that runs.
//
//go:norace
func ownLanes[A any](accs []A) {
	watch.Joins(unsafe.Pointer(unsafe.SliceData(accs)), uintptr(len(accs))*unsafe.Sizeof(*new(A)))
	if !reduce.IsFlat[A]() {
		watch.OwnAll(reflect.ValueOf(accs))
	}
}

func watchedFor[I any](f func(i I)) func(i I) {
	text := itemText[I]
	return func(i I) {
		beginItem(&i, text)
		f(i)
		watch.Leave()
	}
}

func watchedMap[I, T any](f func(i I) T) func(i I) T {
	text := itemText[I]
	return func(i I) T {
		beginItem(&i, text)
		x := f(i)
		watch.Leave()
		return x
	}
}

func watchedFill[T any](f func(s policy.Span, dst []T)) func(s policy.Span, dst []T) {
	flat, text := reduce.IsFlat[T](), itemText[policy.Span]
	return func(s policy.Span, dst []T) {
		beginItem(&s, text)
		watch.Own(unsafe.Pointer(unsafe.SliceData(dst)), uintptr(len(dst))*unsafe.Sizeof(*new(T)))
		if !flat {
			watch.OwnAll(reflect.ValueOf(dst))
		}
		f(s, dst)
		watch.Leave()
	}
}

// An accumulatorOwner says of accumulators of one column that they belong to the item that runs.
type accumulatorOwner struct {
	column column
	size   uintptr
	flat   bool
}

func ownerOf(c column) accumulatorOwner {
	p := c.Profile(1)
	return accumulatorOwner{c, uintptr(p.Bytes), p.Flat}
}

// own says that an accumulator belongs to the item that runs, with all that it refers to unless
// it is flat.
//
//go:norace
func (o *accumulatorOwner) own(a accumulator) {
	watch.Joins(a, o.size)
	if !o.flat {
		watch.OwnAll(reflect.ValueOf(o.column.Pointer(a)))
	}
}

func watchedScan[I any](f func(i I, a accumulator, final bool), c column) func(i I, a accumulator, final bool) {
	owner, text := ownerOf(c), itemText[I]
	return func(i I, acc accumulator, final bool) {
		beginItem(&i, text)
		owner.own(acc)
		if !final {
			watch.ReadOnly()
		}
		f(i, acc, final)
		watch.Leave()
	}
}

func watchedLanes[L interface{ begin() }](f func(l L)) func(l L) {
	return func(l L) {
		l.begin()
		f(l)
		watch.Leave()
	}
}

// protect says of the result places of a launch that functors may not touch them.
func protect(columns []column) {
	for _, c := range columns {
		reduce.EachRegion([]any{c.Place()}, func(begin, end uintptr) { watch.Result(begin, end-begin) })
		v := reflect.ValueOf(c.Place())
		if v.Kind() != reflect.Pointer || v.IsNil() {
			continue
		}
		if e := v.Elem(); e.Kind() == reflect.Slice && e.Len() > 0 {
			watch.Result(e.Pointer(), uintptr(e.Len())*e.Type().Elem().Size())
		}
	}
}
