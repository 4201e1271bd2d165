package builtin

import (
	"cmp"

	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
)

// A ValLoc is a value and the location where it was found. Its methods are for
// functors: each reducer that returns a ValLoc goes with the method of its name.
// Functors may assign to Val and Loc as well; see the package's notes on this.
type ValLoc[T Real, L comparable] struct {
	Val  T
	Loc  L
	none bool // nothing was found, if Val is the identity and Loc is zero
}

// Found reports whether the result of a reduction comes from an item.
func (v ValLoc[T, L]) Found() bool { return !v.none }

// Min joins the value x at location at, for [MinLoc].
func (v *ValLoc[T, L]) Min(x T, at L) {
	if !(x > v.Val) { // neither is NaN: most items end here
		v.join(0, x, at)
	}
}

// MinLast joins the value x at location at, for [MinLastLoc].
func (v *ValLoc[T, L]) MinLast(x T, at L) {
	if !(x > v.Val) {
		v.join(last, x, at)
	}
}

// Max joins the value x at location at, for [MaxLoc].
func (v *ValLoc[T, L]) Max(x T, at L) {
	if !(x < v.Val) {
		v.join(highest, x, at)
	}
}

// MaxLast joins the value x at location at, for [MaxLastLoc].
func (v *ValLoc[T, L]) MaxLast(x T, at L) {
	if !(x < v.Val) {
		v.join(highest|last, x, at)
	}
}

// join takes x and at, if p prefers them. No value is worse than the identity.
func (v *ValLoc[T, L]) join(p pick, x T, at L) {
	c := prefer(p, x, v.Val)
	if c == 0 && !v.isIdentity(p) {
		c = compare(&v.Loc, &at)
		if p&last != 0 {
			c = -c
		}
		if c == 0 {
			return
		}
	}
	if c >= 0 {
		*v = ValLoc[T, L]{Val: x, Loc: at}
	}
}

// joinAll joins what src has found, if anything.
func (v *ValLoc[T, L]) joinAll(p pick, src *ValLoc[T, L]) {
	better, worse := src.Val < v.Val, src.Val > v.Val // neither, if a location decides, a sign or a NaN
	if p&highest != 0 {
		better, worse = worse, better
	}
	switch {
	case better:
		*v = ValLoc[T, L]{Val: src.Val, Loc: src.Loc}
	case worse:
	case !src.isIdentity(p):
		v.join(p, src.Val, src.Loc)
	}
}

func identity[T Real](p pick) T {
	if p&highest != 0 {
		return least[T]()
	}
	return most[T]()
}

// isIdentity tells the identity from an item with the same value. Functors that
// assign to the fields do not reset none, so these are looked at as well.
func (v *ValLoc[T, L]) isIdentity(p pick) bool {
	var zero L
	return v.none && v.Val == identity[T](p) && v.Loc == zero
}

// MinLoc joins by min of the values, and of the locations of equal values; its
// identity is found nowhere and loses against every item. NaN propagates, so its
// first location is returned if there is one, and -0 is less than +0. If there
// are no items, Val is the identity of [Min], Loc the zero value, and Found false.
//
// Locations are ordered by their method Compare, if they have one, as the indices
// of package policy do, else as numbers and strings, or field by field. A
// location type without an order is an error.
//
// A fold takes values, which are located by their index; their location type
// must be int.
func MinLoc[T Real, L comparable](result *ValLoc[T, L]) Reduction[ValLoc[T, L], T] {
	return located[T, L, minFirst]{reducers.Into(result)}
}

// MinFirstLoc is [MinLoc] by the name that code from Kokkos has for it: there, MinLoc may
// return any of several locations.
func MinFirstLoc[T Real, L comparable](result *ValLoc[T, L]) Reduction[ValLoc[T, L], T] {
	return MinLoc(result)
}

// MinLastLoc is [MinLoc] with the last location of equal values.
func MinLastLoc[T Real, L comparable](result *ValLoc[T, L]) Reduction[ValLoc[T, L], T] {
	return located[T, L, minLast]{reducers.Into(result)}
}

// MaxLoc joins by max of the values, and by min of the locations of equal values;
// see [MinLoc].
func MaxLoc[T Real, L comparable](result *ValLoc[T, L]) Reduction[ValLoc[T, L], T] {
	return located[T, L, maxFirst]{reducers.Into(result)}
}

