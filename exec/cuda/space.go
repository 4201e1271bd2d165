package cuda

import (
	"errors"
	"fmt"
	"sync"

	"github.com/gokkos/gokkos/exec/cuda/internal/driver"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
)

// ErrLost is what launches and copies fail with once a device is unusable.
var ErrLost = driver.ErrLost

// A Space runs launches on a device. It may be used by several callers at once: up to eight launches are on the
// device at a time.
type Space struct {
	*card
	queues *queues
	part   bool
	others []*Space // the spaces on the other cards, if there are several: see [Together]
}

// card is what the parts of a space share.
type card struct {
	driver  *driver.Device
	drivers []*driver.Device // of all cards of a space of several, this one first; or nil
	memory  *memory
	copies  *queues
	codes   codes

	carriers *queues // of goroutines that help a copy

	mu     sync.Mutex
	users  int // launches and copies that run
	closed bool
	all    []*queues
}

const (
	maxLaunches = 8 // at a time
	maxCopies   = 4
)

var (
	_ space.Space        = (*Space)(nil)
	_ device.MemoryOwner = (*Space)(nil)
	_ device.Rearranger  = (*Space)(nil)
)

// Open opens the device of a number, from 0 on, in the order of nvidia-smi -L as far as CUDA_VISIBLE_DEVICES
// does not change it. A device may be opened several times: each space then has a memory of its own, and runs
// launches on the views in it alone. [Space.Partition] makes spaces that share one.
//
// Errors: there is no driver, no such device, or one of the two is too old. They say what to do.
func Open(number int) (*Space, error) {
	l, err := driver.Load()
	if err != nil {
		return nil, err
	}
	s, err := openCard(l, number)
	if err != nil {
		return nil, err
	}
	s.memory = newMemory(s)
	return s, nil
}

// openCard opens a device as a space without a memory.
func openCard(l *driver.Library, number int) (*Space, error) {
	of, err := l.Open(number)
	if err != nil {
		return nil, err
	}
	d := &card{driver: of}
	s := &Space{card: d}
	d.copies, d.carriers, s.queues = d.newQueues(maxCopies), d.newQueues(maxCarriers), d.newQueues(maxLaunches)
	return s, nil
}

// Devices returns how many devices the process may use.
func Devices() (int, error) {
	l, err := driver.Load()
	if err != nil {
		return 0, err
	}
	return l.Devices()
}

// Name returns "cuda".
func (s *Space) Name() string { return "cuda" }

// String returns the number of the device and what it is.
func (s *Space) String() string {
	if s.invalid() != nil {
		return "no device"
	}
	if len(s.others) == 0 {
		return fmt.Sprintf("device %d, %s", s.driver.Number, s.driver.Name)
	}
	text := fmt.Sprintf("devices %d", s.driver.Number)
	for _, o := range s.others {
		text += fmt.Sprintf(", %d", o.driver.Number)
	}
	return text + ": " + s.driver.Name
}

// Concurrency returns 1: a launch gives the device all of its work.
func (s *Space) Concurrency() int { return 1 }

// Memory returns the memory of the device, in which package views can put views. It implements
// [device.MemoryOwner].
func (s *Space) Memory() device.Memory {
	if s.invalid() != nil {
		return nil
	}
	return s.memory
}

// Partition returns n spaces on the device, each with a stream of its own: launches on one of them run one
// after another, and those on different ones may run at the same time. They share the memory of s, and are closed with
// it. n is 1 to 128.
func (s *Space) Partition(n int) ([]*Space, error) {
	const most = 128
	if err := s.invalid(); err != nil {
		return nil, err
	}
	if n < 1 || n > most {
		return nil, fmt.Errorf("cuda: a partition of %v into %d spaces, expected 1 to %d", s, n, most)
	}
	if err := s.enter(); err != nil {
		return nil, err
	}
	defer s.leave()
	parts := make([]*Space, n)
	for k := range parts {
		parts[k] = &Space{card: s.card, queues: s.newQueues(1), part: true}
		for _, o := range s.others {
			parts[k].others = append(parts[k].others, &Space{card: o.card, queues: o.newQueues(1), part: true})
		}
	}
	return parts, nil
}

// Close gives back all that there is on the device: streams, kernels, and the memory of all views in it.
// Launches after it return [space.ErrClosed]. It is an error to close a space while a launch or a copy runs
// on it, and the space then stays open; closing it again is not. A part is not closed alone: Close of one is an error.
func (s *Space) Close() error {
	if err := s.invalid(); err != nil {
		return err
	}
	if s.part {
		return errors.New("cuda: Close of a part of a space, expected that of the whole")
	}
	s.mu.Lock()
	switch {
	case s.closed:
		s.mu.Unlock()
		return nil
	case s.users > 0:
		defer s.mu.Unlock()
		return fmt.Errorf("cuda: a space was closed while %d launches or copies ran on it", s.users)
	}
	s.closed = true
	s.mu.Unlock()
	opens.give(s.driver.Number, s.memory.open)
	cards := []*card{s.card}
	for _, o := range s.others {
		cards = append(cards, o.card)
	}
	var failures []error
	note := func(d *card, err error) {
		if d.driver.Lost() == nil { // nothing is left of a lost one
			failures = append(failures, err)
		}
	}
	for _, d := range cards {
		for _, q := range d.all {
			note(d, q.close())
		}
		note(d, d.codes.close())
	}
	note(s.card, s.memory.close())
	for _, d := range cards {
		note(d, d.driver.Close())
	}
	return errors.Join(failures...)
}

// enter counts a launch or a copy in.
func (d *card) enter() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return space.ErrClosed
	}
	d.users++
	return nil
}

// leave counts it out. The last one gives back what was freed meanwhile.
func (d *card) leave() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.users--
	if d.users == 0 {
		d.memory.release()
	}
}

// idle calls f if nothing runs on the device.
func (d *card) idle(f func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.users == 0 && !d.closed {
		f()
	}
}

func (s *Space) invalid() error {
	if s == nil || s.card == nil {
		return errors.New("cuda: a space that Open did not make")
	}
	return nil
}
