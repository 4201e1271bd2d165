package device

import (
	"iter"
	"unsafe"
)

// A Copy says what [Memory.Copy] copies: for each index i of a box, with
// 0 <= i[d] < Extents[d], the Bytes bytes that begin at
//
//	Src.Address + Σ i[d]·Src.Strides[d]   to   Dst.Address + Σ i[d]·Dst.Strides[d]
//
// A box without extents is of one index. Package views makes boxes of up to 12 extents, as few
// as there can be, of which the last one moves least in Dst. Extents and Bytes are at least 1,
// strides at least 0, and no byte of Dst is one of Src, or there twice. Bytes may be as few as
// one element has: a memory that copies runs quickly and single elements slowly should gather
// these first.
type Copy struct {
	Direction Direction
	Dst, Src  Side
	Extents   []int
	Bytes     int // which lie next to each other on both sides
}

// A Direction says which sides of a [Copy] are addresses of the host.
type Direction uint8

// The directions, named as in CUDA. The device is the memory that copies.
const (
	HostToDevice Direction = iota
	DeviceToHost
	DeviceToDevice
)

// String returns "host to device" and so on.
func (d Direction) String() string {
	return [...]string{"host to device", "device to host", "device to device", "an unknown direction"}[min(d, 3)]
}

// A Side is one side of a [Copy]: where it begins, and how far neighbours in each dimension
// are apart, in bytes.
type Side struct {
	Address unsafe.Pointer
	Strides []int
}

// at returns the part of the side that begins at an index of its first dimensions.
func (s Side) at(index []int) Side {
	offset := 0
	for d, i := range index {
		offset += i * s.Strides[d]
	}
	return Side{unsafe.Add(s.Address, offset), s.Strides[len(index):]}
}

// Each yields copies of at most rank extents that together are c, for a memory that can copy
// so many at a time: 0 is a run of bytes, 1 is rows, as those of cudaMemcpy2D.
func (c Copy) Each(rank int) iter.Seq[Copy] {
	return func(yield func(Copy) bool) {
		outer := max(len(c.Extents)-rank, 0)
		for i := range indices(c.Extents[:outer]) {
			if !yield(Copy{c.Direction, c.Dst.at(i), c.Src.at(i), c.Extents[outer:], c.Bytes}) {
				return
			}
		}
	}
}

// A Fill says what [Memory.Fill] fills: for each index i of a box, with 0 <= i[d] < Extents[d],
// the bytes that begin at
//
//	Dst.Address + Σ i[d]·Dst.Strides[d]
//
// become those of Pattern, 1 to 16 of them. Extents are at least 1 and strides at least 0, and
// no byte is there twice. If the last stride is the length of the pattern, that many of them
// lie next to each other.
type Fill struct {
	Dst     Side
	Extents []int
	Pattern []byte
}

// MaxPattern is the length of the longest pattern of a [Fill].
const MaxPattern = 16

// Each yields fills of at most rank extents that together are f, as [Copy.Each] does.
func (f Fill) Each(rank int) iter.Seq[Fill] {
	return func(yield func(Fill) bool) {
		outer := max(len(f.Extents)-rank, 0)
		for i := range indices(f.Extents[:outer]) {
			if !yield(Fill{f.Dst.at(i), f.Extents[outer:], f.Pattern}) {
				return
			}
		}
	}
}

// indices yields the indices of a box, the last one fastest: always the same slice.
func indices(extents []int) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		index := make([]int, len(extents))
		for yield(index) {
			d := len(extents) - 1
			for ; d >= 0; d-- {
				if index[d]++; index[d] < extents[d] {
					break
				}
				index[d] = 0
			}
			if d < 0 {
				return
			}
		}
	}
}
