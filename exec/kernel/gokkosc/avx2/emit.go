package avx2

import (
	"fmt"
	"go/token"
	"maps"
	"math"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/ir"
)

// An emitter writes the instructions of a kernel: an item in each lane of a vector.
type emitter struct {
	k     *ir.Kernel
	setup map[*ir.Value]bool
	width int // items of a vector

	before []*instr  // the loop over items
	latch  []*instr  // at the end of each round of it
	out    *[]*instr // where instructions are written
	loops  []loopRange
	pos    token.Position

	args    []*argument
	fixed   map[string]*reg    // made before the loop over items, by what they are
	vectors map[*ir.Value]*reg // the values of lanes, of masks too
	item    *reg               // index of the first item of the vector
	index   *ir.Value          // what counts the lanes: an Item, or the counter of row
	row     *ir.Value          // the loop whose rounds are in vectors, or nil if items are
	apart   [][2]int           // memories that must not overlap
	shift   int                // how many items behind item the vector begins
	mask    *reg               // lanes that are run, or nil for all
	loop    *loop              // the innermost one
	labels  int
	stops   int // checks in the body
	leaves  int // the fewest lanes of leaves of which several are run in one call, or 0
	stored  bool
	gathers int
	work    work
	times   int                 // that an item runs what is written, by pass.Rounds
	data    map[string][]uint64 // constants in memory, by their symbols
	costs   []cost
	results map[*ir.Value][]*reg // of Ifs and Loops
}

// A work is what an item does, of what tells whether vectors gain anything.
type work struct{ operations, gathered, scattered, apart int }

// scalar reports whether a loop in Go is as fast: elements from anywhere are loaded one by one also where
// there is an instruction for it, and what is computed of them has to pay for putting them together. See
// BenchmarkGathers of the kernels.
func (w work) scalar() bool {
	return w.gathered+w.scattered > 0 && w.operations < w.gathered+w.apart+4*w.scattered
}

// A cost is how many instructions a loop runs in a round, and how many rounds.
type cost struct {
	n        int
	from, to *ir.Value
	inner    []cost
}

// A refusal is why a kernel has no vector code.
type refusal struct {
	pos token.Position
	why string
}

func (e *emitter) refuse(v *ir.Value, format string, a ...any) {
	pos := e.pos
	if v != nil && v.Pos.IsValid() {
		pos = v.Pos
	}
	panic(refusal{pos, fmt.Sprintf(format, a...)})
}

func (e *emitter) emit(i *instr) {
	i.pos = e.pos
	*e.out = append(*e.out, i)
}

// aside writes instructions to another place.
func (e *emitter) aside(list *[]*instr, f func()) {
	out := e.out
	e.out = list
	f()
	e.out = out
}

func (e *emitter) label() string {
	e.labels++
	return fmt.Sprintf("l%d", e.labels)
}

func (e *emitter) mark(label string) *instr {
	i := &instr{label: label}
	e.emit(i)
	return i
}

func (e *emitter) jump(op, label string) *instr {
	i := &instr{op: op, args: []operand{imm(label)}}
	e.emit(i)
	return i
}

func (e *emitter) temporary() *reg { return &reg{vector: true} }
func (e *emitter) integer() *reg   { return &reg{} }

// lane returns how many bytes a lane of a type has.
func (e *emitter) lane(t ir.Type) int {
	if t == ir.Bool {
		return 32 / e.width
	}
	return t.Bytes()
}

// v is a register with values of a type.
func (e *emitter) v(t ir.Type, r *reg) operand {
	return operand{r: r, x: e.lane(t)*e.width == 16}
}

// vec writes an instruction with a result of a type.
func (e *emitter) vec(t ir.Type, op string, a ...*reg) *reg {
	return e.vecImm(t, op, "", a...)
}

// vecImm is vec with a constant in front.
func (e *emitter) vecImm(t ir.Type, op, constant string, a ...*reg) *reg {
	e.fits(t)
	i := &instr{op: op, writes: 1}
	if constant != "" {
		i.args = append(i.args, imm(constant))
	}
	for _, r := range a {
		i.args = append(i.args, e.v(t, r))
	}
	r := e.temporary()
	i.args = append(i.args, e.v(t, r))
	e.emit(i)
	return r
}

// fits refuses values of 64 bits in vectors of eight.
func (e *emitter) fits(t ir.Type) {
	if e.width == 8 && t.Bytes() == 8 {
		e.refuse(nil, "values of 64 bits in vectors of eight")
	}
}

