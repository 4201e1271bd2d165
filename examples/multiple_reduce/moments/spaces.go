package moments

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/npy"
)

// A Space is one that a program brings along. It folds tensors in its memory, see space.TensorFolder: the tensor is copied
// there before it is reduced.
type Space struct {
	Name string                                                 // for -space
	Open func() (on exec.Space, closed func() error, err error) // called if it is asked for
}

// openSpaces returns the spaces of a name, and what closes them. It is a
// variable for tests, which add spaces that are wrong.
var openSpaces = func(name string, workers int) ([]exec.Space, func()) {
	g, sim := exec.NewGoroutines(workers), exec.NewSimGPU(gpu.H200())
	spaces := []exec.Space{exec.Serial{}, g, sim}
	if name != "all" {
		spaces = slices.DeleteFunc(spaces, func(s exec.Space) bool { return s.Name() != name })
	}
	return spaces, func() { // no launch runs any more, so neither fails
		_ = g.Close()
		_ = sim.Close()
	}
}

// openMore returns the spaces of a name that the program has brought along, and what closes them.
func openMore(name string, more []Space) (spaces []exec.Space, closed func(), err error) {
	var closers []func() error
	closed = func() {
		for _, f := range closers {
			_ = f() // nothing runs there any more
		}
	}
	for _, s := range more {
		if name != "all" && name != s.Name {
			continue
		}
		on, f, err := s.Open()
		if err != nil {
			closed()
			return nil, nil, fmt.Errorf("-space %s: %w", s.Name, err)
		}
		spaces, closers = append(spaces, on), append(closers, f)
	}
	return spaces, closed, nil
}

// widest returns the space that makes the tensor: the one that runs most functions of the host at a time.
func widest(spaces []exec.Space) exec.Space {
	if len(spaces) == 0 {
		return exec.Serial{}
	}
	return slices.MaxFunc(spaces, func(a, b exec.Space) int { return a.Concurrency() - b.Concurrency() })
}

// placed returns the tensor where a space reduces it, and what frees it there.
func placed[T npy.Float](on exec.Space, x nhwc[T]) (views.View[T], func() error, error) {
	in, err := views.Of("tensor", x.data, x.lengths[:])
	folder, is := on.(space.TensorFolder)
	if err != nil || !is {
		return in, func() error { return nil }, err
	}
	there, err := views.MirrorCopy(folder.Memory(), in)
	return there, func() error { return views.Free(there) }, err
}

// usageOf returns the usage of a program with more spaces.
func usageOf(more []Space) string {
	names := ""
	for _, s := range more {
		names += s.Name + ", "
	}
	return strings.Replace(usage, "simgpu, or all", "simgpu, "+names+"or all", 1)
}
