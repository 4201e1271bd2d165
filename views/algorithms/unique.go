package algorithms

import (
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
	"github.com/gokkos/gokkos/views"
)

// Unique keeps the first element of each run of equal ones and moves these to the front of
// v, in their order. It returns how many they are; elements behind keep their content. A NaN
// equals nothing.
//
// On an error v keeps its content. Memory: a bool for each element, and what is kept.
//
// Integers and floats in the memory of a card that has code for it, see [device.Rearranger], are moved there.
func Unique[T comparable](v views.Viewer[T], on ...policy.Launch) (int, error) {
	if s, ok := far[device.Rearranger](on, memoryIn(v)); ok {
		return farRearrange[T, struct{}]("Unique", s, device.Rearrangement{Rule: "unique"}, v, nil, on)
	}
	return UniqueFunc(v, equal[T], on...)
}

// UniqueFunc is [Unique] for elements that are equal if same says so of neighbours.
func UniqueFunc[T any](v views.Viewer[T], same func(a, b T) bool, on ...policy.Launch) (int, error) {
	c := newCall("Unique", on, same == nil)
	x := vectorOf(c, v)
	return compact(c, x, c.choose(x.n, heads(x, same)))
}

// UniqueCopy copies the first element of each run of equal ones to dst, in their order, and
// returns how many they are; elements of dst behind keep their content.
//
// It is an error if dst has no room for them or an element of src.
func UniqueCopy[T comparable](dst, src views.Viewer[T], on ...policy.Launch) (int, error) {
	if s, ok := far[device.Rearranger](on, memoryIn(dst), memoryIn(src)); ok {
		return farChoose("UniqueCopy", s, device.Rearrangement{Rule: "unique"}, dst, src, on)
	}
	return UniqueCopyFunc(dst, src, equal[T], on...)
}

// UniqueCopyFunc is [UniqueCopy] for elements that are equal if same says so of neighbours.
func UniqueCopyFunc[T any](dst, src views.Viewer[T], same func(a, b T) bool, on ...policy.Launch) (int, error) {
	c := newCall("UniqueCopy", on, same == nil)
	d, s := vectorOf(c, dst), vectorOf(c, src)
	apart(c, d, s)
	return copyChosen(c, d, s, c.choose(s.n, heads(s, same)))
}

// UniqueByKey keeps the first item of each run of equal keys and moves these to the front of
// keys and values, in their order; see [Unique].
//
// It is an error if keys and values differ in length or have elements in common.
func UniqueByKey[K comparable, V any](keys views.Viewer[K], values views.Viewer[V], on ...policy.Launch) (int, error) {
	if s, ok := far[device.Rearranger](on, memoryIn(keys), memoryIn(values)); ok {
		return farRearrange("UniqueByKey", s, device.Rearrangement{Rule: "unique"}, keys, values, on)
	}
	c := newCall("UniqueByKey", on)
	x, y := keysAndValues(c, keys, values)
	sel := c.choose(x.n, heads(x, equal[K]))
	first, value := packed(c, sel, x), packed(c, sel, y)
	c.commit()
	c.spans(sel.count, func(s policy.Span) {
		x.store(s.Begin, first[s.Begin:s.End])
		y.store(s.Begin, value[s.Begin:s.End])
	})
	return c.result(sel.count)
}

// ReduceByKey reduces the values of each run of equal keys with the reducer that is made for
// one of them, for example
//
//	n, err := algorithms.ReduceByKey(totals, names, amounts, of, builtin.Sum)
//
// It sets outKeys to the first key of each run and outValues to the reductions, and returns
// how many they are; elements behind keep their content. A NaN equals nothing.
//
// Order: the values of a run are joined in their order, first those in one leaf of the
// reduction tree over all the items, then from leaf to leaf, as in [exec.ParallelScan].
// Final is applied to each reduction. Values are joined as partial results, so they are the
// summands of a Norm2, not the elements.
//
// It is an error if keys and values differ in length, if an output has no room, and if it has
// an element in common with another view. Memory: a bool for each item.
func ReduceByKey[K comparable, V any, R reducers.Reducer[V]](outKeys views.Viewer[K], outValues views.Viewer[V], keys views.Viewer[K], values views.Viewer[V], reducer func(*V) R, on ...policy.Launch) (int, error) {
	c := newCall("ReduceByKey", on, reducer == nil)
	dk, dv := vectorOf(c, outKeys), vectorOf(c, outValues)
	k, v := vectorOf(c, keys), vectorOf(c, values)
	equally(c, k, v)
	apart(c, dk, dv)
	apart(c, dk, k)
	apart(c, dk, v)
	apart(c, dv, k)
	apart(c, dv, v)
	sel := c.choose(k.n, heads(k, equal[K]))
	room(c, dk, sel.count)
	room(c, dv, sel.count)
	if c.err != nil {
		return 0, c.err
	}
	r := runReducer[V]{reducers.Into(new(run[V])), reducer(new(V))}
	c.err = exec.ParallelScan(c.items(k.n), func(s policy.Span, acc *run[V], final bool) {
		c.pieces(s, func(part policy.Span) {
			for i := range part.All() {
				if sel.keep[i] {
					acc.number++
					r.each.Init(&acc.value)
					if final {
						dk.set(acc.number-1, k.at(i))
					}
				}
				r.each.Join(&acc.value, v.ref(i))
				if final && (i+1 == k.n || sel.keep[i+1]) {
					dv.set(acc.number-1, r.result(acc))
				}
			}
		})
	}, r)
	return c.result(sel.count)
}

// A run is the reduction of the values of the latest run of equal keys, and its number,
// counted from 1; of the part of a run whose first key is elsewhere, it is 0.
type run[V any] struct {
	number int
	value  V
}

// runReducer joins runs: a later one takes the place of an earlier one.
type runReducer[V any] struct {
	reducers.Base[run[V]]
	each reducers.Reducer[V]
}

// result returns the reduction of a run, which shares no memory with the accumulator.
func (r runReducer[V]) result(acc *run[V]) (value V) {
	r.each.Init(&value)
	r.each.Join(&value, &acc.value)
	r.each.Final(&value)
	return value
}

func (r runReducer[V]) Init(val *run[V]) {
	val.number = 0
	r.each.Init(&val.value)
}

func (r runReducer[V]) Join(dst, src *run[V]) {
	if src.number > 0 {
		r.each.Init(&dst.value)
	}
	dst.number += src.number
	r.each.Join(&dst.value, &src.value)
}

func (r runReducer[V]) Traits() concept.Traits[run[V]] {
	return concept.Traits[run[V]]{Ordered: true, Err: concept.TraitsOf(r.each).Err}
}

func equal[T comparable](a, b T) bool { return a == b }

// heads marks the elements that begin a run of equal ones.
func heads[T any](x vector[T], same func(a, b T) bool) func(s policy.Span, keep []bool) {
	data, stride := x.data, x.stride
	return func(s policy.Span, keep []bool) {
		for k := range keep {
			i := s.Begin + k
			keep[k] = i == 0 || !same(data[(i-1)*stride], data[i*stride])
		}
	}
}
