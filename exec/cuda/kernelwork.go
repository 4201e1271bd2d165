package cuda

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/gokkos/gokkos/exec/cuda/internal/driver"
	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
)

// A kernelWork runs the text of a functor.
type kernelWork struct {
	grid   space.Grid
	job    device.Failer
	call   *kernel.Call
	joins  []kernel.Join    // of the numbers of all accumulators
	apart  bool             // lanes are left for the host to join
	box    *device.Box      // which index an item has
	index  []uint64         // the parameters that say so
	points bool             // each point of a row is run as a row
	plain  bool             // the box is one tile
	arrays []driver.Address // by memory
}

// kernelOf returns the work of a functor with a text, if the device can run it.
func (s *Space) kernelOf(g space.Grid, job device.Failer, f device.Functor, call *kernel.Call) (work, error) {
	if f.Box != nil && f.Box.LeftPoints && call.Left != nil {
		call = call.Left
	}
	switch {
	case call.Text.Scan:
		return nil, fmt.Errorf("%v is one of a scan, and its launch is none, or a part of one; expected a scan of all items on one card", f)
	case call.Text.Lanes != "":
		return nil, fmt.Errorf("%v is one of teams, and its launch none of these", f)
	}
	w, err := s.indexed(g, job, f, call)
	if err != nil {
		return nil, err
	}
	w.points, w.plain = call.ByPoints(), call.IsPlain(w.index)
	w.joins, w.grid.Lanes, w.apart, err = joinsOf(g, f, call)
	return w, err
}

// indexed returns the work of a functor whose text knows the index of each item.
func (s *Space) indexed(g space.Grid, job device.Failer, f device.Functor, call *kernel.Call) (w *kernelWork, err error) {
	w = &kernelWork{grid: g, job: job, call: call, box: f.Box}
	if err := call.Check(s.memory); err != nil {
		return nil, err
	}
	if w.index, err = call.Text.Index(f.Box); err != nil {
		return nil, fmt.Errorf("%v cannot run over this policy: %w", f, err)
	}
	return w, nil
}

// again implements work: arrays are placed on each card.
func (w *kernelWork) again() work {
	other := *w
	return &other
}

// stretches implements work.
func (w *kernelWork) stretches(s *Space, _, n int) ([]stretch, error) {
	c, err := w.load(s)
	if err != nil || !c.pace.pays(w.grid.Items, w.spread(s.memory)) {
		return []stretch{{s, 0, n}}, err
	}
	return s.equally(n), nil
}

// spread reports whether several cards have parts of a view of the functor.
func (w *kernelWork) spread(m *memory) bool {
	return slices.ContainsFunc(w.call.Memories, func(x kernel.CallMemory) bool { return m.spread(addressOf(x.At)) != nil })
}

// load implements work.
func (w *kernelWork) load(s *Space) (*code, error) { return s.codes.kernel(s.driver, w.call.Text) }

// sizes implements work: a number of an accumulator is one part.
func (w *kernelWork) sizes() []int { return w.values(w.left(w.grid.Leaf)) }

// values returns the bytes of so many values of a leaf, of each number of an accumulator, and of one value at least.
func (w *kernelWork) values(count int) (bytes []int) {
	for _, j := range w.joins {
		bytes = append(bytes, j.Bytes*max(count, 1))
	}
	return bytes
}

// left implements work: lanes that have an item.
func (w *kernelWork) left(items int) int {
	if w.apart {
		return min(w.grid.Lanes, items)
	}
	return 0
}

// place implements work: arrays that the functor has are copied.
func (w *kernelWork) place(q *queue) error {
	at := arraysAt
	w.arrays = make([]driver.Address, 0, len(w.call.Memories))
	for k, of := range w.call.Text.Memories {
		m := w.call.Memories[k]
		if !of.Array {
			w.arrays = append(w.arrays, addressOf(m.At))
			continue
		}
		if at+m.Bytes > arraysEnd {
			return fmt.Errorf("the arrays that the functor has captured, such as %s of %d bytes, take more than %d bytes: expected a view", of.Name, m.Bytes, arraysEnd-arraysAt)
		}
		copy(q.host[at:], unsafe.Slice((*byte)(m.At), m.Bytes))
		w.arrays = append(w.arrays, q.there+driver.Address(at))
		at += (m.Bytes + 15) &^ 15
	}
	if at == arraysAt {
		return nil
	}
	return q.ToDevice(q.there+arraysAt, q.host[arraysAt:at])
}

// run implements work.
func (w *kernelWork) run(q *queue, c *code, begin, end int, at places) error {
	f, p := w.entry(c, begin, end, at)
	threads, block := w.threads(begin, end)
	return run(q, f, threads, block, p)
}

// captured appends the parameters of what the functor has captured: numbers, and then the addresses of memories.
func (w *kernelWork) captured(p []uint64) []uint64 {
	p = append(p, w.call.Scalars...)
	for _, a := range w.arrays {
		p = append(p, uint64(a))
	}
	return p
}

// entry returns the function that runs the items begin to end-1, and its parameters.
func (w *kernelWork) entry(c *code, begin, end int, at places) (driver.Function, []uint64) {
	p := make([]uint64, 0, len(w.index)+6+4*len(w.joins)+len(w.call.Scalars)+len(w.arrays))
	p = append(append(p, w.index...), uint64(begin), uint64(end), uint64(at.status))
	if w.call.Text.Rows != nil || len(w.joins) > 0 {
		p = append(p, uint64(w.grid.Leaf))
	}
	if len(w.joins) > 0 {
		p = append(p, uint64(w.grid.Lanes), uint64(at.done))
	}
	for k, j := range w.joins {
		p = append(p, uint64(at.outs[k]), uint64(at.roots[k]), j.Identity, j.Op)
	}
	p = w.captured(p)
	switch {
	case w.plain:
		return c.plain, p
	case w.points:
		return c.points, p
	}
	return c.entry, p
}

// threads returns how many threads run the items begin to end-1, and how many a block has.
func (w *kernelWork) threads(begin, end int) (all, block int) {
	switch {
	case w.plain:
		return w.call.Text.PlainBlocks(w.index, begin, end) * kernel.PlainThreads, kernel.PlainThreads
	case len(w.joins) > 0:
		return lanesOf(w.grid, begin, end), blockThreads
	case w.call.Text.Strides:
		return strided(end - begin), blockThreads
	}
	return end - begin, blockThreads
}

// strided returns how many threads run items of which a thread may take several: up to sixteen, as long as there are several
// times as many threads as run at a time, so that those that begin late keep the device busy.
func strided(items int) int {
	const enough = 4 << 20
	each := min(max(items/enough, 1), 16)
	return (items + each - 1) / each
}

// value implements work.
func (w *kernelWork) value(parts [][]byte) []byte { return slices.Concat(parts...) }

// fail implements work.
func (w *kernelWork) fail(status uint64) {
	item := int(status >> 16)
	w.job.Fail(item, &fault{fmt.Sprintf("%s, at the index %s of the kernel %s", w.why(status), indexText(w.box, item), w.call.Text.Source.Name)})
}

// why says why an item has failed.
func (w *kernelWork) why(status uint64) string {
	if n := int(status & 0xffff); n < len(w.call.Text.Stops) {
		return w.call.Text.Stops[n]
	}
	return "the functor would panic"
}

// A fault is what the functor would have panicked with.
type fault struct{ text string }

func (f *fault) Error() string { return f.text }

// RuntimeError tells run-time errors from others.
func (*fault) RuntimeError() {}
