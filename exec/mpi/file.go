package mpi

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/npy"
)

// WriteNPY writes an array to a file in NumPy's format, which each rank sees under the same path:
// each writes its own rows. The file is there when all have, and else what was there before, see
// [npy.Create]. All ranks call it, and all get the error of the lowest rank that has one.
func WriteNPY[T npy.Element](path string, a *Array[T]) error {
	var f *npy.File
	var err error
	if a.rank == 0 {
		if f, err = npy.CreateShaped[T](path, a.extents); err == nil {
			defer f.Close()
		}
	}
	if err := a.together(err); err != nil {
		return err
	}
	temporary := ""
	if f != nil {
		temporary = f.Temporary()
	}
	if temporary, err = a.told(temporary, 0); err != nil {
		return err
	}
	if own := a.parts[a.rank]; !own.empty() {
		x, _ := a.Own().Slice() // whole rows in layout Right
		err = npy.WritePart(temporary, own.begin*(len(x)/(own.end-own.begin)), x)
	}
	if err := a.together(err); err != nil {
		return err
	}
	if f != nil {
		err = f.Commit()
	}
	return a.together(err)
}

// ReadNPY makes the rows of each rank those of a file in NumPy's format, of which it touches no
// others where it can be mapped, see [npy.Map]. The file has the extents of the array, in any order.
// The halo is not changed. All ranks call it, and all get the error of the lowest rank that has one;
// rows may have changed then.
func ReadNPY[T npy.Element](path string, a *Array[T]) error {
	return a.together(readOwn(path, a))
}

func readOwn[T npy.Element](path string, a *Array[T]) error {
	m, err := npy.Map[T](path)
	if err != nil {
		return err
	}
	defer m.Close()
	v := m.View()
	if !slices.Equal(v.Extents(), a.extents) {
		return fmt.Errorf("mpi: ReadNPY of %s with extents %v into %q, expected %v", path, v.Extents(), a.label, a.extents)
	}
	own := a.parts[a.rank]
	if own.empty() {
		return nil
	}
	return views.DeepCopy(a.Own(), slabOf(v, own, 0))
}

// together returns the error of the lowest rank that has one, on all ranks.
func (a *Array[T]) together(err error) error {
	if a.comm == nil {
		return err
	}
	l, text, has := a.comm.link, "", byte(0)
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
	if f.text, failed = a.told(text, first); failed != nil {
		return failed
	}
	if first == l.Rank() {
		f.err = err
	}
	return f.error(l.Size())
}

// told returns what a rank says, on all ranks.
func (a *Array[T]) told(text string, rank int) (string, error) {
	if a.comm == nil {
		return text, nil
	}
	var length [8]byte
	binary.LittleEndian.PutUint64(length[:], uint64(len(text)))
	if err := a.comm.link.Bcast(length[:], rank); err != nil {
		return "", fmt.Errorf("mpi: %w", err)
	}
	message := make([]byte, binary.LittleEndian.Uint64(length[:]))
	copy(message, text) // of this rank, or to be replaced
	if err := a.comm.link.Bcast(message, rank); err != nil {
		return "", fmt.Errorf("mpi: %w", err)
	}
	return string(message), nil
}
