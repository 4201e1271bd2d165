package space

// A Scanner is a job that may be a scan of values in memory.
type Scanner interface {
	Accepter
	// Scan returns what the job scans. It is false if that is no array of values: each item has to be
	// asked for then. A space that uses it must ask before Open. It must store all results, and Accept the root,
	// whose value is the sum of all items, without the initial value. There is no Run, no Join
	// and no other node then.
	Scan() (s Scan, ok bool)
}

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
