package algorithms

import (
	"slices"
	"unsafe"

	"github.com/gokkos/gokkos/internal/kind"
	"github.com/gokkos/gokkos/policy"
)

// unsigned is the type of keys, whose order is that of the numbers they stand for.
type unsigned interface {
	uint8 | uint16 | uint32 | uint64
}

// sizes returns the number of bits of a key, and the key of its highest bit.
func sizes[K unsigned]() (bits int, top K) {
	bits = int(unsafe.Sizeof(top)) * 8
	return bits, 1 << (bits - 1)
}

// nans returns how many NaNs of one sign there are: the largest mantissa.
func nans[K unsigned]() K {
	bits, one := 23, K(1)
	if unsafe.Sizeof(one) == 8 {
		bits = 52
	}
	return one<<bits - 1
}

// encode turns the bits of numbers into keys: another key for each bit pattern. Unsigned
// numbers are their own keys. Of floats, the NaNs come first, and -0 comes before +0.
func encode[K unsigned](of kind.Kind, x []K) {
	bits, top := sizes[K]()
	switch of {
	case kind.Signed:
		for i := range x {
			x[i] ^= top
		}
	case kind.Float:
		// Flipped, the NaNs without sign are the largest keys; the sum wraps, and so they
		// become the smallest.
		n := nans[K]()
		for i, k := range x {
			x[i] = k ^ (-(k >> (bits - 1)) | top) + n
		}
	}
}

// decode undoes encode.
func decode[K unsigned](of kind.Kind, x []K) {
	bits, top := sizes[K]()
	switch of {
	case kind.Signed:
		encode(of, x)
	case kind.Float:
		n := nans[K]()
		for i, k := range x {
			k -= n
			x[i] = k ^ (k>>(bits-1) - 1 | top)
		}
	}
}

// level gives numbers that compare as equal the same key: all NaNs, and the two zeros.
func level[K unsigned](of kind.Kind, x []K) {
	if of != kind.Float {
		return
	}
	n := nans[K]()
	_, top := sizes[K]()
	for i, k := range x {
		switch {
		case k < 2*n: // -Inf is 2n
			x[i] = 0
		case k == top-1+n:
			x[i] = top + n
		}
	}
}

// radixBits is the number of bits of a key that a pass of a radix sort looks at.
const radixBits = 8

// radixLeast is the number of keys from which on a radix sort is faster than comparing.
const radixLeast = 2048

// A radix sorts keys, the lowest digit first. Each pass is stable: a block of keys counts
// its digits, and from the counts of all blocks follows where each block puts its own.
type radix[K unsigned] struct {
	c            *call
	keys, spare  []K
	at, spareAt  []int // what goes along with the keys, or nil
	leaf, blocks int
	count        [][1 << radixBits]int // of each block, the digits
}

func newRadix[K unsigned](c *call, n int) *radix[K] {
	r := &radix[K]{c: c, keys: memoryOf[K](c, n), spare: memoryOf[K](c, n)}
	r.leaf, r.blocks = leafOf(n, max(4096, n/256))
	return r
}

// sorted are numbers that were sorted, with their type hidden.
type sorted struct {
	numbers unsafe.Pointer      // as keys
	decode  func(s policy.Span) // makes keys numbers; nil if they were in order, or after an error
	at      []int               // where each of them was, if that was asked for
}

// sortNumbers sorts n numbers of that size, which load writes to memory for all of them. If places are asked for, numbers
// that compare as equal keep their order.
func sortNumbers(c *call, n int, size uintptr, of kind.Kind, places bool, load func(s policy.Span, all unsafe.Pointer)) sorted {
	if c.err != nil {
		return sorted{}
	}
	switch size {
	case 1:
		return sortKeys[uint8](c, n, of, places, load)
	case 2:
		return sortKeys[uint16](c, n, of, places, load)
	case 4:
		return sortKeys[uint32](c, n, of, places, load)
	}
	return sortKeys[uint64](c, n, of, places, load)
}