// MaxFirstLoc is [MaxLoc] by its name in Kokkos, as [MinFirstLoc] is MinLoc.
func MaxFirstLoc[T Real, L comparable](result *ValLoc[T, L]) Reduction[ValLoc[T, L], T] {
	return MaxLoc(result)
}

// MaxLastLoc is [MaxLoc] with the last location of equal values.
func MaxLastLoc[T Real, L comparable](result *ValLoc[T, L]) Reduction[ValLoc[T, L], T] {
	return located[T, L, maxLast]{reducers.Into(result)}
}

// A picker is a pick as a type parameter. A field would make the reducer larger than the
// pointer to its result.
type (
	picker   interface{ pick() pick }
	minFirst struct{}
	minLast  struct{}
	maxFirst struct{}
	maxLast  struct{}
)

func (minFirst) pick() pick { return 0 }
func (minLast) pick() pick  { return last }
func (maxFirst) pick() pick { return highest }
func (maxLast) pick() pick  { return highest | last }

type located[T Real, L comparable, P picker] struct{ reducers.Base[ValLoc[T, L]] }

func (located[T, L, P]) pick() pick { var p P; return p.pick() }

func (r located[T, L, P]) Init(val *ValLoc[T, L]) {
	*val = ValLoc[T, L]{Val: identity[T](r.pick()), none: true}
}

func (r located[T, L, P]) Join(dst, src *ValLoc[T, L]) { dst.joinAll(r.pick(), src) }

func (r located[T, L, P]) Final(val *ValLoc[T, L]) { val.none = val.isIdentity(r.pick()) }

func (located[T, L, P]) Traits() concept.Traits[ValLoc[T, L]] { return ordered[ValLoc[T, L], L]() }

func (r located[T, L, P]) JoinLanes(lanes []ValLoc[T, L]) {
	p := r.pick()
	for h := len(lanes) / 2; h > 0; h /= 2 {
		for l := range h {
			lanes[l].joinAll(p, &lanes[l+h])
		}
	}
}

func (r located[T, L, P]) Fold() reducers.Fold[T] {
	return foldAt[L, ValLoc[T, L], ValLoc[T, int], T, located[T, int, P]](r)
}

// AddValues uses one lane: the order of joins is no matter.
func (r located[T, L, P]) AddValues(lanes []ValLoc[T, int], first int, x []T) {
	lanes[0] = nearest(r.pick(), lanes[0], first, x)
}

// nearest returns best with the values x joined, which begin at location first.
func nearest[T Real](p pick, best ValLoc[T, int], first int, x []T) ValLoc[T, int] {
	for len(x) > 0 {
		n := min(len(x), piece)
		val, ok := extreme(p, x[:n])
		if !ok {
			break
		}
		if prefer(p, val, best.Val) >= 0 {
			k := find(p, x[:n], val)
			best = joined(p, best, x[k], first+k)
		}
		first, x = first+n, x[n:]
	}
	if p&highest != 0 {
		for k, v := range x {
			if !(v < best.Val) {
				best = joined(p, best, v, first+k)
			}
		}
		return best
	}
	for k, v := range x {
		if !(v > best.Val) {
			best = joined(p, best, v, first+k)
		}
	}
	return best
}

// joined returns v with x and at joined, as join does with any location. It has no pointer
// to v, which so stays in registers.
//
//go:noinline
func joined[T Real](p pick, v ValLoc[T, int], x T, at int) ValLoc[T, int] {
	c := prefer(p, x, v.Val)
	if c == 0 && !v.isIdentity(p) {
		c = cmp.Compare(v.Loc, at)
		if p&last != 0 {
			c = -c
		}
		if c == 0 {
			return v
		}
	}
	if c >= 0 {
		return ValLoc[T, int]{Val: x, Loc: at}
	}
	return v
}

// A MinMaxLocVal is the smallest and the largest of some values, and where they
// were found. Functors may assign to its fields, or use its methods.
type MinMaxLocVal[T Real, L comparable] struct {
	Min, Max       T
	MinLoc, MaxLoc L
	noMin, noMax   bool // as none in ValLoc
}

// Found reports whether the result of a reduction comes from items.
func (v MinMaxLocVal[T, L]) Found() bool { return !v.noMin && !v.noMax }

// Add joins the value x at location at, for [MinMaxLoc].
func (v *MinMaxLocVal[T, L]) Add(x T, at L) {
	if !(x > v.Min && x < v.Max) {
		v.add(highest, x, at)
	}
}

