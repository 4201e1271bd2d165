package mpi

import (
	"context"
	"errors"

	"github.com/gokkos/gokkos/exec/mpi/internal/link"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// A Request is a message of [Isend] or [Irecv] that goes on. It must be waited for, or tested
// until it is done; until then nothing may touch the elements of its view, but to read those that
// are sent. One goroutine at a time may use it.
type Request struct {
	r        link.Request
	bytes    int // that are sent
	received func(s link.Status) (Status, error)

	done   bool
	status Status
	err    error
}

// Isend begins a [Send] and returns. x may be changed once the request is done.
func Isend[T any](c *Comm, dst, tag int, x views.Viewer[T], on ...policy.Launch) (*Request, error) {
	if err := c.check("Isend to", dst, tag, false); err != nil {
		return nil, err
	}
	if err := begin(on); err != nil {
		return nil, err
	}
	b, err := packed("Isend", x, on)
	if err != nil {
		return nil, err
	}
	r, err := c.link.Isend(dst, tag, b)
	if err != nil {
		return nil, err
	}
	return &Request{r: r, bytes: len(b)}, nil
}

// Irecv begins a [Recv] and returns. x has the elements of the message once the request is done.
func Irecv[T any](c *Comm, src, tag int, x views.Viewer[T], on ...policy.Launch) (*Request, error) {
	if err := c.check("Recv from", src, tag, true); err != nil {
		return nil, err
	}
	if err := begin(on); err != nil {
		return nil, err
	}
	b, err := bufferOf("Recv", x, on)
	if err != nil {
		return nil, err
	}
	r, err := c.link.Irecv(src, tag, b.bytes)
	if err != nil {
		return nil, err
	}
	return &Request{r: r, received: b.received}, nil
}

// Wait waits until the message is sent, or received, and says what it was; a Status of a message
// that was sent has its length only.
//
// A context ends the wait. A message to be received is given up then, unless it has come by that
// time, and Wait returns an error each time. One that is sent goes on: it must be waited for again.
func (r *Request) Wait(on ...policy.Launch) (Status, error) {
	ctx := planOf(on).Context
	status, err := r.wait(ctx)
	if r.done || r.received == nil {
		return status, err
	}
	if err := r.r.Cancel(); err != nil {
		return Status{}, err
	}
	s, err := r.r.Wait()
	if err == nil && s.Cancelled {
		err = cancelledBy(ctx)
	}
	return r.end(s, err)
}

// wait waits until the request is done, or the context: then it is not done, and goes on.
func (r *Request) wait(ctx context.Context) (Status, error) {
	if r.done {
		return r.status, r.err
	}
	s, err, done := await(ctx, r.r)
	if !done {
		return Status{}, cancelledBy(ctx)
	}
	return r.end(s, err)
}

// Test reports whether the request is done, and then returns what [Request.Wait] does. Once all ranks have ended
// that the message may come from, or the rank that it goes to, there is no sense in more tests: Test fails as
// [Recv] does, after some seconds.
func (r *Request) Test() (done bool, s Status, err error) {
	if r.done {
		return true, r.status, r.err
	}
	done, t, err := r.r.Test()
	if !done {
		return false, Status{}, err
	}
	s, err = r.end(t, err)
	return true, s, err
}

// end keeps how the request has ended.
func (r *Request) end(s link.Status, err error) (Status, error) {
	r.done = true
	switch {
	case err != nil:
		r.err = err
	case r.received == nil:
		r.status = Status{Bytes: r.bytes}
	default:
		r.status, r.err = r.received(s)
	}
	r.r, r.received = nil, nil // with the memory that they keep
	return r.status, r.err
}

// giveUp ends a request whose message is not wanted any more. One that sends is left alone: MPI may
// wait for its receiver to the end.
func (r *Request) giveUp() {
	if r.received != nil && !r.done && r.r.Cancel() == nil {
		s, err := r.r.Wait()
		_, _ = r.end(s, err)
	}
}

// WaitAll waits for all requests, also if some have failed, and returns their errors joined.
// Nil requests are left out. A context is that of [Request.Wait].
func WaitAll(requests []*Request, on ...policy.Launch) error {
	var errs []error
	for _, r := range requests {
		if r != nil {
			_, err := r.Wait(on...)
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
