package cuda

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/gokkos/gokkos/exec/cuda/internal/driver"
	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/exec/space"
)

// Launch implements [space.Space]. A job that tells nothing of itself runs on the host.
func (s *Space) Launch(g space.Grid, j space.Job) error {
	if err := s.invalid(); err != nil {
		return err
	}
	if err := s.enter(); err != nil {
		return err
	}
	defer s.leave()
	job, ok := j.(space.Failer)
	if !ok {
		space.Alone(g, j)
		return nil
	}
	f := job.Functor()
	call, ok := f.Code("ptx").(*kernel.Call)
	if !ok {
		return fmt.Errorf("%w: gokkosc makes it of functors with a comment gokkos:kernel", f.Without("ptx", s))
	}
	l, err := s.prepare(g, job, f, call)
	if err != nil {
		return fmt.Errorf("exec: launch%s on cuda: %w", named(f.Label), err)
	}
	if g.Leaves == 0 {
		j.Open(1, 1)
		return nil
	}
	if err := s.driver.Lost(); err != nil {
		return fmt.Errorf("exec: launch%s on cuda: %w", named(f.Label), err)
	}
	q, err := s.queues.take()
	if err == nil {
		defer s.queues.give(q)
		l.queue = q
		if l.code, err = s.codes.kernel(s.driver, l.call.Text); err == nil {
			if err = l.run(); err != nil {
				_ = q.Wait() // nothing may use its buffers any more
			}
		}
	}
	if err != nil {
		return fmt.Errorf("exec: launch%s on cuda: %w", named(f.Label), err)
	}
	return nil
}

func named(label string) string {
	if label == "" {
		return ""
	}
	return fmt.Sprintf(" of %q", label)
}

// A launched is a launch on a device.
type launched struct {
	grid   space.Grid
	job    space.Failer
	call   *kernel.Call
	joins  []kernel.Join
	box    *space.Box // which index an item has
	index  []uint64   // the parameters that say so
	points bool       // each point of a row is run as a row
	queue  *queue
	code   *code
	arrays []driver.Address // by memory
}

// prepare checks that the device can run a launch.
func (s *Space) prepare(g space.Grid, j space.Failer, f space.Functor, call *kernel.Call) (*launched, error) {
	if f.Box != nil && f.Box.LeftPoints && call.Left != nil {
		call = call.Left
	}
	l := &launched{grid: g, job: j, call: call, box: f.Box}
	if err := call.Check(s.memory); err != nil {
		return nil, err
	}
	var err error
	if l.index, err = call.Text.Index(f.Box); err != nil {
		return nil, fmt.Errorf("%v cannot run over this policy: %w", f, err)
	}
	l.points = call.ByPoints()
	accumulators := call.Text.Accumulators
	if len(f.Columns) != len(accumulators) {
		return nil, fmt.Errorf("%v has %d accumulators and its code %d", f, len(f.Columns), len(accumulators))
	}
	for k, c := range f.Columns {
		of := accumulators[k]
		join, ok := kernel.JoinOf(c.Operation.Join, of)
		switch {
		case !ok || !strings.HasPrefix(c.Layout, of+"/") || c.Bytes != join.Bytes:
			return nil, fmt.Errorf("the device cannot join accumulator %d, of type %s, by a %s; expected a reducer of package builtin that is a sum, product, minimum, maximum, and, or, exclusive or", k+1, of, c.Reducer)
		case c.Lanes != g.Lanes:
			return nil, fmt.Errorf("the device cannot join accumulator %d in order, as the %s wants", k+1, c.Reducer)
		}
		l.joins = append(l.joins, join)
	}
	return l, nil
}

// Where what is in the buffers of a queue, on both sides.
const (
	statusAt  = 0
	rootsAt   = 64 // on the host, 16 bytes for each accumulator
	arraysAt  = 256
	arraysEnd = 64 << 10
	valuesAt  = arraysEnd
)

// run runs the launch in pieces, which are nodes of equal width, and joins them.
func (l *launched) run() error {
	if err := l.place(); err != nil {
		return err
	}
	most := l.widest()
	l.job.Open(1, bits.Len(uint(l.grid.Leaves))+1)
	s := stack{job: l.job}
	for first := 0; first < l.grid.Leaves; {
		width := min(most, l.code.pace.width(l.grid))
		for first%width != 0 { // as a node begins there
			width /= 2
		}
		last := min(first+width, l.grid.Leaves)
		ok, err := l.piece(first, last, s.slot())
		if err != nil || !ok {
			return err
		}
		if !s.push(first, width, l.grid.Leaves) {
			return nil
		}
		first = last
	}
	return nil
}

// widest returns how many leaves have room for their values.
func (l *launched) widest() int {
	bytes := 0
	for _, j := range l.joins {
		bytes += j.Bytes
	}
	if bytes == 0 {
		return 1 << bits.Len(uint(l.grid.Leaves-1))
	}
	return 1 << (bits.Len(uint((bufferBytes-valuesAt-16*len(l.joins))/bytes)) - 1)
}

// place copies arrays that the functor has to the device.
func (l *launched) place() error {
	at := arraysAt
	for k, of := range l.call.Text.Memories {
		m := l.call.Memories[k]
		if !of.Array {
			l.arrays = append(l.arrays, addressOf(m.At))
			continue
		}
		if at+m.Bytes > arraysEnd {
			return fmt.Errorf("the arrays that the functor has captured, such as %s of %d bytes, take more than %d bytes: expected a view", of.Name, m.Bytes, arraysEnd-arraysAt)
		}
		copy(l.queue.host[at:], unsafe.Slice((*byte)(m.At), m.Bytes))
		l.arrays = append(l.arrays, l.queue.there+driver.Address(at))
		at += (m.Bytes + 15) &^ 15
	}
	if at == arraysAt {
		return nil
	}
	return l.queue.ToDevice(l.queue.there+arraysAt, l.queue.host[arraysAt:at])
}

