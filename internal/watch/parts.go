package watch

import (
	"reflect"
	"unsafe"
)

// What an accumulator refers to belongs to the thread that joins into it. It may be much, and
// change at any time, so that it is looked at where an access would be a finding.

var (
	joined  []reflect.Value     // the accumulators of the running thread that refer to other memory
	reached [1 << 4]reachedPart // memory that was found there last
)

// reachedPart is memory that a thread's accumulators refer to.
type reachedPart struct {
	region
	team, lane uint32 // of the thread
}

// OwnAll says that all memory that v refers to belongs to the running thread.
//
//go:norace
func OwnAll(v reflect.Value) { joined = append(joined, v) }

// isOwn reports whether an address is in memory that what the running thread owns refers to. If it
// is, all that memory begins anew.
//
//go:norace
func isOwn(addr uintptr) bool {
	if len(joined) == 0 {
		return false
	}
	last := &reached[addr>>wordBits&uintptr(len(reached)-1)]
	if last.team == run.here.team && last.lane == run.here.lane && last.has(addr) {
		return true
	}
	w := walk{addr: addr}
	for _, v := range joined {
		w.visit(v)
	}
	if w.found.end == 0 {
		return false
	}
	*last = reachedPart{w.found, run.here.team, run.here.lane}
	for _, v := range joined {
		RenewAll(v)
	}
	return true
}

// RenewAll says of all memory that v refers to that it begins anew.
//
//go:norace
func RenewAll(v reflect.Value) {
	w := walk{renew: true}
	w.visit(v)
}

// walk goes through the memory that a value refers to: that of slices, maps and pointers, and what
// these refer to in turn.
type walk struct {
	renew bool    // all of it
	addr  uintptr // or look for this
	found region

	left []reflect.Value // to visit: there is no room for a deep stack
	seen map[seenPart]bool
}

// seenPart is where a value is.
type seenPart struct {
	p unsafe.Pointer
	t reflect.Type
}

//go:norace
func (w *walk) visit(v reflect.Value) {
	w.left = append(w.left[:0], v)
	for len(w.left) > 0 {
		last := len(w.left) - 1
		v := w.left[last]
		w.left = w.left[:last]
		w.value(v)
	}
}

//go:norace
func (w *walk) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Slice:
		size := v.Type().Elem().Size()
		w.part(v.UnsafePointer(), uintptr(v.Cap())*size)
		if refers(v.Type().Elem()) && v.Len() > 0 && w.isNew(v.UnsafePointer(), v.Type()) {
			w.elements(v)
		}
	case reflect.Array:
		if refers(v.Type().Elem()) {
			w.elements(v)
		}
	case reflect.Struct:
		for k := range v.NumField() {
			if refers(v.Field(k).Type()) {
				w.left = append(w.left, v.Field(k))
			}
		}
	case reflect.Pointer:
		if p := v.UnsafePointer(); p != nil {
			w.part(p, v.Type().Elem().Size())
			if refers(v.Type().Elem()) && w.isNew(p, v.Type()) {
				w.left = append(w.left, v.Elem())
			}
		}
	case reflect.Interface:
		if !v.IsNil() {
			w.left = append(w.left, v.Elem())
		}
	case reflect.Map:
		if v.Len() > 0 && w.isNew(v.UnsafePointer(), v.Type()) {
			w.entries(v)
		}
	}
}

//go:norace
func (w *walk) elements(v reflect.Value) {
	for k := range v.Len() {
		w.left = append(w.left, v.Index(k))
	}
}

// entries visits the values of a map. They are where an iterator says, whose second word the
// compiler knows as well: it is behind the map.
//
//go:norace
func (w *walk) entries(v reflect.Value) {
	elem := v.Type().Elem()
	for i := v.MapRange(); i.Next(); {
		w.part(*(*unsafe.Pointer)(unsafe.Add(unsafe.Pointer(i), unsafe.Sizeof(v)+unsafe.Sizeof(w.addr))), elem.Size())
		if refers(elem) {
			w.left = append(w.left, i.Value())
		}
	}
}

// isNew reports whether a value was not visited yet.
//
//go:norace
func (w *walk) isNew(p unsafe.Pointer, t reflect.Type) bool {
	part := seenPart{p, t}
	if w.seen[part] {
		return false
	}
	if w.seen == nil {
		w.seen = map[seenPart]bool{}
	}
	w.seen[part] = true
	return true
}

//go:norace
func (w *walk) part(p unsafe.Pointer, bytes uintptr) {
	r := region{uintptr(p), uintptr(p) + bytes}
	switch {
	case bytes == 0:
	case w.renew:
		Renew(r.begin, bytes)
	case r.has(w.addr):
		w.found = r
	}
}

// refers reports whether values of a type may refer to memory that can be written.
//
//go:norace
func refers(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Slice, reflect.Pointer, reflect.Map, reflect.Interface, reflect.Struct:
		return true
	case reflect.Array:
		return t.Len() > 0 && refers(t.Elem())
	}
	return false
}
