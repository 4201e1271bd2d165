// Package sorts writes the PTX of radix sorts: eight bits of the keys at a time, the lowest first, each pass stable. A pass is
// three launches. In the first, a block counts the digits of a tile of keys. In the second, blocks add up the counts of each digit.
// In the third, a block sorts its tile in shared memory and moves runs of equal digits to their places.
//
// A key is a number made unsigned: see [Code].
package sorts

import (
	"strconv"
	"sync"

	"github.com/gokkos/gokkos/exec/kernel/ptxtext"
)

// Threads is the number of threads of a block of all entries but Gather: one for each value of a digit.
const Threads = 256

// Tile is the number of keys of a block of the entries Count and Move.
const Tile = Threads * each

// each is the number of keys of a thread. Sixteen of 8 bytes leave room for five blocks on a processor.
const each = 16

// warps is the number of warps of a block.
const warps = Threads / 32

// The names of the entries. All parameters have 64 bits. The number of items comes first. src and step are the address of
// number 0 and the bytes to the next one. Behind them are the six words of a [Code].
const (
	// Survey has the parameters n, src, step, a code, out. At the address out are three words of 32 bits that were 0: the
	// bits in which keys differ, and a bit that says they are not in order. Any number of blocks is right.
	Survey = "gokkos_sort_survey"
	// Count has the parameters n, src, step, a code, shift, blocks, counts. A block is launched for each tile. At counts are
	// words of 32 bits: of each digit, the number of its keys in each tile.
	Count = "gokkos_sort_count"
	// Places has the parameters blocks, counts, totals. A block is launched for each digit. Its counts become what is before
	// each tile, and their sum is stored in totals.
	Places = "gokkos_sort_places"
	// Move has the parameters n, src, step, a code, shift, blocks, counts, totals, dst, dstStep, and the code of the results.
	// With ranks two more are the addresses of words of 32 bits that go along, from and to. The address 0 stands for the
	// words 0, 1, 2 and so on.
	Move = "gokkos_sort_move"
	// Restore has the parameters n, src, dst, dstStep and the code of the results: it stores the numbers of keys.
	Restore = "gokkos_sort_restore"
)

// A Code says how numbers become keys and keys numbers again: k becomes (k ^ (s & Sign | Flip)) + Shift, where the bits of s
// are the highest bit of k. The zero value is that of numbers which are keys.
type Code struct {
	Sign, Flip, Shift uint64
	// With ranks, all keys below Low become 0, and the key Zero becomes Zero + One.
	Low, Zero, One uint64
}

// Signed returns the code of integers of so many bytes that have a sign.
func Signed(bytes int) Code { return Code{Flip: 1 << (8*bytes - 1)} }

// Float returns the code of floats of so many bytes: NaNs come first, in the order of their bits without sign first, and -0
// comes before +0. With ranks all NaNs are equal, and so are the zeros.
func Float(bytes int) Code {
	top, nans := uint64(1)<<(8*bytes-1), uint64(1)<<23-1
	if bytes == 8 {
		nans = 1<<52 - 1
	}
	all := top<<1 - 1
	return Code{Sign: all, Flip: top, Shift: nans, Low: 2 * nans, Zero: (top - 1 + nans) & all, One: 1}
}

// Parameters returns the words of the code.
func (c Code) Parameters() []uint64 { return []uint64{c.Sign, c.Flip, c.Shift, c.Low, c.Zero, c.One} }

// A Key tells texts apart.
type Key struct {
	Bytes int  // of a number: 1, 2, 4 or 8
	Ranks bool // words go along
}

var texts sync.Map // by key

// Text returns the text of a sort.
func (k Key) Text() string {
	if text, ok := texts.Load(k); ok {
		return text.(string)
	}
	of := func() *writer { return &writer{Key: k} }
	text := ptxtext.Module(of().survey(), of().count(), of().places(), of().move(), of().restore())
	texts.Store(k, text)
	return text
}

