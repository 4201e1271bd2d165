package cuda

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"time"

	"github.com/gokkos/gokkos/exec/cuda/internal/driver"
	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
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
	job, ok := j.(device.Failer)
	if !ok {
		space.Alone(g, j)
		return nil
	}
	f := job.Functor()
	call, _ := f.Code("ptx").(*kernel.Call) // nil if the functor has no text
	x, ok := job.Scan()
	if call != nil && f.Scan != nil && call.Text.Scan {
		x, ok = *f.Scan, true
	}
	if ok {
		return s.scan(g, job, f, call, x)
	}
	w, err := s.workOf(g, job, f, call)
	if err == nil && g.Leaves == 0 {
		j.Open(1, 1)
		return nil
	}
	if err == nil {
		err = s.run(&launched{grid: g, job: job, work: w})
	}
	if err != nil {
		return s.failed(f, err)
	}
	return nil
}

// failed returns the error of a launch, with the number of the card that has failed.
func (s *Space) failed(f device.Functor, err error) error {
	number := s.driver.Number
	if e := (*driver.Error)(nil); errors.As(err, &e) && e.Device >= 0 {
		number = e.Device
	}
	return fmt.Errorf("exec: launch%s on cuda device %d: %w", named(f.Label), number, err)
}

// FoldsMemory implements [device.MemoryFolder].
func (s *Space) FoldsMemory() {}

// workOf returns what a job runs on the device.
func (s *Space) workOf(g space.Grid, job device.Failer, f device.Functor, call *kernel.Call) (work, error) {
	if fold, ok := job.Fold(); ok {
		return s.foldOf(g, fold)
	}
	switch {
	case call != nil && f.Teams.Size > 0:
		return s.teamsOf(g, job, f, call)
	case call != nil:
		return s.kernelOf(g, job, f, call)
	case f.Func == nil:
		return nil, errors.New("it calls no functor, expected one with ptx code")
	}
	return nil, fmt.Errorf("%v has no ptx code: gokkosc -ptx makes it of functors with a comment gokkos:kernel, "+
		"for builds with the constraint of z_kernels_ptx.go", f)
}

// run runs a launch that has items.
func (s *Space) run(l *launched) error {
	all, err := l.stretches(s)
	switch {
	case err != nil:
		return err
	case len(all) > 1:
		return l.share(all)
	}
	on := all[0].on
	return on.onQueue(func(q *queue) (err error) {
		l.queue = q
		if l.code, err = l.work.load(on); err != nil {
			return err
		}
		return l.run()
	})
}

// onQueue lends a queue to f. It is closed if f fails, as what ran on it may have left a status.
func (s *Space) onQueue(f func(q *queue) error) (err error) {
	if err := s.driver.Lost(); err != nil {
		return err
	}
	q, err := s.queues.take()
	if err != nil {
		return err
	}
	defer func() { s.queues.giveAfter(q, err) }()
	return f(q)
}

func named(label string) string {
	if label == "" {
		return ""
	}
	return fmt.Sprintf(" of %q", label)
}

// A work is what a launch runs: a functor, or a fold of values.
type work interface {
	// load returns the code.
	load(s *Space) (*code, error)
	// sizes returns the bytes that a leaf leaves, of each part of its values; none if nothing is reduced.
	sizes() []int
	// left returns how many values a leaf of so many items leaves for the host to join, in each of sizes. It is 0 if the device
	// joins them.
	left(items int) int
	// place brings what all pieces need to the device.
	place(q *queue) error
	// run runs the items begin to end-1, and waits for them.
	run(q *queue, c *code, begin, end int, at places) error
	// value returns the bytes of a node whose parts are these.
	value(parts [][]byte) []byte
	// fail tells the job of the lowest item that has failed.
	fail(status uint64)
	// again returns the work for one more card.
	again() work
	// stretches divides n units of so many leaves among cards.
	stretches(s *Space, unit, n int) ([]stretch, error)
}

