package algorithms

import (
	"cmp"
	"reflect"
	"unsafe"

	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/internal/kind"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// SortByKey sorts keys in ascending order, and values along with them. Values of equal keys
// keep their order; all NaNs are equal, and so are -0 and +0. It is
// Kokkos::Experimental::sort_by_key.
//
// It is an error if keys and values differ in length or have elements in common. On an error
// both keep their content.
//
// Cost: that of [Sort], and one random access to each key and value. Memory: for each item,
// a key and a value, and two keys and two ints.
//
// Numbers with values of any type in the memory of a card that sorts, see [device.Rearranger], are sorted there.
func SortByKey[K cmp.Ordered, V any](keys views.Viewer[K], values views.Viewer[V], on ...policy.Launch) error {
	if s, ok := far[device.Rearranger](on, memoryIn(keys), memoryIn(values)); ok {
		_, err := farRearrange("SortByKey", s, device.Rearrangement{Rule: "sort"}, keys, values, on)
		return err
	}
	of := kind.Of(reflect.TypeFor[K]())
	if of == kind.None {
		return SortByKeyFunc(keys, values, cmp.Compare[K], on...)
	}
	c := newCall("SortByKey", on)
	x, y := keysAndValues(c, keys, values)
	at := sortNumbers(c, x.n, unsafe.Sizeof(*new(K)), of, true, x.loadAt).at
	if at == nil {
		return c.err
	}
	sortedKeys, sortedValues := memoryOf[K](c, x.n), memoryOf[V](c, x.n)
	c.spans(x.n, func(s policy.Span) {
		for i := range s.All() {
			sortedKeys[i], sortedValues[i] = x.at(at[i]), y.at(at[i])
		}
	})
	c.commit()
	c.spans(x.n, func(s policy.Span) {
		x.store(s.Begin, sortedKeys[s.Begin:s.End])
		y.store(s.Begin, sortedValues[s.Begin:s.End])
	})
	return c.err
}

// A pair is a key and its value.
type pair[K, V any] struct {
	key   K
	value V
}

// SortByKeyFunc is [SortByKey] in the order of compare; see [SortFunc].
//
// Memory: two keys and two values for each item.
func SortByKeyFunc[K, V any](keys views.Viewer[K], values views.Viewer[V], compare func(a, b K) int, on ...policy.Launch) error {
	c := newCall("SortByKeyFunc", on, compare == nil)
	x, y := keysAndValues(c, keys, values)
	load := func(s policy.Span, dst []pair[K, V]) {
		for k := range dst {
			dst[k] = pair[K, V]{x.at(s.Begin + k), y.at(s.Begin + k)}
		}
	}
	pairs := mergeSort(c, x.n, load, func(a, b pair[K, V]) int { return compare(a.key, b.key) })
	c.commit()
	c.spans(x.n, func(s policy.Span) {
		for i := range s.All() {
			x.set(i, pairs[i].key)
			y.set(i, pairs[i].value)
		}
	})
	return c.err
}

// keysAndValues returns views of equal lengths that are apart.
func keysAndValues[K, V any](c *call, keys views.Viewer[K], values views.Viewer[V]) (x vector[K], y vector[V]) {
	x, y = vectorOf(c, keys), vectorOf(c, values)
	equally(c, x, y)
	apart(c, x, y)
	return x, y
}
