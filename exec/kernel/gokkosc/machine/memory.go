package machine

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"unsafe"
)

// Memory is the memory that launches can access.
type Memory struct {
	ranges []*span // by address; none overlap
	last   *span   // that was accessed
}

// A span is memory from an address on.
type span struct {
	at    uint64
	bytes []byte
	seen  []uint8 // of each byte: its accesses in this launch; nil if there were none
}

// Accesses to a byte in a launch.
const (
	wasStored   = 1 << iota
	wasReadOnce // through the cache that stores do not reach
)

func (r *span) end() uint64 { return r.at + uint64(len(r.bytes)) }

// Map makes memory of the host accessible, and returns its address. Slices that overlap, as parts of one
// array do, overlap in the memory as well. Without bytes the address is 0.
func (m *Memory) Map(b []byte) uint64 {
	if len(b) == 0 {
		return 0
	}
	at := uint64(uintptr(unsafe.Pointer(unsafe.SliceData(b))))
	n := &span{at: at, bytes: b}
	m.ranges = slices.DeleteFunc(m.ranges, func(r *span) bool {
		if r.end() <= n.at || n.end() <= r.at {
			return false
		}
		first, end := r, max(r.end(), n.end()) // both are parts of one array
		if n.at < r.at {
			first = n
		}
		n = &span{at: first.at, bytes: unsafe.Slice(unsafe.SliceData(first.bytes), end-first.at)}
		return true
	})
	m.last = nil
	m.insert(n)
	return at
}

// insert adds a range in its place.
func (m *Memory) insert(n *span) {
	k, _ := slices.BinarySearchFunc(m.ranges, n.at, func(r *span, at uint64) int { return cmp.Compare(r.at, at) })
	m.ranges = slices.Insert(m.ranges, k, n)
}

// MapAt makes bytes accessible at an address of their own, as memory of a device has. The slice must overlap
// no mapped one.
func (m *Memory) MapAt(at uint64, b []byte) {
	if len(b) > 0 {
		m.insert(&span{at: at, bytes: b})
	}
}

// begin forgets the accesses of the launch before.
func (m *Memory) begin() {
	for _, r := range m.ranges {
		r.seen = nil
	}
}

// access returns some bytes at an address, which must be a multiple of their number, and notes the access.
func (m *Memory) access(at uint64, bytes int, what uint8) ([]byte, error) {
	if at%uint64(bytes) != 0 {
		return nil, fmt.Errorf("address %#x is no multiple of %d", at, bytes)
	}
	if r := m.find(at); r != nil && r.end()-at >= uint64(bytes) {
		k := at - r.at
		if what != 0 {
			if r.seen == nil {
				r.seen = make([]uint8, len(r.bytes))
			}
			if r.seen[k] |= what; r.seen[k] == wasStored|wasReadOnce {
				return nil, fmt.Errorf("address %#x is stored to, and loaded by ld.global.nc, in one launch", at)
			}
		}
		return r.bytes[k : k+uint64(bytes)], nil
	}
	return nil, fmt.Errorf("%d bytes at %#x are not memory of the launch", bytes, at)
}

// find returns the range that an address is in, or nil.
func (m *Memory) find(at uint64) *span {
	if r := m.last; r != nil && at >= r.at && at < r.end() {
		return r
	}
	low, high := 0, len(m.ranges)
	for low < high {
		if middle := (low + high) / 2; m.ranges[middle].end() <= at {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low == len(m.ranges) || at < m.ranges[low].at {
		return nil
	}
	m.last = m.ranges[low]
	return m.last
}

func get(b []byte) uint64 {
	switch len(b) {
	case 8:
		return binary.NativeEndian.Uint64(b)
	case 4:
		return uint64(binary.NativeEndian.Uint32(b))
	case 2:
		return uint64(binary.NativeEndian.Uint16(b))
	}
	return uint64(b[0])
}

func set(b []byte, x uint64) {
	switch len(b) {
	case 8:
		binary.NativeEndian.PutUint64(b, x)
	case 4:
		binary.NativeEndian.PutUint32(b, uint32(x))
	case 2:
		binary.NativeEndian.PutUint16(b, uint16(x))
	default:
		b[0] = byte(x)
	}
}
