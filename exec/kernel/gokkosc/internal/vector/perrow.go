package vector

import (
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// The growth of values of the setup from row to row of a plane.

// differs reports whether a value of the setup, or the index of an item that is a row, is not the same for all rows.
func differs(k *ir.Kernel, v *ir.Value) bool {
	return v.Op == ir.Item || v.Op == ir.Coord && v.Index == outer(k) || slices.ContainsFunc(v.Args, func(a *ir.Value) bool { return differs(k, a) })
}

// perRow returns the growth of a value of the setup from row to row, if it is the same for all rows. Such a
// value is a sum of products of scalars and coordinates.
func perRow(k *ir.Kernel, v *ir.Value) (by poly, ok bool) {
	if !differs(k, v) {
		return nil, true
	}
	p, ok := sumOf(v)
	if !ok {
		return nil, false
	}
	return growthOf(k, p)
}

// perRowOf is perRow of a sum of values of the setup.
func perRowOf(k *ir.Kernel, p poly) (by poly, ok bool) {
	var all []term
	for _, t := range p {
		product := poly{{t.c, nil}}
		for _, f := range t.f {
			q, ok := sumOf(f)
			if !ok && differs(k, f) {
				return nil, false
			}
			if !ok {
				q = poly{{1, []*ir.Value{f}}}
			}
			product = product.times(q)
		}
		all = append(all, product...)
	}
	return growthOf(k, sum(all...))
}

// growthOf is perRow of a sum of products of scalars and coordinates.
func growthOf(k *ir.Kernel, p poly) (by poly, ok bool) {
	for _, t := range p {
		n := slices.IndexFunc(t.f, func(f *ir.Value) bool { return differs(k, f) })
		if n < 0 {
			continue
		}
		f := slices.Delete(slices.Clone(t.f), n, n+1)
		if slices.ContainsFunc(f, func(f *ir.Value) bool { return differs(k, f) }) {
			return nil, false
		}
		by = append(by, term{t.c, f})
	}
	return sum(by...), true
}

// sumOf returns an integer of the setup as a sum of products of scalars and coordinates.
func sumOf(v *ir.Value) (p poly, ok bool) {
	switch {
	case v.Type != ir.I64:
		return nil, false
	case v.Op == ir.Const:
		return sum(term{v.Int(), nil}), true
	case v.Op == ir.Uniform, v.Op == ir.Coord, v.Op == ir.Item:
		return poly{{1, []*ir.Value{v}}}, true
	case v.Op != ir.Add && v.Op != ir.Sub && v.Op != ir.Neg && v.Op != ir.Mul:
		return nil, false
	}
	var of [2]poly
	for n, a := range v.Args {
		if of[n], ok = sumOf(a); !ok {
			return nil, false
		}
	}
	return polyOf(v.Op, of)
}

// written reports whether a value of the setup can be written in Go anywhere.
func written(v *ir.Value) bool {
	_, ok := sumOf(v)
	return ok
}

// outer is the coordinate that grows from row to row.
func outer(k *ir.Kernel) int { return k.Index.Rank - 2 }
