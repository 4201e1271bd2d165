package mpi

import (
	"errors"
	"fmt"
	"slices"

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
	comm    *Comm // nil on a space that is not of ranks
	tag     int
	label   string
	extents []int
	halo    int
	parts   []part // of all ranks
	rank    int
	local   views.View[T]

	in, out []transfer // of the halo
	left    []*Request // of exchanges whose wait a context has ended
}

// transfer is rows that come from another rank, or go there.
type transfer struct {
	rank int
	rows part
}

// part is rows begin to end-1.
type part struct{ begin, end int }

func (p part) empty() bool { return p.begin >= p.end }

// and returns the rows that are in both.
func (p part) and(q part) part { return part{max(p.begin, q.begin), min(p.end, q.end)} }

// NewArray returns an array of zeros. The items of rows are its rows, from 0; row has the extents
// of one, and may be empty. halo is how many rows on each side of its own ones a rank has too, as
// far as there are any. On a space that is not of [On] all rows are here.
//
// All ranks call it, with equal arguments, in one order. Rows that differ in time are shared more
// equally where the policy has few of them in a leaf: see [policy.RangePolicy.Chunk].
//
// Errors: what is wrong with the policy; a first item that is not 0; a negative extent or halo; a
// type of elements that refers to memory.
func NewArray[T any](rows policy.RangePolicy, label string, row []int, halo int) (*Array[T], error) {
	plan := rows.Plan()
	if plan.Err != nil {
		return nil, plan.Err
	}
	var first [1]int
	if plan.Items > 0 {
		rows.Next(0, 1, first[:])
	}
	if first[0] != 0 || halo < 0 {
		return nil, fmt.Errorf("mpi: NewArray %q of rows from %d on with a halo of %d, expected rows from 0 on and a halo of at least 0", label, first[0], halo)
	}
	if p := pointerIn[T](); p != nil {
		return nil, fmt.Errorf("mpi: NewArray %q, whose elements refer to memory of this process: %v", label, p)
	}
	a := &Array[T]{label: label, extents: append([]int{plan.Items}, row...), halo: min(halo, plan.Items), parts: []part{{0, plan.Items}}}
	if s, ok := plan.Space.(Space); ok {
		if err := a.distribute(s, rows); err != nil {
			return nil, err
		}
	}
	held := a.held(a.rank)
	var err error
	a.local, err = views.New[T](label, append([]int{held.end - held.begin}, row...))
	return a, err
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
	wanted, own := a.held(a.rank), a.parts[a.rank]
	for k, theirs := range a.parts {
		if rows := wanted.and(theirs); k != a.rank && !rows.empty() {
			a.in = append(a.in, transfer{k, rows})
		}
		if rows := a.held(k).and(own); k != a.rank && !rows.empty() {
			a.out = append(a.out, transfer{k, rows})
		}
	}
	a.comm, a.tag, err = s.comm.ofArrays()
	return err
}

// ofArrays returns the communicator of what arrays send, and a tag for the next one.
func (c *Comm) ofArrays() (*Comm, int, error) {
	c.arrays.Lock()
	defer c.arrays.Unlock()
	if c.arrays.comm == nil {
		l, err := c.link.Dup()
		if err != nil {
			return nil, 0, err
		}
		c.arrays.comm = &Comm{link: l}
	}
	c.arrays.count++
	return c.arrays.comm, c.arrays.count % (MaxTag + 1), nil
}

// held returns the rows that a rank has, its own and the halo.
func (a *Array[T]) held(rank int) part {
	p := a.parts[rank]
	if p.empty() {
		return part{}
	}
	return part{p.begin - a.halo, p.end + a.halo}.and(part{0, a.extents[0]})
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

// An Exchange is one of [Array.Begin] that goes on.
type Exchange struct{ requests []*Request }

// Exchange fetches the halo: the rows of other ranks that this one has become what they are
// there. All ranks call it.
//
// Where a context ends the wait, the exchange goes on: what is on the way would be taken for the
// rows of a later one otherwise. The next one of this rank begins all the same, and waits for both.
func (a *Array[T]) Exchange(on ...policy.Launch) error {
	e, err := a.Begin(on...)
	if err != nil {
		return err
	}
	err = e.Wait(on...)
	a.left = slices.DeleteFunc(e.requests, func(r *Request) bool { return r.done })
	return err
}

// Begin begins an [Array.Exchange] and returns. Until [Exchange.Wait] the halo must not be
// read, and the rank's own rows must not be written.
func (a *Array[T]) Begin(on ...policy.Launch) (*Exchange, error) {
	e := &Exchange{requests: a.left}
	a.left = nil
	if a.comm == nil {
		return e, nil
	}
	on = append(slices.Clip(on), uncancelled)
	for _, t := range a.in {
		if err := e.begun(Irecv(a.comm, t.rank, a.tag, a.slab(t.rows), on...)); err != nil {
			e.giveUp()
			return nil, err
		}
	}
	for _, t := range a.out {
		if err := e.begun(Isend(a.comm, t.rank, a.tag, a.slab(t.rows), on...)); err != nil {
			e.giveUp()
			return nil, err
		}
	}
	return e, nil
}

// begun keeps a request, if it has begun.
func (e *Exchange) begun(r *Request, err error) error {
	if err == nil {
		e.requests = append(e.requests, r)
	}
	return err
}

// giveUp gives up what has begun.
func (e *Exchange) giveUp() {
	for _, r := range e.requests {
		r.giveUp()
	}
}

// Wait waits until the halo is there. Where a context ends the wait, the exchange goes on and must
// be waited for again.
func (e *Exchange) Wait(on ...policy.Launch) error {
	ctx := planOf(on).Context
	var errs []error
	for _, r := range e.requests {
		_, err := r.wait(ctx)
		errs = append(errs, err)
		if !r.done { // nor will others be waited for
			return err
		}
	}
	return errors.Join(errs...)
}

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
		if v == nil {
			return fmt.Errorf("mpi: %s of %q with a nil view on rank %d", what, a.label, root)
		}
		whole = views.As(v)
		if !slices.Equal(whole.Extents(), a.extents) {
			return fmt.Errorf("mpi: %s of %q %v with %v, expected equal extents", what, a.label, a.extents, whole)
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