func (e *emitter) blend(t ir.Type) string {
	if e.lane(t) == 8 {
		return "VBLENDVPD"
	}
	return "VBLENDVPS"
}

// asBool returns the result of a comparison in lanes of bools, maskFor a bool in lanes of a type.
func (e *emitter) asBool(t ir.Type, r *reg) *reg {
	if e.lane(t) == e.lane(ir.Bool) {
		return r
	}
	return e.widen(r, false)
}

func (e *emitter) maskFor(t ir.Type, r *reg) *reg {
	if e.lane(t) == e.lane(ir.Bool) {
		return r
	}
	return e.narrow(r)
}

// once returns a register that is made before the loop over items, by one instruction from no
// registers: it can be made anew where registers are short.
func (e *emitter) once(name string, vector bool, make func(r *reg) *instr) *reg {
	if r := e.fixed[name]; r != nil {
		return r
	}
	r := &reg{vector: vector}
	r.remade = make(r)
	e.aside(&e.before, func() { e.emit(r.remade) })
	e.fixed[name] = r
	return r
}

// bits returns a constant in all lanes.
func (e *emitter) bits(t ir.Type, bits uint64) *reg {
	if e.lane(t) == 4 {
		bits = bits&math.MaxUint32 | bits<<32
	}
	return e.once(fmt.Sprintf("bits %x", bits), true, func(r *reg) *instr {
		if bits == 0 {
			return &instr{op: "VPXOR", args: []operand{y(r), y(r), y(r)}, writes: 1}
		}
		return &instr{op: "VPBROADCASTQ", args: []operand{imm(e.table([]uint64{bits})), y(r)}, writes: 1}
	})
}

// table returns the symbol of constants in memory.
func (e *emitter) table(values []uint64) string {
	name := "bits"
	for _, v := range values {
		name += fmt.Sprintf("_%x", v)
	}
	e.data[name] = values
	return name + "<>(SB)"
}

// argument returns the argument of a name, which it adds if there is none.
func (e *emitter) argument(name, goType string, size int, value string) *argument {
	for _, a := range e.args {
		if a.name == name {
			return a
		}
	}
	a := &argument{name: name, goType: goType, size: size, value: value}
	e.args = append(e.args, a)
	return a
}

// number returns an integer that is the same for all items and is in the setup.
func (e *emitter) number(v *ir.Value) *reg {
	a := e.argument(fmt.Sprintf("n%d", v.ID), "int", 8, "int("+valueMark(v)+")")
	return e.once("integer "+a.name, false, func(r *reg) *instr {
		return &instr{op: "MOVQ", args: []operand{{arg: a}, {r: r}}, writes: 1}
	})
}

// pointer returns the address of a memory.
func (e *emitter) pointer(mem int) *reg {
	a := e.argument(fmt.Sprintf("m%d", mem), "unsafe.Pointer", 8, memMark(mem))
	return e.once("pointer "+a.name, false, func(r *reg) *instr {
		return &instr{op: "MOVQ", args: []operand{{arg: a}, {r: r}}, writes: 1}
	})
}

// Marks stand for the names in Go of a value of the setup and of a memory.
func valueMark(v *ir.Value) string { return fmt.Sprintf("\x00v%d\x00", v.ID) }
func memMark(mem int) string       { return fmt.Sprintf("\x00m%d\x00", mem) }

// vector returns the values of the lanes.
func (e *emitter) vector(v *ir.Value) *reg {
	if r := e.vectors[v]; r != nil {
		return r
	}
	switch {
	case v.Op == ir.Const && v.Type == ir.Bool:
		return e.bits(v.Type, -v.Bits)
	case v.Op == ir.Const:
		return e.bits(v.Type, v.Bits)
	case e.setup[v]:
		return e.broadcast(v)
	}
	p, ok := e.linear(v)
	if !ok {
		e.refuse(v, "%v is not known in vectors", v)
	}
	r := e.counted(v, p)
	e.vectors[v] = r
	return r
}

