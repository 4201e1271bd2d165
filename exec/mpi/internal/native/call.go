//go:build linux && (amd64 || arm64 || loong64 || ppc64le || riscv64)

package native

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/gokkos/gokkos/exec/mpi/internal/link"
)

// A library is the one MPI library of this process, initialized.
type library struct {
	abi
	f       functions
	version string
	path    string

	level     Level
	waits     bool // waits inside of the library: calls may wait, and each rank has a core
	one       sync.Mutex
	main      chan func()   // runs on the thread that initialized the library
	quit      chan struct{} // closed by Finalize
	finalized atomic.Bool

	limit int // most bytes of a call whose counts are ints

	mu   sync.Mutex
	open map[*request]struct{} // which the library may still write through

	comms   []*comm // the world and what was made of it, see known
	endings endings
}

// call calls a function of the library, which returns an error code. Addresses in args are
// converted in the call itself: what they lead to is then on the heap, where it does not move,
// and kept until the call returns.
//
//go:uintptrescapes
func (l *library) call(f uintptr, args ...uintptr) (code int32) {
	switch {
	case l.level == Multiple:
		r, _, _ := purego.SyscallN(f, args...)
		return int32(r)
	case l.level == Serialized:
		l.one.Lock()
		defer l.one.Unlock()
		r, _, _ := purego.SyscallN(f, args...)
		return int32(r)
	default:
		args := slices.Clone(args) // so that only this case allocates
		code = -1
		l.onMain(func() {
			r, _, _ := purego.SyscallN(f, args...)
			code = int32(r)
		})
		return code
	}
}

// serve starts the goroutine whose thread initializes the library and finalizes it, as the
// standard wants.
func (l *library) serve() {
	l.main, l.quit = make(chan func()), make(chan struct{})
	go func() {
		runtime.LockOSThread() // for good: the thread ends with the goroutine
		for {
			select {
			case f := <-l.main:
				f()
			case <-l.quit:
				return
			}
		}
	}()
}

// onMain runs f there, and nothing after Finalize.
func (l *library) onMain(f func()) {
	done := make(chan struct{})
	select {
	case l.main <- func() { defer close(done); f() }:
		<-done
	case <-l.quit:
	}
}

// ready is an error after Finalize, when the library must not be called.
func (l *library) ready() error {
	if l.finalized.Load() {
		return fmt.Errorf("mpi: called after Finalize: %w", link.ErrClosed)
	}
	return nil
}

// check returns the error of a code that the library returned.
func (l *library) check(what string, code int32) error {
	if code == 0 {
		return nil
	}
	var class, length int32
	text := make([]byte, textBytes)
	l.call(l.f.ErrorClass, uintptr(code), uintptr(unsafe.Pointer(&class)))
	l.call(l.f.ErrorString, uintptr(code), uintptr(unsafe.Pointer(&text[0])), uintptr(unsafe.Pointer(&length)))
	words := strings.TrimSpace(string(text[:min(max(int(length), 0), len(text))]))
	if words == "" {
		words = fmt.Sprint("error code ", code)
	}
	switch {
	case class == l.truncate:
		return fmt.Errorf("mpi: %s: %w: %s", what, link.ErrTruncate, words)
	case strings.Contains(strings.ToUpper(words), "PROC_FAILED") || strings.Contains(words, "rocess failure"):
		return fmt.Errorf("mpi: %s: %w: %s", what, link.ErrDead, words)
	}
	return fmt.Errorf("mpi: %s: %s", what, words)
}

// at returns where the bytes of b are, and for none an address that libraries accept.
func at(b []byte) unsafe.Pointer {
	if len(b) == 0 {
		return unsafe.Pointer(&nothing)
	}
	return unsafe.Pointer(&b[0])
}

var nothing uint64
