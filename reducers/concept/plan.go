package concept

import (
	"encoding"
	"fmt"
	"reflect"
	"strings"
	"sync"
)

// A plan is the form that values of one type have by themselves.
type plan struct {
	pieces pieces
	layout string
	err    error
}

// copies reports whether the bytes are the memory of a value of type t, whatever it holds.
func (p *plan) copies(t reflect.Type) bool {
	return len(p.pieces) == 1 && p.pieces[0] == piece(memory{0, t.Size()})
}

// plans has the plan of each type that was asked for.
var plans sync.Map

func planOf(t reflect.Type) *plan {
	if p, ok := plans.Load(t); ok {
		return p.(*plan)
	}
	var l planner
	bad := l.add(t, 0, "")
	p := &plan{pieces: l.pieces, layout: l.layout.String()}
	if bad != nil {
		p.err = bad.in(t)
	}
	kept, _ := plans.LoadOrStore(t, p)
	return kept.(*plan)
}

// refusal is what cannot leave the process, at that path inside a value.
type refusal struct {
	path string
	t    reflect.Type
}

// in returns the error of a type of which the refused is a part.
func (r *refusal) in(t reflect.Type) error {
	what := "it"
	switch {
	case strings.HasPrefix(r.path, "["):
		what = "element " + r.path
	case r.path != "":
		what = "field " + r.path
	}
	article := "a"
	if k := r.t.Kind(); k == reflect.Interface || k == reflect.UnsafePointer {
		article = "an"
	}
	if r.t.Name() != "" && r.t.Kind() != reflect.UnsafePointer {
		article += " " + r.t.Kind().String() + ","
	}
	return fmt.Errorf("reducers: a partial result of type %v cannot leave the process: %s is %s %v; give the reducer AppendValue and SetValue", t, what, article, r.t)
}

// planner makes a plan piece by piece.
type planner struct {
	pieces pieces
	layout strings.Builder
}

// add adds a value of type t, which is at that offset and path.
func (l *planner) add(t reflect.Type, offset uintptr, path string) *refusal {
	if t.PkgPath() != "" {
		l.layout.WriteString(t.PkgPath() + "." + t.Name() + " ")
	}
	switch k := t.Kind(); {
	case marshals(t):
		l.layout.WriteString("by AppendBinary")
		l.pieces = append(l.pieces, marshaled{offset, t})
	case k == reflect.Bool:
		l.layout.WriteString("bool")
		l.pieces = append(l.pieces, bools{offset, 1})
	case reflect.Int <= k && k <= reflect.Complex128:
		fmt.Fprintf(&l.layout, "%v/%d", k, t.Size())
		l.copy(offset, t.Size())
	case k == reflect.String:
		l.layout.WriteString("string")
		l.pieces = append(l.pieces, text{offset})
	case k == reflect.Array:
		return l.addArray(t, offset, path)
	case k == reflect.Struct:
		return l.addStruct(t, offset, path)
	default:
		return &refusal{path, t}
	}
	return nil
}

func (l *planner) addArray(t reflect.Type, offset uintptr, path string) *refusal {
	fmt.Fprintf(&l.layout, "[%d]", t.Len())
	if t.Size() == 0 {
		return nil // whatever its elements are
	}
	var elem planner
	if bad := elem.add(t.Elem(), 0, path+"[0]"); bad != nil {
		return bad
	}
	l.layout.WriteString(elem.layout.String())
	stride := t.Elem().Size()
	if len(elem.pieces) == 1 {
		switch elem.pieces[0] {
		case piece(memory{0, stride}):
			l.copy(offset, t.Size())
			return nil
		case piece(bools{0, int(stride)}):
			l.pieces = append(l.pieces, bools{offset, int(t.Size())})
			return nil
		}
	}
	l.pieces = append(l.pieces, &array{offset, stride, t.Len(), elem.pieces})
	return nil
}

func (l *planner) addStruct(t reflect.Type, offset uintptr, path string) *refusal {
	l.layout.WriteString("{")
	sep := ""
	for f := range t.Fields() {
		if f.Name == "_" {
			continue
		}
		l.layout.WriteString(sep + f.Name + " ")
		sep = "; "
		name := f.Name
		if path != "" {
			name = path + "." + name
		}
		if bad := l.add(f.Type, offset+f.Offset, name); bad != nil {
			return bad
		}
	}
	l.layout.WriteString("}")
	return nil
}

// copy adds memory, to what is before it if they are neighbours.
func (l *planner) copy(offset, size uintptr) {
	if n := len(l.pieces); n > 0 {
		if m, ok := l.pieces[n-1].(memory); ok && m.offset+m.size == offset {
			l.pieces[n-1] = memory{m.offset, m.size + size}
			return
		}
	}
	l.pieces = append(l.pieces, memory{offset, size})
}

// marshals reports whether t has a binary form that is its own. That of a struct may be the
// one of an embedded field, and leave the other fields out.
func marshals(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	if !p.Implements(reflect.TypeFor[encoding.BinaryAppender]()) || !p.Implements(reflect.TypeFor[encoding.BinaryUnmarshaler]()) {
		return false
	}
	if t.Kind() == reflect.Struct {
		for f := range t.Fields() {
			if f.Anonymous && (promotes[encoding.BinaryAppender](f.Type) || promotes[encoding.BinaryUnmarshaler](f.Type)) {
				return false
			}
		}
	}
	return true
}

// promotes reports whether a struct that embeds a t has the methods M for that.
func promotes[M any](t reflect.Type) bool {
	m := reflect.TypeFor[M]()
	return t.Implements(m) || reflect.PointerTo(t).Implements(m)
}
