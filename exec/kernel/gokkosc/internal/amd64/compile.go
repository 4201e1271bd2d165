// Package amd64 compiles kernels into vector instructions of amd64: an item in each lane of a vector.
// What differs between instruction sets is behind the interface [Set]; each has a folder beside this one.
//
// Branches are run under masks, loops whose number of rounds is the same for all items as loops,
// and what is the same for all items before the first one, in Go. Indices that grow by one from
// item to item are loads and stores of vectors, others are gathered and scattered. What has no such
// instructions is refused: the loops in Go run there.
package amd64

import (
	"fmt"
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/goloops"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/pass"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/target"
)

// Code is a kernel in vector instructions.
type Code struct {
	Asm     string              // the function in assembly
	Go      string              // its declaration, and the method Span that calls it
	Data    map[string][]uint64 // constants that the assembly refers to, by their symbols
	Imports map[string]bool     // of Go: "math", "kernel", "unsafe"; "apart" and "mask" are helpers
	Width   int                 // items of a vector
	cost    cost
	leaves  bool // several leaves are run in one call
}

// Names are those of a kernel in generated code.
type Names struct {
	Base  string // begins those of loops: "axpy" of "axpyAVX2"
	Type  string // that loops are made of: "axpyKernel"
	Other string // ends the names of loops that run what this one does not: "Go"
	Left  bool   // the code is for runs along the first dimension

	OtherLeaves bool // the other loops run several leaves in one call
}

// A Refusal is why a kernel has no vector code.
type Refusal struct {
	Pos token.Position
	Why string
}

func (r *Refusal) Error() string { return fmt.Sprintf("%v: %s", r.Pos, r.Why) }

// Compile compiles a kernel whose passes have run. names begin the names of its functions and types, as
// the package target says. slow says to compile also what gains nothing. line returns the line of Go at a position, for
// comments; it may be nil. The error is a [*Refusal].
func Compile(set Set, k *ir.Kernel, names Names, slow bool, line func(token.Position) string) (*Code, error) {
	if k.Index.Row && k.Index.Rank == 0 {
		return nil, &Refusal{k.Pos, "its functor gets spans"}
	}
	if slices.ContainsFunc(k.Mems, func(m ir.Mem) bool { return m.Far }) {
		return nil, &Refusal{k.Pos, "it follows pointers to elements, or slices of slices"}
	}
	if slices.ContainsFunc(k.Mems, func(m ir.Mem) bool { return m.Local > 0 }) {
		return nil, &Refusal{k.Pos, "it has an array of its own of more elements than registers hold"}
	}
	row := rowOf(k)
	if k.Index.Row {
		if row == nil {
			return nil, &Refusal{k.Pos, "it does more than to run a loop over a row, or an accumulator takes the points of a row in their order"}
		}
		return compileAs(set, k, row, names, slow, line)
	}
	c, err := compileAs(set, k, nil, names, slow, line)
	if row != nil && k.Index.Rank == 0 {
		d, _ := compileAs(set, k, row, names, slow, line)
		if d != nil && (c == nil || d.cost.n < c.cost.inner[0].n) {
			return d, nil
		}
	}
	return c, err
}

// compileAs compiles a kernel with items in the lanes, or rounds of a loop, as many as can be.
func compileAs(set Set, k *ir.Kernel, row *ir.Value, names Names, slow bool, line func(token.Position) string) (c *Code, err error) {
	for _, width := range set.Shape().Widths {
		if 8*width > set.Shape().Bytes && !narrowOnly(k) {
			continue
		}
		if c, err = compile(set, k, row, width, names, slow, line); err == nil {
			return c, nil
		}
	}
	return nil, err
}

// narrowOnly reports whether a kernel has values of 32 bits, and larger ones as indices only.
func narrowOnly(k *ir.Kernel) bool {
	only := true
	k.Body.Walk(func(v *ir.Value) { only = only && v.Type != ir.F64 })
	for _, a := range k.Accs {
		only = only && a.Elem.Bytes() <= 4
	}
	return only
}

// copiesOf returns how many vectors of a body without accumulators are run in a round, so that counting takes
// few of its instructions.
func copiesOf(body []*Instr) int {
	switch n := len(body); {
	case n <= 8:
		return 4
	case n <= 16:
		return 2
	}
	return 1
}

// unrolled is how many instructions a body may have of which several are in a round, and unrolledMore for
// several such rounds.
const (
	unrolled     = 40
	unrolledMore = 16
)

