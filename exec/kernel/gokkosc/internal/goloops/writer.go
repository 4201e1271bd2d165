package goloops

import (
	"bytes"
	"fmt"
	"go/token"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// A writer writes the values of a kernel as Go.
type writer struct {
	k       *ir.Kernel
	b       bytes.Buffer
	names   *names
	mems    []string
	bases   []string // the slices of structs that memories are numbers of, the memories of others
	imports map[string]bool
	err     error

	text     map[*ir.Value]string // variables, and expressions of values that need none
	uses     map[*ir.Value]int
	inline   map[*ir.Value]bool   // the user of the value contains its expression
	window   map[*ir.Value]string // of loads and stores: the element in Go
	undo     []string             // code that restores the stores of the item so far, the last one first
	stop     string               // the statement that stops the item
	none     string               // the statement that stops in front of all items, or of the items of a run
	combined []string             // pointers to what takes contributions, by index of Kernel.Accesses
	perRun   map[*ir.Value]bool   // values of the setup that differ from run to run

	forced    map[*ir.Value]bool  // constants that are variables
	journal   map[*ir.Value]*kept // stores behind which the item may stop
	logs      bool                // the journal is a log of the team
	noted     string              // the log
	back      string              // the function that takes back the stores in it
	windowsOf map[*ir.Value][]*window
	accesses  map[*ir.Value]*window
	calls     map[*ir.Value]*Call
}

func newWriter(k *ir.Kernel, taken ...string) *writer {
	w := &writer{
		k: k, names: newNames(taken...), imports: map[string]bool{},
		text: map[*ir.Value]string{}, uses: map[*ir.Value]int{}, inline: map[*ir.Value]bool{}, window: map[*ir.Value]string{},
		forced: map[*ir.Value]bool{}, journal: map[*ir.Value]*kept{}, none: "return begin", perRun: perRun(k),
	}
	if k.Index.Rank > 0 {
		w.none = "return 0, 0"
		for _, name := range runNames {
			w.names.taken[name] = true
		}
	}
	for _, m := range k.Mems {
		w.names.reserve(m.GoElem)
	}
	for _, a := range k.Lanes {
		w.names.reserve(a.GoType)
	}
	w.count(k.Setup)
	w.count(k.Body)
	for _, c := range k.Checks {
		for _, v := range []*ir.Value{c.Base, c.Step, c.Limit, c.When} {
			if v != nil {
				w.uses[v]++
			}
		}
	}
	return w
}

// count counts the uses of values.
func (w *writer) count(b *ir.Block) {
	b.Walk(func(v *ir.Value) {
		for _, a := range v.Args {
			w.uses[a]++
		}
		for _, inner := range v.Blocks {
			for _, y := range inner.Yield {
				w.uses[y]++
			}
		}
	})
	for _, y := range b.Yield {
		w.uses[y]++
	}
}

// A refusal is why a kernel has no loops in Go.
type refusal struct {
	pos    token.Position
	reason string
}

func (r *refusal) Error() string { return fmt.Sprintf("%v: %s", r.pos, r.reason) }

func (w *writer) refuse(at token.Position, format string, a ...any) {
	if w.err == nil {
		w.err = &refusal{at, fmt.Sprintf(format, a...)}
	}
}

func (w *writer) line(format string, a ...any) { fmt.Fprintf(&w.b, format+"\n", a...) }

// plan decides which values of a block are written inside of their users. Such a value is used once, in the
// same block. No store that its loads may depend on stands in between. A selection is a statement.
func (w *writer) plan(b *ir.Block) {
	place := map[*ir.Value]int{}
	for n, v := range b.Values {
		place[v] = n
	}
	user := map[*ir.Value]int{} // number of the one user of a value
	for n, v := range b.Values {
		for _, a := range v.Args {
			user[a] = n
		}
		for _, inner := range v.Blocks {
			forget(inner, user)
		}
	}
	for _, y := range b.Yield {
		user[y] = len(b.Values)
	}
	root := map[*ir.Value]int{}   // where a value is written
	within := map[*ir.Value]int{} // number of expressions around the value
	for n := len(b.Values) - 1; n >= 0; n-- {
		v := b.Values[n]
		u, used := user[v]
		root[v] = n
		if !used || u < 0 || w.uses[v] != 1 || len(v.Args) == 0 || !v.Op.Pure() && v.Op != ir.Load || v.Op == ir.Select || isOneOfSeveral(v) || v.Op == ir.Load && b == w.k.Setup {
			continue
		}
		at, depth := u, 1
		if u < len(b.Values) {
			if b.Values[u].Op == ir.Loop || b.Values[u].Op == ir.Result {
				continue
			}
			at, depth = root[b.Values[u]], within[b.Values[u]]+1
		}
		if depth > maxNesting {
			continue
		}
		if v.Op == ir.Load && w.storesBetween(b, n, at, v.Type) {
			continue
		}
		w.inline[v], root[v], within[v] = true, at, depth
	}
}

// maxNesting is the greatest depth of nested expressions. The time of go/format grows with the square of that
// depth.
const maxNesting = 100

// forget marks values that blocks within a block use.
func forget(b *ir.Block, user map[*ir.Value]int) {
	b.Walk(func(v *ir.Value) {
		for _, a := range v.Args {
			user[a] = -1
		}
		for _, inner := range v.Blocks {
			for _, y := range inner.Yield {
				user[y] = -1
			}
		}
	})
	for _, y := range b.Yield {
		user[y] = -1
	}
}

// storesBetween reports whether a value between two of a block stores elements of a type.
func (w *writer) storesBetween(b *ir.Block, from, to int, t ir.Type) (found bool) {
	for _, v := range b.Values[from:min(to, len(b.Values))] {
		note := func(v *ir.Value) { found = found || v.Op == ir.Atomic || v.Op == ir.Store && v.Args[1].Type == t }
		note(v)
		for _, inner := range v.Blocks {
			inner.Walk(note)
		}
	}
	return found
}

// use returns the Go expression of a value, in parentheses if it needs them.
func (w *writer) use(v *ir.Value) string {
	if s, ok := w.text[v]; ok {
		return s
	}
	if v.Op == ir.Const {
		return w.constant(v, false)
	}
	if w.inline[v] {
		return w.paren(w.expr(v))
	}
	return w.missing(v)
}

func (w *writer) missing(v *ir.Value) string {
	w.refuse(v.Pos, "internal: %s has no variable", v)
	return "missing"
}

// paren puts an expression in parentheses, unless it is one name, literal or call. paren looks from behind:
// if a variable is changed many times, the first operand of a sum is the longer one.
func (w *writer) paren(s string) string {
	depth := 0
	for n := len(s) - 1; n >= 0; n-- {
		switch r := s[n]; {
		case r == ')' || r == ']':
			depth++
		case r == '(' || r == '[':
			depth--
		case depth == 0 && r == ' ', n == 0 && (r == '!' || r == '^' || r == '-'):
			return "(" + s + ")"
		}
	}
	return s
}

// bare returns the expression of a value where it stands alone.
func (w *writer) bare(v *ir.Value) string {
	if _, ok := w.text[v]; !ok && w.inline[v] {
		return w.expr(v)
	}
	return w.use(v)
}

// typed returns the expression of a value so that it has its type where nothing else says it.
func (w *writer) typed(v *ir.Value) string {
	if v.Op == ir.Const && w.text[v] == "" {
		return w.constant(v, true)
	}
	return w.bare(v)
}

// declare makes a value a variable.
func (w *writer) declare(v *ir.Value, s string) {
	name := w.names.free(v.Name)
	w.text[v] = name
	w.line("%s := %s", name, s)
}
