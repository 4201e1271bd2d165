package builtin

import (
	"cmp"
	"fmt"
	"math"
	"reflect"

	"github.com/gokkos/gokkos/reducers/concept"
)

// pick says which of several items a reducer with locations is after.
type pick uint8

const (
	highest pick = 1 << iota // of the values, else the lowest
	last                     // of the locations of equal values, else the first
)

// prefer returns a positive number if p prefers the value x to y, a negative one
// if it prefers y, and 0 if they are equal. NaN is preferred to all, and -0 is
// less than +0.
func prefer[T Real](p pick, x, y T) int {
	c := 0
	switch {
	case x < y:
		c = +1
	case x > y:
		c = -1
	case x == y: // the sign of an integer zero is no matter: both have none
		c = sign(math.Signbit(float64(x))) - sign(math.Signbit(float64(y)))
		if x != 0 {
			c = 0
		}
	default:
		return sign(x != x) - sign(y != y)
	}
	if p&highest != 0 {
		c = -c
	}
	return c
}

func sign(b bool) int {
	if b {
		return 1
	}
	return 0
}

// comparer is a location type that brings its own order.
type comparer[L any] interface{ Compare(L) int }

// compare returns a negative number if a comes before b, a positive one if after
// it, and 0 if they are equal. It takes pointers because values would be copied
// to the heap to become interfaces.
func compare[L comparable](a, b *L) int {
	switch a := any(a).(type) {
	case *int:
		return cmp.Compare(*a, *any(b).(*int))
	case *int64:
		return cmp.Compare(*a, *any(b).(*int64))
	case *int32:
		return cmp.Compare(*a, *any(b).(*int32))
	case *uint:
		return cmp.Compare(*a, *any(b).(*uint))
	case *uint64:
		return cmp.Compare(*a, *any(b).(*uint64))
	case *uint32:
		return cmp.Compare(*a, *any(b).(*uint32))
	case comparer[L]:
		return a.Compare(*b)
	}
	if c, ok := any(*a).(comparer[L]); ok { // pointers and interfaces
		return c.Compare(*b)
	}
	return compareValues(reflect.ValueOf(a).Elem(), reflect.ValueOf(b).Elem())
}

func compareValues(a, b reflect.Value) int {
	switch {
	case a.CanInt():
		return cmp.Compare(a.Int(), b.Int())
	case a.CanUint():
		return cmp.Compare(a.Uint(), b.Uint())
	case a.CanFloat():
		return cmp.Compare(a.Float(), b.Float())
	}
	c := 0
	switch a.Kind() {
	case reflect.Bool:
		c = sign(a.Bool()) - sign(b.Bool())
	case reflect.String:
		c = cmp.Compare(a.String(), b.String())
	case reflect.Array:
		for k := 0; k < a.Len() && c == 0; k++ {
			c = compareValues(a.Index(k), b.Index(k))
		}
	case reflect.Struct:
		for k := 0; k < a.NumField() && c == 0; k++ {
			c = compareValues(a.Field(k), b.Field(k))
		}
	}
	return c
}

// ordered returns traits that say whether locations of type L can be compared, and
// whether the result is exact: of two locations that compare as equal and differ in
// their bits, the one that is joined first stays.
func ordered[A any, L comparable]() concept.Traits[A] {
	t := reflect.TypeFor[L]()
	own := reflect.TypeFor[comparer[L]]()
	switch {
	case t.Implements(own), reflect.PointerTo(t).Implements(own):
		return concept.Traits[A]{} // what is equal to Compare may differ
	case isOrdered(t):
		return concept.Traits[A]{Exact: isTotal(t)}
	}
	return concept.Traits[A]{Err: fmt.Errorf("builtin: locations of type %v have no order; expected integers, floats, strings, bools, arrays or structs of these, or a type with the method Compare(%v) int", t, t)}
}

// isTotal reports whether values of the ordered type t that compare as equal have
// the same bits: -0 and +0 have not, nor have NaNs.
func isTotal(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Float32, reflect.Float64:
		return false
	case reflect.Array:
		return isTotal(t.Elem())
	case reflect.Struct:
		for f := range t.Fields() {
			if !isTotal(f.Type) {
				return false
			}
		}
	}
	return true
}

func isOrdered(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return isOrdered(t.Elem())
	case reflect.Struct:
		for f := range t.Fields() {
			if !isOrdered(f.Type) {
				return false
			}
		}
		return true
	case reflect.Complex64, reflect.Complex128, reflect.Pointer, reflect.UnsafePointer, reflect.Interface, reflect.Chan:
		return false
	}
	return true
}
