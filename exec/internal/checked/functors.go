// Package checked makes functors that report which item runs, for watched launches, and errors from the
// findings of package watch.
package checked

import (
	"fmt"
	"reflect"
	"strings"
	"unsafe"

	"github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/internal/watch"
	"github.com/gokkos/gokkos/policy"
)

// A space that watches gets functors that report which item runs. Package watch then sees their
// accesses.

// BeginItem reports that the functor is called for an item. text returns the item's index as text.
//
//go:norace
func BeginItem[I any](i *I, text func(p unsafe.Pointer) string) {
	watch.Item(unsafe.Pointer(i), unsafe.Sizeof(*i), text)
}

// ItemText returns an index as text.
func ItemText[I any](p unsafe.Pointer) string {
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
	return kind + " " + launch.IndexText(reflect.ValueOf(i))
}

// OwnLanes reports that accumulators belong to the item that runs.
//
//go:norace
func OwnLanes[A any](accs []A) {
	watch.Joins(unsafe.Pointer(unsafe.SliceData(accs)), uintptr(len(accs))*unsafe.Sizeof(*new(A)))
	if !reduce.IsFlat[A]() {
		watch.OwnAll(reflect.ValueOf(accs))
	}
}

func For[I any](f func(i I)) func(i I) {
	text := ItemText[I]
	return func(i I) {
		BeginItem(&i, text)
		f(i)
		watch.Leave()
	}
}

func Map[I, T any](f func(i I) T) func(i I) T {
	text := ItemText[I]
	return func(i I) T {
		BeginItem(&i, text)
		x := f(i)
		watch.Leave()
		return x
	}
}

func Fill[T any](f func(s policy.Span, dst []T)) func(s policy.Span, dst []T) {
	flat, text := reduce.IsFlat[T](), ItemText[policy.Span]
	return func(s policy.Span, dst []T) {
		BeginItem(&s, text)
		watch.Own(unsafe.Pointer(unsafe.SliceData(dst)), uintptr(len(dst))*unsafe.Sizeof(*new(T)))
		if !flat {
			watch.OwnAll(reflect.ValueOf(dst))
		}
		f(s, dst)
		watch.Leave()
	}
}

// An accumulatorOwner reports that accumulators of one column belong to the item that runs.
type accumulatorOwner struct {
	column launch.Column
	size   uintptr
	flat   bool
}

func ownerOf(c launch.Column) accumulatorOwner {
	p := c.Profile(1)
	return accumulatorOwner{c, uintptr(p.Bytes), p.Flat}
}

// own reports that an accumulator belongs to the item that runs, with all memory that it refers to
// unless it is flat.
//
//go:norace
func (o *accumulatorOwner) own(a unsafe.Pointer) {
	watch.Joins(a, o.size)
	if !o.flat {
		watch.OwnAll(reflect.ValueOf(o.column.Pointer(a)))
	}
}

func Scan[I any](f func(i I, a unsafe.Pointer, final bool), c launch.Column) func(i I, a unsafe.Pointer, final bool) {
	owner, text := ownerOf(c), ItemText[I]
	return func(i I, acc unsafe.Pointer, final bool) {
		BeginItem(&i, text)
		owner.own(acc)
		if !final {
			watch.ReadOnly()
		}
		f(i, acc, final)
		watch.Leave()
	}
}

// Lanes is For for indices with accumulators of their own. begin reports the indices and accumulators.
func Lanes[L any](f, begin func(l L)) func(l L) {
	return func(l L) {
		begin(l)
		f(l)
		watch.Leave()
	}
}
