package ir

import "slices"

// A Pointer is a pointer that is a part of a parameter.
type Pointer struct {
	Param int
	Path  []Step
}

// Pointers returns the pointers that lead to scalars and memories and may be nil, each behind those that lead to it.
func (k *Kernel) Pointers() (list []Pointer) {
	add := func(param int, path []Step) {
		for n, step := range path {
			p := Pointer{param, path[:n]}
			known := func(q Pointer) bool { return q.Param == param && slices.Equal(q.Path, p.Path) }
			if step.Kind != Deref || n == 0 && k.Params[param].NotNil || slices.ContainsFunc(list, known) {
				continue
			}
			list = append(list, p)
		}
	}
	for _, s := range k.Scalars {
		add(s.Param, s.Path)
	}
	for _, m := range k.Captured() {
		add(m.Param, m.Path)
	}
	return list
}

// A SharedArray is an array behind a pointer, which a slice may be of.
type SharedArray struct {
	Pointer
	Elem Type // of values of its elements
}

// SharedArrays returns the arrays behind pointers that the kernel has parts of.
func (k *Kernel) SharedArrays() (list []SharedArray) {
	add := func(param int, path []Step, elem Type) {
		if slices.ContainsFunc(path, func(s Step) bool { return s.Kind == Method }) { // a result, which no slice is of
			return
		}
		known := func(a SharedArray) bool { return a.Param == param && slices.Equal(a.Path, path) && a.Elem == elem }
		if slices.ContainsFunc(path, func(s Step) bool { return s.Kind == Deref }) && !slices.ContainsFunc(list, known) {
			list = append(list, SharedArray{Pointer{param, path}, elem})
		}
	}
	for _, m := range k.Captured() {
		if m.Array {
			add(m.Param, m.Path, m.Elem.Value())
		}
	}
	for _, s := range k.Scalars {
		from := 0 // behind the last pointer
		for n, step := range s.Path {
			if step.Kind == Deref {
				from = n + 1
			}
		}
		if n := slices.IndexFunc(s.Path[from:], func(s Step) bool { return s.Kind == Elem }); n >= 0 && from > 0 {
			add(s.Param, s.Path[:from+n], s.Type)
		}
	}
	return list
}
