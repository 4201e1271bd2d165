package cuda

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
)

type meters float64

type nested[T any] struct {
	A [2]struct {
		At T
		_  int32
		On bool
	}
	None  [0]float64
	Depth meters
}

// layoutOf returns the layout that values of a type have as bytes.
func layoutOf[T any]() string {
	return concept.FormOf(reducers.New(new(T), func(dst, src *T) {})).Layout
}

// The numbers of a layout are those of the type, without the names of types.
func TestNumbersIn(t *testing.T) {
	for layout, want := range map[string]string{
		layoutOf[float64]():                           "float64/8",
		layoutOf[bool]():                              "bool",
		layoutOf[meters]():                            "float64/8",
		layoutOf[[3]int16]():                          "int16/2 int16/2 int16/2",
		layoutOf[builtin.ValLoc[float32, [2]int32]](): "float32/4 int32/4 int32/4 bool",
		layoutOf[builtin.ValLoc[meters, struct{ I, J uint64 }]](): "float64/8 uint64/8 uint64/8 bool",
		layoutOf[nested[meters]]():                                "float64/8 bool float64/8 bool float64/8",
		layoutOf[nested[struct{ X [1]uint8 }]]():                  "uint8/1 bool uint8/1 bool float64/8",
		layoutOf[[17]int8]():                                      "-",
		layoutOf[struct{}]():                                      "",
		layoutOf[string]():                                        "string",
		"":                                                        "-",
		"[x]float64/8":                                            "-",
		"{X float64/8":                                            "-",
		"{X":                                                      "-",
		"[99999999999]float64/8":                                  "-",
	} {
		list, rest, ok := numbersIn(nil, layout)
		got := strings.Join(list, " ")
		if !ok || rest != "" {
			got = "-"
		}
		assert.Equal(t, want, got, "%q", layout)
	}
}