// A writer writes an entry.
type writer struct {
	ptxtext.Writer
	Key
}

// The classes of registers.
const (
	b64  ptxtext.Class = "b64"
	b32  ptxtext.Class = "b32"
	pred ptxtext.Class = "pred"
)

// class returns that of a key.
func (w *writer) class() ptxtext.Class {
	if w.Bytes == 8 {
		return b64
	}
	return b32
}

// op returns the name of an instruction for keys, such as "shr.u" of "shr.u64".
func (w *writer) op(name string) string {
	return name + strconv.Itoa(8*w.class().Bytes())
}

// memory returns the type of loads and stores of numbers.
func (w *writer) memory() string { return "u" + strconv.Itoa(8*w.Bytes) }

// a code in registers.
type code struct{ sign, flip, shift, low, zero, one string }

// codeNames returns the names of the parameters of a code.
func codeNames(prefix string) (names []string) {
	for _, n := range []string{"Sign", "Flip", "Shift", "Low", "Zero", "One"} {
		names = append(names, prefix+n)
	}
	return names
}

// code loads a code.
func (w *writer) code(prefix string) code {
	var r [6]string
	for n, name := range codeNames(prefix) {
		if n < 3 || w.Ranks {
			r[n] = w.To(w.class(), w.op("ld.param.u"), "["+name+"]")
		}
	}
	return code{r[0], r[1], r[2], r[3], r[4], r[5]}
}

// encode returns the key of a number.
func (w *writer) encode(c code, x string) string {
	sign := w.To(w.class(), w.op("shr.s"), x, 8*w.class().Bytes()-1)
	flip := w.To(w.class(), w.op("or.b"), w.To(w.class(), w.op("and.b"), sign, c.sign), c.flip)
	x = w.To(w.class(), w.op("add.s"), w.To(w.class(), w.op("xor.b"), x, flip), c.shift)
	if !w.Ranks {
		return x
	}
	none := w.To(w.class(), w.op("mov.b"), 0)
	more := w.To(w.class(), w.op("selp.b"), c.one, none, w.To(pred, w.op("setp.eq.s"), x, c.zero))
	x = w.To(w.class(), w.op("add.s"), x, more)
	return w.To(w.class(), w.op("selp.b"), none, x, w.To(pred, w.op("setp.lt.u"), x, c.low))
}

// decode returns the number of a key.
func (w *writer) decode(c code, x string) string {
	x = w.To(w.class(), w.op("sub.s"), x, c.shift)
	sign := w.To(w.class(), w.op("not.b"), w.To(w.class(), w.op("shr.s"), x, 8*w.class().Bytes()-1))
	flip := w.To(w.class(), w.op("or.b"), w.To(w.class(), w.op("and.b"), sign, c.sign), c.flip)
	return w.To(w.class(), w.op("xor.b"), x, flip)
}

// digit returns the digit of a key that begins at a bit.
func (w *writer) digit(x, shift string) string {
	x = w.To(w.class(), w.op("shr.u"), x, shift)
	if w.class() == b64 {
		x = w.To(b32, "cvt.u32.u64", x)
	}
	return w.To(b32, "and.b32", x, 255)
}

// at returns the address of an item.
func (w *writer) at(base, item, step string) string {
	return w.To(b64, "add.s64", base, w.To(b64, "mul.lo.s64", item, step))
}

// word returns the address of a word of 32 bits.
func (w *writer) word(base, item string) string {
	return w.To(b64, "add.s64", base, w.To(b64, "mul.wide.u32", item, 4))
}

// below returns whether x < y, of 64 bits.
func (w *writer) below(x, y string) string { return w.To(pred, "setp.lt.u64", x, y) }

// offset returns a place behind an address in brackets.
func offset(address string, bytes int) string { return "[" + address + "+" + strconv.Itoa(bytes) + "]" }
