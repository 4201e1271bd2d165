//go:build linux && (amd64 || arm64 || loong64 || ppc64le || riscv64)

package native

import (
	"unsafe"
)

// A datatype is how a number of bytes is told to a function whose count is an int.
type datatype struct {
	l             *library
	count, handle uintptr
	made          *slot // which has to be freed, or nil
}

// typeFor returns n bytes: as so many, or as one of a type that has them.
func (c *comm) typeFor(n int) (datatype, error) {
	l := c.l
	if n <= l.limit {
		return datatype{l: l, count: uintptr(n), handle: l.byteType}, nil
	}
	// Blocks of half the limit, and the bytes that are left.
	block := (l.limit + 1) / 2
	blocks, left := n/block, n%block
	b, s := new(slot), new(slot)
	if code := l.call(l.f.TypeContiguous, uintptr(block), l.byteType, uintptr(unsafe.Pointer(&b.handle))); code != 0 {
		return datatype{}, c.failed("Type_contiguous", code)
	}
	defer func() { l.call(l.f.TypeFree, uintptr(unsafe.Pointer(&b.handle))) }()
	lengths, places := []int32{int32(blocks), int32(left)}, []int{0, blocks * block}
	types := []uint64{b.handle, uint64(l.byteType)}
	if l.handleBytes == 4 {
		types = []uint64{b.handle | uint64(l.byteType)<<32}
	}
	code := l.call(l.f.TypeCreateStruct, 2, uintptr(unsafe.Pointer(&lengths[0])), uintptr(unsafe.Pointer(&places[0])), uintptr(unsafe.Pointer(&types[0])), uintptr(unsafe.Pointer(&s.handle)))
	if code != 0 {
		return datatype{}, c.failed("Type_create_struct", code)
	}
	t := datatype{l: l, count: 1, handle: uintptr(s.handle), made: s}
	if code := l.call(l.f.TypeCommit, uintptr(unsafe.Pointer(&s.handle))); code != 0 {
		t.free()
		return datatype{}, c.failed("Type_commit", code)
	}
	return datatype{l: l, count: 1, handle: uintptr(s.handle), made: s}, nil
}

func (t datatype) free() {
	if t.made != nil {
		t.l.call(t.l.f.TypeFree, uintptr(unsafe.Pointer(&t.made.handle)))
	}
}
