package kind_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gokkos/gokkos/internal/kind"
)

type (
	named32   float32
	named64   float64
	namedByte uint8
	namedInt  int
	namedWord uintptr
	namedPair complex64
)

// is checks all that is said about T, by arithmetic and by reflection.
func is[T kind.Number](t *testing.T, want kind.Kind) {
	typ := reflect.TypeFor[T]()
	assert.Equal(t, want, kind.Of(typ), "%v", typ)
	assert.Equal(t, want == kind.Signed || want == kind.Unsigned, kind.IsInteger[T](), "%v is an integer", typ)
	assert.Equal(t, want == kind.Unsigned, kind.IsUnsigned[T](), "%v is unsigned", typ)
	assert.Equal(t, want == kind.Float, kind.IsFloat[T](), "%v is a float", typ)
	assert.Equal(t, want == kind.Complex, kind.IsComplex[T](), "%v is complex", typ)
}

func TestNumbers(t *testing.T) {
	is[int](t, kind.Signed)
	is[int8](t, kind.Signed)
	is[int16](t, kind.Signed)
	is[int32](t, kind.Signed)
	is[int64](t, kind.Signed)
	is[namedInt](t, kind.Signed)
	is[uint](t, kind.Unsigned)
	is[uint8](t, kind.Unsigned)
	is[uint16](t, kind.Unsigned)
	is[uint32](t, kind.Unsigned)
	is[uint64](t, kind.Unsigned)
	is[uintptr](t, kind.Unsigned)
	is[namedByte](t, kind.Unsigned)
	is[namedWord](t, kind.Unsigned)
	is[float32](t, kind.Float)
	is[float64](t, kind.Float)
	is[named32](t, kind.Float)
	is[named64](t, kind.Float)
	is[complex64](t, kind.Complex)
	is[complex128](t, kind.Complex)
	is[namedPair](t, kind.Complex)
}

func TestOtherTypes(t *testing.T) {
	for _, x := range []any{false, "1", [1]int{}, []int{}, struct{ x int }{}, new(int), func() {}} {
		assert.Equal(t, kind.None, kind.Of(reflect.TypeOf(x)), "%T", x)
	}
	assert.Equal(t, kind.None, kind.Of(reflect.TypeFor[any]()))
}
