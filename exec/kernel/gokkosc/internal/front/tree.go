package front

import (
	"go/token"
	"go/types"
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// A tree is a value of Go taken apart into values of the representation.
type tree interface{}

// A number is a number or a truth value.
type number struct {
	v *ir.Value
	// product is where the number was multiplied, if nothing has rounded it since: Go may fuse
	// an addition to it.
	product token.Pos
}

// A parts is a struct or an array.
type parts struct {
	typ  types.Type
	list []tree
}

// An array is a parameter, or a part of a parameter, that is an array. Values can index it.
type array struct {
	*parts
	param int
	path  []ir.Step
	mem   int // number of its memory; -1 without one
}

// An accumulator is a pointer to accumulator n.
type accumulator struct{ n int }

// A bad is a part of a parameter that kernels cannot have. It holds the reason and the help of a refusal.
type bad struct{ reason, help string }

// blank stands for a field that nothing reads.
var blank = bad{"a blank field", "give it a name"}

// null is nil.
type null struct{}

// A compound is a tree of values that can differ where branches meet.
type compound interface {
	leaves() []*ir.Value
	with(take func() *ir.Value) tree // returns the same tree with other leaves, which take returns in order
}

// leaves returns the values of a tree that can differ where branches meet.
func leaves(t tree) []*ir.Value {
	if c, ok := t.(compound); ok {
		return c.leaves()
	}
	return nil
}

// with returns the tree with other leaves, which it takes from the front of the list.
func with(t tree, values *[]*ir.Value) tree {
	c, ok := t.(compound)
	if !ok {
		return t
	}
	return c.with(func() *ir.Value {
		v := (*values)[0]
		*values = (*values)[1:]
		return v
	})
}

func (n number) leaves() []*ir.Value { return []*ir.Value{n.v} }

func (n number) with(take func() *ir.Value) tree { return number{take(), n.product} }

func (p *parts) leaves() (out []*ir.Value) {
	for _, t := range p.list {
		out = append(out, leaves(t)...)
	}
	return out
}

func (p *parts) with(take func() *ir.Value) tree {
	list := make([]tree, len(p.list))
	for n, t := range p.list {
		if list[n] = t; len(leaves(t)) > 0 {
			list[n] = t.(compound).with(take)
		}
	}
	return &parts{p.typ, list}
}

// marks returns, for each of the leaves, where it was multiplied, if nothing has rounded it since.
func marks(t tree) (out []token.Pos) {
	switch t := t.(type) {
	case number:
		out = append(out, t.product)
	case *parts:
		for _, p := range t.list {
			out = append(out, marks(p)...)
		}
	case *array:
		return marks(t.parts)
	default:
		out = make([]token.Pos, len(leaves(t)))
	}
	return out
}

// unmarked returns the tree without the marks of products.
func unmarked(t tree) tree {
	switch t := t.(type) {
	case number:
		return number{v: t.v}
	case *parts:
		list := make([]tree, len(t.list))
		for n, p := range t.list {
			list[n] = unmarked(p)
		}
		return &parts{t.typ, list}
	}
	return t
}

// shared reports whether an array is behind a pointer.
func (a *array) shared() bool {
	is := func(kind ir.StepKind) bool {
		return slices.ContainsFunc(a.path, func(s ir.Step) bool { return s.Kind == kind })
	}
	return is(ir.Deref) && !is(ir.Method)
}

// unknown stands for a value that a refused statement would have set.
var unknown = bad{"what is unknown", ""}

// A member is the member of a team that the functor gets.
type member struct{}

func sameValues(x, y []*ir.Value) bool {
	if len(x) != len(y) {
		return false
	}
	for n := range x {
		if x[n] != y[n] {
			return false
		}
	}
	return true
}

// badPart returns a part of a struct or an array that kernels cannot have, but for blank fields.
func badPart(t tree) (bad, bool) {
	switch t := t.(type) {
	case bad:
		return t, t != blank
	case *array:
		return badPart(t.parts)
	case *parts:
		for _, p := range t.list {
			if b, ok := badPart(p); ok {
				return b, true
			}
		}
	}
	return bad{}, false
}

// ofNumbers reports whether the elements of an array are numbers, so that it can be memory.
func ofNumbers(a *array) bool {
	_, ok := elemType(a.typ.Underlying().(*types.Array).Elem())
	return ok
}
