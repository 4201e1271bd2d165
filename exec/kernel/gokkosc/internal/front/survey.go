package front

import (
	"go/ast"
	"go/types"
	"slices"
)

// A refused functor is lowered again, statement by statement, to find further reasons. Variables that a
// refused statement would have set become unknown, and uses of unknown variables are not reported.

// maxReasons limits the reasons that a survey finds.
const maxReasons = 10

// survey lowers each statement by itself, and returns the refusals.
func (l *lowering) survey(f func()) []*Refusal {
	l.surveyed = &[]*Refusal{}
	func() {
		defer func() { recover() }() // panics end the survey: enough reasons, or a use of an unknown value; the reasons so far hold
		l.kept(f)
	}()
	return *l.surveyed
}

// kept calls f, and keeps the refusal with which f ends. The result ok reports that f ends without a refusal.
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
