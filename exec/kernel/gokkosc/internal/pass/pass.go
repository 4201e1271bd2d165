// Package pass improves kernels in their intermediate representation, with one pass in a file, and analyses
// values. A pass does not change the meaning of a kernel, but other items may stop: such items run as
// closures.
package pass

import (
	"fmt"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

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

// Teams are the passes for kernels by thread on devices. Lone are the passes for members with one vector
// lane. Both keep all scalars and memories. Behind them no item stops that would not stop before.
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

// Run runs passes, and panics if a pass breaks a rule of the representation.
func Run(k *ir.Kernel, passes []Pass) {
	for _, p := range passes {
		p.Run(k)
		if err := k.Verify(); err != nil {
			panic(fmt.Sprintf("gokkosc: pass %s: %v\n%s", p.Name, err, k))
		}
	}
}
