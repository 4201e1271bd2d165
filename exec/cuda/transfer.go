package cuda

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/gokkos/gokkos/exec/cuda/internal/driver"
	"github.com/gokkos/gokkos/exec/space/device"
)

// Copy implements [device.Memory]. What lies together on the device is copied as it is; anything else by a
// kernel, to or from a buffer that the link fills in one go.
func (m *memory) Copy(c device.Copy) error {
	if c.Direction > device.DeviceToDevice {
		return fmt.Errorf("cuda: a copy of the direction %v", c.Direction)
	}
	if err := m.d.enter(); err != nil {
		return err
	}
	defer m.d.leave()
	far := c.Dst
	if c.Direction == device.DeviceToHost {
		far = c.Src
	}
	return m.divide(far, c.Extents, c.Bytes, func(d *card, q *queue, begin, end int) error {
		c := slab(c, begin, end)
		if c.Direction == device.DeviceToDevice {
			return m.within(d, q, c)
		}
		t := transfer{memory: m, on: d, c: c, in: c.Direction == device.HostToDevice}
		return t.run(q)
	})
}

// slab returns the units begin to end-1 of a copy: of its first extent, or bytes of a run alone.
func slab(c device.Copy, begin, end int) device.Copy {
	dst, src := begin, begin
	if len(c.Extents) == 0 {
		c.Bytes = end - begin
	} else {
		c.Extents = slices.Clone(c.Extents)
		c.Extents[0] = end - begin
		dst, src = begin*c.Dst.Strides[0], begin*c.Src.Strides[0]
	}
	c.Dst.Address, c.Src.Address = unsafe.Add(c.Dst.Address, dst), unsafe.Add(c.Src.Address, src)
	return c
}

// CopyFrom implements [device.Peer], between two cards and between two spaces on one card. Bytes that lie together on
// both sides take the way that the driver finds. A kernel on the card of Dst copies others, if it can access the other card.
func (m *memory) CopyFrom(from device.Memory, c device.Copy) (done bool, err error) {
	other, ok := from.(*memory)
	if !ok || m.spread(addressOf(c.Dst.Address)) != nil || other.spread(addressOf(c.Src.Address)) != nil {
		return false, nil
	}
	for _, d := range []*card{m.d, other.d} {
		if err := d.enter(); err != nil {
			return false, err
		}
		defer d.leave()
		if err := d.driver.Lost(); err != nil {
			return false, err
		}
	}
	q, err := m.d.copies.take()
	if err != nil {
		return false, err
	}
	defer m.d.copies.give(q)
	near := m.d.driver.Number == other.d.driver.Number
	if !near {
		if near, err = m.d.driver.Reach(other.d.driver); err != nil {
			return false, err
		}
	}
	runs, dst := together(c.Dst, c.Extents, c.Bytes)
	_, src := together(c.Src, c.Extents, c.Bytes)
	switch {
	case dst && src:
		err = q.FromPeer(addressOf(c.Dst.Address), other.d.driver, addressOf(c.Src.Address), uint64(runs)*uint64(c.Bytes))
	case near:
		err = m.d.kernelCopy(q, c, 0, runs)
	default:
		return false, nil
	}
	return true, errors.Join(err, q.Wait())
}

// count returns how many runs a box has.
func count(extents []int) int {
	n := 1
	for _, e := range extents {
		n *= e
	}
	return n
}

// together returns the number of runs, and whether they lie one after the other on a side.
func together(s device.Side, extents []int, bytes int) (runs int, ok bool) {
	ok, step := true, bytes
	for d := len(extents) - 1; d >= 0; d-- {
		if extents[d] > 1 && s.Strides[d] != step {
			ok = false
		}
		step *= extents[d]
	}
	return count(extents), ok
}

// A transfer is a copy over the link, in pieces, which carriers share: the host is slower than the link where one
// goroutine does all that it does.
type transfer struct {
	*memory
	on     *card
	c      device.Copy
	in     bool // to the device
	failed atomic.Bool
}

const (
	// pieceBytes is how much is on its way at a time, twice for each carrier: enough for the link, and soon put together.
	pieceBytes = 1 << 20
	// maxCarriers is how many goroutines copies are given, but for those of the callers.
	maxCarriers = 7
)

// run lets carriers move all pieces, of which the first one is the caller.
func (t *transfer) run(first *queue) error {
	all := []*carrier{{transfer: t, first: first}}
	most := min(runtime.GOMAXPROCS(0), count(t.c.Extents)*t.c.Bytes/(2*pieceBytes))
	for len(all) < most {
		q, err := t.on.carriers.tryTake()
		if err != nil {
			return err
		}
		if q == nil {
			break
		}
		defer t.on.carriers.give(q)
		all = append(all, &carrier{transfer: t, first: q, number: len(all)})
	}
	var wait sync.WaitGroup
	for _, c := range all {
		if c.of = len(all); c.number > 0 {
			wait.Go(c.run)
		}
	}
	all[0].run()
	wait.Wait()
	for _, c := range all {
		if c.err != nil {
			return c.err
		}
	}
	return nil
}

// A carrier moves each piece that is its turn: while one is on its way, it puts the next one together, or takes the
// one before apart. The pieces take turns on two queues.
type carrier struct {
	*transfer
	first      *queue
	number, of int // among carriers
	pieces     int // that there were

	used    [2]*queue
	turn    int
	waiting [2]func() // what the host does with a piece once it is there
	err     error
}

func (t *carrier) run() {
	t.err = t.each()
	for k := range t.used { // in any case: nothing may be on its way when this returns
		if wait := t.settle(k); t.err == nil {
			t.err = wait
		}
	}
	if t.err != nil {
		t.failed.Store(true)
	}
}