var noUnrolling = new(int)

func compile(set Set, k *ir.Kernel, row *ir.Value, width int, names Names, slow bool, line func(token.Position) string) (c *Code, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case refusal:
			err = &Refusal{r.pos, r.why}
		default:
			panic(r)
		}
	}()
	if call := target.First(ir.Call, k.Body); call != nil {
		return nil, &Refusal{call.Pos, target.NoForm(call)}
	}
	if v := target.First(ir.Atomic, k.Body); v != nil {
		return nil, &Refusal{v.Pos, "an atomic operation has no vector form"}
	}
	for _, a := range k.Accs {
		if a.Elem.IsNarrow() && !set.Shape().Narrow {
			return nil, &Refusal{k.Pos, "an accumulator of " + a.Elem.String()}
		}
	}
	e := &Emitter{Width: width, items: width, set: set, shape: set.Shape(), k: k, setup: map[*ir.Value]bool{}, fixed: map[string]*Reg{}, data: table{}, helpers: map[string]bool{}, leaving: map[*ir.Value]bool{}, singles: map[*ir.Value]singly{}}
	for _, v := range k.Setup.Values {
		e.setup[v] = true
	}
	k.Body.Walk(func(v *ir.Value) {
		if v.Op == ir.Item {
			e.index = v
		}
	})
	if e.index == nil {
		e.index = k.NewValue(ir.Item, ir.I64)
	}
	if row != nil {
		e.byRows(row)
	}
	f, body := e.function(slow)
	f.clean()
	f.merge()
	f.allocate()
	p, err := goloops.NewPrologue(k, "a", "b", "c", "d", "head", "skip", "rest", "piece", "cost", "n", "row", "from", "leaf", "lanes", "apart", "planes", "rows")
	if err != nil {
		return nil, err
	}
	if row != nil {
		for _, v := range k.Body.Values {
			if v.Op == ir.Item {
				p.Value[v] = "row"
			}
		}
	}
	w := &writer{Names: names, shape: e.shape, e: e, f: f, p: p, line: line, imports: maps.Clone(p.Uses), cost: e.flat(body)}
	maps.Copy(w.imports, e.helpers)
	c = &Code{Asm: w.assembly(), Go: w.method(), Data: e.data, Imports: w.imports, Width: width, cost: body}
	c.leaves = w.hasLeaves
	return c, nil
}

// Arguments that each function has in front of those of the kernel.
func (e *Emitter) common() (list []*argument) {
	names := []string{"begin", "vectors", "left"}
	if len(e.k.Accs) > 0 {
		names = append(names, "lane", "lanes", "leaves", "skip", "head")
	}
	for _, n := range names {
		list = append(list, &argument{name: n, goType: "int", size: 8})
	}
	for n := range e.k.Lanes {
		list = append(list, &argument{name: "acc" + string(rune('A'+n)), goType: "unsafe.Pointer", size: 8})
	}
	return list
}

// perItem returns what an item costs, with loops of some rounds.
func (c *Code) perItem() float64 { return c.cost.all() / float64(c.Width) }

// flat counts loops of a known number of rounds as what a vector costs, as long as the shortest call takes no longer
// than one may.
func (e *Emitter) flat(c cost) cost {
	inner, most := c.inner, uint64(e.budget()*e.Width/leastItems)
	c.inner = nil
	for _, l := range inner {
		l = e.flat(l)
		if l.from.Op == ir.Const && l.to.Op == ir.Const && len(l.inner) == 0 {
			rounds := uint64(max(l.to.Int(), l.from.Int())) - uint64(l.from.Int())
			if rounds <= most && uint64(c.n)+rounds*uint64(l.n) <= most {
				c.n += int(rounds) * l.n
				continue
			}
		}
		c.inner = append(c.inner, l)
	}
	return c
}

func (c cost) all() float64 {
	n := float64(c.n)
	for _, l := range c.inner {
		n += pass.Rounds * l.all()
	}
	return n
}

// weigh returns about how many simple instructions take as long.
func weigh(list []*Instr) (n int) {
	for _, i := range list {
		n++
		switch {
		case strings.HasPrefix(i.op, "VGATHER"), strings.HasPrefix(i.op, "VSCATTER"):
			n += 12
		case strings.HasPrefix(i.op, "VDIV"), strings.HasPrefix(i.op, "VSQRT"):
			n += 10
		}
		for _, a := range i.args {
			if a.mem && a.r != nil {
				n += 12
			}
		}
	}
	return n
}
