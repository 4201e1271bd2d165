package cuda

import (
	"encoding/binary"
	"fmt"
	"reflect"

	"github.com/gokkos/gokkos/exec/cuda/internal/driver"
	"github.com/gokkos/gokkos/exec/cuda/internal/foldtext"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/reducers/concept"
)

// A foldWork folds values in the memory of the device.
type foldWork struct {
	grid  space.Grid
	key   foldtext.Key
	ops   []concept.Operation
	first int // the location of item 0
	x, y  driver.Address
	bytes int // of a value
	fold  *foldtext.Fold
}

// foldOf returns the work of a fold, if the device can do it.
func (s *Space) foldOf(g space.Grid, f device.Fold) (work, error) {
	switch {
	case f.Memory == nil:
		return nil, fmt.Errorf("it folds values in the memory of the host, expected views.Source of a view in that of %v; views.MirrorCopy copies one", s.memory)
	case f.Memory != device.Memory(s.memory):
		return nil, fmt.Errorf("it folds values in the memory of %v, expected that of %v", f.Memory, s.memory)
	}
	x := reflect.ValueOf(f.X)
	w := &foldWork{grid: g, first: f.First, x: addressOf(x.UnsafePointer()), bytes: int(x.Type().Elem().Size())}
	kind := x.Type().Elem().Kind()
	if f.Y != nil {
		w.y = addressOf(reflect.ValueOf(f.Y).UnsafePointer())
	}
	for k, c := range f.Columns {
		op := concept.Operation{Join: c.Operation.Join, Map: c.Operation.Map} // the launch does what is final
		switch {
		case !foldtext.Knows(kind, op):
			return nil, fmt.Errorf("the device cannot fold values of type %v by reducer %d, a %s; expected one of package builtin, of integers, floats or bools", x.Type().Elem(), k+1, c.Reducer)
		case c.Lanes != g.Lanes:
			return nil, fmt.Errorf("the device cannot join values in order, as reducer %d, the %s, wants", k+1, c.Reducer)
		case c.Layout == "":
			return nil, fmt.Errorf("the device cannot give back what reducer %d, the %s, comes to: it has no bytes", k+1, c.Reducer)
		}
		w.ops = append(w.ops, op)
	}
	w.key = foldtext.KeyOf(kind, f.Y != nil, w.ops)
	w.fold = foldtext.Of(w.key, w.ops)
	if most := (arraysAt - rootsAt) / 8; len(w.fold.Bytes) > most {
		return nil, fmt.Errorf("the device folds up to %d numbers in a pass, and these %d reducers have %d: expected fewer of them", most, len(w.ops), len(w.fold.Bytes))
	}
	return w, nil
}

// load implements work.
func (w *foldWork) load(s *Space) (*code, error) {
	c, err := s.codes.of(w.key, func(x *code) error {
		return x.load(s.driver, w.fold.PTX, entries{entry: w.fold.Entry})
	})
	if err != nil {
		return nil, fmt.Errorf("the fold %s of values of kind %v: %w", w.key.Operations, w.key.Kind, err)
	}
	return c, nil
}

// again implements work: nothing of it changes.
func (w *foldWork) again() work { return w }

// stretches implements work.
func (w *foldWork) stretches(s *Space, unit, n int) ([]stretch, error) {
	step := unit * w.grid.Leaf * w.bytes
	return s.stretches(n, w.grid.Items*w.bytes, func(k int) driver.Address { return w.x + driver.Address(k*step) }), nil
}

// sizes implements work.
func (w *foldWork) sizes() []int { return w.fold.Bytes }

// left implements work: the device joins all.
func (w *foldWork) left(int) int { return 0 }

// place implements work.
func (w *foldWork) place(*queue) error { return nil }

// run implements work.
func (w *foldWork) run(q *queue, c *code, begin, end int, at places) error {
	p := []uint64{uint64(begin), uint64(end), uint64(w.first), uint64(w.grid.Leaf), uint64(w.grid.Lanes), uint64(at.done), uint64(w.x)}
	if w.key.Products {
		p = append(p, uint64(w.y))
	}
	for k, out := range at.outs {
		p = append(p, uint64(out), uint64(at.roots[k]))
	}
	return run(q, c.entry, lanesOf(w.grid, begin, end), blockThreads, p)
}

// value implements work.
func (w *foldWork) value(parts [][]byte) []byte {
	numbers := make([]uint64, len(parts))
	for k, b := range parts {
		if len(b) == 8 {
			numbers[k] = binary.NativeEndian.Uint64(b)
		} else {
			numbers[k] = uint64(binary.NativeEndian.Uint32(b))
		}
	}
	return w.fold.Value(numbers)
}

// fail implements work: nothing stops a fold, and nothing sets its status.
func (w *foldWork) fail(uint64) {}
