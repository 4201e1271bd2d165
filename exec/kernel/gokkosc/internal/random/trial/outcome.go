package trial

import (
	"fmt"
	"math"
	"math/bits"
	"reflect"
	"unsafe"

	"github.com/gokkos/gokkos/views"
)

// Outcome returns the result of a launch: the first item that was not run, and the value of a panic. Then
// come a digest of the memory of parameters, and the lanes. All NaNs are the same.
func Outcome(next int, message any, params []any, lanes []reflect.Value) string {
	var d digest
	for _, p := range params {
		d.param(p)
	}
	out := fmt.Sprintf("%d %v %x", next, message, uint64(d))
	for _, l := range lanes {
		if s, ok := contributed(l.Interface()); ok {
			out += s
			continue
		}
		out += fmt.Sprintf(" %x", l.Interface())
	}
	return out
}

// param adds the memory of a parameter.
func (d *digest) param(p any) {
	switch x := p.(type) {
	case views.Viewer[float64]:
		d.slice(reflect.ValueOf(memory(views.As(x))))
		return
	case views.Viewer[float32]:
		d.slice(reflect.ValueOf(memory(views.As(x))))
		return
	case Row:
		d.param(x.X)
		return
	case *Node:
		if x != nil {
			d.add(math.Float64bits(x.W))
			d.add(uint64(x.N))
			d.param(x.X)
			d.param(x.Next)
		}
		return
	}
	switch v := reflect.ValueOf(p); v.Kind() {
	case reflect.Slice:
		if kind := v.Type().Elem().Kind(); kind == reflect.Slice || kind == reflect.Pointer {
			for k := range v.Len() {
				d.param(v.Index(k).Interface())
			}
			return
		}
		d.slice(v.Slice(0, v.Cap()))
	case reflect.Array:
		for k := range v.Len() {
			d.param(v.Index(k).Interface())
		}
	}
}

// memory returns the memory of a view, with the gaps between rows, as indices that are too large may lead
// there.
func memory[T any](v views.View[T]) []T {
	if v.Len() == 0 {
		return nil
	}
	first, last := make([]int, v.Rank()), v.Extents()
	for d := range last {
		last[d]--
	}
	from := v.Ptr(first...)
	size := uintptr(unsafe.Pointer(v.Ptr(last...))) - uintptr(unsafe.Pointer(from))
	return unsafe.Slice(from, size/unsafe.Sizeof(*from)+1)
}

// A digest is of numbers, in their order.
type digest uint64

func (d *digest) slice(s reflect.Value) {
	for k := range s.Len() {
		if x := s.Index(k); x.CanComplex() {
			d.add(number(reflect.ValueOf(real(x.Complex()))))
			d.add(number(reflect.ValueOf(imag(x.Complex()))))
			continue
		}
		d.add(number(s.Index(k)))
	}
}

// add adds the bits of a number. add rotates the factor, so that two changes of signs do not cancel.
func (d *digest) add(x uint64) {
	*d = digest(bits.RotateLeft64(uint64(*d)^x, 23) * 0x9e3779b97f4a7c15)
}

// number returns bits that no other number of the type has.
func number(v reflect.Value) uint64 {
	switch {
	case v.CanFloat() && math.IsNaN(v.Float()):
		return math.MaxUint64
	case v.CanFloat():
		return math.Float64bits(v.Float())
	case v.CanUint():
		return v.Uint()
	case v.CanInt():
		return uint64(v.Int())
	case v.Bool():
		return 1
	}
	return 0
}
