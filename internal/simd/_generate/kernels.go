package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// A kernel is a loop over the rows of x.
type kernel struct {
	name  string
	loop  string // what it does with lane l and the value x[k]
	elems []elem
	body  body
	forms form
}

// form says what else a kernel is made for.
type form int

const (
	rowsOnly form = iota
	joined        // it joins lanes with each other as well
	reduced       // and rows without lanes, as their order is no matter
)

type (
	// A body returns what to do with a register that holds some lanes, for one
	// type and instruction set. It may prepare constants before.
	body func(v vec) (joining, turning)
	// joining joins the values of x, memory or a register, into acc.
	joining func(acc VecVirtual, x Op)
	// turning takes acc into another form before the loop, and back after it. It
	// may be nil.
	turning func(acc VecVirtual)
)

var kernels = []kernel{
	{"sum", "lanes[l] += x[k]", all, sum, joined},
	{"sumSq", "lanes[l] += T(x[k]*x[k])", floats, sumSq, rowsOnly},
	{"norm1", "lanes[l] += abs(x[k])", floats, norm1, rowsOnly},
	{"min", "lanes[l] = min(lanes[l], x[k])", ordered, minimum, reduced},
	{"max", "lanes[l] = max(lanes[l], x[k])", ordered, maximum, reduced},
	{"aMax", "lanes[l] = max(lanes[l], abs(x[k]))", floats, aMax, rowsOnly},
	{"and", "lanes[l] &= x[k]", ints, bitwise(vec.and), joined},
	{"or", "lanes[l] |= x[k]", ints, bitwise(vec.or), joined},
	{"xor", "lanes[l] ^= x[k]", ints, bitwise(vec.xor), joined},
}

func sum(v vec) (joining, turning) {
	return func(acc VecVirtual, x Op) { v.add(x, acc, acc) }, nil
}

// sumSq rounds the product before it is added, as the Go code does.
func sumSq(v vec) (joining, turning) {
	return func(acc VecVirtual, x Op) {
		t, loaded := v.reg(), x
		if _, ok := x.(Mem); ok {
			VMOVUPD(x, t)
			loaded = t
		}
		v.mul(loaded, loaded, t)
		v.add(t, acc, acc)
	}, nil
}

func norm1(v vec) (joining, turning) {
	magnitude := v.magnitude()
	return func(acc VecVirtual, x Op) {
		t := v.reg()
		v.and(x, magnitude, t)
		v.add(t, acc, acc)
	}, nil
}

// minimum of floats: the instruction returns its second operand if the two are zeros
// or one is NaN, so both orders are taken. They differ in these cases only, where "or"
// makes -0 of one -0, and NaN of one NaN.
func minimum(v vec) (joining, turning) {
	if !v.float {
		return v.whole(v.min)
	}
	return func(acc VecVirtual, x Op) {
		s, t := v.load(x), v.reg()
		v.min(s, acc, t)
		v.min(acc, s, s)
		v.or(s, t, acc)
	}, nil
}

// maximum of floats is minimum, except that signs need "and": -0 of two -0 only. AVX2
// needs more instructions for this than for the negative of the minimum of -x.
func maximum(v vec) (joining, turning) {
	if !v.float {
		return v.whole(v.max)
	}
	if v.wide {
		magnitude := v.magnitude()
		return func(acc VecVirtual, x Op) {
			s, t := v.load(x), v.reg()
			v.max(s, acc, t)
			v.max(acc, s, acc)
			const majority = 0xe8 // "or" where magnitude has bits, else "and"
			VPTERNLOGQ(Imm(majority), magnitude, t, acc)
		}, nil
	}
	sign := v.sign()
	join := func(acc VecVirtual, x Op) {
		s, t := v.reg(), v.reg()
		v.xor(x, sign, s)
		v.min(s, acc, t)
		v.min(acc, s, s)
		v.or(s, t, acc)
	}
	return join, func(acc VecVirtual) { v.xor(acc, sign, acc) }
}

// aMax takes lanes from +0 on, which have no sign to think of.
func aMax(v vec) (joining, turning) {
	magnitude := v.magnitude()
	return func(acc VecVirtual, x Op) {
		s, t := v.reg(), v.reg()
		v.and(x, magnitude, s)
		v.max(s, acc, t)
		v.max(acc, s, s)
		v.or(s, t, acc)
	}, nil
}

// whole is min or max of integers. AVX2 compares large ones as signed only, so that
// unsigned ones take another form.
func (v vec) whole(op func(a, b, dst Op)) (joining, turning) {
	if v.elem != uint64s || v.wide {
		return func(acc VecVirtual, x Op) { op(x, acc, acc) }, nil
	}
	sign := v.sign()
	join := func(acc VecVirtual, x Op) {
		s := v.reg()
		v.xor(x, sign, s)
		op(s, acc, acc)
	}
	return join, func(acc VecVirtual) { v.xor(acc, sign, acc) }
}

func bitwise(op func(v vec, a, b, dst Op)) body {
	return func(v vec) (joining, turning) {
		return func(acc VecVirtual, x Op) { op(v, x, acc, acc) }, nil
	}
}
