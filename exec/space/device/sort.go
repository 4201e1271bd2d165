package device

import "context"

// A Sorter is a space that sorts numbers in its memory, which the host cannot touch, with code of its own.
type Sorter interface {
	MemoryOwner
	// Sort sorts the keys in ascending order, and the values along with them: values of equal keys keep their order.
	//
	// Order: that of [cmp.Compare]. With values, all NaNs are equal, and so are -0 and +0. Without values, -0 comes before +0,
	// and NaNs are in the order of their bits, without sign first.
	//
	// Errors: it sorts no keys of such a type or so many, the memory is none of its own, there is no room, it is closed, or
	// the context is done. Keys and values have their old content then, unless the device has failed.
	Sort(ctx context.Context, s Sort) error
}

// A Sort is keys in memory, with a value each if Values is not nil. Item k has the key Keys[k*KeyStride] and the value
// Values[k*ValueStride].
type Sort struct {
	Keys, Values           any // slices, from item 0 to the last, of types []K and []V, where K is integers or floats
	KeyStride, ValueStride int // of elements, at least 1
	Memory                 Memory
}
