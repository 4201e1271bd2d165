package cuda

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/gokkos/gokkos/exec/cuda/internal/driver"
	"github.com/gokkos/gokkos/exec/cuda/internal/foldtext"
	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
)

// ScansMemory implements [device.MemoryScanner].
func (s *Space) ScansMemory() {}

// scan launches a scan.
func (s *Space) scan(g space.Grid, job device.Failer, f device.Functor, call *kernel.Call, x device.Scan) error {
	w, err := s.scanOf(g, job, f, call, x)
	switch {
	case err == nil && g.Leaves == 0:
		job.Open(1, 1)
	case err == nil:
		err = s.onQueue(func(q *queue) error { return w.run(s, q) })
	}
	if err != nil {
		return fmt.Errorf("exec: launch%s on cuda device %d: %w", named(f.Label), s.driver.Number, err)
	}
	return nil
}

// A scanWork scans values in the memory of the device, or those that a functor makes.
type scanWork struct {
	grid    space.Grid
	job     device.Failer
	of      device.Scan
	key     foldtext.ScanKey
	scan    *foldtext.Scan
	functor *kernelWork // or nil
}

// scanOf returns the work of a scan, if the device can do it.
func (s *Space) scanOf(g space.Grid, job device.Failer, f device.Functor, call *kernel.Call, x device.Scan) (w *scanWork, err error) {
	t, given := reflect.TypeOf(x.Src).Elem(), f.Scan != nil
	w = &scanWork{grid: g, job: job, of: x, key: foldtext.ScanKey{Kind: t.Kind(), Join: x.Result.Operation.Join, Identity: word(x.Identity), Inclusive: x.Inclusive, Given: given}}
	switch {
	case given:
		w.functor, err = s.indexed(g, job, f, call)
	case x.Memory != device.Memory(s.memory):
		err = fmt.Errorf("it scans values in the memory of %v, expected that of %v", x.Memory, s.memory)
	default:
		w.key.Pairs = pairs(g, x, int(t.Size()))
	}
	if err != nil {
		return nil, err
	}
	ok := false
	if w.scan, ok = foldtext.ScanOf(w.key); !ok || x.Result.Layout == "" || len(x.Initial) != int(t.Size()) {
		return nil, fmt.Errorf("the device cannot scan values of type %v by a %s; expected integers, floats or bools, and a reducer of package builtin that is a sum, product, minimum, maximum, and, or, exclusive or", t, x.Result.Reducer)
	}
	if g.Leaves > foldtext.MostLeaves {
		return nil, fmt.Errorf("the device cannot scan %d leaves, expected up to %d", g.Leaves, foldtext.MostLeaves)
	}
	return w, nil
}

// pairs reports whether items can be loaded and stored two at a time. With one of 4 bytes less is under way than a card's memory
// wants.
func pairs(g space.Grid, x device.Scan, bytes int) bool {
	at := reflect.ValueOf(x.Src).Pointer() | reflect.ValueOf(x.Dst).Pointer()
	return bytes == 4 && x.SrcStride == 1 && x.DstStride == 1 && g.Items%2 == 0 && g.Leaf%2 == 0 && at%8 == 0
}

// word returns up to 8 bytes as a number.
func word(value []byte) uint64 {
	var all [8]byte
	copy(all[:], value)
	return binary.LittleEndian.Uint64(all[:]) // as devices and their hosts have them
}

// code returns the text as the device has it.
func (w *scanWork) code(s *Space) (*code, error) {
	c, err := s.codes.of(w.key, func(x *code) error {
		return x.load(s.driver, w.scan.PTX, entries{entry: w.scan.Sums, nodes: w.scan.Nodes, items: w.scan.Items})
	})
	if err != nil {
		return nil, fmt.Errorf("the scan by %s of values of kind %v: %w", w.key.Join, w.key.Kind, err)
	}
	return c, nil
}

