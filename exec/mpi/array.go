package mpi

import (
	"fmt"
	"slices"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// An Array is an array whose rows, the indices of its first dimension, are distributed over the
// ranks as the items of a policy are: a functor over these items has the rows that it is called
// for on its own rank. Each rank has some rows of its neighbours as well, the halo, which
// [Array.Exchange] fetches.
//
//	rows := policy.Range(0, n).Chunk(1).On(on)
//	u, err := mpi.NewArray[float64](rows, "u", []int{m}, 1)
//	err = u.Exchange()
//	err = exec.ParallelFor(rows, func(i int) { x := local.Row(i - u.First()) ... })
type Array[T any] struct {
	halo
	label   string
	extents []int
	width   int    // of the halo, in rows
	parts   []part // of all ranks
	rank    int
	local   views.View[T]
}

// part is rows begin to end-1.
type part struct{ begin, end int }

func (p part) empty() bool { return p.begin >= p.end }

// and returns the rows that are in both.
func (p part) and(q part) part { return part{max(p.begin, q.begin), min(p.end, q.end)} }

// NewArray returns an array of zeros. The items of rows are its rows, from 0; row has the extents
// of one, and may be empty. width is how many rows on each side of its own ones a rank has too, as
// far as there are any. On a space that is not of [On] all rows are here. Where ranks have cards, a
// rank's rows are in the memory of its card, and ranks of one process copy halos from card to card.
//
// All ranks call it, with equal arguments, in one order. Rows that differ in time are shared more
// equally where the policy has few of them in a leaf: see [policy.RangePolicy.Chunk].
//
// Errors: what is wrong with the policy; a first item that is not 0; a negative extent or halo; a
// type of elements that refers to memory; on all ranks, that the memory of one has no room.
func NewArray[T any](rows policy.RangePolicy, label string, row []int, width int) (*Array[T], error) {
	plan := rows.Plan()
	if plan.Err != nil {
		return nil, plan.Err
	}
	var first [1]int
	if plan.Items > 0 {
		rows.Next(0, 1, first[:])
	}
	if first[0] != 0 || width < 0 {
		return nil, fmt.Errorf("mpi: NewArray %q of rows from %d on with a halo of %d, expected rows from 0 on and a halo of at least 0", label, first[0], width)
	}
	if p := pointerIn[T](); p != nil {
		return nil, fmt.Errorf("mpi: NewArray %q, whose elements refer to memory of this process: %v", label, p)
	}
	a := &Array[T]{label: label, extents: append([]int{plan.Items}, row...), width: min(width, plan.Items), parts: []part{{0, plan.Items}}}
	if s, ok := plan.Space.(Space); ok {
		if err := a.distribute(s, rows); err != nil {
			return nil, err
		}
	}
	held := a.held(a.rank)
	var err error
	a.local, err = views.NewIn[T](memoryOf(plan.Space), label, append([]int{held.end - held.begin}, row...))
	if err := a.together(err); err != nil { // or ranks whose memory has room would wait for the others
		return nil, err
	}
	if err := a.meet(a.local.MemorySpace() != views.Host); err != nil {
		return nil, err
	}
	a.connect()
	return a, nil
}

// memoryOf returns the memory of a space whose functors cannot touch that of the host, and else the memory of the host.
func memoryOf(s space.Space) views.MemorySpace {
	if m := device.MemoryOf(s); m != nil && m.Owner() != nil && m.Guard() == nil {
		return m
	}
	return views.Host
}

func (a *Array[T]) distribute(s Space, rows policy.RangePolicy) (err error) {
	if err := s.check(); err != nil {
		return err
	}
	a.rank, a.parts = s.comm.Rank(), make([]part, s.comm.Size())
	for k := range a.parts {
		if a.parts[k].begin, a.parts[k].end, err = s.comm.part(rows, k); err != nil {
			return err
		}
	}
	a.comm, a.tag, err = s.comm.ofArrays()
	return err
}

// connect finds out which rows come from other ranks, and which go there.
func (a *Array[T]) connect() {
	wanted, own := a.held(a.rank), a.parts[a.rank]
	for k, theirs := range a.parts {
		if k == a.rank {
			continue
		}
		hands := a.hands != nil && a.hands[k]
		if rows := wanted.and(theirs); !rows.empty() && hands {
			a.in = append(a.in, a.takes(k, func(theirs any, on []policy.Launch) error {
				other, ok := theirs.(*Array[T])
				if !ok {
					return fmt.Errorf("mpi: Exchange of %q with rank %d, whose array is a %T, expected a %T", a.label, k, theirs, a)
				}
				return views.DeepCopy(a.slab(rows), other.slab(rows), on...)
			}))
		} else if !rows.empty() {
			a.in = append(a.in, func(on ...policy.Launch) (*Request, error) { return Irecv(a.comm, k, a.tag, a.slab(rows), on...) })
		}
		if rows := a.held(k).and(own); !rows.empty() && hands {
			a.out = append(a.out, a.gives(k, a))
		} else if !rows.empty() {
			a.out = append(a.out, func(on ...policy.Launch) (*Request, error) { return Isend(a.comm, k, a.tag, a.slab(rows), on...) })
		}
	}
}

// held returns the rows that a rank has, its own and the halo.
func (a *Array[T]) held(rank int) part {
	p := a.parts[rank]
	if p.empty() {
		return part{}
	}
	return part{p.begin - a.width, p.end + a.width}.and(part{0, a.extents[0]})
}

// Extents returns those of the whole array.
func (a *Array[T]) Extents() []int { return append([]int{}, a.extents...) }

// Rows returns the rows begin to end-1 that this rank has to compute, its own ones.
func (a *Array[T]) Rows() (begin, end int) { return a.parts[a.rank].begin, a.parts[a.rank].end }

// First returns the number of the first row that this rank has, of its own ones or the halo: it
// is row 0 of [Array.Local].
func (a *Array[T]) First() int { return a.held(a.rank).begin }

// Local returns the rows that this rank has, the halo included.
func (a *Array[T]) Local() views.View[T] { return a.local }

// Own returns the rows that this rank has to compute.
func (a *Array[T]) Own() views.View[T] { return a.slab(a.parts[a.rank]) }

func (a *Array[T]) name() string { return a.label }

// blocks returns the rows of this rank.
func (a *Array[T]) blocks() []block[T] {
	lower := make([]int, len(a.extents))
	if lower[0] = a.parts[a.rank].begin; a.parts[a.rank].empty() {
		return nil
	}
	return []block[T]{{lower, a.Own()}}
}

// slab returns rows that this rank has.
func (a *Array[T]) slab(rows part) views.View[T] { return slabOf(a.local, rows, a.First()) }

// slabOf returns rows of a view whose row 0 is row first of an array.
func slabOf[T any](v views.View[T], rows part, first int) views.View[T] {
	selectors := []views.Selector{views.Range(0, 0)}
	if !rows.empty() {
		selectors[0] = views.Range(rows.begin-first, rows.end-first)
	}
	for range v.Rank() - 1 {
		selectors = append(selectors, views.All())
	}
	return views.Must(v.Sub(selectors...)) // whose rows are those of a part
}

// Exchange fetches the halo: the rows of other ranks that this one has become what they are
// there. All ranks call it.
//
// Where a context ends the wait, the exchange goes on: what is on the way would be taken for the
// rows of a later one otherwise. The next one of this rank begins all the same, and waits for both.
func (a *Array[T]) Exchange(on ...policy.Launch) error { return a.exchange(on) }

// Begin begins an [Array.Exchange] and returns. Until [Exchange.Wait] the halo must not be
// read, and the rank's own rows must not be written. Between cards of one process a rank's Wait ends
// once its neighbours wait, too, as they copy its rows then: no rank may meet others in between.
func (a *Array[T]) Begin(on ...policy.Launch) (*Exchange, error) { return a.begin(on) }

// Gather makes dst, on the rank root, the whole array. dst has its extents, and does not matter
// on other ranks. All ranks call it, and a context does not end it.
func (a *Array[T]) Gather(dst views.Viewer[T], root int, on ...policy.Launch) error {
	return a.move("Gather", dst, root, true, on)
}

// Scatter makes the rows of each rank those of src on the rank root, which has the extents of the
// whole array, and does not matter on other ranks. The halo is not changed. All ranks call it.
// As with Gather, a context does not end it.
func (a *Array[T]) Scatter(src views.Viewer[T], root int, on ...policy.Launch) error {
	return a.move("Scatter", src, root, false, on)
}

// move is Gather, or Scatter.
func (a *Array[T]) move(what string, v views.Viewer[T], root int, gathers bool, on []policy.Launch) error {
	if root < 0 || root >= len(a.parts) {
		return fmt.Errorf("mpi: %s of %q with rank %d of %d", what, a.label, root, len(a.parts))
	}
	var whole views.View[T]
	if a.rank == root {
		var err error
		if whole, err = wholeOf(what, a.label, v, a.extents, root); err != nil {
			return err
		}
	}
	e, on := &Exchange{}, append(slices.Clip(on), uncancelled)
	for k, rows := range a.parts {
		if rows.empty() || a.rank != root && a.rank != k {
			continue
		}
		other, here := root, a.Own()
		if a.rank == root {
			other, here = k, slabOf(whole, rows, 0)
		}
		var err error
		switch {
		case other == a.rank && gathers:
			err = views.DeepCopy(here, a.Own(), on...)
		case other == a.rank:
			err = views.DeepCopy(a.Own(), here, on...)
		case gathers == (a.rank == root):
			err = e.begun(Irecv(a.comm, other, a.tag, here, on...))
		default:
			err = e.begun(Isend(a.comm, other, a.tag, here, on...))
		}
		if err != nil {
			e.giveUp()
			return err
		}
	}
	return e.Wait()
}

// wholeOf returns the view of a whole array on the rank root.
func wholeOf[T any](what, label string, v views.Viewer[T], extents []int, root int) (views.View[T], error) {
	if v == nil {
		return views.View[T]{}, fmt.Errorf("mpi: %s of %q with a nil view on rank %d", what, label, root)
	}
	whole := views.As(v)
	if !slices.Equal(whole.Extents(), extents) {
		return whole, fmt.Errorf("mpi: %s of %q %v with %v, expected equal extents", what, label, extents, whole)
	}
	return whole, nil
}
