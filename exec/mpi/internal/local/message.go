package local

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/gokkos/gokkos/exec/mpi/internal/link"
)

// mailbox has the messages to one rank that nobody has received, in the order in which they came,
// and the receives that no message has come for. No receive matches a message.
type mailbox struct {
	mu       sync.Mutex
	messages []*message
	receives []*receive
	probes   []*receive
}

type message struct {
	src, tag int
	data     []byte
	taken    chan struct{} // closed when the message is received, or will not be; nil if nobody waits for that
	lost     bool          // it will not be
}

// receive is a request for a message, or a look at one.
type receive struct {
	h        *handle
	call     string
	src, tag int
	buf      []byte

	box    *mailbox
	done   chan struct{} // closed when the rest is final
	status link.Status
	err    error
}

func (r *receive) matches(m *message) bool {
	return (r.src == link.AnySource || r.src == m.src) && (r.tag == link.AnyTag || r.tag == m.tag)
}

// take completes a receive with a message.
func (r *receive) take(m *message) {
	r.status = link.Status{Source: m.src, Tag: m.tag, Bytes: len(m.data)}
	if n := copy(r.buf, m.data); n < len(m.data) {
		r.err = r.h.says(r.call, fmt.Errorf("%d bytes of rank %d into %d: %w", len(m.data), m.src, len(r.buf), link.ErrTruncate))
	}
	if m.taken != nil {
		close(m.taken)
	}
	close(r.done)
}

// see completes a probe.
func (r *receive) see(m *message) {
	r.status = link.Status{Source: m.src, Tag: m.tag, Bytes: len(m.data)}
	close(r.done)
}

// fail completes a receive with an error.
func (r *receive) fail(err error) {
	r.err = r.h.says(r.call, err)
	close(r.done)
}

// deliver gives a message to the first receive that it matches, or keeps it.
func (b *mailbox) deliver(c *comm, dst int, m *message) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if m.taken != nil && c.world.hasEnded(c.members[dst]) {
		m.lost = true
		close(m.taken)
		return
	}
	b.probes = slices.DeleteFunc(b.probes, func(p *receive) bool {
		if !p.matches(m) {
			return false
		}
		p.see(m)
		return true
	})
	for k, r := range b.receives {
		if r.matches(m) {
			b.receives = slices.Delete(b.receives, k, k+1)
			r.take(m)
			return
		}
	}
	b.messages = append(b.messages, m)
}

// post begins a receive.
func (b *mailbox) post(r *receive, probe bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for k, m := range b.messages {
		if r.matches(m) {
			if probe {
				r.see(m)
				return
			}
			b.messages = slices.Delete(b.messages, k, k+1)
			r.take(m)
			return
		}
	}
	if err := r.never(); err != nil {
		r.fail(err)
		return
	}
	if probe {
		b.probes = append(b.probes, r)
	} else {
		b.receives = append(b.receives, r)
	}
}

// never returns an error if no message will come any more: their ranks have ended. That of any
// rank is not expected of the rank itself, which waits.
func (r *receive) never() error {
	c := r.h.comm
	if len(c.members) == 1 {
		return nil // it may still send to itself
	}
	gone := 0
	for k, m := range c.members {
		if r.src == k || r.src == link.AnySource && k != r.h.rank {
			if !c.world.hasEnded(m) {
				return nil
			}
			gone = k
		}
	}
	return c.gone(gone)
}

// check fails those receives that no message will come for any more, and those sends whose
// receiver has ended.
func (b *mailbox) check(ended bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, m := range b.messages {
		if ended && m.taken != nil && !m.lost {
			m.lost = true
			close(m.taken)
		}
	}
	hopeless := func(r *receive) bool {
		err := r.never()
		if err != nil {
			r.fail(err)
		}
		return err != nil
	}
	b.receives = slices.DeleteFunc(b.receives, hopeless)
	b.probes = slices.DeleteFunc(b.probes, hopeless)
}

// withdraw takes a receive back and reports whether it was still waiting.
func (b *mailbox) withdraw(r *receive) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	is := func(other *receive) bool { return other == r }
	waiting := len(b.receives) + len(b.probes)
	b.receives = slices.DeleteFunc(b.receives, is)
	b.probes = slices.DeleteFunc(b.probes, is)
	return len(b.receives)+len(b.probes) < waiting
}

// Wait implements [link.Request].
func (r *receive) Wait() (link.Status, error) {
	select {
	case <-r.done:
		return r.status, r.err
	default:
	}
	select {
	case <-r.done:
	case <-r.h.comm.world.over:
		if r.box.withdraw(r) {
			r.fail(r.h.comm.world.err())
		}
		<-r.done
	}
	return r.status, r.err
}

// Test implements [link.Request].
func (r *receive) Test() (bool, link.Status, error) {
	select {
	case <-r.done:
		return true, r.status, r.err
	case <-r.h.comm.world.over:
		s, err := r.Wait()
		return true, s, err
	default:
		return false, link.Status{}, nil
	}
}

