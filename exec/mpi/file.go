package mpi

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/npy"
)

// An AnyArray is an array that is distributed over ranks, of elements of type T: an [Array] or a
// [TiledArray].
type AnyArray[T any] interface {
	// Extents returns those of the whole array.
	Extents() []int

	name() string
	messages() *halo
	blocks() []block[T]
}

// A block is some of the elements that belong to a rank: a box of the array.
type block[T any] struct {
	lower []int         // its first element
	here  views.View[T] // on this rank
}

// WriteNPY writes an array to a file in NumPy's format, which each rank sees under the same path:
// each writes its own rows or tiles. The file is there when all have, and else what was there before, see
// [npy.Create]. All ranks call it, and all get the error of the lowest rank that has one.
func WriteNPY[T npy.Element](path string, a AnyArray[T]) error {
	h := a.messages()
	var f *npy.File
	var err error
	if h.rank() == 0 {
		if f, err = npy.CreateShaped[T](path, a.Extents()); err == nil {
			defer f.Close()
		}
	}
	if err := h.together(err); err != nil {
		return err
	}
	temporary := ""
	if f != nil {
		temporary = f.Temporary()
	}
	if temporary, err = h.told(temporary, 0); err != nil {
		return err
	}
	for _, b := range a.blocks() {
		here, copied := views.MirrorCopy(views.Host, b.here) // of a card's rows
		if err = copied; err == nil {
			err = npy.WriteViewPart(temporary, b.lower, here)
		}
		if err != nil {
			break
		}
	}
	if err := h.together(err); err != nil {
		return err
	}
	if f != nil {
		err = f.Commit()
	}
	return h.together(err)
}

// ReadNPY makes the rows or tiles of each rank those of a file in NumPy's format, of which it touches no
// others where it can be mapped, see [npy.Map]. The file has the extents of the array, in any order.
// The halo is not changed. All ranks call it, and all get the error of the lowest rank that has one;
// elements may have changed then.
func ReadNPY[T npy.Element](path string, a AnyArray[T]) error {
	return a.messages().together(readOwn(path, a))
}

func readOwn[T npy.Element](path string, a AnyArray[T]) error {
	m, err := npy.Map[T](path)
	if err != nil {
		return err
	}
	defer m.Close()
	v := m.View()
	if !slices.Equal(v.Extents(), a.Extents()) {
		return fmt.Errorf("mpi: ReadNPY of %s with extents %v into %q, expected %v", path, v.Extents(), a.name(), a.Extents())
	}
	for _, b := range a.blocks() {
		there, err := boxOf(v, b.lower, b.here.Extents())
		if err == nil {
			err = views.DeepCopy(b.here, there)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// boxOf returns the box of a view that has its first element and its extents there.
func boxOf[T any](v views.View[T], lower, extents []int) (views.View[T], error) {
	selectors := make([]views.Selector, len(lower))
	for d, n := range lower {
		selectors[d] = views.Range(n, n+extents[d])
	}
	return v.Sub(selectors...)
}

// together returns the error of the lowest rank that has one, on all ranks.
func (h *halo) together(err error) error {
	if h.comm == nil {
		return err
	}
	l, text, has := h.comm.link, "", byte(0)
	if err != nil {
		text, has = err.Error(), 1
	}
	wrong := make([]byte, l.Size())
	if err := l.Allgather([]byte{has}, wrong); err != nil {
		return fmt.Errorf("mpi: %w", err)
	}
	first := slices.Index(wrong, 1)
	if first < 0 {
		return nil
	}
	f := failure{rank: first}
	var failed error
	if f.text, failed = h.told(text, first); failed != nil {
		return failed
	}
	if first == l.Rank() {
		f.err = err
	}
	return f.error(l.Size())
}

// told returns what a rank says, on all ranks.
func (h *halo) told(text string, rank int) (string, error) {
	if h.comm == nil {
		return text, nil
	}
	var length [8]byte
	binary.LittleEndian.PutUint64(length[:], uint64(len(text)))
	if err := h.comm.link.Bcast(length[:], rank); err != nil {
		return "", fmt.Errorf("mpi: %w", err)
	}
	message := make([]byte, binary.LittleEndian.Uint64(length[:]))
	copy(message, text) // of this rank, or to be replaced
	if err := h.comm.link.Bcast(message, rank); err != nil {
		return "", fmt.Errorf("mpi: %w", err)
	}
	return string(message), nil
}
