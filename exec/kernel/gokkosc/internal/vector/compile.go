// Package vector compiles kernels into vector instructions: an item in each lane of a vector. The package
// decides on the work of vectors, and asks a [Machine] for operations on integers and a [Set] for operations
// on vectors. Its README says how.
//
// Branches run under masks. A loop whose number of rounds is the same for all items stays a loop. Go computes
// values that are the same for all items beforehand. Indices that grow by one from item to item are loads and
// stores of vectors, others gather and scatter. A kernel without such instructions is refused: its Go loop
// runs.
package vector

import (
	"fmt"
	"go/token"
	"maps"
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/goloops"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/target"
)

// A Compiled is a kernel in vector instructions.
type Compiled struct {
	Asm     string              // the function in assembly
	Virtual string              // the function in virtual registers, if it was compiled with slow
	Go      string              // its declaration, and the method Span that calls it
	Data    map[string][]uint64 // constants that the assembly refers to, by their symbols
	Imports map[string]bool     // of Go: "math", "kernel", "unsafe"; "apart" and "mask" are helpers
	Width   int                 // items of a vector
	cost    cost
	leaves  bool // several leaves are run in one call
	inner   int  // line in Go of an inner loop of a team; 0 if it is none
}

// A Refusal is why a kernel has no vector code.
type Refusal struct {
	Pos token.Position
	Why string
}

func (r *Refusal) Error() string { return fmt.Sprintf("%v: %s", r.Pos, r.Why) }

// Compile compiles a kernel whose passes have run. names begin the names of its functions and types, as
// the package target says. slow is for tests: kernels that gain nothing are compiled, too, and
// registers are checked. line returns the line of Go at a position, for
// comments; it may be nil. The error is a [*Refusal].
func Compile(set Set, k *ir.Kernel, names Names, slow bool, line func(token.Position) string) (*Compiled, error) {
	if k.Index.Row && k.Index.Rank == 0 {
		return nil, &Refusal{k.Pos, "its functor gets spans"}
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
func compileAs(set Set, k *ir.Kernel, row *ir.Value, names Names, slow bool, line func(token.Position) string) (c *Compiled, err error) {
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

func compile(set Set, k *ir.Kernel, row *ir.Value, width int, names Names, slow bool, line func(token.Position) string) (c *Compiled, err error) {
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
	if k.Contributes() {
		return nil, &Refusal{k.Pos, "a contribution to a scatter has no vector form"}
	}
	for _, a := range k.Accs {
		if a.Elem.IsNarrow() && !set.Shape().Narrow {
			return nil, &Refusal{k.Pos, "an accumulator of " + a.Elem.String()}
		}
	}
	e := newEmitter(set, k, width)
	if row != nil {
		e.byRows(row)
	} else if k.Rounds {
		e.independentRounds()
	}
	f, body := e.function(slow)
	if err := f.Verify(); err != nil {
		panic(fmt.Sprintf("gokkosc: vectors of %s: %v\n%s", k.Name, err, f))
	}
	virtual := ""
	if slow {
		virtual = f.String()
	}
	if err := f.Allocate(slow); err != nil {
		panic(fmt.Sprintf("gokkosc: vectors of %s: %v\n%s", k.Name, err, virtual))
	}
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
	c = &Compiled{Asm: f.Text(w.name(), "runs the items of kernel "+k.Name+".", e.args, line), Virtual: virtual, Go: w.method(), Data: e.data, Imports: w.imports, Width: width, cost: body}
	c.leaves = w.hasLeaves
	return c, nil
}

// perItem returns the cost of an item, with [pass.Rounds] rounds of loops.
func (c *Compiled) perItem() float64 { return c.cost.all() / float64(c.Width) }
