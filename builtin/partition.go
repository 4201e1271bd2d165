package builtin

import (
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
)

// Found is the location of an item for which a predicate holds, if there is one.
type Found[L comparable] struct {
	Loc   L
	Found bool
}

// First joins the location at, if holds, for [FirstLoc]; for [PartitionPoint]
// what holds is the negated predicate.
func (f *Found[L]) First(at L, holds bool) {
	if holds && (!f.Found || compare(&f.Loc, &at) > 0) {
		*f = Found[L]{at, true}
	}
}

// Last joins the location at, if holds, for [LastLoc].
func (f *Found[L]) Last(at L, holds bool) {
	if holds && (!f.Found || compare(&f.Loc, &at) < 0) {
		*f = Found[L]{at, true}
	}
}

// FirstLoc joins by min of the locations for which a predicate holds; its
// identity is no location at all. Locations are those of [MinLoc].
//
// A fold takes the values of the predicate.
func FirstLoc[L comparable](result *Found[L]) Reduction[Found[L], bool] {
	return firstLoc[L]{reducers.Into(result)}
}

type firstLoc[L comparable] struct{ reducers.Base[Found[L]] }

func (firstLoc[L]) Join(dst, src *Found[L]) { dst.First(src.Loc, src.Found) }

func (firstLoc[L]) Traits() concept.Traits[Found[L]] { return ordered[Found[L], L]() }

func (r firstLoc[L]) Fold() reducers.Fold[bool] {
	return foldAt[L, Found[L], Found[int], bool, firstLoc[int]](r)
}

func (firstLoc[L]) AddValues(lanes []Found[int], first int, x []bool) {
	mask := len(lanes) - 1
	for k, holds := range x {
		lanes[k&mask].First(first+k, holds)
	}
}

// LastLoc joins by max of the locations for which a predicate holds; its
// identity is no location at all. Locations are those of [MinLoc].
//
// A fold takes the values of the predicate.
func LastLoc[L comparable](result *Found[L]) Reduction[Found[L], bool] {
	return lastLoc[L]{reducers.Into(result)}
}

type lastLoc[L comparable] struct{ reducers.Base[Found[L]] }

func (lastLoc[L]) Join(dst, src *Found[L]) { dst.Last(src.Loc, src.Found) }

func (lastLoc[L]) Traits() concept.Traits[Found[L]] { return ordered[Found[L], L]() }

func (r lastLoc[L]) Fold() reducers.Fold[bool] {
	return foldAt[L, Found[L], Found[int], bool, lastLoc[int]](r)
}

func (lastLoc[L]) AddValues(lanes []Found[int], first int, x []bool) {
	mask := len(lanes) - 1
	for k, holds := range x {
		lanes[k&mask].Last(first+k, holds)
	}
}

// PartitionPoint joins by min of the locations for which a predicate does not
// hold: in a partitioned range, where the second part begins. Its identity is no
// location at all. Locations are those of [MinLoc].
//
// A functor calls acc.First(i, !holds); a fold takes the values of the predicate.
func PartitionPoint[L comparable](result *Found[L]) Reduction[Found[L], bool] {
	return partitionPoint[L]{firstLoc[L]{reducers.Into(result)}}
}

type partitionPoint[L comparable] struct{ firstLoc[L] }

func (r partitionPoint[L]) Fold() reducers.Fold[bool] {
	return foldAt[L, Found[L], Found[int], bool, partitionPoint[int]](r)
}

func (partitionPoint[L]) AddValues(lanes []Found[int], first int, x []bool) {
	mask := len(lanes) - 1
	for k, holds := range x {
		lanes[k&mask].First(first+k, !holds)
	}
}

// Partitioned says where a predicate holds for the last time, and where it does
// not for the first time.
type Partitioned[L comparable] struct{ LastTrue, FirstFalse Found[L] }

// Add joins the location at and whether the predicate holds there.
func (p *Partitioned[L]) Add(at L, holds bool) {
	p.LastTrue.Last(at, holds)
	p.FirstFalse.First(at, !holds)
}

// IsPartitioned reports whether all items for which the predicate holds come
// before all others.
func (p Partitioned[L]) IsPartitioned() bool {
	return !p.LastTrue.Found || !p.FirstFalse.Found || compare(&p.LastTrue.Loc, &p.FirstFalse.Loc) < 0
}

// IsPartitioned joins by [LastLoc] where a predicate holds and by [FirstLoc]
// where it does not, side by side.
//
// A fold takes the values of the predicate.
func IsPartitioned[L comparable](result *Partitioned[L]) Reduction[Partitioned[L], bool] {
	return isPartitioned[L]{reducers.Into(result)}
}

type isPartitioned[L comparable] struct{ reducers.Base[Partitioned[L]] }

func (isPartitioned[L]) Join(dst, src *Partitioned[L]) {
	dst.LastTrue.Last(src.LastTrue.Loc, src.LastTrue.Found)
	dst.FirstFalse.First(src.FirstFalse.Loc, src.FirstFalse.Found)
}

func (isPartitioned[L]) Traits() concept.Traits[Partitioned[L]] {
	return ordered[Partitioned[L], L]()
}

func (r isPartitioned[L]) Fold() reducers.Fold[bool] {
	return foldAt[L, Partitioned[L], Partitioned[int], bool, isPartitioned[int]](r)
}

func (isPartitioned[L]) AddValues(lanes []Partitioned[int], first int, x []bool) {
	mask := len(lanes) - 1
	for k, holds := range x {
		lanes[k&mask].Add(first+k, holds)
	}
}
