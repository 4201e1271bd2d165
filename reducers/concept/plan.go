package concept

import (
	"encoding"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"unsafe"

	"github.com/gokkos/gokkos/internal/typed"
)

// forms has the form that values of each type have by themselves, of those that were asked for.
var forms sync.Map // of reflect.Type, to *form

func formOfType(t reflect.Type) *form {
	if f, ok := forms.Load(t); ok {
		return f.(*form)
	}
	f, _ := forms.LoadOrStore(t, makeForm(t))
	return f.(*form)
}

func makeForm(t reflect.Type) *form {
	var l planner
	if bad := l.add(t, 0, ""); bad != nil {
		return &form{Err: bad.in(t)}
	}
	return &form{
		Append: func(buf []byte, val *typed.Hidden) ([]byte, error) {
			buf, err := l.pieces.append(buf, unsafe.Pointer(val))
			return buf, ofType(t, err)
		},
		Set: func(val *typed.Hidden, data []byte) ([]byte, error) {
			rest, err := l.pieces.set(unsafe.Pointer(val), data)
			return rest, ofType(t, err)
		},
		Layout: l.layout.String(),
		copies: len(l.pieces) == 1 && l.pieces[0] == piece(memory{0, t.Size()}),
	}
}

// ofType says in an error which type's values it is about.
func ofType(t reflect.Type, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("reducers: a partial result of type %v: %w", t, err)
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
