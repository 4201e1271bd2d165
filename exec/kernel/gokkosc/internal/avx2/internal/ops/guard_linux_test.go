package ops

import (
	"reflect"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// fenced returns n elements that end where no memory can be read, or begin where none can be read
// before, until release is called.
func fenced(t *testing.T, slice reflect.Type, n int, atEnd bool) (v reflect.Value, release func()) {
	page := syscall.Getpagesize()
	size := n * int(slice.Elem().Size())
	inner := (size + page - 1) / page * page
	memory, err := syscall.Mmap(-1, 0, inner+2*page, syscall.PROT_NONE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	require.NoError(t, err)
	if inner > 0 {
		require.NoError(t, syscall.Mprotect(memory[page:page+inner], syscall.PROT_READ|syscall.PROT_WRITE))
	}
	at := page
	if atEnd {
		at += inner - size
	}
	x := reflect.SliceAt(slice.Elem(), unsafe.Pointer(&memory[at]), n)
	v = reflect.New(slice).Elem()
	v.Set(x)
	return v, func() { require.NoError(t, syscall.Munmap(memory)) }
}
