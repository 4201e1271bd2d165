package reducers

// A Reducer is an associative operation on T with an identity, and the place
// where its result goes. It is used by several workers at a time: its methods
// must not change the reducer itself.
//
// A reducer may have more methods, each of which is for somebody who asks for it: see package
// [github.com/gokkos/gokkos/reducers/concept].
type Reducer[T any] = interface {
	// Init sets *val to the identity: Join(dst, identity) leaves *dst as it is.
	// *val may hold an earlier partial result, whose memory Init may use again.
	// Structs of one type that hold nothing but one pointer, to the result place, have the
	// same identity: a pattern may ask one of them for all.
	Init(val *T)
	// Join sets *dst to *dst (+) *src, in this order. It must neither change
	// *src nor leave the two sharing memory.
	Join(dst, src *T)
	// Final is called once, on the value that everything has been joined into.
	Final(val *T)
	// Reference returns the result place. A pattern writes it after Final, and
	// only if the whole launch succeeded.
	Reference() *T
}
