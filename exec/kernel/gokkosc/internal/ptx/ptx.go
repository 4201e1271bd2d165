// Package ptx is the back end of NVIDIA's devices: it writes kernels as PTX, the assembly that the driver of
// a card compiles. Its README describes the translation of each part of a kernel.
package ptx

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/pass"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/target"
	"github.com/gokkos/gokkos/exec/kernel/ptxtext"
)

// Compile writes a kernel, which no pass has seen: it runs [pass.Exact], as an item that stops cannot be run
// as the closure. The entry has the given name with a prefix, as names of instructions are taken.
func Compile(k *ir.Kernel, name string) (*Code, error) {
	if why := shapeless(k); why != "" {
		return nil, &Refusal{k.Pos, why}
	}
	k = k.Clone()
	k.Accs = slices.Clone(k.Accs)
	for n := range k.Accs { // passes leave out no number that a lane has
		k.Accs[n].Hidden = false
	}
	if k.Team != ir.NoTeam {
		return compileTeams(k, name)
	}
	pass.Run(k, pass.Exact)
	if v := target.First(ir.Atomic, k.Body); v != nil {
		return nil, &Refusal{v.Pos, "an atomic operation has no form for cards"}
	}
	if err := check(k); err != nil {
		return nil, err
	}
	c := &Code{IR: k, Entry: prefix + ascii(name), Torn: torn(k.Body)}
	return c, c.write(c.entries())
}

// shapeless returns why no entry has the functor, the accumulators or the memories of a kernel: "" if one may have them.
func shapeless(k *ir.Kernel) string {
	for n, l := range k.Lanes {
		numbers := slices.DeleteFunc(slices.Clone(k.Accs), func(a ir.Acc) bool { return a.Lanes != n })
		switch {
		case len(numbers) == 0 || slices.ContainsFunc(numbers, func(a ir.Acc) bool { return a.Basic == "" }):
			return fmt.Sprintf("an accumulator of type %s, expected 1 to 16 numbers and bools that registers hold", l.GoType)
		case len(numbers[0].Path) > 0 && k.Scan:
			return fmt.Sprintf("an accumulator of type %s, expected a number or bool in the functor of a scan", l.GoType)
		}
	}
	switch {
	case k.Index.Lanes:
		return "its functor owns the loop over its items, which no device asks for"
	case k.Index.Row && k.Index.Rank == 0:
		return "its functor gets spans, which no device asks for"
	case slices.ContainsFunc(k.Mems, func(m ir.Mem) bool { return m.Far }):
		return "its elements lead to other memory by slices or pointers, which no device asks for; take a view of numbers or of flat structs"
	case slices.ContainsFunc(k.Mems, func(m ir.Mem) bool { return m.Local > 0 }):
		return "it has an array of its own of more elements than registers hold"
	case len(k.Apart) > 0:
		return "it copies from one slice to another, which may overlap; write a loop"
	}
	return ""
}

// An entry is a function of a module that runs items of a kernel.
type entry struct {
	name string
	k    *ir.Kernel
	text func(w *writer, name string) string
}

// entries returns the entries of a module: of items or leaves, of points of rows, and of boxes of one tile.
func (c *Code) entries() []entry {
	k := c.IR
	list := []entry{{c.Entry, k, (*writer).items}}
	if len(k.Accs) > 0 {
		list[0].text = (*writer).leaves
	}
	if k.Scan {
		list[0].text = (*writer).scan
	}
	point := k // whose item is a point
	if c.pointwise() {
		point = pointOf(k)
		list = append(list, entry{c.Points, point, (*writer).items})
	}
	if k.Index.Rank > 0 && len(k.Accs) == 0 && (!k.Index.Row || c.Points != "") {
		c.Plain = c.Entry + "_plain"
		list = append(list, entry{c.Plain, point, (*writer).items})
	}
	return list
}

// write writes the module of entries.
func (c *Code) write(entries []entry) error {
	var text strings.Builder
	loaded := &numbers{}
	for _, e := range entries {
		w := newWriter(e.k, loaded)
		w.plain, w.ofRows = e.name == c.Plain, c.IR.Index.Row
		c.Strides = c.Strides || len(c.IR.Accs) == 0 && w.strides()
		w.stops, w.number = c.Stops, numbered(c.Stops)
		written := e.text(w, e.name)
		if w.err != nil {
			return w.err
		}
		c.Stops = w.stops
		text.WriteString(written)
	}
	c.Text = ptxtext.Module(tables(c.IR), loaded.table(), text.String())
	return nil
}

// check refuses a kernel that calls functions.
func check(k *ir.Kernel) error {
	for _, b := range []*ir.Block{k.Setup, k.Body} {
		if call := target.First(ir.Call, b); call != nil {
			return &Refusal{call.Pos, target.NoForm(call)}
		}
	}
	return nil
}

// numbered returns the numbers of checks.
func numbered(stops []Stop) map[Stop]int {
	number := map[Stop]int{}
	for n, s := range stops {
		number[s] = n
	}
	return number
}

// prefix begins the names of entries.
const prefix = "gokkos_"

// ascii returns a name with letters that PTX has.
func ascii(name string) string {
	var b strings.Builder
	for _, r := range name {
		if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "$%x", r)
		}
	}
	return b.String()
}

// torn reports whether an item may stop behind a store of its own.
func torn(b *ir.Block) bool {
	stored, behind := false, false
	var walk func(b *ir.Block)
	walk = func(b *ir.Block) {
		for _, v := range b.Values {
			switch v.Op {
			case ir.Store:
				stored = true
			case ir.Check:
				behind = behind || stored
			case ir.If:
				walk(v.Then())
				walk(v.Else())
			case ir.Loop: // twice, as a check comes behind a store of the round before
				for range 2 {
					walk(v.Head())
					walk(v.LoopBody())
				}
			}
		}
	}
	walk(b)
	return behind
}
