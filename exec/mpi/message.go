package mpi

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/gokkos/gokkos/exec/mpi/internal/link"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// AnySource and AnyTag stand for every rank, and for every tag, where a message is received.
const (
	AnySource = link.AnySource
	AnyTag    = link.AnyTag
)

// MaxTag is the largest tag of a message; the least is 0.
const MaxTag = link.MaxTag

// A Status describes a message: its source, tag and length in bytes.
type Status struct{ Source, Tag, Bytes int }

func statusOf(s link.Status) Status { return Status{s.Source, s.Tag, s.Bytes} }

// Send sends the elements of x, the last index fastest, to rank dst with a tag. It may return
// before they are received, or wait for that. x may have any layout, and be in any memory; its
// memory is sent as it is if that has layout Right on the host, and a copy otherwise.
//
// Elements are sent as they are in memory, so all ranks must be machines of one kind, and an
// element must have no pointers, strings, slices or other references.
//
// It is an error if there is no such rank or tag, and what MPI says. A context ends the call
// only before it has begun.
func Send[T any](c *Comm, dst, tag int, x views.Viewer[T], on ...policy.Launch) error {
	if err := c.check("Send to", dst, tag, false); err != nil {
		return err
	}
	if err := begin(on); err != nil {
		return err
	}
	b, err := packed("Send", x, on)
	if err != nil {
		return err
	}
	return c.link.Send(dst, tag, b)
}

// Recv waits for the next message of rank src with a tag, and makes its elements those of x,
// the last index fastest. Messages of one rank that match arrive as they were sent. src may be
// [AnySource], and tag [AnyTag]. x may have any layout, and be in any memory.
//
// It is an error if the message has not as many bytes as x, see [Probe] for messages of unknown
// length; x may have other content then. Where a context ends the call there is no message, and
// x is as it was.
//
// A Recv waits in vain once rank src has ended, and from AnySource once all other ranks have ended: that is an
// error too, or the end of the job, see [Run]. A message that this rank sends to itself later does not count.
func Recv[T any](c *Comm, src, tag int, x views.Viewer[T], on ...policy.Launch) (Status, error) {
	if ctx := planOf(on).Context; ctx != nil && ctx.Done() != nil {
		r, err := Irecv(c, src, tag, x, on...)
		if err != nil {
			return Status{}, err
		}
		return r.Wait(on...)
	}
	if err := c.check("Recv from", src, tag, true); err != nil {
		return Status{}, err
	}
	b, err := bufferOf("Recv", x, on)
	if err != nil {
		return Status{}, err
	}
	s, err := c.link.Recv(src, tag, b.bytes)
	if err != nil {
		return Status{}, err
	}
	return b.received(s)
}

// received is the end of a message to a view: an error if it is not as long as that.
func (b buffer[T]) received(s link.Status) (Status, error) {
	if s.Bytes != len(b.bytes) {
		return Status{}, fmt.Errorf("mpi: Recv into %v: a message of %d bytes from rank %d with tag %d, expected %d bytes", b.view, s.Bytes, s.Source, s.Tag, len(b.bytes))
	}
	return statusOf(s), b.unpack()
}

// Sendrecv sends x to rank dst and receives y from rank src, both with one tag and at one time,
// so that ranks which exchange do not wait for each other in turn. It is an error if x and y have
// elements in common. Else it is [Send] and [Recv]: a context ends the wait for y, and the call
// returns once x is sent.
func Sendrecv[T any](c *Comm, dst int, x views.Viewer[T], src int, y views.Viewer[T], tag int, on ...policy.Launch) (Status, error) {
	if err := c.check("Sendrecv to", dst, tag, false); err != nil {
		return Status{}, err
	}
	if x != nil && y != nil {
		if err := apartFrom("Sendrecv", views.As(x), views.As(y)); err != nil {
			return Status{}, err
		}
	}
	in, err := Irecv(c, src, tag, y, on...)
	if err != nil {
		return Status{}, err
	}
	out, err := Isend(c, dst, tag, x, on...)
	if err != nil {
		in.giveUp()
		return Status{}, err
	}
	s, err := in.Wait(on...)
	if _, sent := out.Wait(); err == nil {
		err = sent
	}
	return s, err
}

// Probe waits until [Recv] would find a message, and describes it: a view of its length can be
// made then. The message may be gone if other goroutines receive it. Probe waits in vain where [Recv] does.
func Probe(c *Comm, src, tag int) (Status, error) {
	if err := c.check("Probe of", src, tag, true); err != nil {
		return Status{}, err
	}
	s, err := c.link.Probe(src, tag)
	return statusOf(s), err
}

// check is an error if there is no such rank or tag.
func (c *Comm) check(what string, rank, tag int, any bool) error {
	if err := c.checkRank(what, rank, any); err != nil {
		return err
	}
	if (tag < 0 || tag > MaxTag) && (!any || tag != AnyTag) {
		return fmt.Errorf("mpi: %s rank %d with tag %d, expected 0 to %d", what, rank, tag, MaxTag)
	}
	return nil
}

func (c *Comm) checkRank(what string, rank int, any bool) error {
	if c == nil {
		return fmt.Errorf("mpi: %s rank %d of a nil communicator", what, rank)
	}
	if (rank < 0 || rank >= c.Size()) && (!any || rank != AnySource) {
		return fmt.Errorf("mpi: %s rank %d of %d of %s", what, rank, c.Size(), c.Name())
	}
	return nil
}

// begin is an error if the context is done.
func begin(on []policy.Launch) error {
	if ctx := planOf(on).Context; ctx != nil && ctx.Err() != nil {
		return cancelledBy(ctx)
	}
	return nil
}

func cancelledBy(ctx context.Context) error {
	return fmt.Errorf("mpi: cancelled: %w", context.Cause(ctx))
}

// await waits until a request is done, or a context: then it is false.
func await(ctx context.Context, r link.Request) (s link.Status, err error, done bool) {
	if ctx == nil || ctx.Done() == nil {
		s, err = r.Wait()
		return s, err, true
	}
	for n := 0; ; n++ {
		if done, s, err = r.Test(); done {
			return s, err, true
		}
		if ctx.Err() != nil {
			return s, nil, false
		}
		if n < awaitPolls {
			runtime.Gosched()
			continue
		}
		select {
		case <-ctx.Done():
		case <-time.After(awaitPause):
		}
	}
}
