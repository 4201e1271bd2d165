package device

import (
	"errors"
	"unsafe"

	"github.com/gokkos/gokkos/exec/space"
)

// A Memory is where elements of views can be, apart from the memory of the host: that of a
// card. Package views allocates in it, copies from and to it, fills it and frees it.
//
// An address may be one that the host cannot read: views keep it as it is and leave it to the
// memory to do something there. What is at an address has no type, and never a pointer.
//
// A Memory must be usable by several goroutines at once. Two are the same memory if they are
// equal, so it should be a pointer.
type Memory interface {
	// String names the memory in messages. It must not be empty.
	String() string
	// Owner returns the space whose memory it is: the [MemoryOwner]. Launches over views in
	// the memory run there unless they are given another space. It is nil if every space can
	// touch the memory, as that of the host.
	Owner() space.Space
	// Guard returns what says when functors may touch the memory from the host, always the
	// same one. It is nil if they never may, which is right for a card.
	//
	// The addresses of a memory with a guard must be of ordinary Go memory, which stays as
	// long as anything refers to it.
	Guard() *Guard

	// Allocate returns the address of that many bytes, all of them zero. The address is a
	// multiple of align, a power of two up to 4096, and at least 4096: the Go runtime takes
	// smaller pointers for broken ones. All bytes have an address behind it. That of 0 bytes
	// may be nil as well. Package views returns an error if it is none of these.
	//
	// An address is in Go memory that the Memory keeps until Free, or in none: of an address
	// in the heap where nothing is allocated, the garbage collector ends the program.
	//
	// Errors: bytes or align is none of these; there can be no views in the memory, such as
	// after its space was closed; and an error that wraps [ErrOutOfMemory] if there is not
	// enough. Package views then waits for what the garbage collector frees, and tries again.
	Allocate(bytes, align int) (unsafe.Pointer, error)
	// Free gives back what Allocate returned, of 0 bytes as well. It is an error if that is not
	// allocated now.
	//
	// It may be called at any time and from any goroutine, several times at once and beside
	// all the other methods: by views.Free, and by goroutines of the runtime once nothing
	// refers to a view any more, while launches run on the space and after it was closed.
	// Nobody hears of the error then, and what is freed so must not wait for other launches.
	Free(address unsafe.Pointer) error
	// Copy copies bytes from the host to the memory, to the host or within the memory. It
	// returns when it is done, and sees what launches have written that have returned. After
	// an error the bytes of Dst may be any.
	Copy(c Copy) error
	// Fill repeats a pattern of bytes. It returns when it is done.
	Fill(f Fill) error
}

// A Peer is a [Memory] that may copy from another one without the host. Package views asks the memory of Dst first,
// and copies through the host if that cannot.
type Peer interface {
	Memory
	// CopyFrom copies as Copy does, where Src is in another memory and the direction is [DeviceToDevice]. It returns
	// false, and has copied nothing, if it cannot: the other memory is of another kind, or the two are not linked.
	CopyFrom(from Memory, c Copy) (done bool, err error)
}

// A MemoryOwner is a space that has a memory of its own. A card must be one: host memory is
// what it cannot touch.
type MemoryOwner interface {
	// Memory returns the memory, always the same one, or nil if there is none after all.
	Memory() Memory
}

// MemoryOf returns the memory of a space, or nil if it is no [MemoryOwner].
func MemoryOf(s space.Space) Memory {
	if o, ok := s.(MemoryOwner); ok {
		return o.Memory()
	}
	return nil
}

// ErrOutOfMemory says that a memory has no room for what is to be allocated.
var ErrOutOfMemory = errors.New("out of memory")
