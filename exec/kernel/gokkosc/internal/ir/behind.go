package ir

import "slices"

// A Pointer is a pointer that is a part of a parameter.
type Pointer struct {
	Param int
	Path  []Step
}

// Pointers returns the pointers that lead to scalars and memories and may be nil. Each pointer is behind the
// pointers that lead to it.
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

// A Shared is a number or an array behind a pointer that may be a part of a memory, too.
type Shared struct {
	Pointer
	Elem Type // of its values
	Flat bool // only slices of structs can have it
}

// Shared returns the numbers and arrays behind pointers that may be parts of memories, although items load
// them as if nothing stored to them. An array may have been sliced, a pointer may lead to an element, and a
// struct may be an element of a slice.
func (k *Kernel) Shared() (list []Shared) {
	add := func(param int, path []Step, elem Type, flat bool) {
		known := func(a Shared) bool {
			return a.Param == param && slices.Equal(a.Path, path) && a.Elem == elem && a.Flat == flat
		}
		if !slices.ContainsFunc(list, known) {
			list = append(list, Shared{Pointer{param, path}, elem, flat})
		}
	}
	for _, m := range k.Captured() {
		if m.Array && behind(m.Path) > 0 {
			add(m.Param, m.Path, m.Elem.Value(), false)
		}
	}
	for _, s := range k.Scalars {
		from, last := behind(s.Path), len(s.Path)-1
		if from == 0 {
			continue
		}
		variable := from == 1 && k.Params[s.Param].NotNil
		array := slices.IndexFunc(s.Path[from:], func(s Step) bool { return s.Kind == Elem })
		switch kind := s.Path[last].Kind; {
		case kind != Deref && kind != Field && kind != Elem: // a length, say, which no item stores
		case array >= 0:
			add(s.Param, s.Path[:from+array], s.Type, false)
		case variable: // of its own
		default:
			add(s.Param, s.Path, s.Type, kind == Field)
		}
	}
	return list
}

// behind returns where a path leads on behind its last pointer: 0 if there is none, or a method's result is behind it.
func behind(path []Step) (from int) {
	for n, step := range path {
		switch step.Kind {
		case Deref:
			from = n + 1
		case Method:
			return 0
		}
	}
	return from
}
