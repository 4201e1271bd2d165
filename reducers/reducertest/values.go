package reducertest

import (
	"math"
	"reflect"
	"unsafe"
)

// clone returns a copy of x that shares no memory with it, apart from
// functions, channels and strings. It does not trust the reducer to copy.
func clone[T any](x T) T {
	detach(reflect.ValueOf(&x).Elem(), map[unsafe.Pointer]reflect.Value{})
	return x
}

// detach replaces everything that v refers to by copies.
func detach(v reflect.Value, seen map[unsafe.Pointer]reflect.Value) {
	switch v.Kind() {
	case reflect.Array:
		for k := range v.Len() {
			detach(v.Index(k), seen)
		}
	case reflect.Struct:
		for k := range v.NumField() {
			f := v.Field(k)
			// The address lifts the ban on setting unexported fields.
			detach(reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem(), seen)
		}
	case reflect.Slice:
		if v.IsNil() {
			return
		}
		c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(c, v)
		for k := range c.Len() {
			detach(c.Index(k), seen)
		}
		v.Set(c)
	case reflect.Map:
		if v.IsNil() {
			return
		}
		c := reflect.MakeMapWithSize(v.Type(), v.Len())
		for key, x := range v.Seq2() {
			e := reflect.New(v.Type().Elem()).Elem()
			e.Set(x)
			detach(e, seen)
			c.SetMapIndex(key, e)
		}
		v.Set(c)
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		c, ok := seen[v.UnsafePointer()]
		if !ok || c.Type() != v.Type() {
			c = reflect.New(v.Type().Elem())
			c.Elem().Set(v.Elem())
			seen[v.UnsafePointer()] = c
			detach(c.Elem(), seen)
		}
		v.Set(c)
	case reflect.Interface:
		if v.IsNil() {
			return
		}
		e := reflect.New(v.Elem().Type()).Elem()
		e.Set(v.Elem())
		detach(e, seen)
		v.Set(e)
	}
}

// comparison says when two values are equal: bitwise, or with near, up to ulps.
type comparison struct {
	near bool
	ulps float64
}

// unchanged reports whether a has the bits of b.
func unchanged[T any](a, b T) bool {
	return comparison{}.values(reflect.ValueOf(&a).Elem(), reflect.ValueOf(&b).Elem(), nil)
}

func (c comparison) values(a, b reflect.Value, involved []reflect.Value) bool {
	w := walk{c, map[[2]unsafe.Pointer]bool{}}
	return w.equal(a, b, append([]reflect.Value{a, b}, involved...))
}

// walk is a comparison of two values that may refer to themselves.
type walk struct {
	comparison
	seen map[[2]unsafe.Pointer]bool
}

// equal compares a with b, of one type. The values involved, a and b among
// them, are those at the same place of all operands that reach so far. It is long as there are
// many kinds of types, each a few lines.
func (w *walk) equal(a, b reflect.Value, involved []reflect.Value) bool {
	switch a.Kind() {
	case reflect.Float32, reflect.Float64:
		return w.floats(a.Float(), b.Float(), a.Type().Bits(), func(yield func(float64)) {
			for _, v := range involved {
				yield(v.Float())
			}
		})
	case reflect.Complex64, reflect.Complex128:
		x, y := a.Complex(), b.Complex()
		scale := func(yield func(float64)) {
			for _, v := range involved {
				yield(real(v.Complex()))
				yield(imag(v.Complex()))
			}
		}
		bits := a.Type().Bits() / 2
		return w.floats(real(x), real(y), bits, scale) && w.floats(imag(x), imag(y), bits, scale)
	case reflect.Array:
		return w.elements(a, b, involved)
	case reflect.Slice:
		return a.Len() == b.Len() && w.elements(a, b, involved)
	case reflect.Struct:
		for k := range a.NumField() {
			if !w.equal(a.Field(k), b.Field(k), at(involved, func(v reflect.Value) reflect.Value { return v.Field(k) })) {
				return false
			}
		}
		return true
	case reflect.Map:
		if a.Len() != b.Len() {
			return false
		}
		for key, x := range a.Seq2() {
			y := b.MapIndex(key)
			if !y.IsValid() || !w.equal(x, y, at(involved, func(v reflect.Value) reflect.Value { return v.MapIndex(key) })) {
				return false
			}
		}
		return true
	case reflect.Pointer:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil()
		}
		pair := [2]unsafe.Pointer{a.UnsafePointer(), b.UnsafePointer()}
		if w.seen[pair] {
			return true
		}
		w.seen[pair] = true
		return w.equal(a.Elem(), b.Elem(), at(involved, reflect.Value.Elem))
	case reflect.Interface:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil()
		}
		t := a.Elem().Type()
		return t == b.Elem().Type() && w.equal(a.Elem(), b.Elem(), at(involved, func(v reflect.Value) reflect.Value {
			if v.IsNil() || v.Elem().Type() != t {
				return reflect.Value{}
			}
			return v.Elem()
		}))
	case reflect.Func:
		return true
	}
	return a.Equal(b)
}

