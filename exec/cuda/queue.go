package cuda

import (
	"errors"
	"sync"
	"unsafe"

	"github.com/gokkos/gokkos/exec/cuda/internal/driver"
)

// bufferBytes is the room that a launch has for arrays that functors have captured and for values of leaves. Arguments of
// launches are behind what copies and launches have there on the host.
const (
	bufferBytes = 4 << 20
	argumentsAt = 2 << 20
)

// A queue is a stream, with a buffer on either side of the link. One launch or copy has it at a time.
type queue struct {
	*driver.Stream
	host  []byte
	there driver.Address
	of    *driver.Device
	twin  *queue         // of copies that take several pieces, or nil
	more  driver.Address // memory for values that the buffer has no room for
	bytes int            // of it
}

func newQueue(d *driver.Device) (*queue, error) {
	q := &queue{of: d}
	var err error
	if q.Stream, err = d.NewStream(); err != nil {
		return nil, err
	}
	if q.host, err = d.AllocateHost(bufferBytes); err == nil {
		q.there, err = d.Allocate(bufferBytes)
	}
	if err == nil {
		err = q.prepare()
	}
	if err != nil {
		return nil, errors.Join(err, q.close())
	}
	return q, nil
}

// room returns memory of the device for values of a launch.
func (q *queue) room(bytes int) (driver.Address, error) {
	if bytes <= bufferBytes-valuesAt {
		return q.there + valuesAt, nil
	}
	return q.apart(bytes)
}

// apart returns memory of the device that is not the buffer's.
func (q *queue) apart(bytes int) (driver.Address, error) {
	if bytes > q.bytes {
		at, err := q.of.Allocate(uint64(bytes))
		if err != nil {
			return 0, err
		}
		old := q.more
		if q.more, q.bytes = at, bytes; old != 0 {
			err = q.of.Free(old)
		}
		return at, err
	}
	return q.more, nil
}

// near returns the address that the device has for an offset of the buffer on the host: as all memory that the driver has
// allocated there, it has one address on both sides.
func (q *queue) near(offset int) driver.Address {
	return addressOf(unsafe.Pointer(&q.host[offset]))
}

// second returns the twin.
func (q *queue) second() (*queue, error) {
	if q.twin != nil {
		return q.twin, nil
	}
	twin, err := newQueue(q.of)
	if err == nil {
		q.twin = twin
	}
	return twin, err
}

func (q *queue) close() error {
	var failures []error
	if q.twin != nil {
		failures = append(failures, q.twin.close())
	}
	for _, at := range []driver.Address{q.there, q.more} {
		if at != 0 {
			failures = append(failures, q.of.Free(at))
		}
	}
	if q.host != nil {
		failures = append(failures, q.of.FreeHost(q.host))
	}
	return errors.Join(append(failures, q.Stream.Close())...)
}

// queues lends out queues, made when they are wanted, up to a number at a time.
type queues struct {
	d    *card
	room chan struct{}
	mu   sync.Mutex
	idle []*queue
}

func (d *card) newQueues(n int) *queues {
	q := &queues{d: d, room: make(chan struct{}, n)}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.all = append(d.all, q)
	return q
}

// take waits for a queue.
func (s *queues) take() (*queue, error) {
	s.room <- struct{}{}
	return s.taken()
}

// tryTake is take where one can go on without: it returns nil if it would have to wait, or if there is no memory.
func (s *queues) tryTake() (*queue, error) {
	select {
	case s.room <- struct{}{}:
	default:
		return nil, nil
	}
	q, err := s.taken()
	if errors.Is(err, driver.ErrOutOfMemory) {
		return nil, nil
	}
	return q, err
}

// taken returns a queue for which there is room.
func (s *queues) taken() (*queue, error) {
	s.mu.Lock()
	if last := len(s.idle) - 1; last >= 0 {
		q := s.idle[last]
		s.idle = s.idle[:last]
		s.mu.Unlock()
		return q, nil
	}
	s.mu.Unlock()
	q, err := newQueue(s.d.driver)
	if errors.Is(err, driver.ErrOutOfMemory) { // some may be there to be given back
		s.d.memory.release()
		q, err = newQueue(s.d.driver)
	}
	if err != nil {
		<-s.room
		return nil, err
	}
	return q, nil
}

// giveAfter takes a queue back, and closes it if what ran on it has failed: it may have left a status.
func (s *queues) giveAfter(q *queue, err error) {
	if err == nil {
		s.give(q)
		return
	}
	_ = q.Wait() // nothing may use its buffers any more
	_ = q.close()
	<-s.room
}

// give takes a queue back, on which nothing runs any more.
func (s *queues) give(q *queue) {
	s.mu.Lock()
	s.idle = append(s.idle, q)
	s.mu.Unlock()
	<-s.room
}

func (s *queues) close() error {
	var failures []error
	for _, q := range s.idle {
		failures = append(failures, q.close())
	}
	s.idle = nil
	return errors.Join(failures...)
}