// piece runs the leaves first to last-1, a node, into a slot. It is not ok if an item has failed, or the
// launch is cancelled.
func (l *launched) piece(first, last, slot int) (ok bool, err error) {
	q, g := l.queue, l.grid
	leaves, begin, end := last-first, first*g.Leaf, min(last*g.Leaf, g.Items)
	before := time.Now()
	p := append(slices.Clone(l.index), uint64(begin), uint64(end), uint64(q.there+statusAt))
	threads, entry := end-begin, l.code.entry
	if l.points {
		entry = l.code.points
	}
	if l.call.Text.Rows != nil || len(l.joins) > 0 {
		p = append(p, uint64(g.Leaf))
	}
	var outs []driver.Address
	if len(l.joins) > 0 {
		threads = leaves * g.Lanes
		p = append(p, uint64(g.Lanes))
		at := q.there + valuesAt
		for _, j := range l.joins {
			outs = append(outs, at)
			p = append(p, uint64(at-driver.Address(first*j.Bytes)), j.Identity, j.Op)
			at += driver.Address((leaves*j.Bytes + 15) &^ 15)
		}
	}
	p = append(p, l.call.Scalars...)
	for _, a := range l.arrays {
		p = append(p, uint64(a))
	}
	if err := errors.Join(q.Set(q.there+statusAt, 0xff, 8), launch(q, entry, threads, p)); err != nil {
		return false, err
	}
	if err := l.join(leaves, outs); err != nil {
		return false, err
	}
	if err := q.ToHost(q.host[statusAt:statusAt+8], q.there+statusAt); err != nil {
		return false, err
	}
	for k, at := range outs {
		if err := q.ToHost(q.host[rootsAt+16*k:rootsAt+16*k+l.joins[k].Bytes], at); err != nil {
			return false, err
		}
	}
	if err := q.Wait(); err != nil {
		return false, err
	}
	l.code.pace.ran(end-begin, time.Since(before))
	if status := binary.NativeEndian.Uint64(q.host[statusAt:]); status != math.MaxUint64 {
		l.fail(status)
		return false, nil
	}
	var value []byte
	for k, j := range l.joins {
		value = append(value, q.host[rootsAt+16*k:rootsAt+16*k+j.Bytes]...)
	}
	return l.job.Accept(0, first, last, slot, value), nil
}

// join joins the values of leaves, so that the first is that of the node.
func (l *launched) join(leaves int, outs []driver.Address) error {
	if len(outs) == 0 {
		return nil
	}
	for stride := 1; stride < leaves; {
		values := (leaves-1)/stride + 1
		threads := min(max(1<<bits.Len(uint(values-1))/2, 32), blockThreads)
		p := []uint64{uint64(leaves), uint64(stride)}
		for k, at := range outs {
			p = append(p, uint64(at), l.joins[k].Op)
		}
		if err := l.queue.Launch(l.code.nodes, (values-1)/(2*threads)+1, threads, p); err != nil {
			return err
		}
		stride *= 2 * threads
	}
	return nil
}

// fail tells the job of the lowest item that has failed.
func (l *launched) fail(status uint64) {
	item, n := int(status>>16), int(status&0xffff)
	t := l.call.Text
	why := "the functor would panic"
	if n < len(t.Stops) {
		why = t.Stops[n]
	}
	l.job.Fail(item, &fault{fmt.Sprintf("%s, at the index %s of the kernel %s", why, indexText(l.box, item), t.Source.Name)})
}

// A fault is what the functor would have panicked with.
type fault struct{ text string }

func (f *fault) Error() string { return f.text }

// RuntimeError tells run-time errors from others.
func (*fault) RuntimeError() {}

// A stack joins pieces that come in order: slot k has a node that is wider than that of slot k+1.
type stack struct {
	job   space.Job
	nodes []node
}

type node struct{ first, width int }

// slot is where the next piece goes.
func (s *stack) slot() int { return len(s.nodes) }

// push takes note of a piece and joins what is whole: neighbours of equal width, and behind the last leaf
// all that there is.
func (s *stack) push(first, width, leaves int) bool {
	s.nodes = append(s.nodes, node{first, width})
	end := first+width >= leaves
	for n := len(s.nodes); n > 1; n = len(s.nodes) {
		left, right := s.nodes[n-2], s.nodes[n-1]
		if left.width != right.width && !end {
			return true
		}
		if !s.job.Join(n-2, n-1) {
			return false
		}
		s.nodes = s.nodes[:n-1]
		s.nodes[n-2] = node{left.first, 2 * left.width}
	}
	return true
}

// A pace is how long items of a kernel take, as far as that is known: a piece should end before anybody who
// watches the device takes it for stuck, and before who cancels a launch has waited for long.
type pace struct{ perItem atomic.Uint64 } // nanoseconds, the bits of a float64

const (
	pieceTime  = 250 * time.Millisecond
	probeItems = 1 << 20 // of a kernel that nothing is known of
)

// width returns how many leaves the next piece should have, a power of two.
func (p *pace) width(g space.Grid) int {
	items := float64(probeItems)
	if each := math.Float64frombits(p.perItem.Load()); each > 0 {
		items = float64(pieceTime) / each
	}
	leaves := min(max(items/float64(g.Leaf), 1), 1<<30)
	return 1 << (bits.Len(uint(leaves)) - 1)
}

// ran takes note of how long items took, unless that is how long a launch takes.
func (p *pace) ran(items int, took time.Duration) {
	if items < 1<<16 && took < time.Millisecond {
		return
	}
	p.perItem.Store(math.Float64bits(max(float64(took), 1) / float64(items)))
}
