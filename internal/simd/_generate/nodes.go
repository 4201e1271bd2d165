package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// groups is how many groups of four leaves a node has at most.
const groups = nodeLeaves / group

// sumsBytes is the room for the sums of a group: one of them, or two, are the first of it.
const sumsBytes = 16

// nodes writes the kernel that reduces nodes of short leaves by one sum, or by two in one pass, four leaves at a time:
// a row of each of four leaves is in one register or in a few.
func (v vec) nodes(name string, terms ...body) {
	v.text(v.named(name), "func(dst, x []T, n, apart, stride, whole, rest int, last []T, leaf int)",
		" takes n nodes of leaves of that length. Number k is the values from x[k*stride] on: so many whole groups of four leaves, and so"+
			" many values more, which are fewer than a group. It copies these to last, a group of zeros. A sum goes to dst[k], and another"+
			" one, if there are two, to dst[k+apart].")
	dst := []Register{Load(Param("dst").Base(), GP64())}
	x, n := Load(Param("x").Base(), GP64()), Load(Param("n"), GP64())
	if len(terms) == 2 {
		apart := Load(Param("apart"), GP64())
		dst = append(dst, GP64())
		LEAQ(Mem{Base: dst[0], Index: apart, Scale: uint8(v.elem.bytes)}, dst[1])
	}
	stride, whole := Load(Param("stride"), GP64()), Load(Param("whole"), GP64())
	last, leaf := Load(Param("last").Base(), GP64()), Load(Param("leaf"), GP64())
	room := AllocLocal(groups * sumsBytes)
	TESTQ(n, n)
	JZ(LabelRef("done"))
	SHLQ(Imm(log2(v.elem.bytes)), stride)
	zero := YMM()
	VXORPD(zero, zero, zero)
	for k := 0; k < groups*sumsBytes; k += 32 { // groups that are not there are zeros
		VMOVUPD(zero, room.Offset(k))
	}
	shapes := v.shapes()
	for _, f := range shapes {
		CMPQ(leaf, U32(uint32(f.values())))
		JE(LabelRef(f.label()))
	}
	JMP(LabelRef("done"))
	for _, f := range shapes {
		f.nodes(terms, nodes{dst, x, n, stride, whole, last, room})
	}
	Label("done")
	VZEROUPPER()
	RET()
}

// shapes returns the leaves that there is a loop for: by the bytes of a row of a leaf, and its rows.
func (v vec) shapes() (shapes []fourLeaves) {
	for row := v.elem.bytes; row <= 32; row *= 2 {
		shapes = append(shapes, fourLeaves{v, row, rowsOfShort})
	}
	for rows := rowsOfShort / 2; rows*v.elem.bytes >= 16; rows /= 2 { // leaves of one lane
		shapes = append(shapes, fourLeaves{v, v.elem.bytes, rows})
	}
	return append(shapes, fourLeaves{v, v.elem.bytes, 1})
}

// nodes are the arguments of the kernel of nodes, and the room for the sums of a node.
type nodes struct {
	dst                       []Register
	x, n, stride, whole, last Register
	room                      Mem
}

// nodes writes the loop over nodes of such leaves.
func (f fourLeaves) nodes(terms []body, k nodes) {
	bytes := U32(uint32(group * f.values() * f.v.elem.bytes))
	from, left, rest, to := GP64(), GP64(), GP64(), GP64()
	Label(f.label())
	var join []joining
	for _, term := range terms {
		j, _ := term(f.registers())
		join = append(join, j)
	}
	Label(f.label() + "Node")
	MOVQ(k.x, from)
	MOVQ(k.whole, left)
	Load(Param("rest"), rest)
	LEAQ(k.room, to)
	TESTQ(left, left)
	JZ(LabelRef(f.label() + "Rest"))
	Label(f.label() + "Group")
	sums := f.reduce(join, from)
	VMOVUPD(f.sums(sums[0], sums[len(sums)-1]), Mem{Base: to})
	ADDQ(bytes, from)
	ADDQ(Imm(sumsBytes), to)
	DECQ(left)
	JNZ(LabelRef(f.label() + "Group"))
	Label(f.label() + "Rest")
	TESTQ(rest, rest)
	JZ(LabelRef(f.label() + "Join"))
	f.v.copy(f.label(), k.last, from, rest)
	MOVQ(k.last, from)
	INCQ(left)
	JMP(LabelRef(f.label() + "Group"))
	Label(f.label() + "Join")
	joined := f.v.joinGroups(k.room, groups)
	f.v.store(joined, Mem{Base: k.dst[0]})
	switch {
	case len(k.dst) == 1:
	case f.v.elem.bytes == 8:
		VMOVHPD(joined, Mem{Base: k.dst[1]})
	default:
		VEXTRACTPS(Imm(1), joined, Mem{Base: k.dst[1]})
	}
	ADDQ(k.stride, k.x)
	for _, to := range k.dst {
		ADDQ(Imm(uint64(f.v.elem.bytes)), to)
	}
	DECQ(k.n)
	JNZ(LabelRef(f.label() + "Node"))
	JMP(LabelRef("done"))
}