func (w *walk) elements(a, b reflect.Value, involved []reflect.Value) bool {
	for k := range a.Len() {
		if !w.equal(a.Index(k), b.Index(k), at(involved, func(v reflect.Value) reflect.Value {
			if k >= v.Len() {
				return reflect.Value{}
			}
			return v.Index(k)
		})) {
			return false
		}
	}
	return true
}

// at returns the parts of the values that have this part.
func at(values []reflect.Value, part func(reflect.Value) reflect.Value) []reflect.Value {
	var parts []reflect.Value
	for _, v := range values {
		if p := part(v); p.IsValid() {
			parts = append(parts, p)
		}
	}
	return parts
}

func (w *walk) floats(x, y float64, bits int, scale func(yield func(float64))) bool {
	switch {
	case math.IsNaN(x) || math.IsNaN(y):
		return math.IsNaN(x) && math.IsNaN(y)
	case !w.near:
		return math.Float64bits(x) == math.Float64bits(y)
	case x == y:
		return true
	case math.IsInf(x, 0) || math.IsInf(y, 0):
		return false
	}
	largest := 0.0
	scale(func(v float64) {
		if v = math.Abs(v); v > largest && !math.IsInf(v, 0) {
			largest = v
		}
	})
	return math.Abs(x-y) <= w.ulps*ulp(largest, bits)
}

// region is the memory from begin up to end.
type region struct{ begin, end uintptr }

// sharing reports whether *a and *b refer to the same memory somewhere.
func sharing[T any](a, b *T) bool {
	ra, rb := regions(reflect.ValueOf(a).Elem()), regions(reflect.ValueOf(b).Elem())
	for x := range ra {
		for y := range rb {
			if x.begin < y.end && y.begin < x.end {
				return true
			}
		}
	}
	return false
}

// regions returns the memory that v refers to and that can be changed.
func regions(v reflect.Value) map[region]bool {
	found := map[region]bool{}
	var visit func(v reflect.Value)
	note := func(p uintptr, bytes uintptr) (first bool) {
		r := region{p, p + bytes}
		first = !found[r]
		if bytes > 0 {
			found[r] = true
		}
		return first
	}
	visit = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Array:
			for k := range v.Len() {
				visit(v.Index(k))
			}
		case reflect.Struct:
			for k := range v.NumField() {
				visit(v.Field(k))
			}
		case reflect.Slice:
			// The room behind the length counts too: an append would write it.
			if v.Cap() > 0 && note(v.Pointer(), uintptr(v.Cap())*v.Type().Elem().Size()) {
				for k := range v.Len() {
					visit(v.Index(k))
				}
			}
		case reflect.Map:
			if !v.IsNil() && note(v.Pointer(), 1) {
				for _, x := range v.Seq2() {
					visit(x)
				}
			}
		case reflect.Pointer:
			if !v.IsNil() && note(v.Pointer(), v.Type().Elem().Size()) {
				visit(v.Elem())
			}
		case reflect.Interface:
			if !v.IsNil() {
				visit(v.Elem())
			}
		}
	}
	visit(v)
	return found
}

// ulp returns the distance from m, at least 0 and finite, to the next number.
func ulp(m float64, bits int) float64 {
	if bits == 32 {
		x := float32(m)
		if next := math.Nextafter32(x, float32(math.Inf(1))); !math.IsInf(float64(next), 0) {
			return float64(next) - float64(x)
		}
		return float64(x) - float64(math.Nextafter32(x, 0))
	}
	if next := math.Nextafter(m, math.Inf(1)); !math.IsInf(next, 0) {
		return next - m
	}
	return m - math.Nextafter(m, 0)
}
