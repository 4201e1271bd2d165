package goloops

import (
	"fmt"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/pass"
)

// A Call is an inner loop that another loop runs: the loop of a type with a method Span. The fields of the
// type are the parameters of the loop's kernel. If there are fewer rounds than Least, in each row if it has
// several, they are run in place.
type Call struct {
	*pass.Inner
	Type  string
	Least int
}

// Calling is Span with calls of loops in place of some.
func Calling(kernel *ir.Kernel, typeName string, calls []*Call) (*Loop, error) {
	return made(kernel, calls, func(w *writer) { w.span(typeName) })
}

// Logged returns the stores of a kernel that are logged, or are undone in another way.
func Logged(k *ir.Kernel) map[*ir.Value]bool {
	w := &writer{k: k, journal: map[*ir.Value]*kept{}}
	w.findJournal(k.Body, nil, nil)
	all := map[*ir.Value]bool{}
	for v := range w.journal {
		all[v] = true
	}
	return all
}

// callsIn returns the calls in a copy of their kernel, by their loops.
func callsIn(k *ir.Kernel, calls []*Call) map[*ir.Value]*Call {
	if len(calls) == 0 {
		return nil
	}
	of := map[int]*ir.Value{}
	note := func(v *ir.Value) {
		of[v.ID] = v
		for _, b := range v.Blocks {
			for _, p := range b.Params {
				of[p.ID] = p
			}
		}
	}
	k.Setup.Walk(note)
	k.Body.Walk(note)
	in := func(p pass.Part) pass.Part {
		if p.From != nil {
			p.From = of[p.From.ID]
		}
		return p
	}
	all := map[*ir.Value]*Call{}
	for _, c := range calls {
		x := *c.Inner
		x.Loop, x.From, x.To, x.Numbers, x.Lanes = of[x.Loop.ID], of[x.From.ID], of[x.To.ID], nil, nil
		for _, p := range c.Lanes {
			x.Lanes = append(x.Lanes, in(p))
		}
		for _, v := range c.Numbers {
			x.Numbers = append(x.Numbers, of[v.ID])
		}
		if x.Width != nil {
			x.Width = of[x.Width.ID]
		}
		if x.Inside != nil {
			x.Inside = &pass.Count{From: of[x.Inside.From.ID], To: of[x.Inside.To.ID]}
		}
		all[x.Loop] = &Call{&x, c.Type, c.Least}
	}
	return all
}

// inner writes a loop that another one runs, or the rounds in place if there are few.
func (w *writer) inner(c *Call, inPlace func()) {
	always := c.Least == 0
	if !always {
		w.line("if %s >= %d {", w.rounds(c), c.Least)
	}
	var fields []string
	for _, m := range c.Mems {
		fields = append(fields, w.mems[m])
	}
	for _, v := range c.Numbers {
		fields = append(fields, w.typed(v))
	}
	name := w.names.free("inner")
	w.line("%s := %s{%s}", name, c.Type, strings.Join(fields, ", "))
	from, to := "0", "1"
	if !c.Row {
		from, to = w.use(c.From), w.use(c.To)
	}
	args := from + ", " + to
	if len(c.Lanes) > 0 {
		args += ", 0"
	}
	for _, p := range c.Lanes {
		args += ", " + w.lanesAt(p, c.Width)
	}
	if c.Stops() {
		w.line("if %s.Span(%s) != %s {", name, args, to)
		w.stopHere()
	} else {
		w.line("%s.Span(%s)", name, args)
	}
	if always {
		return
	}
	w.line("} else {")
	inPlace()
	w.line("}")
}

// rounds returns the number of rounds of a loop, or of each of its rows.
func (w *writer) rounds(c *Call) string {
	from, to := c.Rounds()
	if from.Op == ir.Const && from.Int() == 0 {
		return w.use(to)
	}
	return fmt.Sprintf("%s - %s", w.use(to), w.use(from)) // from may be a negative constant
}

// lanesAt returns the accumulators of that many lanes.
func (w *writer) lanesAt(p pass.Part, n *ir.Value) string {
	if p.From == nil {
		return fmt.Sprintf("%s[:%s]", w.mems[p.Mem], w.use(n))
	}
	return fmt.Sprintf("%s[%s:][:%s]", w.mems[p.Mem], w.use(p.From), w.use(n))
}