// copy copies n values, and leaves n at zero.
func (v vec) copy(label string, dst, src, n Register) {
	to := GP64()
	MOVQ(dst, to)
	move := func(label string, bytes int, load func()) {
		Label(label)
		SUBQ(Imm(uint64(bytes/v.elem.bytes)), n)
		JL(LabelRef(label + "Done"))
		load()
		ADDQ(Imm(uint64(bytes)), src)
		ADDQ(Imm(uint64(bytes)), to)
		JMP(LabelRef(label))
		Label(label + "Done")
		ADDQ(Imm(uint64(bytes/v.elem.bytes)), n)
	}
	move(label+"Copy", 32, func() {
		x := YMM()
		VMOVUPD(Mem{Base: src}, x)
		VMOVUPD(x, Mem{Base: to})
	})
	move(label+"CopyOne", v.elem.bytes, func() {
		x := v.part(Mem{Base: src}, 1).(VecVirtual)
		v.store(x, Mem{Base: to})
	})
}

// sums returns what the sums of four leaves come to, neighbours first, and what other ones come to, one beside the other.
func (f fourLeaves) sums(first, second VecVirtual) VecVirtual {
	pairs := f.v.reg()
	if f.v.elem.bytes == 4 {
		VHADDPS(second.AsX(), first.AsX(), pairs.AsX())
		VHADDPS(pairs.AsX(), pairs.AsX(), pairs.AsX())
		return pairs.AsX().(VecVirtual)
	}
	VHADDPD(second, first, pairs)
	high := XMM()
	VEXTRACTF128(Imm(1), pairs, high)
	f.v.add(high, pairs.AsX(), pairs.AsX())
	return pairs.AsX().(VecVirtual)
}

// joinGroups joins the sums of n groups as the tree does, neighbours first.
func (v vec) joinGroups(at Mem, n int) VecVirtual {
	if n == 1 {
		x := XMM()
		VMOVUPD(at, x)
		return x
	}
	x := v.joinGroups(at, n/2)
	if n == 2 {
		v.add(at.Offset(sumsBytes), x, x)
	} else {
		v.add(v.joinGroups(at.Offset(n/2*sumsBytes), n/2), x, x)
	}
	return x
}

// fourLeaves are four leaves with rows of so many bytes.
type fourLeaves struct {
	v         vec
	row, rows int
}

func (f fourLeaves) values() int { return f.row / f.v.elem.bytes * f.rows }

func (f fourLeaves) label() string { return fmt.Sprintf("leavesOf%d", f.values()) }

// registers returns the registers that the rows of four leaves are in.
func (f fourLeaves) registers() vec {
	f.v.half = f.row*group < 32
	return f.v
}

// reduce returns the sums of four leaves at x, one for each term.
func (f fourLeaves) reduce(join []joining, x Register) []VecVirtual {
	sums := make([][]VecVirtual, len(join))
	v, bytes := f.registers(), f.row*f.rows
	var leaves [group]Mem
	for k := range leaves {
		leaves[k] = Mem{Base: x, Disp: k * bytes}
	}
	for d := 0; d < bytes; d += max(f.row, min(bytes, 16)) {
		for _, row := range f.read(v, leaves, d) {
			for m, join := range join {
				if sums[m] == nil {
					sums[m] = v.zeros(len(row))
				}
				for k, t := range row {
					join(sums[m][k], t)
				}
			}
		}
	}
	var joined []VecVirtual
	for _, lanes := range sums {
		joined = append(joined, f.join(v, lanes))
	}
	return joined
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