func sortKeys[K unsigned](c *call, n int, of kind.Kind, places bool, load func(s policy.Span, all unsafe.Pointer)) sorted {
	r := newRadix[K](c, n)
	all := unsafe.Pointer(unsafe.SliceData(r.keys))
	c.spans(n, func(s policy.Span) {
		load(s, all)
		keys := r.keys[s.Begin:s.End]
		clear(r.spare[s.Begin:s.End]) // pages are there before a pass writes to all of them at once
		encode(of, keys)
		if places {
			level(of, keys)
		}
	})
	if places {
		r.at, r.spareAt = memoryOf[int](c, n), memoryOf[int](c, n)
		c.spans(n, func(s policy.Span) {
			for i := range s.All() {
				r.at[i], r.spareAt[i] = i, 0
			}
		})
	}
	if !r.sort() {
		return sorted{}
	}
	return sorted{unsafe.Pointer(unsafe.SliceData(r.keys)), func(s policy.Span) { decode(of, r.keys[s.Begin:s.End]) }, r.at}
}

// sort sorts the keys, and what goes along. It reports whether they were not in order, or false after an error.
func (r *radix[K]) sort() (changed bool) {
	if r.c.first(max(len(r.keys)-1, 0), r.descent) < 0 || r.c.err != nil {
		return false
	}
	if len(r.keys) < radixLeast && r.at == nil {
		r.c.blocks(1, 1, func(int, policy.Span) { slices.Sort(r.keys) })
		return true
	}
	differ := r.differ()
	r.count = make([][1 << radixBits]int, r.blocks)
	bits, _ := sizes[K]()
	for shift := 0; shift < bits && r.c.err == nil; shift += radixBits {
		if uint8(differ>>shift) != 0 {
			r.pass(shift)
			r.keys, r.spare = r.spare, r.keys
			r.at, r.spareAt = r.spareAt, r.at
		}
	}
	return r.c.err == nil
}

// descent returns the first of a span whose successor is smaller.
func (r *radix[K]) descent(s policy.Span) int {
	for i := range s.All() {
		if r.keys[i] > r.keys[i+1] {
			return i
		}
	}
	return -1
}

// differ returns the bits in which there are two keys that differ.
func (r *radix[K]) differ() (all K) {
	some := make([]K, r.blocks)
	r.c.blocks(len(r.keys), r.leaf, func(block int, s policy.Span) {
		r.c.pieces(s, func(s policy.Span) {
			var differ K
			for _, k := range r.keys[s.Begin:s.End] {
				differ |= k ^ r.keys[0]
			}
			some[block] |= differ
		})
	})
	for _, differ := range some {
		all |= differ
	}
	return all
}

// pass sorts by one digit, from keys into spare.
func (r *radix[K]) pass(shift int) {
	r.c.blocks(len(r.keys), r.leaf, func(block int, s policy.Span) {
		n := &r.count[block]
		clear(n[:])
		r.c.pieces(s, func(s policy.Span) {
			for _, k := range r.keys[s.Begin:s.End] {
				n[uint8(k>>shift)]++
			}
		})
	})
	if r.c.err != nil {
		return // the counts are not those of the keys
	}
	to := 0
	for digit := range 1 << radixBits {
		for block := range r.count {
			n := r.count[block][digit]
			r.count[block][digit] = to
			to += n
		}
	}
	r.c.blocks(len(r.keys), r.leaf, func(block int, s policy.Span) {
		r.c.pieces(s, func(s policy.Span) { r.move(shift, &r.count[block], s) })
	})
}

// move moves the keys of a span, and what goes along, to where their digits have their places.
func (r *radix[K]) move(shift int, to *[1 << radixBits]int, s policy.Span) {
	keys := r.keys[s.Begin:s.End]
	if r.at == nil {
		for _, k := range keys {
			digit := uint8(k >> shift)
			r.spare[to[digit]] = k
			to[digit]++
		}
		return
	}
	at := r.at[s.Begin:s.End]
	for i, k := range keys {
		digit := uint8(k >> shift)
		r.spare[to[digit]], r.spareAt[to[digit]] = k, at[i]
		to[digit]++
	}
}
