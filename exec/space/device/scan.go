package device

// A Scan is the prefixes of values in memory. Item k has the value Src[k*SrcStride], and its result goes to
// Dst[k*DstStride]: what has been joined before the item, or after it. Dst may be Src, with the same stride.
//
// Leaves and prefixes are those of the grid, which has one lane, and of docs/determinism.md.
type Scan struct {
	Dst, Src             any // slices of one type []T, from item 0 to the last
	DstStride, SrcStride int
	Memory               Memory // that they are in
	Inclusive            bool
	Identity             []byte // as the Layout says
	Initial              []byte // the prefix of item 0, as well: the initial value of the reducer, or else the identity
	Result               Result // how values are joined
}

// A MemoryScanner is a space that scans values in its memory, which the host cannot touch, with code of its own. Only
// such a space is given scans of these.
type MemoryScanner interface {
	MemoryOwner
	ScansMemory()
}