// A launched is a launch on a device.
type launched struct {
	grid  space.Grid
	job   device.Job
	work  work
	queue *queue
	code  *code

	crowded bool // the device runs other parts of the launch, too
}

// places are where a launch finds and leaves what is not the functor's.
type places struct {
	status driver.Address   // 64 bits that are set, and the address of the flag
	done   driver.Address   // 32 bits that are 0
	outs   []driver.Address // for each part of a value: that of leaf 0
	roots  []driver.Address // and that of the node, on the host
}

// Where what is in the buffers of a queue. Devices write to that of the host, where nothing needs to be copied then. They
// join nothing there: a status is on the device, and a flag on the host that there is one.
const (
	flagAt    = 0   // on the host
	rootsAt   = 64  // on the host, 8 bytes for each part of a value
	doneAt    = 0   // on the device
	statusAt  = 64  // on the device
	arraysAt  = 256 // on both
	arraysEnd = 64 << 10
	countsAt  = arraysEnd // on the device, 32 bits each that are 0 between launches
	valuesAt  = countsAt + countsBytes
)

// countsBytes is room for as many results of a tensor as are joined in a launch.
const countsBytes = 128 << 10

// prepare makes the buffers of a queue ready for launches.
func (q *queue) prepare() error {
	binary.NativeEndian.PutUint64(q.host, math.MaxUint64)
	binary.NativeEndian.PutUint64(q.host[8:], uint64(q.near(flagAt)))
	return errors.Join(q.Set(q.there+doneAt, 0, 8), q.Set(q.there+countsAt, 0, countsBytes), q.ToDevice(q.there+statusAt, q.host[:16]), q.Wait())
}

// status returns what items have left, after a launch at whose beginning the flag was 0.
func (q *queue) status() (status uint64, err error) {
	if binary.NativeEndian.Uint64(q.host[flagAt:]) == 0 {
		return math.MaxUint64, nil
	}
	if err := errors.Join(q.ToHost(q.host[:8], q.there+statusAt), q.Wait()); err != nil {
		return 0, err
	}
	status = binary.NativeEndian.Uint64(q.host)
	return status, q.prepare()
}

// run runs the launch in pieces, which are nodes of equal width, and joins them.
func (l *launched) run() error {
	if err := l.work.place(l.queue); err != nil {
		return err
	}
	most := l.widest()
	l.job.Open(1, bits.Len(uint(l.grid.Leaves))+1)
	s := stack{job: l.job}
	s.nodes = s.first[:0]
	for first := 0; first < l.grid.Leaves; {
		if l.job.Cancelled() {
			return nil
		}
		width := l.width(first, most)
		last := min(first+width, l.grid.Leaves)
		ok, err := l.piece(first, last, width, &s)
		if err != nil || !ok {
			return err
		}
		first = last
	}
	return nil
}

// width returns how many leaves the piece has that begins with a leaf, most at most.
func (l *launched) width(first, most int) int {
	width := min(most, l.code.pace.width(l.grid))
	for first%width != 0 { // as a node begins there
		width /= 2
	}
	return width
}

// widest returns how many leaves have room for their values.
func (l *launched) widest() int {
	bytes := 0
	for _, n := range l.work.sizes() {
		bytes += n
	}
	if bytes == 0 {
		return widthOf(0, l.grid.Leaves)
	}
	return 1 << (bits.Len(uint((bufferBytes-valuesAt-16*len(l.work.sizes()))/bytes)) - 1)
}

// piece runs the leaves first to last-1, a node of that width, and joins it to those before. It is not ok if an item or a join
// has failed, or the launch is cancelled.
func (l *launched) piece(first, last, width int, s *stack) (ok bool, err error) {
	value, status, err := l.compute(first, last)
	if err != nil {
		return false, err
	}
	if status != math.MaxUint64 {
		l.work.fail(status)
		return false, nil
	}
	return l.accept(computed{first, last, width, value}, s), nil
}

// A computed node of a width is what the device has made of the leaves first to last-1.
type computed struct {
	first, last, width int
	value              []byte // of the node, or what all leaves leave for the host to join
}

