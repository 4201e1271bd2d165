package witness

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Two statements may write one place in two items, such as x[i] and x[n-1-i] for all i below n. They are
// reported if they do so at all sizes that are tried. With another bound on i, which may be half of n, some
// sizes show no common place.

// A pair is two statements, in the order of the text.
type pair struct{ first, last token.Pos }

// pairs has the writers of each pair that have been seen first.
type pairs map[pair]writers

// writers are who wrote at the two statements of a pair, and at which depth they differ: 1 of items.
type writers struct {
	first, last writer
	level       int
}

func (p pairs) add(v, w writer, level int) {
	if v.at > w.at {
		v, w = w, v
	}
	if at := (pair{v.at, w.at}); p[at].level == 0 {
		p[at] = writers{v, w, level}
	}
}

// shapes is the number of ways in which sizes are made to differ: by one bit of their identities each.
const shapes = 24

// confirm reports the pairs that write one place in every environment with different sizes. It skips a pair
// if one of its statements is already reported alone.
func (p *Program) confirm(t target) {
	maps.DeleteFunc(p.pairs, func(at pair, _ writers) bool { return p.racing[at.first] || p.racing[at.last] })
	saved := *p
	p.Reports = Reports{Race: func(token.Pos, string) {}, Functor: func(ast.Node, string, bool) {}}
	for k := 0; k < 2*shapes && len(saved.pairs) > 0; k++ {
		p.pairs, p.spent, p.said, p.racing = pairs{}, 0, map[finding]bool{}, map[token.Pos]bool{}
		p.visited, p.reached = map[*ssa.BasicBlock]bool{}, map[*ssa.Function]map[token.Pos]bool{}
		p.run(t, environment{length: 10, fuel: 20_000, apart: k + 2})
		for at := range saved.pairs {
			if _, still := p.pairs[at]; !still {
				delete(saved.pairs, at)
			}
		}
	}
	*p = saved
	inOrder := func(a, b pair) int {
		return cmp.Or(cmp.Compare(a.last, b.last), cmp.Compare(a.first, b.first))
	}
	for _, at := range slices.SortedFunc(maps.Keys(p.pairs), inOrder) {
		of := p.pairs[at]
		first, last := p.prog.Fset.Position(at.first), p.prog.Fset.Position(at.last)
		where := fmt.Sprintf("line %d", first.Line)
		switch {
		case first.Filename != last.Filename:
			where += " of " + filepath.Base(first.Filename)
		case first.Line == last.Line:
			where = "this line"
		}
		both := fmt.Sprintf("%s here and %s in %s both do", of.last.name, of.first.name, where)
		p.found(at.last, of.last.shares(of.level), both)
	}
}

// size returns a size that nobody knows. If apart is set, one bit of the identity decides which sizes are
// longer.
func (e environment) size(id uint64) int64 {
	if e.apart > 0 && mix(id, 191)>>(e.apart/2)&1 == uint64(e.apart&1) {
		return 30 * e.length
	}
	return e.length
}
