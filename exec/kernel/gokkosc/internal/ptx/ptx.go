// Package ptx is the back end of NVIDIA's devices: it writes kernels as PTX, the assembly that the
// driver of a card compiles. Its README says what becomes of each part of a kernel.
package ptx

import (
	"fmt"
	"go/token"
	"slices"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/pass"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/target"
	"github.com/gokkos/gokkos/exec/kernel/ptxtext"
)

// Code is a kernel as PTX.
type Code struct {
	IR    *ir.Kernel // after passes: whose scalars and memories the entry has as parameters
	Text  string     // a module
	Entry string     // the entry that runs items, or leaves of a reduction
	Stops []Stop     // what an item stops at, by the number that it leaves in the status
	Torn  bool       // an item that stops may have stored before

	Strides bool // a thread of Entry goes on to items that are as many behind as there are threads

	Plain string // the entry for boxes of one tile with less than 2³¹ points, which runs each point of a row as a row; or ""

	Lanes string // of teams: the entry for members of several vector lanes; or ""
	Join  string // of teams with accumulators: the entry that joins their values

	Points string   // the entry that runs each point of a row as a row, or ""
	Apart  [][2]int // memories that must have nothing in common for that
	Steps  []int    // scalars that must not be 0 for that
}

// A Stop is where items stop, and why.
type Stop struct {
	Pos  token.Position
	What string // "index out of range"
}

// A Refusal says why there is no PTX of a kernel.
type Refusal struct {
	Pos    token.Position
	Reason string
}

func (r *Refusal) Error() string { return fmt.Sprintf("%v: %s", r.Pos, r.Reason) }

// Compile writes a kernel, which no pass has seen: it runs [pass.Exact], as an item that stops cannot be run
// as the closure. The name is that of the entry, with a prefix, as names of instructions are taken.
func Compile(k *ir.Kernel, name string) (*Code, error) {
	for _, l := range k.Lanes {
		if !isNumber[l.Basic] {
			return nil, &Refusal{k.Pos, fmt.Sprintf("an accumulator of type %s, whose values are joined by code that there is no PTX of", l.GoType)}
		}
	}
	if k.Index.Row && k.Index.Rank == 0 {
		return nil, &Refusal{k.Pos, "its functor gets spans, which no device asks for"}
	}
	if slices.ContainsFunc(k.Mems, func(m ir.Mem) bool { return m.IsFlat() && !m.Own || m.Far }) {
		return nil, &Refusal{k.Pos, "its slices are of structs, of slices or of pointers, which no device asks for; take a slice or a view of each field"}
	}
	if slices.ContainsFunc(k.Mems, func(m ir.Mem) bool { return m.Local > 0 }) {
		return nil, &Refusal{k.Pos, "it has an array of its own of more elements than registers hold"}
	}
	if len(k.Apart) > 0 {
		return nil, &Refusal{k.Pos, "it copies from one slice to another, which may overlap; write a loop"}
	}
	k = k.Clone()
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
	var text strings.Builder
	loaded := &numbers{}
	names, entries := []string{c.Entry}, []func(w *writer, name string) string{(*writer).items}
	if len(k.Accs) > 0 {
		entries = []func(w *writer, name string) string{(*writer).leaves}
	}
	point := k // where each point is an item
	if c.pointwise() {
		point = pointOf(k)
		names, entries = append(names, c.Points), append(entries, (*writer).items)
	}
	if k.Index.Rank > 0 && len(k.Accs) == 0 && (!k.Index.Row || c.Points != "") {
		c.Plain = c.Entry + "_plain"
		names, entries = append(names, c.Plain), append(entries, (*writer).items)
	}
	for n, entry := range entries {
		w := newWriter(k, loaded)
		if names[n] != c.Entry {
			w = newWriter(point, loaded)
		}
		w.plain, w.ofRows = names[n] == c.Plain, k.Index.Row
		c.Strides = c.Strides || len(k.Accs) == 0 && w.strides()
		w.stops, w.number = c.Stops, numbered(c.Stops)
		written := entry(w, names[n])
		if w.err != nil {
			return nil, w.err
		}
		c.Stops = w.stops
		text.WriteString(written)
	}
	c.Text = ptxtext.Module(tables(k), loaded.table(), text.String())
	return c, nil
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

// isNumber has the types that values of an accumulator can have.
var isNumber = map[string]bool{
	"float64": true, "float32": true, "bool": true, "int": true, "int64": true, "int32": true, "int16": true, "int8": true,
	"uint": true, "uint64": true, "uint32": true, "uint16": true, "uint8": true, "byte": true, "uintptr": true,
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