// each gives the queues the pieces.
func (t *carrier) each() error {
	c := t.c
	far := c.Dst
	if !t.in {
		far = c.Src
	}
	runs, whole := together(far, c.Extents, c.Bytes)
	if c.Bytes > pieceBytes { // a run is several pieces
		for run := range c.Each(0) {
			for begin, n := 0, 0; begin < c.Bytes; begin += n {
				host, there := unsafe.Add(t.near(run), begin), addressOf(t.far(run))+driver.Address(begin)
				n = t.until(there, min(pieceBytes, c.Bytes-begin))
				if err := t.piece(1, n, there, func(buffer []byte) {
					t.move(buffer, unsafe.Slice((*byte)(host), n))
				}); err != nil {
					return err
				}
			}
		}
		return nil
	}
	near := newRuns(c, t.in)
	most := pieceBytes / c.Bytes
	for first := 0; first < runs; first += most {
		n := min(most, runs-first)
		apart := func(buffer []byte) { near.move(buffer, first, n, t.in) }
		var err error
		if at := addressOf(far.Address) + driver.Address(first*c.Bytes); whole && t.until(at, n*c.Bytes) == n*c.Bytes {
			err = t.piece(n, c.Bytes, at, apart)
		} else {
			err = t.piece(n, c.Bytes, 0, apart, first)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (t *transfer) near(c device.Copy) unsafe.Pointer {
	if t.in {
		return c.Src.Address
	}
	return c.Dst.Address
}

func (t *transfer) far(c device.Copy) unsafe.Pointer {
	if t.in {
		return c.Dst.Address
	}
	return c.Src.Address
}

// settle waits until the buffers of a queue are free.
func (t *carrier) settle(k int) error {
	if t.used[k] == nil {
		return nil
	}
	if err := t.used[k].Wait(); err != nil {
		return err
	}
	if after := t.waiting[k]; after != nil {
		t.waiting[k] = nil
		after()
	}
	return nil
}

// move copies from or to a buffer.
func (t *transfer) move(buffer, host []byte) {
	if t.in {
		copy(buffer, host)
	} else {
		copy(host, buffer)
	}
}

// piece moves n runs, if that is the carrier's turn: to or from the address there, or with first, the number of the first run, by a
// kernel. host moves them between a buffer and the host.
func (t *carrier) piece(n, bytes int, there driver.Address, host func(buffer []byte), first ...int) error {
	t.pieces++
	if (t.pieces-1)%t.of != t.number || t.failed.Load() {
		return nil
	}
	k := t.turn & 1
	t.turn++
	if err := t.settle(k); err != nil {
		return err
	}
	q := t.first
	if k == 1 {
		var err error
		if q, err = q.second(); err != nil {
			return err
		}
	}
	t.used[k] = q
	buffer := q.host[:n*bytes]
	to := there
	if len(first) > 0 {
		to = q.there
	}
	if t.in {
		host(buffer)
		if err := q.ToDevice(to, buffer); err != nil {
			return err
		}
		if len(first) > 0 {
			return t.on.kernelCopy(q, t.staged(q, first[0]), first[0], first[0]+n)
		}
		return nil
	}
	if len(first) > 0 {
		if err := t.on.kernelCopy(q, t.staged(q, first[0]), first[0], first[0]+n); err != nil {
			return err
		}
	}
	if err := q.ToHost(buffer, to); err != nil {
		return err
	}
	t.waiting[k] = func() { host(buffer) }
	return nil
}

// staged is the copy between the device and the buffer there, in which the run of number first is the first.
func (t *transfer) staged(q *queue, first int) device.Copy {
	c := t.c
	side := device.Side{Address: pointer(q.there - driver.Address(first*c.Bytes)), Strides: make([]int, len(c.Extents))}
	step := c.Bytes
	for d := len(c.Extents) - 1; d >= 0; d-- {
		side.Strides[d] = step
		step *= c.Extents[d]
	}
	if t.in {
		c.Src = side
	} else {
		c.Dst = side
	}
	return c
}

// runs are those of the side of a copy that is on the host, by their number.
type runs struct {
	base    unsafe.Pointer
	extents []int
	strides []int
	bytes   int
}

func newRuns(c device.Copy, in bool) runs {
	side := c.Dst
	if in {
		side = c.Src
	}
	return runs{side.Address, c.Extents, side.Strides, c.Bytes}
}

// move copies the runs first to first+n-1 to a buffer, or from it.
func (r runs) move(buffer []byte, first, n int, in bool) {
	last := len(r.extents) - 1
	for n > 0 {
		offset, row := 0, 1 // how many runs lie along the last extent
		if last >= 0 {
			rest := first / r.extents[last]
			x := first % r.extents[last]
			row = min(n, r.extents[last]-x)
			offset = x * r.strides[last]
			for d := last - 1; d >= 0; d-- {
				offset += rest % r.extents[d] * r.strides[d]
				rest /= r.extents[d]
			}
		}
		at := unsafe.Add(r.base, offset)
		step := r.bytes
		if last >= 0 {
			step = r.strides[last]
		}
		moveRow(buffer[:row*r.bytes], at, r.bytes, row, step, in)
		buffer = buffer[row*r.bytes:]
		first += row
		n -= row
	}
}

// moveRow copies n runs, each step bytes behind the one before.
func moveRow(buffer []byte, at unsafe.Pointer, bytes, n, step int, in bool) {
	if step == bytes {
		bytes, n = bytes*n, 1
	}
	for k := range n {
		host := unsafe.Slice((*byte)(unsafe.Add(at, k*step)), bytes)
		if in {
			copy(buffer[k*bytes:], host)
		} else {
			copy(host, buffer[k*bytes:])
		}
	}
}
