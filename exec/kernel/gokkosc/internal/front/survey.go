package front

import (
	"go/ast"
	"go/types"
	"slices"
)

// A functor that is refused is lowered again, to find what else in it would be: each statement by itself. Variables that
// a refused statement would have set are unknown from there on, and uses of them are not reported.

// maxReasons is how many reasons are looked for.
const maxReasons = 10

// survey makes statements be lowered each by itself, and returns why some are refused.
func (l *lowering) survey(f func()) []*Refusal {
	l.surveyed = &[]*Refusal{}
	func() {
		defer func() { recover() }() // of enough reasons, or as nothing fits what is unknown: what was found is true
		l.kept(f)
	}()
	return *l.surveyed
}

// kept runs something, and keeps the refusal that it ends with: ok if it does not.
func (l *lowering) kept(f func()) (ok bool) {
	var err error
	func() {
		defer caught(&err)
		f()
	}()
	r, refused := err.(*Refusal)
	if !refused {
		return true
	}
	known := func(q *Refusal) bool { return *q == *r }
	if !r.isUnknown() && !slices.ContainsFunc(*l.surveyed, known) {
		*l.surveyed = append(*l.surveyed, r)
	}
	if len(*l.surveyed) >= maxReasons {
		panic(&Refusal{Reason: "a kernel cannot have " + unknown.reason})
	}
	return false
}

// byItself lowers a statement by itself.
func (f *frame) byItself(s ast.Stmt, lower func() flow) (out flow) {
	l := f.lowering
	cur, mark, calls, literals, outside, rounds, folds := l.cur, len(l.log), len(l.calls), len(l.literals), l.outside, l.rounds, l.folds
	exits, looping := len(f.exits), l.looping
	if l.kept(func() { out = lower() }) {
		return out
	}
	l.undo(mark)
	l.cur, l.calls, l.literals, l.outside, l.rounds, l.folds = cur, l.calls[:calls], l.literals[:literals], outside, rounds, folds
	f.exits, l.looping = f.exits[:exits], looping
	forget := func(key any) {
		if _, isAccumulator := key.(accumulator); !isAccumulator {
			f.set(key, unknown)
		}
	}
	f.targets(s, forget)
	ast.Inspect(s, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := f.pkg.TypesInfo.Defs[id].(*types.Var); ok {
				forget(v)
			}
		}
		return true
	})
	return onward
}
