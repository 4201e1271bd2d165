package asm

import (
	"go/token"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// text returns the instructions of a function as the assembler reads them.
func text(f *Function) string {
	all := f.Text("f", "is a test.", nil, nil)
	_, rest, _ := strings.Cut(all, "NO_LOCAL_POINTERS\n")
	return strings.ReplaceAll(rest, "\t", "")
}

// A register is given to another value where its own is read for the last time.
func TestRegistersAreUsedAgain(t *testing.T) {
	w := newWriter()
	sum := w.add(w.set(1), w.set(2))
	w.Effect("STORE", R(w.add(sum, sum)))
	assert.Equal(t, "SET $1, V0\nSET $2, V1\nADD V0, V1, V0\nADD V0, V0, V0\nSTORE V0\nRET\n", text(w.allocated(t)))
}

// A value from in front of a loop keeps its register to the loop's end, though it is read at its begin only.
func TestValuesLiveThroughLoops(t *testing.T) {
	w := newWriter()
	n, x := w.Integer(), w.set(1)
	w.Do("MOV", Const(3), R(n))
	first := w.Mark("again")
	w.Effect("STORE", R(x))
	w.Effect("STORE", R(w.set(2)))
	w.loop(n, first)
	f := w.allocated(t)
	assert.Contains(t, text(f), "STORE V0\nSET $2, V1\nSTORE V1\n")
}

// loop writes the end of a loop that a counter ends.
func (w *writer) loop(n *Reg, first *Instr) {
	w.Emit(&Instr{Op: "DEC", Args: []Operand{R(n)}, Writes: 1, Reads: true, Flags: true})
	w.Closes(first, w.Jump("LOOP", first.Label))
}

// If there are more values than registers, the least used value lives in the frame, behind the first two
// vectors of the frame.
func TestSpills(t *testing.T) {
	w := newWriter()
	var all []*Reg
	for n := range 5 {
		all = append(all, w.set(n))
	}
	sum := w.add(all[4], all[3])
	for n := 2; n >= 0; n-- {
		sum = w.add(sum, all[n])
	}
	w.Effect("STORE", R(sum))
	f := w.function()
	want := run(f, f.printer().operand).stored
	require.NoError(t, f.Allocate(true))
	out := text(f)
	assert.Contains(t, out, "SET $0, V3\nMOVE V3, 64(SP)\n")
	assert.Contains(t, out, "MOVE 64(SP), V")
	assert.Equal(t, want, run(f, func(o Operand) string { return f.operand(o, 0) }).stored)
	assert.GreaterOrEqual(t, f.frame, 64+3*32)
}

// Places in the frame are used again, too.
func TestSlotsAreUsedAgain(t *testing.T) {
	frame := func(times int) int {
		w := newWriter()
		for range times {
			var all []*Reg
			for n := range 6 {
				all = append(all, w.set(n))
			}
			for n := range all {
				w.Effect("STORE", R(w.add(all[n], all[len(all)-1-n])))
			}
		}
		return w.allocated(t).frame
	}
	assert.Equal(t, frame(1), frame(4))
	assert.Greater(t, frame(1), 64)
}

// A constant without a register is read from memory where an instruction can, and made anew elsewhere. Constants that are
// not read any more are not in the data.
func TestConstants(t *testing.T) {
	w := newWriter()
	constant := func(bits uint64) *Reg {
		r := w.vec()
		r.Remade = Make("SET", Imm(w.data.Symbol([]uint64{bits})), R(r))
		w.Emit(r.Remade)
		return r
	}
	c, unread := constant(7), constant(8)
	var all []*Reg
	for n := range 4 {
		all = append(all, w.set(n))
	}
	for _, r := range all {
		w.Effect("STORE", R(w.add(r, c)))
		w.Effect("STORE", R(w.add(r, all[0])))
	}
	w.Effect("STORE", R(c))
	w.Effect("STORE", R(w.add(c, c)))
	_ = unread
	out := text(w.allocated(t))
	assert.Contains(t, out, "ADD bits4_7<>(SB), V", "the operands are exchanged")
	assert.NotContains(t, out, "ADD bits4_7<>(SB), bits4_7")
	assert.Contains(t, out, "SET bits_7<>(SB), V3\nSTORE V3\n")
	assert.Equal(t, Table{"bits_7": {7}, "bits4_7": {7, 7, 7, 7}}, w.data)
}

// Unread results are not computed, unless their instructions set flags.
func TestUnreadResults(t *testing.T) {
	w := newWriter()
	w.add(w.set(1), w.set(2))
	n := w.Integer()
	w.Do("MOV", Const(3), R(n))
	w.Emit(&Instr{Op: "DEC", Args: []Operand{R(n)}, Writes: 1, Reads: true, Flags: true})
	assert.Equal(t, "MOV $3, N0\nDEC N0\nRET\n", text(w.allocated(t)))
}

// A result that is copied once is written where the copy is, unless that register is in use in between.
func TestCopiesAreMerged(t *testing.T) {
	copied := func(between bool) string {
		w := newWriter()
		x := w.set(9)
		r := w.set(1)
		if between {
			w.Effect("STORE", R(x))
		}
		w.Emit(&Instr{Op: "COPY", Args: []Operand{R(r), R(x)}, Writes: 1, Copies: true})
		w.Effect("STORE", R(x))
		return text(w.allocated(t))
	}
	assert.Equal(t, "SET $9, V0\nSET $1, V0\nSTORE V0\nRET\n", copied(false))
	assert.Equal(t, "SET $9, V0\nSET $1, V1\nSTORE V0\nCOPY V1, V0\nSTORE V0\nRET\n", copied(true))
}

// Random functions compute the same before and after they get registers, with loops, skipped blocks and copies.
func TestRandomFunctions(t *testing.T) {
	for seed := range uint64(300) {
		f := random(rand.New(rand.NewPCG(seed, 1)))
		require.NoError(t, f.Verify(), "%s", f)
		before := f.String()
		want := run(f, f.printer().operand).stored
		require.NoError(t, f.Allocate(true), "seed %d\n%s", seed, before)
		got := run(f, func(o Operand) string { return f.operand(o, 0) }).stored
		require.Equal(t, want, got, "seed %d\n%s\n%s", seed, before, text(f))
	}
}

// random returns a function of sums, which are stored at its end.
func random(r *rand.Rand) *Function {
	w := newWriter()
	all := []*Reg{w.set(1), w.set(2), w.set(3)}
	pick := func() *Reg { return all[r.IntN(len(all))] }
	variable := func() *Reg { // nothing changes a remade value
		for {
			if v := pick(); v.Remade == nil {
				return v
			}
		}
	}
	var some func(depth, n int)
	some = func(depth, n int) {
		for range n {
			switch k := r.IntN(12); {
			case k < 5:
				all = append(all, w.add(pick(), pick()))
			case k < 7:
				w.Update("GROW", R(pick()), R(variable()))
			case k < 8:
				w.Effect("STORE", R(pick()))
			case k < 9:
				from, to := w.add(pick(), pick()), variable()
				w.Emit(&Instr{Op: "COPY", Args: []Operand{R(from), R(to)}, Writes: 1, Copies: true})
			case k < 10:
				c := w.vec()
				c.Remade = Make("SET", Const(r.IntN(99)), R(c))
				w.Emit(c.Remade)
				all = append(all, c)
			case depth < 2 && k < 11:
				known, end := all, w.Label()
				w.Jump("SKIP", end)
				some(depth+1, 4)
				all = known
				w.Mark(end)
			case depth < 2:
				n := w.Integer()
				w.Do("MOV", Const(1+r.IntN(3)), R(n))
				first := w.Mark(w.Label())
				some(depth+1, 5)
				w.loop(n, first)
			}
		}
	}
	some(0, 12)
	for _, x := range all {
		w.Effect("STORE", R(x))
	}
	return w.function()
}

// Arguments lie at multiples of their sizes, and the result behind them at one of 8. The frame is as large as functions
// need in which goroutines are preempted.
func TestText(t *testing.T) {
	w := newWriter()
	x := w.vec()
	args := []*Argument{{Name: "n", Size: 8}, {Name: "i", Size: 4}, {Name: "f", Size: 8}, {Name: "j", Size: 4}}
	w.Pos = token.Position{Filename: "dir/kernel.go", Line: 7}
	w.Do("LOAD", Arg(args[1]), Part(x, 16))
	w.Effect("STORE", Part(x, 16), Arg(args[3]))
	n := w.Integer()
	w.Do("MOV", Arg(args[2]), R(n))
	w.Effect("STORE", R(n), At(n, n, 8, -16))
	w.Effect("STORE", R(n), Frame(40))
	w.Effect("STORE", R(n), Arg(&Argument{Name: "next"}))
	f := w.allocated(t)
	assert.Equal(t, `// f is a test.
TEXT ·f(SB), 0, $128-40
	NO_LOCAL_POINTERS
	// kernel.go:7: x := a[i]
	LOAD i+8(FP), HALF0
	STORE HALF0, j+24(FP)
	MOV f+16(FP), N0
	STORE N0, -16(N0)(N0*8)
	STORE N0, 40(SP)
	STORE N0, next+32(FP)
	RET
`, f.Text("f", "is a test.", args, func(token.Position) string { return "\tx := a[i]" }))
	assert.Equal(t, "HEAD\n\n#include \"textflag.h\"\n#include \"funcdata.h\"\n\nDATA bits_5_6<>+0(SB)/8, $0x5\nDATA bits_5_6<>+8(SB)/8, $0x6\nGLOBL bits_5_6<>(SB), RODATA|NOPTR, $16\n\nF\n",
		Source("HEAD\n", []string{"F"}, map[string][]uint64{"bits_5_6": {5, 6}}))
}