// Cancel implements [link.Request].
func (r *receive) Cancel() error {
	if r.box.withdraw(r) {
		r.status.Cancelled = true
		close(r.done)
	}
	return nil
}

// sent is a send that goes on until it is received.
type sent struct {
	*message
	h     *handle
	dst   int
	bytes link.Status
}

// Wait implements [link.Request].
func (s *sent) Wait() (link.Status, error) {
	if s.taken == nil {
		return s.bytes, nil
	}
	select {
	case <-s.taken:
	default:
		select {
		case <-s.taken:
		case <-s.h.comm.world.over:
			return s.bytes, s.h.says("Send", s.h.comm.world.err())
		}
	}
	if s.lost {
		return s.bytes, s.h.says("Send", s.h.comm.gone(s.dst))
	}
	return s.bytes, nil
}

// Test implements [link.Request].
func (s *sent) Test() (bool, link.Status, error) {
	select {
	case <-s.taken:
	case <-s.h.comm.world.over:
	default:
		if s.taken != nil {
			return false, link.Status{}, nil
		}
	}
	status, err := s.Wait()
	return true, status, err
}

// Cancel implements [link.Request]: a send is never given up.
func (s *sent) Cancel() error { return nil }

// open is a request that its rank has not seen the end of.
type open struct {
	link.Request
	h    *handle
	over atomic.Bool
}

func (h *handle) opened(r link.Request) link.Request {
	h.open.Add(1)
	return &open{Request: r, h: h}
}

// Wait implements [link.Request].
func (r *open) Wait() (link.Status, error) {
	s, err := r.Request.Wait()
	r.end()
	return s, err
}

// Test implements [link.Request].
func (r *open) Test() (bool, link.Status, error) {
	done, s, err := r.Request.Test()
	if done {
		r.end()
	}
	return done, s, err
}

func (r *open) end() {
	if !r.over.Swap(true) {
		r.h.open.Add(-1)
	}
}

// Send implements [link.Link].
func (h *handle) Send(dst, tag int, b []byte) error {
	s, err := h.send("Send", dst, tag, b)
	if err == nil {
		_, err = s.Wait()
	}
	return err
}

// Isend implements [link.Link].
func (h *handle) Isend(dst, tag int, b []byte) (link.Request, error) {
	s, err := h.send("Isend", dst, tag, b)
	if err != nil {
		return nil, err
	}
	return h.opened(s), nil
}

func (h *handle) send(call string, dst, tag int, b []byte) (*sent, error) {
	if dst < 0 || dst >= h.Size() {
		return nil, h.wrong(call, "to rank %d of %d", dst, h.Size())
	}
	if tag < 0 || tag > link.MaxTag {
		return nil, h.wrong(call, "with tag %d, expected 0 to %d", tag, link.MaxTag)
	}
	if err := h.begin(call); err != nil {
		return nil, err
	}
	m := &message{src: h.rank, tag: tag, data: slices.Clone(b)}
	r := &h.comm.world.ranks[h.comm.members[h.rank]]
	r.mu.Lock()
	if r.noise.waits() && dst != h.rank {
		m.taken = make(chan struct{})
	}
	r.mu.Unlock()
	h.comm.boxes[dst].deliver(h.comm, dst, m)
	return &sent{m, h, dst, link.Status{Source: h.rank, Tag: tag, Bytes: len(b)}}, nil
}

// Recv implements [link.Link].
func (h *handle) Recv(src, tag int, b []byte) (link.Status, error) {
	r, err := h.receive("Recv", src, tag, b, false)
	if err != nil {
		return link.Status{}, err
	}
	return r.Wait()
}

// Irecv implements [link.Link].
func (h *handle) Irecv(src, tag int, b []byte) (link.Request, error) {
	r, err := h.receive("Irecv", src, tag, b, false)
	if err != nil {
		return nil, err
	}
	return h.opened(r), nil
}

// Probe implements [link.Link].
func (h *handle) Probe(src, tag int) (link.Status, error) {
	r, err := h.receive("Probe", src, tag, nil, true)
	if err != nil {
		return link.Status{}, err
	}
	return r.Wait()
}

func (h *handle) receive(call string, src, tag int, b []byte, probe bool) (*receive, error) {
	if src != link.AnySource && (src < 0 || src >= h.Size()) {
		return nil, h.wrong(call, "from rank %d of %d", src, h.Size())
	}
	if tag != link.AnyTag && (tag < 0 || tag > link.MaxTag) {
		return nil, h.wrong(call, "with tag %d, expected 0 to %d", tag, link.MaxTag)
	}
	if err := h.begin(call); err != nil {
		return nil, err
	}
	box := &h.comm.boxes[h.rank]
	r := &receive{h: h, call: call, src: src, tag: tag, buf: b, box: box, done: make(chan struct{})}
	box.post(r, probe)
	return r, nil
}
