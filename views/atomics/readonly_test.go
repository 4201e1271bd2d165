package atomics_test

import (
	"runtime/debug"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/views/atomics"
)

// zeros are in memory that most systems do not let be written.
const zeros = "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"

// zeroOf returns a zero in memory that must not be written.
func zeroOf[T builtin.Real]() *T {
	at := unsafe.Pointer(unsafe.StringData(zeros))
	return (*T)(unsafe.Add(at, -uintptr(at)%8))
}

func checkNothingIsWritten[T builtin.Real](t *testing.T) {
	zero := zeroOf[T]()
	assert.NotPanics(t, func() {
		assert.Zero(t, atomics.Min(zero, 0))
		assert.Zero(t, atomics.Min(zero, 1))
		assert.Zero(t, atomics.FetchMin(zero, 1))
		assert.Zero(t, atomics.Max(zero, 0))
		assert.Zero(t, atomics.FetchMax(zero, 0))
	}, "%T", *zero)
}

// Min and Max write only what is new.
func TestNothingNewIsNotWritten(t *testing.T) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	// Not bytes: a fault under a lock would leave it locked.
	checkNothingIsWritten[int32](t)
	checkNothingIsWritten[uint64](t)
	checkNothingIsWritten[float32](t)
	checkNothingIsWritten[float64](t)
}
