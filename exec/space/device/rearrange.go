package device

import "context"

// A Rearranger is a space with code of its own that sorts the items in its memory, or changes their order in another way. The
// host cannot touch that memory.
type Rearranger interface {
	MemoryOwner
	// Rearrange changes the order of items, and returns how many are kept. These come first, and items behind them keep their
	// content.
	//
	// Errors: there is no such rule, no code for keys of such a type or so many, no room, the memory is none of its own,
	// it is closed, or the context is done. Items have their old content then, unless the device has failed.
	Rearrange(ctx context.Context, r Rearrangement) (kept int, err error)
}

// A Rearrangement is items in memory. Item k has the key Keys[k*KeyStride], and the value Values[k*ValueStride] if there are
// values.
type Rearrangement struct {
	// Rule is one of these:
	//
	//	sort     the keys are put in the order of [cmp.Compare], and items of equal keys keep their order. Without values, -0
	//	         comes before +0, and NaNs are in the order of their bits, without sign first
	//	reverse  the last item comes first
	//	unique   items are kept whose keys differ from the key before, and the first one; keys are compared by ==
	//	remove   items are kept whose keys differ from Key
	Rule string
	Key  any // of type K

	Keys, Values           any // slices, from item 0 to the last, of types []K and []V. K is integers or floats, but for reverse
	KeyStride, ValueStride int // of elements, at least 1
	Memory                 Memory
}