// AddFirstLast joins the value x at location at, for [MinMaxFirstLastLoc].
func (v *MinMaxLocVal[T, L]) AddFirstLast(x T, at L) {
	if !(x > v.Min && x < v.Max) {
		v.add(highest|last, x, at)
	}
}

// add joins x and at on both sides, and as p says for the maximum.
func (v *MinMaxLocVal[T, L]) add(p pick, x T, at L) {
	lo, hi := v.sides()
	lo.join(0, x, at)
	hi.join(p, x, at)
	v.set(lo, hi)
}

func (v *MinMaxLocVal[T, L]) sides() (lo, hi ValLoc[T, L]) {
	return ValLoc[T, L]{v.Min, v.MinLoc, v.noMin}, ValLoc[T, L]{v.Max, v.MaxLoc, v.noMax}
}

func (v *MinMaxLocVal[T, L]) set(lo, hi ValLoc[T, L]) {
	*v = MinMaxLocVal[T, L]{lo.Val, hi.Val, lo.Loc, hi.Loc, lo.none, hi.none}
}

// MinMaxLoc joins by [MinLoc] and [MaxLoc] side by side.
func MinMaxLoc[T Real, L comparable](result *MinMaxLocVal[T, L]) Reduction[MinMaxLocVal[T, L], T] {
	return minMaxLoc[T, L, maxFirst]{reducers.Into(result)}
}

// MinMaxFirstLastLoc joins by [MinLoc] and [MaxLastLoc] side by side.
func MinMaxFirstLastLoc[T Real, L comparable](result *MinMaxLocVal[T, L]) Reduction[MinMaxLocVal[T, L], T] {
	return minMaxLoc[T, L, maxLast]{reducers.Into(result)}
}

// minMaxLoc joins by MinLoc and by what P says for the maximum.
type minMaxLoc[T Real, L comparable, P picker] struct {
	reducers.Base[MinMaxLocVal[T, L]]
}

func (minMaxLoc[T, L, P]) pick() pick { var p P; return p.pick() }

func (minMaxLoc[T, L, P]) Init(val *MinMaxLocVal[T, L]) {
	*val = MinMaxLocVal[T, L]{Min: most[T](), Max: least[T](), noMin: true, noMax: true}
}

func (r minMaxLoc[T, L, P]) Join(dst, src *MinMaxLocVal[T, L]) {
	lo, hi := dst.sides()
	srcLo, srcHi := src.sides()
	lo.joinAll(0, &srcLo)
	hi.joinAll(r.pick(), &srcHi)
	dst.set(lo, hi)
}

func (r minMaxLoc[T, L, P]) JoinLanes(lanes []MinMaxLocVal[T, L]) {
	for h := len(lanes) / 2; h > 0; h /= 2 {
		for l := range h {
			if src := &lanes[l+h]; !src.isIdentity() { // as most lanes of a fold are
				r.Join(&lanes[l], src)
			}
		}
	}
}

// isIdentity tells the identity from items with the same values, as that of ValLoc.
func (v *MinMaxLocVal[T, L]) isIdentity() bool {
	var zero L
	return v.noMin && v.noMax && v.Min == most[T]() && v.Max == least[T]() && v.MinLoc == zero && v.MaxLoc == zero
}

func (r minMaxLoc[T, L, P]) Final(val *MinMaxLocVal[T, L]) {
	lo, hi := val.sides()
	val.noMin, val.noMax = lo.isIdentity(0), hi.isIdentity(r.pick())
}

func (minMaxLoc[T, L, P]) Traits() concept.Traits[MinMaxLocVal[T, L]] {
	return ordered[MinMaxLocVal[T, L], L]()
}

func (r minMaxLoc[T, L, P]) Fold() reducers.Fold[T] {
	return foldAt[L, MinMaxLocVal[T, L], MinMaxLocVal[T, int], T, minMaxLoc[T, int, P]](r)
}

// AddValues uses one lane: the order of joins is no matter.
func (r minMaxLoc[T, L, P]) AddValues(lanes []MinMaxLocVal[T, int], first int, x []T) {
	r.addAll(&lanes[0], first, x)
}

// addAll joins the values x, which begin at location first.
func (r minMaxLoc[T, L, P]) addAll(acc *MinMaxLocVal[T, int], first int, x []T) {
	lo, hi := acc.sides()
	for len(x) > 0 {
		n := min(len(x), piece) // both sides while it is in the cache
		lo, hi = nearest(0, lo, first, x[:n]), nearest(r.pick(), hi, first, x[:n])
		first, x = first+n, x[n:]
	}
	acc.set(lo, hi)
}
