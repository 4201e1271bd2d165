package views

import (
	"fmt"
	"reflect"
	"unsafe"
)

// OfArrays returns a view of the elements of x, a slice of arrays, without a copy. An array
// [n][m]T is given as x[:]:
//
//	a, err := views.As2(views.OfArrays[T]("a", x[:]))
//
// The extents are the length of x and those of the arrays, the layout is [Right]. It is an
// error if the arrays are not of elements of type T.
func OfArrays[T, A any](label string, x []A) (View[T], error) {
	extents := []int{len(x)}
	elem, want := reflect.TypeFor[A](), reflect.TypeFor[T]()
	for elem != want && elem.Kind() == reflect.Array {
		extents = append(extents, elem.Len())
		elem = elem.Elem()
	}
	if elem != want {
		return View[T]{}, fmt.Errorf("views: %q is a %T, expected arrays of %v", label, x, want)
	}
	s, err := placed(label, extents, nil)
	if err != nil {
		return View[T]{}, err
	}
	// An array is its elements, one after the other, so the memory is that of a []T.
	return remember(View[T]{unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(x))), s.length), s}), nil
}
