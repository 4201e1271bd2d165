// Package laws copies and compares partial results, and checks on those of a launch that a reducer
// keeps its laws.
package laws

import (
	"math"
	"reflect"
	"unsafe"
)

// Cloned returns a copy of x that shares no memory with it, apart from
// functions, channels and strings. It does not trust the reducer to copy. The
// copy can be set.
func Cloned(x reflect.Value) reflect.Value {
	c := reflect.New(x.Type()).Elem()
	c.Set(x)
	detach(c, map[unsafe.Pointer]reflect.Value{})
	return c
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

// A Comparison says when two values are equal: bitwise, or with Near, up to ULPs.
type Comparison struct {
	Near bool
	ULPs float64
	// Products says that parts of a value may be products of two others, and have the errors of these.
	Products bool
	// Public says that what a struct does not export, beside what it does, is how it is kept.
	Public bool
}

// Unchanged reports whether a has the bits of b.
func Unchanged(a, b reflect.Value) bool { return Comparison{}.Same(a, b) }

// Same reports whether a and b, of one type, are equal. What else was involved says how large the
// numbers were that were rounded.
func (c Comparison) Same(a, b reflect.Value, involved ...reflect.Value) bool {
	w := walk{c, map[[2]unsafe.Pointer]bool{}, 0}
	all := append([]reflect.Value{a, b}, involved...)
	if c.Products && a.Kind() != reflect.Float32 && a.Kind() != reflect.Float64 {
		for _, v := range all {
			w.largest = max(w.largest, largest(v))
		}
	}
	return w.equal(a, b, all)
}

// walk is a comparison of two values that may refer to themselves.
type walk struct {
	Comparison
	seen    map[[2]unsafe.Pointer]bool
	largest float64 // number of all, if parts may be products, or 0
}

// equal compares a with b, of one type. The values involved, a and b among
// them, are those at the same place of all operands that reach so far.
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
		return w.fields(a, b, involved)
	case reflect.Map:
		return a.Len() == b.Len() && w.entries(a, b, involved)
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

// exports reports whether a struct has exported fields.
func exports(t reflect.Type) bool {
	for f := range t.Fields() {
		if f.IsExported() {
			return true
		}
	}
	return false
}

func (w *walk) fields(a, b reflect.Value, involved []reflect.Value) bool {
	public := w.Public && exports(a.Type())
	for k := range a.NumField() {
		if public && !a.Type().Field(k).IsExported() {
			continue
		}
		if !w.equal(a.Field(k), b.Field(k), at(involved, func(v reflect.Value) reflect.Value { return v.Field(k) })) {
			return false
		}
	}
	return true
}

func (w *walk) entries(a, b reflect.Value, involved []reflect.Value) bool {
	for key, x := range a.Seq2() {
		y := b.MapIndex(key)
		if !y.IsValid() || !w.equal(x, y, at(involved, func(v reflect.Value) reflect.Value { return v.MapIndex(key) })) {
			return false
		}
	}
	return true
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
	case !w.Near:
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
	if w.largest > 1 {
		largest = max(largest, w.largest*w.largest*productErrors)
	}
	return math.Abs(x-y) <= w.ULPs*ulp(min(largest, math.MaxFloat64), bits)
}

// productErrors is how much of a product of two large parts counts as the size of any part: what is
// left of these after a difference has errors of their size.
const productErrors = 1.0 / (1 << 16)

// largest returns the largest finite number in v and in what lies in it, without what it refers to.
func largest(v reflect.Value) (most float64) {
	numbers(v, func(x float64) {
		if x = math.Abs(x); x > most && !math.IsInf(x, 0) {
			most = x
		}
	})
	return most
}

// finite reports whether no number in the values is infinite or none.
func finite(values ...reflect.Value) bool {
	all := true
	for _, v := range values {
		numbers(v, func(x float64) { all = all && x-x == 0 })
	}
	return all
}

// numbers visits the floating-point numbers in v and in what lies in it, without what it refers to.
func numbers(v reflect.Value, visit func(x float64)) {
	switch v.Kind() {
	case reflect.Float32, reflect.Float64:
		visit(v.Float())
	case reflect.Complex64, reflect.Complex128:
		visit(real(v.Complex()))
		visit(imag(v.Complex()))
	case reflect.Struct:
		for k := range v.NumField() {
			numbers(v.Field(k), visit)
		}
	case reflect.Array, reflect.Slice:
		for k := range v.Len() {
			numbers(v.Index(k), visit)
		}
	}
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
