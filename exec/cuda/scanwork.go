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
		err = w.run(s)
	}
	if err != nil {
		return s.failed(f, err)
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

// group is how many leaves a block joins.
const group = 32

// A scanPart is groups of leaves that a card scans: those of the stretch.
type scanPart struct {
	stretch
	q             *queue
	code          *code
	functor       *kernelWork // for the card, or nil
	pass          driver.Function
	first, last   int    // leaves
	sums          uint64 // the address of the sum of leaf first
	nodes         uint64 // and of the sum of its group
	sooner, later []uint64
}

// run scans: three launches, one behind the other, and one wait; of a functor five, and one wait for each of its passes.
// Several cards wait for each other between the three.
func (w *scanWork) run(s *Space) error {
	if w.job.Cancelled() {
		w.job.Open(1, 1)
		return nil
	}
	all := w.stretches(s, (w.grid.Leaves-1)/group+1)
	return onQueues(all, func(queues []*queue) error {
		parts := make([]*scanPart, len(all))
		if err := each(len(all), func(k int) (err error) {
			parts[k], err = w.part(all[k], queues[k])
			return err
		}); err != nil {
			return err
		}
		w.job.Open(1, 1)
		if ok, err := w.launch(parts); err != nil || !ok {
			return err
		}
		w.job.Accept(0, 0, w.grid.Leaves, 0, w.scan.Value(queues[0].host[rootsAt:rootsAt+w.scan.Bytes]))
		return nil
	})
}

// stretches divides n groups of leaves among cards: by the place of values, and equally if a functor makes them of views that
// several cards have.
func (w *scanWork) stretches(s *Space, n int) []stretch {
	if w.functor == nil {
		x, bytes := w.source()
		step := driver.Address(group * w.grid.Leaf * bytes)
		return s.stretches(n, w.grid.Items*bytes, func(k int) driver.Address { return x + driver.Address(k)*step })
	}
	if !w.functor.spread(s.memory) {
		return []stretch{{s, 0, n}}
	}
	return s.equally(n)
}

// source returns the address of item 0, and the bytes from one to the next.
func (w *scanWork) source() (at driver.Address, step int) {
	x := reflect.ValueOf(w.of.Src)
	return addressOf(x.UnsafePointer()), w.of.SrcStride * int(x.Type().Elem().Size())
}

// part returns what a card scans, with its code and its memory for sums.
func (w *scanWork) part(of stretch, q *queue) (p *scanPart, err error) {
	p = &scanPart{stretch: of, q: q, first: group * of.begin, last: min(group*of.end, w.grid.Leaves)}
	if p.code, err = w.code(of.on); err != nil {
		return nil, err
	}
	if w.functor != nil {
		functor := *w.functor
		p.functor = &functor
		passes, err := functor.load(of.on)
		if err == nil {
			err = functor.place(q)
		}
		if err != nil {
			return nil, err
		}
		p.pass = passes.entry
	}
	return p, nil
}

// sized returns how many bytes a number of sums takes.
func (w *scanWork) sized(n int) int { return (n*w.scan.Bytes + natural - 1) &^ (natural - 1) }

// rooms gives all parts memory: the first card has the sums of groups, which the others access.
func (w *scanWork) rooms(parts []*scanPart) (levels [3]uint64, err error) {
	var counts [3]int // of the nodes of 32 of what is before
	bytes := w.sized(parts[0].last)
	n := w.grid.Leaves
	for k := range counts {
		n = (n-1)/group + 1
		counts[k], bytes = n, bytes+w.sized(n)
	}
	at, err := parts[0].q.room(bytes)
	if err != nil {
		return levels, err
	}
	parts[0].sums = uint64(at)
	at += driver.Address(w.sized(parts[0].last))
	for k, n := range counts {
		levels[k] = uint64(at)
		at += driver.Address(w.sized(n))
	}
	for _, p := range parts[1:] {
		at, err := p.q.room(w.sized(p.last - p.first))
		if err != nil {
			return levels, err
		}
		p.sums = uint64(at)
	}
	for _, p := range parts {
		p.nodes = levels[0] + uint64(p.begin*w.scan.Bytes)
		p.sooner, p.later = w.parameters(p)
	}
	return levels, nil
}

// launch leaves the sum of all on the host. It is not ok if the functor has failed or the launch is
// cancelled.
func (w *scanWork) launch(parts []*scanPart) (ok bool, err error) {
	levels, err := w.rooms(parts)
	if err != nil {
		return false, err
	}
	if w.functor != nil {
		if ok, err := w.pass(parts, 0); err != nil || !ok || w.job.Cancelled() {
			return false, err
		}
	}
	if err := w.step(parts, func(p *scanPart) (driver.Function, []uint64) { return p.code.entry, p.sooner }, len(parts) > 1); err != nil {
		return false, err
	}
	q, groups := parts[0].q, (w.grid.Leaves-1)/group+1
	nodes := []uint64{uint64(w.grid.Leaves), levels[0], levels[1], levels[2], w.scan.Part(word(w.of.Initial)), uint64(q.near(rootsAt))}
	threads := min(max(((groups-1)/group+1)*group, group), 1024)
	if err := q.Launch(parts[0].code.nodes, 1, threads, 0, q.host[argumentsAt:], nodes); err != nil {
		return false, err
	}
	if len(parts) > 1 {
		if err := q.Wait(); err != nil {
			return false, err
		}
	}
	if err := w.step(parts, func(p *scanPart) (driver.Function, []uint64) { return p.code.items, p.later }, w.functor == nil); err != nil || w.functor == nil {
		return err == nil, err
	}
	return w.pass(parts, 1)
}

// step launches an entry on all cards at once.
func (w *scanWork) step(parts []*scanPart, of func(p *scanPart) (driver.Function, []uint64), waits bool) error {
	return each(len(parts), func(k int) error {
		p := parts[k]
		f, parameters := of(p)
		if waits {
			return p.q.Run(f, p.end-p.begin, group, 0, p.q.host[argumentsAt:], parameters)
		}
		return p.q.Launch(f, p.end-p.begin, group, 0, p.q.host[argumentsAt:], parameters)
	})
}

// items returns the items of a part.
func (w *scanWork) items(p *scanPart) (begin, end int) {
	return p.first * w.grid.Leaf, min(p.last*w.grid.Leaf, w.grid.Items)
}

// parameters returns those of the entries Sums and Items.
func (w *scanWork) parameters(p *scanPart) (sums, items []uint64) {
	leaves := uint64(p.last - p.first)
	if w.functor != nil {
		sums = []uint64{leaves, p.sums, p.nodes}
		return sums, sums
	}
	begin, end := w.items(p)
	src, step := w.source()
	sums = []uint64{uint64(end - begin), uint64(w.grid.Leaf), uint64(src) + uint64(begin*step), uint64(step), leaves, p.sums, p.nodes}
	dst := reflect.ValueOf(w.of.Dst)
	step = w.of.DstStride * int(dst.Type().Elem().Size())
	return sums, append(slices.Clone(sums), uint64(addressOf(dst.UnsafePointer()))+uint64(begin*step), uint64(step))
}

// pass runs the functor for all items, a leaf in a thread, and waits for them. It is not ok if one has failed.
func (w *scanWork) pass(parts []*scanPart, final uint64) (ok bool, err error) {
	statuses := make([]uint64, len(parts))
	err = each(len(parts), func(k int) (err error) {
		p := parts[k]
		q := p.q
		begin, end := w.items(p)
		list := append(slices.Clone(p.functor.index), uint64(begin), uint64(end), uint64(q.there+statusAt), uint64(w.grid.Leaf), p.sums, w.scan.Part(word(w.of.Identity)), final)
		binary.NativeEndian.PutUint64(q.host[flagAt:], 0)
		if err := run(q, p.pass, p.last-p.first, blockThreads, p.functor.captured(list)); err != nil {
			return err
		}
		statuses[k], err = q.status()
		return err
	})
	if status := slices.Min(statuses); err == nil && status != math.MaxUint64 {
		w.functor.fail(status)
		return false, nil
	}
	return err == nil, err
}