// compute runs the leaves first to last-1 and returns the bytes of the node, or the status of the lowest item that has
// failed. If the host joins lanes, these are the bytes.
func (l *launched) compute(first, last int) (value []byte, status uint64, err error) {
	q, g := l.queue, l.grid
	begin, end := first*g.Leaf, min(last*g.Leaf, g.Items)
	before := time.Now()
	sizes := l.work.sizes()
	where := places{status: q.there + statusAt, done: q.there + doneAt}
	values := q.there + valuesAt
	parts := make([][]byte, len(sizes))
	for k, n := range sizes {
		where.outs = append(where.outs, values-driver.Address(first*n))
		where.roots = append(where.roots, q.near(rootsAt+8*k))
		values += driver.Address(room(n, last-first))
	}
	binary.NativeEndian.PutUint64(q.host[flagAt:], 0)
	if err := l.work.run(q, l.code, begin, end, where); err != nil {
		return nil, 0, err
	}
	if !l.crowded || l.code.pace.perItem.Load() == 0 {
		l.code.pace.ran(end-begin, time.Since(before))
	}
	if status, err = q.status(); err != nil || status != math.MaxUint64 {
		return nil, status, err
	}
	if l.work.left(g.Leaf) > 0 {
		all := bytesOf(sizes, last-first)
		err = errors.Join(q.ToHost(q.host[valuesAt:valuesAt+all], q.there+valuesAt), q.Wait())
		return slices.Clone(q.host[valuesAt : valuesAt+all]), status, err
	}
	for k, n := range sizes {
		parts[k] = q.host[rootsAt+8*k : rootsAt+8*k+n]
	}
	return l.work.value(parts), status, nil
}

// bytesOf returns how many bytes so many leaves leave in all.
func bytesOf(sizes []int, leaves int) (all int) {
	for _, n := range sizes {
		all += room(n, leaves)
	}
	return all
}

// room returns the bytes that one part of the values of so many leaves takes, n bytes of each leaf.
func room(n, leaves int) int { return (leaves*n + 15) &^ 15 }

// accept gives the job what is computed, and joins it to the nodes before. It is false if a join has failed, or the launch
// is cancelled.
func (l *launched) accept(c computed, s *stack) bool {
	room := l.work.left(l.grid.Leaf)
	if room == 0 {
		return l.job.Accept(0, c.first, c.last, s.slot(), c.value) && s.push(c.first, c.width, l.grid.Leaves)
	}
	g, sizes := l.grid, l.work.sizes()
	var value []byte
	for leaf := c.first; leaf < c.last; leaf++ {
		value = value[:0]
		for k := range l.work.left(min(g.Leaf, g.Items-leaf*g.Leaf)) {
			at := 0
			for _, n := range sizes {
				each := n / room
				from := at + (leaf-c.first)*n + k*each
				value = append(value, c.value[from:from+each]...)
				at += bytesOf([]int{n}, c.last-c.first)
			}
		}
		if !l.job.Accept(0, leaf, leaf+1, s.slot(), value) || !s.push(leaf, 1, g.Leaves) {
			return false
		}
	}
	return true
}

// maxBlocks is how many blocks a reduction has at most, several times as many as run at a time: what they leave is joined by
// the last of them, while nothing else runs.
const maxBlocks = 8192

// lanesOf returns how many threads reduce the items begin to end-1: one for each lane of a leaf, or a half, a quarter and so on
// of these, where blocks take several leaves.
func lanesOf(g space.Grid, begin, end int) int {
	threads := (end - begin + g.Leaf - 1) / g.Leaf * g.Lanes
	for threads > maxBlocks*blockThreads {
		threads = (threads + 1) / 2
	}
	return threads
}

// A stack joins pieces that come in order: slot k has a node that is wider than that of slot k+1.
type stack struct {
	job   space.Job
	nodes []node
	first [4]node // room for the nodes of a launch of few pieces
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
