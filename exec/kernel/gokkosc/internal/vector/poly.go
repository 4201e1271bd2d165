package vector

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// A poly is an integer as a sum of products: of constants, values of the setup, counters of loops and the index of the item.
// Most indices are such sums, and their common parts are computed once.
type poly []term

type term struct {
	c int64
	f []*ir.Value // sorted by their numbers
}

func (t term) key() string {
	s := ""
	for _, v := range t.f {
		s += fmt.Sprintf(" %d", v.ID)
	}
	return s
}

// key returns a text that equal sums share.
func (p poly) key() string {
	s := ""
	for _, t := range p {
		s += fmt.Sprintf("+%d%s", t.c, t.key())
	}
	return s
}

// sum returns the sum of terms, with terms of the same factors joined.
func sum(terms ...term) poly {
	slices.SortStableFunc(terms, func(a, b term) int { return cmp.Compare(a.key(), b.key()) })
	var p poly
	for _, t := range terms {
		if n := len(p) - 1; n >= 0 && p[n].key() == t.key() {
			p[n].c += t.c
			continue
		}
		p = append(p, t)
	}
	return slices.DeleteFunc(p, func(t term) bool { return t.c == 0 })
}

func (p poly) times(q poly) poly {
	var all []term
	for _, a := range p {
		for _, b := range q {
			f := slices.Concat(a.f, b.f)
			slices.SortFunc(f, func(a, b *ir.Value) int { return cmp.Compare(a.ID, b.ID) })
			all = append(all, term{a.c * b.c, f})
		}
	}
	return sum(all...)
}

// constant returns p if it is one.
func (p poly) constant() (c int64, ok bool) {
	switch {
	case len(p) == 0:
		return 0, true
	case len(p) == 1 && len(p[0].f) == 0:
		return p[0].c, true
	}
	return 0, false
}

// split returns p without its constant.
func (p poly) split() (rest poly, constant int64) {
	for _, t := range p {
		if len(t.f) == 0 {
			constant = t.c
			continue
		}
		rest = append(rest, t)
	}
	return rest, constant
}

// polyOf returns the result of an operation on sums, if that is a sum.
func polyOf(op ir.Op, of [2]poly) (p poly, ok bool) {
	minus := poly{{-1, nil}}
	switch op {
	case ir.Add:
		return sum(slices.Concat(of[0], of[1])...), true
	case ir.Sub:
		return sum(slices.Concat(of[0], of[1].times(minus))...), true
	case ir.Neg:
		return of[0].times(minus), true
	case ir.Mul:
		return of[0].times(of[1]), true
	}
	return nil, false
}

// ofCounter returns the factor of a counter in p.
func ofCounter(p poly, counter *ir.Value) (coefficient poly) {
	for _, t := range p {
		if n := slices.Index(t.f, counter); n >= 0 {
			coefficient = append(coefficient, term{t.c, slices.Delete(slices.Clone(t.f), n, n+1)})
		}
	}
	return sum(coefficient...)
}

// without returns the terms of p that do not have v.
func without(p poly, v *ir.Value) (q poly) {
	for _, t := range p {
		has := false
		for _, f := range t.f {
			has = has || f == v
		}
		if !has {
			q = append(q, t)
		}
	}
	return q
}
