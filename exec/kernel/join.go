package kernel

import (
	"math"

	"github.com/gokkos/gokkos/reducers/concept"
)

// A Join is how a [Text] joins the values of an accumulator.
//
//	op   0     1         2         3         4               5               6     7    8
//	     sum   product   minimum   maximum   min. unsigned   max. unsigned   and   or   exclusive or
//
// The op 9 of the first accumulator leaves the lanes of all accumulators apart, or the members of teams of several: whoever launches
// the text joins them.
type Join struct {
	Op       uint64
	Identity uint64 // what a lane begins as
	Bytes    int    // of a value
}

// The operations of a [Join].
const (
	joinSum = iota
	joinProd
	joinMin
	joinMax
	joinMinUnsigned
	joinMaxUnsigned
	joinAnd
	joinOr
	joinXor
	joinNone
)

// number describes a basic type.
type number struct {
	bytes            int
	unsigned, float  bool
	one, least, most uint64
}

func signed(bytes int) number {
	most := uint64(1)<<(8*bytes-1) - 1
	return number{bytes: bytes, one: 1, least: ^most, most: most}
}

func unsigned(bytes int) number {
	return number{bytes: bytes, unsigned: true, one: 1, most: math.MaxUint64 >> (64 - 8*bytes)}
}

var numbers = map[string]number{
	"int": signed(8), "int8": signed(1), "int16": signed(2), "int32": signed(4), "int64": signed(8),
	"uint": unsigned(8), "uint8": unsigned(1), "uint16": unsigned(2), "uint32": unsigned(4), "uint64": unsigned(8), "uintptr": unsigned(8),
	"float64": {8, false, true, math.Float64bits(1), math.Float64bits(math.Inf(-1)), math.Float64bits(math.Inf(1))},
	"float32": {4, false, true, uint64(math.Float32bits(1)), uint64(math.Float32bits(float32(math.Inf(-1)))), uint64(math.Float32bits(float32(math.Inf(1))))},
}

// JoinOf returns how values of a type, such as "float64" or "bool", are joined by an operation. It is false
// where texts know none: the join of a number or bool then leaves lanes apart, and its identity is for the caller to set.
func JoinOf(op concept.Op, of string) (j Join, ok bool) {
	n, isNumber := numbers[of]
	switch {
	case of == "bool":
		n = number{bytes: 1, most: 1}
	case !isNumber:
		return Join{}, false
	}
	bits := !n.float
	switch {
	case op == concept.OpSum && isNumber:
		return Join{joinSum, 0, n.bytes}, true
	case op == concept.OpProd && isNumber:
		return Join{joinProd, n.one, n.bytes}, true
	case op == concept.OpMin && isNumber && n.unsigned:
		return Join{joinMinUnsigned, n.most, n.bytes}, true
	case op == concept.OpMin && isNumber:
		return Join{joinMin, n.most, n.bytes}, true
	case op == concept.OpMax && isNumber && n.unsigned:
		return Join{joinMaxUnsigned, n.least, n.bytes}, true
	case op == concept.OpMax && isNumber:
		return Join{joinMax, n.least, n.bytes}, true
	case op == concept.OpAnd && bits:
		return Join{joinAnd, allSet(of, n), n.bytes}, true
	case op == concept.OpOr && bits:
		return Join{joinOr, 0, n.bytes}, true
	case op == concept.OpXor && bits && isNumber:
		return Join{joinXor, 0, n.bytes}, true
	}
	return Join{Op: joinNone, Bytes: n.bytes}, false
}

// allSet returns what is the identity of and.
func allSet(of string, n number) uint64 {
	if n.unsigned || of == "bool" {
		return n.most
	}
	return math.MaxUint64
}
