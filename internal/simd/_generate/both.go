package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// bothLeaves writes the kernel that reduces short leaves by sum and by sum of squares, four leaves at a time: a
// row of each of four leaves is in one register or in a few.
func bothLeaves(v vec) {
	name := v.named("bothLeaves")
	v.text(name, "func(sums, squares, x []T, leaf int)",
		" is sumLeaves and sumSqLeaves of len(sums) leaves, a multiple of four, which have rows of at most 32 bytes:")
	sums, squares := Load(Param("sums").Base(), GP64()), Load(Param("squares").Base(), GP64())
	n := Load(Param("sums").Len(), GP64())
	x, leaf := Load(Param("x").Base(), GP64()), Load(Param("leaf"), GP64())
	SHRQ(Imm(2), n)
	JZ(LabelRef("done"))
	var shapes []fourLeaves
	for row := v.elem.bytes; row <= 32; row *= 2 {
		shapes = append(shapes, fourLeaves{v, row, rowsOfShort})
	}
	for rows := rowsOfShort / 2; rows*v.elem.bytes >= 16; rows /= 2 { // leaves of one lane
		shapes = append(shapes, fourLeaves{v, v.elem.bytes, rows})
	}
	shapes = append(shapes, fourLeaves{v, v.elem.bytes, 1})
	for _, f := range shapes {
		CMPQ(leaf, U32(uint32(f.values())))
		JE(LabelRef(f.label()))
	}
	JMP(LabelRef("done"))
	for _, f := range shapes {
		Label(f.label())
		sum, square := f.reduce(x)
		VMOVUPS(sum, Mem{Base: sums})
		VMOVUPS(square, Mem{Base: squares})
		ADDQ(U32(uint32(group*f.values()*v.elem.bytes)), x)
		ADDQ(U32(uint32(group*v.elem.bytes)), sums)
		ADDQ(U32(uint32(group*v.elem.bytes)), squares)
		DECQ(n)
		JNZ(LabelRef(f.label()))
		VZEROUPPER()
		RET()
	}
	Label("done")
	RET()
}

// fourLeaves are four leaves with rows of so many bytes.
type fourLeaves struct {
	v         vec
	row, rows int
}

func (f fourLeaves) values() int { return f.row / f.v.elem.bytes * f.rows }

func (f fourLeaves) label() string { return fmt.Sprintf("leavesOf%d", f.values()) }

// reduce returns the sums of four leaves at x, and of their squares.
func (f fourLeaves) reduce(x Register) (sum, square VecVirtual) {
	var sums, squares []VecVirtual
	v := f.v
	v.half = f.row*group < 32
	bytes := f.row * f.rows
	var leaves [group]Mem
	for k := range leaves {
		leaves[k] = Mem{Base: x, Disp: k * bytes}
	}
	for d := 0; d < bytes; d += max(f.row, min(bytes, 16)) {
		for _, row := range f.read(v, leaves, d) {
			if sums == nil {
				sums, squares = v.zeros(len(row)), v.zeros(len(row))
			}
			for k, t := range row {
				u := v.reg()
				v.mul(t, t, u)
				v.add(t, sums[k], sums[k])
				v.add(u, squares[k], squares[k])
			}
		}
	}
	return f.join(v, sums), f.join(v, squares)
}

// read returns the rows of the leaves from a place on that are read together.
func (f fourLeaves) read(v vec, leaves [group]Mem, disp int) (rows [][]VecVirtual) {
	switch {
	case f.rows == 1: // leaves are values, which are neighbours
		return [][]VecVirtual{{v.load(leaves[0])}}
	case f.row == 32:
		var row []VecVirtual
		for _, x := range leaves {
			row = append(row, v.load(x.Offset(disp)))
		}
		return [][]VecVirtual{row}
	case f.row == 16:
		return [][]VecVirtual{v.quarters(leaves, disp)}
	}
	as := v
	as.elem.bytes = f.row
	for _, row := range as.transposed(v.quarters(leaves, disp)) {
		rows = append(rows, []VecVirtual{row})
	}
	return rows
}

// join joins the lanes of each leaf, half with half, and returns what the leaves come to, in their order.
func (f fourLeaves) join(v vec, x []VecVirtual) VecVirtual {
	row := f.row
	if row == 32 {
		for k := range 2 {
			low, high := v.reg(), v.reg()
			VINSERTF128(Imm(1), x[k+2].AsX(), x[k], low)
			VPERM2F128(Imm(0x31), x[k+2], x[k], high)
			v.add(high, low, low)
			x[k] = low
		}
		x, row = x[:2], 16
	}
	if row == 16 {
		low, high := v.reg(), v.reg()
		VUNPCKLPD(x[1], x[0], low)
		VUNPCKHPD(x[1], x[0], high)
		v.add(high, low, low)
		x, row = []VecVirtual{low}, 8
	}
	if row > v.elem.bytes {
		VHADDPS(x[0], x[0], x[0])
		VPERMPD(Imm(0x08), x[0], x[0])
		return x[0].AsX().(VecVirtual)
	}
	return x[0]
}