// broadcast returns a value of the setup in all lanes.
func (e *emitter) broadcast(v *ir.Value) *reg {
	e.fits(v.Type)
	value, goType := valueMark(v), v.Type.Go()
	op := "VPBROADCASTQ"
	switch v.Type {
	case ir.F64:
		op, value = "VBROADCASTSD", "float64("+value+")"
	case ir.F32:
		op, value = "VBROADCASTSS", "float32("+value+")"
	case ir.I32:
		op, value = "VBROADCASTSS", "int32("+value+")"
	case ir.I64:
		value = "int(" + value + ")"
	case ir.Bool:
		goType, value = "int", "mask("+value+")"
	}
	a := e.argument(fmt.Sprintf("%s%d", map[ir.Type]string{ir.F64: "f", ir.F32: "f", ir.I32: "i", ir.I64: "n", ir.Bool: "b"}[v.Type], v.ID), goType, max(v.Type.Bytes(), 4), value)
	if v.Type == ir.Bool {
		a.size = 8
	}
	return e.once("vector "+a.name, true, func(r *reg) *instr {
		return &instr{op: op, args: []operand{{arg: a}, e.v(v.Type, r)}, writes: 1}
	})
}

// block writes the values of a block.
func (e *emitter) block(b *ir.Block) {
	for _, v := range b.Values {
		e.value(v)
	}
}

func (e *emitter) value(v *ir.Value) {
	if v.Pos.IsValid() {
		e.pos = v.Pos
	}
	switch v.Op {
	case ir.Const, ir.Uniform, ir.Item:
		return // made where they are used
	case ir.Result:
		e.vectors[v] = e.result(v)
	case ir.Load:
		e.vectors[v] = e.load(v)
	case ir.Store:
		e.store(v)
	case ir.Check:
		e.check(v)
	case ir.If:
		e.branch(v)
	case ir.Loop:
		e.rounds(v)
	default:
		if _, ok := e.linear(v); ok && v.Type == ir.I64 {
			return
		}
		e.vectors[v] = e.pure(v)
	}
}

// scope forgets at its end what was computed in f.
func (e *emitter) scope(f func()) {
	before := maps.Clone(e.vectors)
	f()
	e.vectors = before
}

// branch runs both blocks under masks, but for one whose mask is empty.
func (e *emitter) branch(v *ir.Value) {
	c := e.vector(v.Args[0])
	outer := e.mask
	results := make([]*reg, len(v.Then().Yield))
	for n, b := range v.Blocks {
		e.scope(func() {
			if len(b.Values) > 0 {
				e.mask = e.under(outer, c, n == 0)
			}
			end := ""
			if n := b.Count(); n > 8 || effects(b) {
				end = e.label()
				g := e.moved(e.mask)
				e.emit(&instr{op: "TESTL", args: []operand{{r: g}, {r: g}}})
				e.jump("JEQ", end)
			}
			e.block(b)
			for m, y := range b.Yield {
				r := e.vector(y)
				if n == 0 {
					results[m] = e.temporary()
					e.emit(&instr{op: "VMOVDQA", args: []operand{e.v(y.Type, r), e.v(y.Type, results[m])}, writes: 1})
					continue
				}
				chosen := e.choose(y.Type, c, results[m], r)
				e.emit(&instr{op: "VMOVDQA", args: []operand{e.v(y.Type, chosen), e.v(y.Type, results[m])}, writes: 1})
			}
			if end != "" {
				e.mark(end)
			}
		})
	}
	e.mask = outer
	e.keep(v, results)
}

// under returns the lanes of a mask in which a condition holds, or does not.
func (e *emitter) under(mask, c *reg, holds bool) *reg {
	switch {
	case mask == nil && holds:
		return c
	case mask == nil:
		return e.vec(ir.Bool, "VPXOR", e.ones(ir.Bool), c)
	case holds:
		return e.vec(ir.Bool, "VPAND", mask, c)
	}
	return e.vec(ir.Bool, "VPANDN", mask, c)
}

// effects reports whether it is better not to run a block whose lanes are all off.
func effects(b *ir.Block) (yes bool) {
	b.Walk(func(v *ir.Value) {
		yes = yes || v.Op == ir.Store || v.Op == ir.Load || v.Op == ir.Loop || v.Op == ir.Check
	})
	return yes
}

// moved returns the bits of a mask.
func (e *emitter) moved(mask *reg) *reg {
	g := e.integer()
	op := "VMOVMSKPD"
	if e.width == 8 {
		op = "VMOVMSKPS"
	}
	e.emit(&instr{op: op, args: []operand{y(mask), {r: g}}, writes: 1})
	return g
}

// keep keeps the results of an If or a Loop for its Result values.
func (e *emitter) keep(v *ir.Value, results []*reg) {
	if e.results == nil {
		e.results = map[*ir.Value][]*reg{}
	}
	e.results[v] = results
}

func (e *emitter) result(v *ir.Value) *reg { return e.results[v.Args[0]][v.Index] }
