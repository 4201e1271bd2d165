package reduce

import (
	"reflect"

	"github.com/gokkos/gokkos/internal/typed"
)

// maxLaneBytes is the size of the largest value that is reduced in lanes: a part of the rule
// in docs/determinism.md.
const maxLaneBytes = 64

// A shape is what a column knows of the type of its values.
type shape struct {
	pointer uintptr // to them, see typed.Of; 0 if nothing is known
	size    uintptr
	flat    bool // they refer to no memory elsewhere
	small   bool // they can be reduced in lanes
	bits    bool // they are numbers and bools, and refer to nothing
	word    bool // they are as large as a uint64, and lie where one may lie
	number  number
}

// number says which type of numbers values are that vectors join.
type number int8

const (
	otherwise number = iota
	float64s
	float32s
	ints
	int64s
	int32s
	uint64s
	uint32s
)

var numbers = map[reflect.Type]number{
	reflect.TypeFor[float64](): float64s,
	reflect.TypeFor[float32](): float32s,
	reflect.TypeFor[int]():     ints,
	reflect.TypeFor[int64]():   int64s,
	reflect.TypeFor[int32]():   int32s,
	reflect.TypeFor[uint64]():  uint64s,
	reflect.TypeFor[uint32]():  uint32s,
}

// know finds out what there is to know of the type of values, given a pointer to one.
func (s *shape) know(nilPointer any) {
	if s.pointer != 0 {
		return
	}
	t := reflect.TypeOf(nilPointer).Elem()
	s.pointer = typed.Of(nilPointer)
	s.size = t.Size()
	s.flat = isFlat(t)
	s.small = s.flat && sizeof(t) <= maxLaneBytes
	s.bits = isBits(t)
	s.word = s.bits && s.size == 8 && t.Align() == reflect.TypeFor[uint64]().Align()
	s.number = numbers[t]
}
