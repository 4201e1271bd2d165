package vector

import (
	"fmt"
	"go/token"
	"slices"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/goloops"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/pass"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/target"
)

// The loop of a team is in Go. Its inner loops whose rounds may be vectors are kernels of their own, which it calls. A
// call takes some 10 ns, so loops of few rounds stay in Go.

// leastRounds is the least number of rounds of a call. leastInRow is the least number in each of several
// rows, if these have no loops of their own. A row of rounds with more values than manyValues need only fill
// a vector.
const leastRounds, leastInRow, manyValues = 48, 8, 16

// A team is a kernel of teams whose inner loops are compiled.
type team struct {
	Target
	k      *target.Kernel
	line   func(token.Position) string
	ir     *ir.Kernel
	undone map[*ir.Value]bool // stores that a team which stops takes back
	calls  []*goloops.Call
	codes  []*Compiled
	text   strings.Builder // types of calls
	why    error           // of the first loop that is not compiled
}

// teamOf compiles the inner loops of a kernel of teams, and returns its loop in Go as well.
func (t Target) teamOf(k *target.Kernel, line func(token.Position) string) ([]*Compiled, error) {
	except := map[token.Position]bool{}
	for {
		of, err := k.InLanes(except)
		if err != nil {
			return nil, err
		}
		m := &team{Target: t, k: k, line: line, ir: of, undone: goloops.Logged(of)}
		left := m.block(of.Body)
		if left.IsValid() && !except[left] {
			except[left] = true
			continue
		}
		return m.loop()
	}
}

// loop returns the code of all inner loops, and of the team.
func (m *team) loop() ([]*Compiled, error) {
	if !slices.ContainsFunc(m.calls, m.works) {
		if m.why == nil {
			m.why = &Refusal{m.k.IR.Pos, "it has no loop whose rounds may be vectors"}
		}
		return nil, m.why
	}
	level := m.Set.Shape().Level
	loop, err := goloops.Calling(m.ir, m.k.Base+level, m.calls)
	if err != nil {
		return nil, err
	}
	text := "type " + m.k.Base + level + " " + m.k.Loop() + "\n\n" + loop.Text
	m.codes[0].Go = m.text.String() + m.codes[0].Go + text
	for use := range loop.Uses {
		m.codes[0].Imports[use] = true
	}
	return m.codes, nil
}

// works reports whether a loop does more than move values that are kept for members and lanes.
func (m *team) works(c *goloops.Call) (yes bool) {
	c.Loop.LoopBody().Walk(func(v *ir.Value) {
		yes = yes || v.Op.Accesses() && !m.ir.Mems[v.Index].IsRoom()
	})
	return yes
}

// block compiles loops in a block, outer ones first. The result is the position of a reduction in lanes that
// cannot be vectors.
func (m *team) block(b *ir.Block) (left token.Position) {
	for _, v := range b.Values {
		counted := func(r *ir.Value) bool { return r.Op == ir.Result && r.Args[0] == v }
		if v.Op == ir.Loop && !slices.ContainsFunc(b.Values, counted) && m.rounds(v) {
			continue
		}
		if v.Op == ir.Loop && v.Func == ir.InLanes {
			return v.Pos
		}
		for _, inner := range v.Blocks {
			if left = m.block(inner); left.IsValid() {
				return left
			}
		}
	}
	return left
}

// rounds compiles a loop, and reports whether it could.
func (m *team) rounds(v *ir.Value) bool {
	if len(m.calls) == target.MostInner || m.undoes(v) {
		return false
	}
	for _, of := range []func(*ir.Kernel, *ir.Value) *pass.Inner{pass.PlaneOf, pass.InnerOf} {
		if r := of(m.ir, v); r != nil && m.inner(r) {
			return true
		}
	}
	return false
}

// inner compiles a loop as a kernel of its own, and reports whether it could.
func (m *team) inner(r *pass.Inner) bool {
	shape := m.Set.Shape()
	call := &goloops.Call{Inner: r, Least: m.least(r)}
	if from, to := r.Rounds(); from.Op == ir.Const && to.Op == ir.Const && to.Int()-from.Int() < int64(call.Least) {
		return false
	}
	base := fmt.Sprintf("%s%d", target.InnerOf(m.k.Base)+shape.Suffix, len(m.calls)+1)
	names := Names{Base: base, Type: base, Other: "Go"}
	c, err := m.compiled(r, names)
	if err == nil {
		err = m.other(r, base, c)
	}
	if err != nil {
		if m.why == nil {
			m.why = err
		}
		return false
	}
	c.inner, call.Type = lineOf(r.Loop), base+shape.Level
	m.calls, m.codes = append(m.calls, call), append(m.codes, c)
	return true
}

// least returns the least number of rounds of a call.
func (m *team) least(r *pass.Inner) int {
	width := m.Set.Shape().Widths[len(m.Set.Shape().Widths)-1]
	switch nested := target.First(ir.Loop, r.Loop.LoopBody()); {
	case r.Loop.Func == ir.InLanes:
		return 0
	case nested == nil:
		return leastRounds
	case r.Inside == nil, target.First(ir.Loop, nested.LoopBody()) != nil, len(nested.LoopBody().Values) > manyValues:
		return width
	}
	return leastInRow
}

// undoes reports whether a loop has a store that a team takes back.
func (m *team) undoes(loop *ir.Value) (yes bool) {
	for _, b := range loop.Blocks {
		b.Walk(func(v *ir.Value) { yes = yes || m.undone[v] })
	}
	return yes
}

// compiled compiles the rounds of a loop.
func (m *team) compiled(r *pass.Inner, names Names) (*Compiled, error) {
	var row *ir.Value
	if r.Row || r.Inside != nil {
		if row = rowOf(r.Kernel); row == nil {
			return nil, &Refusal{r.Kernel.Pos, "its rounds have no vector form"}
		}
	}
	return compileAs(m.Set, r.Kernel, row, names, m.Slow, m.line)
}

// other writes the type of a call, and its loop in Go, which runs the rounds that vectors leave.
func (m *team) other(r *pass.Inner, base string, c *Compiled) error {
	loop, err := goloops.Span(r.Kernel, base+"Go")
	if err != nil {
		return err
	}
	fmt.Fprintf(&m.text, "// %[1]s is an inner loop of %[2]s, of line %[3]d.\ntype %[1]s struct {\n", base, m.k.Func, lineOf(r.Loop))
	for _, p := range r.Kernel.Params {
		fmt.Fprintf(&m.text, "%s %s\n", p.Name, p.Type)
	}
	fmt.Fprintf(&m.text, "}\n\ntype %sGo %[1]s\n\n%s\n", base, loop.Text)
	for use := range loop.Uses {
		c.Imports[use] = true
	}
	return nil
}

// lineOf returns the line of a loop, or else of the first value in it that has one.
func lineOf(loop *ir.Value) int {
	line := loop.Pos.Line
	loop.LoopBody().Walk(func(v *ir.Value) {
		if line == 0 {
			line = v.Pos.Line
		}
	})
	return line
}
