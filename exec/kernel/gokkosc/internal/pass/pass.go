// Package pass has what improves kernels in their intermediate representation, one pass in a
// file, and what is known about values. After each pass a kernel means what it meant before,
// but that other items may stop: those run as closures.
package pass

import (
	"fmt"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// A Pass changes a kernel.
type Pass struct {
	Name string
	Run  func(k *ir.Kernel)
}

// tidy follows passes that leave constants, repeated values, and values that are the same in all rounds.
var tidy = Fixpoint(Pass{"simplify", Simplify}, Pass{"common", Common}, Pass{"hoist", Hoist})

// tidyExactly is tidy without checks that move out of loops.
var tidyExactly = Fixpoint(Pass{"simplify", Simplify}, Pass{"common", Common}, Pass{"invariants", Invariants})

// keeping are the passes that leave elements of memory in registers, and no branches where these were chosen.
var keeping = Fixpoint(Pass{"keep", Keep}, Pass{"choose", Choose}, Pass{"common", Common}, Pass{"dead", Dead})

// All are the passes in the order in which they are run.
var All = []Pass{
	tidy,
	keeping,
	{"exits", Exits},
	{"carry", Carry},
	keeping,
	{"hoist", Hoist},
	{"conditions", Conditions},
	Fixpoint(Pass{"range", Ranges}, tidy), // of a loop, and then of the loop around it
	{"hoist checks", HoistChecks},
	{"ask", Ask},
	{"span", Spans},
	{"simplify", Simplify},
	{"common", Common},
	{"dead", Dead},
}

// Exact are passes behind which no item stops that would not stop before, for devices, which cannot
// run the closure in its place. Where a check asks for an index below a limit that moves with it, both are
// taken to be below 2⁶³.
var Exact = []Pass{
	tidyExactly,
	{"keep", KeepExactly},
	{"choose", ChooseExactly},
	{"common", Common},
	{"dead", Dead},
	tidyExactly,
	{"proven", Proven},
	{"hoist checks", HoistChecks},
	{"span", Spans},
	{"simplify", Simplify},
	{"common", Common},
	{"dead", Dead},
}

// Teams are passes for devices of kernels by thread, and Lone those of members with one vector lane, which keep all scalars
// and memories. Behind them no item stops that would not stop before.
var (
	Teams = []Pass{{"threads", Threads}, tidyExactly, {"dead", Dead}}
	Lone  = []Pass{{"alone", Alone}, tidyExactly}
)

// Points are passes for kernels that went through Exact as rows, and whose items are points now. They keep all scalars and
// memories.
var Points = []Pass{
	{"simplify", Simplify},
	{"common", Common},
	{"hoist checks", HoistChecks},
	{"span", Spans},
	{"simplify", Simplify},
	{"common", Common},
}

// Run runs passes, and panics if one of them breaks a rule of the representation.
func Run(k *ir.Kernel, passes []Pass) {
	for _, p := range passes {
		p.Run(k)
		if err := k.Verify(); err != nil {
			panic(fmt.Sprintf("gokkosc: pass %s: %v\n%s", p.Name, err, k))
		}
	}
}

// A replacement says which values stand for others.
type replacement map[*ir.Value]*ir.Value

func (r replacement) get(v *ir.Value) *ir.Value {
	for r[v] != nil {
		v = r[v]
	}
	return v
}

// all replaces all arguments and yields of a kernel.
func (r replacement) all(k *ir.Kernel) {
	if len(r) == 0 {
		return
	}
	r.block(k.Setup)
	r.block(k.Body)
	for n := range k.Checks {
		c := &k.Checks[n]
		c.Base, c.Step, c.Limit = r.get(c.Base), r.get(c.Step), r.get(c.Limit)
		if c.When != nil {
			c.When = r.get(c.When)
		}
	}
}

func (r replacement) block(b *ir.Block) {
	b.Walk(func(v *ir.Value) {
		for n, a := range v.Args {
			v.Args[n] = r.get(a)
		}
		for _, inner := range v.Blocks {
			r.list(inner.Yield)
		}
	})
	r.list(b.Yield)
}

func (r replacement) list(values []*ir.Value) {
	for n, v := range values {
		values[n] = r.get(v)
	}
}

// constant returns a constant, which it puts into the setup if it is not there.
func constant(k *ir.Kernel, t ir.Type, bits uint64) *ir.Value {
	if t.Bytes() == 4 {
		bits = uint64(uint32(bits))
	}
	for _, v := range k.Setup.Values {
		if v.Op == ir.Const && v.Type == t && v.Bits == bits {
			return v
		}
	}
	v := k.NewValue(ir.Const, t)
	v.Bits = bits
	k.Setup.Values = append([]*ir.Value{v}, k.Setup.Values...)
	return v
}

// stored returns the types of the elements that a value and those in its blocks store: all types, if one is atomic, as nothing
// is moved from one side of that to the other.
func stored(v *ir.Value) (types [ir.Bool + 1]bool) {
	note := func(v *ir.Value) {
		if v.Op == ir.Store {
			types[v.Args[1].Type] = true
		}
		for t := range types {
			types[t] = types[t] || v.Orders()
		}
	}
	note(v)
	for _, b := range v.Blocks {
		b.Walk(note)
	}
	return types
}
