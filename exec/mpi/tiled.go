package mpi

import (
	"fmt"
	"slices"

	"github.com/gokkos/gokkos/exec/mpi/internal/link"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// A TiledArray is an array whose first two dimensions are cut into tiles, which are distributed over the
// ranks as the items of a policy are: a functor over these has the tile that it is called for on its
// own rank, and what lies around it, the halo, which [TiledArray.Exchange] fetches.
//
//	plate := policy.MDRange2([2]int{}, [2]int{n, m}).Iterate(policy.Hilbert, policy.Right)
//	tiles := plate.Chunk(1).On(on).Tiles([2]int{64, 64})
//	u, err := mpi.NewTiledArray[float64](tiles, "u", nil, 1)
//	err = u.Exchange()
//	err = exec.ParallelFor(tiles, func(t policy.Tile[policy.Index2]) { ... })
//
// In the order [policy.Hilbert] the tiles of a rank are a region with short edges, for any number of
// ranks: with P of them, a square of n·n points, and so many tiles that their edges do not matter, a
// rank fetches about 4n/√P points, where it fetches 2n of an [Array].
//
// A rank keeps the least box around its tiles and their halo. Points in it that are neither are 0. On a
// square of tiles the box around a part of the curve has 2.4 times its tiles at most, and as many where
// the ranks are a power of two.
//
// Source of that bound: Haverkort and van Walderveen, Locality and bounding-box quality of
// two-dimensional space-filling curves, 2010.
type TiledArray[T any] struct {
	halo
	label   string
	extents []int
	of      tiling
	rank    int
	held    rectangle // of points that this rank has
	local   views.View[T]
	x       []T // the elements of local; nil in memory of a card
	point   int // elements of a point
}

// NewTiledArray returns an array of zeros. The items of tiles are its tiles, from the point (0, 0) on;
// point has the extents of what belongs to one point, and may be empty. width is how many points around
// its tiles a rank has too, in both dimensions and along diagonals. On a space that is not of [On] all
// points are here. Where ranks have cards, a rank's points are in the memory of its card.
//
// All ranks call it, with equal arguments, in one order. Ranks have nearly equally many tiles where a
// leaf has one, by the policy's Chunk(1).
//
// Errors: what is wrong with the policy; no tiles; a first point that is not (0, 0); a negative extent
// or width; a type of elements that refers to memory; on all ranks, that the memory of one has no room.
func NewTiledArray[T any](tiles policy.TilesPolicy[policy.Index2, [2]int], label string, point []int, width int) (*TiledArray[T], error) {
	plan := tiles.Plan()
	if plan.Err != nil {
		return nil, plan.Err
	}
	of := newTiling(tiles, width)
	if plan.Items == 0 || of.lower != [2]int{} || width < 0 {
		return nil, fmt.Errorf("mpi: NewTiledArray %q of %d tiles from %v on with a halo of %d, expected tiles from [0 0] on and a halo of at least 0", label, plan.Items, of.lower, width)
	}
	if p := pointerIn[T](); p != nil {
		return nil, fmt.Errorf("mpi: NewTiledArray %q, whose elements refer to memory of this process: %v", label, p)
	}
	a := &TiledArray[T]{label: label, extents: append(of.extents[:], point...), of: of}
	if s, ok := plan.Space.(Space); ok {
		if err := s.check(); err != nil {
			return nil, err
		}
		a.rank, a.of.parts = s.comm.Rank(), make([]part, s.comm.Size())
		for k := range a.of.parts {
			var err error
			if a.of.parts[k].begin, a.of.parts[k].end, err = s.comm.part(tiles, k); err != nil {
				return nil, err
			}
		}
		var err error
		if a.comm, a.tag, err = s.comm.ofArrays(); err != nil {
			return nil, err
		}
	}
	a.held = a.of.around(a.rank)
	var err error
	a.local, err = views.NewIn[T](memoryOf(plan.Space), label, append([]int{a.held.upper[0] - a.held.lower[0], a.held.upper[1] - a.held.lower[1]}, point...))
	if err := a.together(err); err != nil {
		return nil, err
	}
	if a.local.MemorySpace() == views.Host {
		a.x, _ = a.local.Slice()
	}
	a.point = 1
	for _, n := range point {
		a.point *= n
	}
	a.connect()
	return a, nil
}

// connect finds out which points come from other ranks, and which go there.
func (a *TiledArray[T]) connect() {
	in, out := a.of.messages(a.rank)
	for _, m := range in {
		a.in = append(a.in, func(on ...policy.Launch) (*Request, error) {
			buf := make([]T, m.points*a.point)
			r, err := Irecv(a.comm, m.rank, a.tag, a.message(buf), on...)
			if err != nil {
				return nil, err
			}
			received := r.received
			r.received = func(s link.Status) (Status, error) {
				status, err := received(s)
				if err == nil {
					err = a.unpack(m.areas, buf, on)
				}
				return status, err
			}
			return r, nil
		})
	}
	for _, m := range out {
		a.out = append(a.out, func(on ...policy.Launch) (*Request, error) {
			buf := make([]T, m.points*a.point)
			if err := a.pack(m.areas, buf, on); err != nil {
				return nil, err
			}
			return Isend(a.comm, m.rank, a.tag, a.message(buf), on...)
		})
	}
}

// message returns elements that are sent as a view.
func (a *TiledArray[T]) message(buf []T) views.View[T] {
	return views.Must(views.Of(a.label, buf, []int{len(buf)}))
}

// pack copies the elements of areas to a message.
func (a *TiledArray[T]) pack(areas []rectangle, buf []T, on []policy.Launch) error {
	if a.x == nil {
		return a.copies(areas, buf, func(here, there views.View[T]) error { return views.DeepCopy(there, here, on...) })
	}
	a.each(areas, buf, func(here, there []T) { copy(there, here) })
	return nil
}

// unpack is the opposite of pack.
func (a *TiledArray[T]) unpack(areas []rectangle, buf []T, on []policy.Launch) error {
	if a.x == nil {
		return a.copies(areas, buf, func(here, there views.View[T]) error { return views.DeepCopy(here, there, on...) })
	}
	a.each(areas, buf, func(here, there []T) { copy(here, there) })
	return nil
}

// copies calls f with each area, here and in a message.
func (a *TiledArray[T]) copies(areas []rectangle, buf []T, f func(here, there views.View[T]) error) error {
	for _, r := range areas {
		lower, size := r.in(a.held.lower, a.extents)
		here := views.Must(boxOf(a.local, lower, size)) // which is held
		there := views.Must(views.Of(a.label, buf[:here.Len()], size))
		if err := f(here, there); err != nil {
			return err
		}
		buf = buf[here.Len():]
	}
	return nil
}

// each calls f with the elements of each row of areas, here and in a message.
func (a *TiledArray[T]) each(areas []rectangle, buf []T, f func(here, there []T)) {
	across := (a.held.upper[1] - a.held.lower[1]) * a.point
	for _, r := range areas {
		n := (r.upper[1] - r.lower[1]) * a.point
		at := (r.lower[0]-a.held.lower[0])*across + (r.lower[1]-a.held.lower[1])*a.point
		for range r.upper[0] - r.lower[0] {
			f(a.x[at:at+n], buf[:n])
			at, buf = at+across, buf[n:]
		}
	}
}

// Extents returns those of the whole array.
func (a *TiledArray[T]) Extents() []int { return slices.Clone(a.extents) }

// Local returns the box of points that this rank has: its tiles, the halo, and what lies between.
func (a *TiledArray[T]) Local() views.View[T] { return a.local }

// Lower returns the point that is (0, 0) in [TiledArray.Local].
func (a *TiledArray[T]) Lower() policy.Index2 {
	return policy.Index2{I: a.held.lower[0], J: a.held.lower[1]}
}

// Tiles returns the tiles of this rank, in the order of the policy: those inside, which need no points of
// other ranks and can be computed while an exchange goes on, and those at the border.
func (a *TiledArray[T]) Tiles() (inside, border []policy.Tile[policy.Index2]) {
	for n := a.of.parts[a.rank].begin; n < a.of.parts[a.rank].end; n++ {
		r := a.of.tiles[n]
		t := policy.Tile[policy.Index2]{Lower: policy.Index2{I: r.lower[0], J: r.lower[1]}, Upper: policy.Index2{I: r.upper[0], J: r.upper[1]}}
		needs := slices.ContainsFunc(a.of.near(r), func(m int) bool { return a.of.owner(m) != a.rank })
		if needs {
			border = append(border, t)
		} else {
			inside = append(inside, t)
		}
	}
	return inside, border
}

func (a *TiledArray[T]) name() string { return a.label }

// blocks returns the tiles of this rank, as few boxes.
func (a *TiledArray[T]) blocks() (blocks []block[T]) {
	own := a.of.parts[a.rank]
	for _, r := range merged(slices.Clone(a.of.tiles[own.begin:own.end])) {
		lower, _ := r.in([2]int{}, a.extents)
		from, size := r.in(a.held.lower, a.extents)
		blocks = append(blocks, block[T]{lower, views.Must(boxOf(a.local, from, size))}) // which is held
	}
	return blocks
}

// Exchange fetches the halo: the points of other ranks around this one's tiles become what they are
// there. All ranks call it. A context ends it as it does [Array.Exchange].
func (a *TiledArray[T]) Exchange(on ...policy.Launch) error { return a.exchange(on) }

// Begin begins a [TiledArray.Exchange] and returns. Until [Exchange.Wait] the halo must not be read; the
// rank's own tiles may be written, as what is sent of them is a copy.
func (a *TiledArray[T]) Begin(on ...policy.Launch) (*Exchange, error) { return a.begin(on) }

// Gather makes dst, on the rank root, the whole array. dst has its extents, and does not matter
// on other ranks. All ranks call it, and a context does not end it.
func (a *TiledArray[T]) Gather(dst views.Viewer[T], root int, on ...policy.Launch) error {
	return a.move("Gather", dst, root, true, on)
}

// Scatter makes the tiles of each rank those of src on the rank root, which has the extents of the
// whole array, and does not matter on other ranks. The halo is not changed. All ranks call it.
// As with Gather, a context does not end it.
func (a *TiledArray[T]) Scatter(src views.Viewer[T], root int, on ...policy.Launch) error {
	return a.move("Scatter", src, root, false, on)
}

// move is Gather, or Scatter. The root has the tiles of one rank at a time beside the whole.
func (a *TiledArray[T]) move(what string, v views.Viewer[T], root int, gathers bool, on []policy.Launch) error {
	if root < 0 || root >= len(a.of.parts) {
		return fmt.Errorf("mpi: %s of %q with rank %d of %d", what, a.label, root, len(a.of.parts))
	}
	own, on := a.of.parts[a.rank], append(slices.Clip(on), uncancelled)
	if a.rank != root {
		if own.empty() {
			return nil
		}
		tiles := a.of.tiles[own.begin:own.end]
		buf := make([]T, points(tiles)*a.point)
		if gathers {
			if err := a.pack(tiles, buf, on); err != nil {
				return err
			}
			return Send(a.comm, root, a.tag, a.message(buf), on...)
		}
		if _, err := Recv(a.comm, root, a.tag, a.message(buf), on...); err != nil {
			return err
		}
		return a.unpack(tiles, buf, on)
	}
	whole, err := wholeOf(what, a.label, v, a.extents, root)
	if err != nil {
		return err
	}
	for k, p := range a.of.parts {
		if p.empty() {
			continue
		}
		if err := a.moveRank(whole, k, gathers, on); err != nil {
			return err
		}
	}
	return nil
}

// moveRank moves the tiles of one rank on the root.
func (a *TiledArray[T]) moveRank(whole views.View[T], rank int, gathers bool, on []policy.Launch) error {
	tiles := a.of.tiles[a.of.parts[rank].begin:a.of.parts[rank].end]
	buf := make([]T, points(tiles)*a.point)
	if gathers && rank == a.rank {
		if err := a.pack(tiles, buf, on); err != nil {
			return err
		}
	} else if gathers {
		if _, err := Recv(a.comm, rank, a.tag, a.message(buf), on...); err != nil {
			return err
		}
	}
	rest := buf
	for k := range tiles {
		n := points(tiles[k:k+1]) * a.point
		lower, size := tiles[k].in([2]int{}, a.extents)
		there, err := boxOf(whole, lower, size)
		if err != nil {
			return err
		}
		here, err := views.Of(a.label, rest[:n], there.Extents())
		if err != nil {
			return err
		}
		if gathers {
			err = views.DeepCopy(there, here, on...)
		} else {
			err = views.DeepCopy(here, there, on...)
		}
		if err != nil {
			return err
		}
		rest = rest[n:]
	}
	switch {
	case gathers:
		return nil
	case rank == a.rank:
		return a.unpack(tiles, buf, on)
	}
	return Send(a.comm, rank, a.tag, a.message(buf), on...)
}
