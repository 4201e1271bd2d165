// Package concept is the contract for authors of reducers: what a reducer may have beyond the
// four methods of a reducers.Reducer. Whoever uses reducers does not need it.
//
// Each part is a method that a reducer has or has not. Whoever wants a part asks with a type
// assertion, and does without if there is none.
//
//	Traits() Traits[T]         differs from what most reducers are, see [Traits]
//	JoinLanes(lanes []T)       ends a leaf of the reduction tree faster
//	Fold() reducers.Fold[V]    takes plain values, see reducers.Folder
//	AddValues(lanes, first, x) joins plain values, for reducers.NewFold
//	Operation() Operation      says what it computes, for devices, see [Operation]
//	AppendValue, SetValue      partial results as bytes
//	Form() Form[T]             the same, of a reducer made of others, see [Form]
//
// A type that embeds a reducer with one of these methods has that method, too. One that joins or
// takes values in its own way needs methods of its own.
//
// # Lanes
//
// JoinLanes does Join(&lanes[l], &lanes[l+h]) for l from 0 to h-1, for h a half, a quarter, and
// so on of the number of lanes, which is a power of two. Only lanes[0] matters after it.
//
// # Bytes
//
// The partial results of a reducer with both of these methods can leave the process and come
// back, with all of their bits. Values that are numbers need none, see [FormOf].
//
//	AppendValue(buf []byte, val *T) ([]byte, error)
//	SetValue(val *T, data []byte) (rest []byte, err error)
//
// AppendValue appends bytes that stand for *val to buf and leaves *val as it is. SetValue
// sets *val, to which Init was applied, from the beginning of data, and returns what follows
// these bytes. It copies what it keeps of data. If data ends too early, it returns an error.
//
// # Operations
//
// A reducer whose operation has a name that devices know may have a method
// Operation() [Operation], so that they can compute it with code of their own.
//
// Package reducertest checks what a reducer has of all this on samples.
package concept