// run scans: three launches, one behind the other, and one wait; of a functor five, and one wait for each of its passes.
func (w *scanWork) run(s *Space, q *queue) error {
	if w.job.Cancelled() {
		w.job.Open(1, 1)
		return nil
	}
	c, err := w.code(s)
	if err != nil {
		return err
	}
	var passes *code
	if w.functor != nil {
		if passes, err = w.functor.load(s); err == nil {
			err = w.functor.place(q)
		}
	}
	if err != nil {
		return err
	}
	w.job.Open(1, 1)
	if ok, err := w.launch(q, c, passes); err != nil || !ok {
		return err
	}
	w.job.Accept(0, 0, w.grid.Leaves, 0, w.scan.Value(q.host[rootsAt:rootsAt+w.scan.Bytes]))
	return nil
}

// launch leaves the sum of all on the host. It is not ok if the functor has failed or the launch is
// cancelled.
func (w *scanWork) launch(q *queue, c, passes *code) (ok bool, err error) {
	const group = 32
	g := w.grid
	var counts [4]int // of leaves, and of the nodes of 32 of what is before
	bytes := 0
	for k, n := 0, g.Leaves; k < len(counts); k, n = k+1, (n-1)/group+1 {
		counts[k] = n
		bytes += (n*w.scan.Bytes + natural - 1) &^ (natural - 1)
	}
	at, err := q.room(bytes)
	if err != nil {
		return false, err
	}
	var levels [4]uint64
	for k, n := range counts {
		levels[k] = uint64(at)
		at += driver.Address((n*w.scan.Bytes + natural - 1) &^ (natural - 1))
	}
	sums, items := w.parameters(levels)
	if passes != nil {
		if ok, err := w.pass(q, passes.entry, levels[0], 0); err != nil || !ok || w.job.Cancelled() {
			return false, err
		}
	}
	if err := q.Launch(c.entry, counts[1], group, 0, q.host[argumentsAt:], sums); err != nil {
		return false, err
	}
	nodes := []uint64{uint64(g.Leaves), levels[1], levels[2], levels[3], w.scan.Part(word(w.of.Initial)), uint64(q.near(rootsAt))}
	threads := min(max(counts[2]*group, group), 1024)
	if err := q.Launch(c.nodes, 1, threads, 0, q.host[argumentsAt:], nodes); err != nil {
		return false, err
	}
	if passes == nil {
		return true, q.Run(c.items, counts[1], group, 0, q.host[argumentsAt:], items)
	}
	if err := q.Launch(c.items, counts[1], group, 0, q.host[argumentsAt:], items); err != nil {
		return false, err
	}
	return w.pass(q, passes.entry, levels[0], 1)
}

// parameters returns those of the entries Sums and Items.
func (w *scanWork) parameters(levels [4]uint64) (sums, items []uint64) {
	g := w.grid
	if w.functor != nil {
		sums = []uint64{uint64(g.Leaves), levels[0], levels[1]}
		return sums, sums
	}
	address := func(x any) uint64 { return uint64(addressOf(reflect.ValueOf(x).UnsafePointer())) }
	size := reflect.TypeOf(w.of.Src).Elem().Size()
	step := func(stride int) uint64 { return uint64(stride) * uint64(size) }
	sums = []uint64{uint64(g.Items), uint64(g.Leaf), address(w.of.Src), step(w.of.SrcStride), uint64(g.Leaves), levels[0], levels[1]}
	return sums, append(slices.Clone(sums), address(w.of.Dst), step(w.of.DstStride))
}

// pass runs the functor for all items, a leaf in a thread, and waits for them. It is not ok if one has failed.
func (w *scanWork) pass(q *queue, f driver.Function, sums, final uint64) (ok bool, err error) {
	p := append(slices.Clone(w.functor.index), 0, uint64(w.grid.Items), uint64(q.there+statusAt), uint64(w.grid.Leaf), sums, w.scan.Part(word(w.of.Identity)), final)
	p = w.functor.captured(p)
	binary.NativeEndian.PutUint64(q.host[flagAt:], 0)
	if err := run(q, f, w.grid.Leaves, blockThreads, p); err != nil {
		return false, err
	}
	status, err := q.status()
	if err != nil || status == math.MaxUint64 {
		return err == nil, err
	}
	w.functor.fail(status)
	return false, nil
}
