package mpi

import (
	"errors"
	"slices"

	"github.com/gokkos/gokkos/policy"
)

// halo is the messages by which an array fetches what it has of other ranks.
type halo struct {
	comm    *Comm                                         // of the messages of arrays; nil on a space that is not of ranks
	tag     int                                           // and the next one
	hands   []bool                                        // the ranks that arrays are handed over to; nil if there are none
	in, out []func(on ...policy.Launch) (*Request, error) // which begin one
	left    []*Request                                    // of exchanges whose wait a context has ended
}

func (h *halo) messages() *halo { return h }

// rank returns the number of this rank, 0 if there are none.
func (h *halo) rank() int {
	if h.comm == nil {
		return 0
	}
	return h.comm.Rank()
}

// An Exchange is one of [Array.Begin], or [TiledArray.Begin], that goes on.
type Exchange struct{ requests []*Request }

// exchange begins all messages and waits for them.
func (h *halo) exchange(on []policy.Launch) error {
	e, err := h.begin(on)
	if err != nil {
		return err
	}
	err = e.Wait(on...)
	h.left = slices.DeleteFunc(e.requests, func(r *Request) bool { return r.done })
	return err
}

// begin begins all messages.
func (h *halo) begin(on []policy.Launch) (*Exchange, error) {
	e := &Exchange{requests: h.left}
	h.left = nil
	on = append(slices.Clip(on), uncancelled)
	for _, all := range [][]func(on ...policy.Launch) (*Request, error){h.in, h.out} {
		for _, begin := range all {
			if err := e.begun(begin(on...)); err != nil {
				e.giveUp()
				return nil, err
			}
		}
	}
	return e, nil
}

// begun keeps a request, if it has begun.
func (e *Exchange) begun(r *Request, err error) error {
	if err == nil {
		e.requests = append(e.requests, r)
	}
	return err
}

// giveUp gives up what has begun.
func (e *Exchange) giveUp() {
	for _, r := range e.requests {
		r.giveUp()
	}
}

// Wait waits until the halo is there. Where a context ends the wait, the exchange goes on and must
// be waited for again.
func (e *Exchange) Wait(on ...policy.Launch) error {
	ctx := planOf(on).Context
	var errs []error
	for _, r := range e.requests {
		_, err := r.wait(ctx)
		errs = append(errs, err)
		if !r.done { // nor will others be waited for
			return err
		}
	}
	return errors.Join(errs...)
}

// ofArrays returns the communicator of what arrays send, and the first of two tags for the next one.
func (c *Comm) ofArrays() (*Comm, int, error) {
	c.arrays.Lock()
	defer c.arrays.Unlock()
	if c.arrays.comm == nil {
		l, err := c.link.Dup()
		if err != nil {
			return nil, 0, err
		}
		c.arrays.comm = &Comm{link: l}
	}
	c.arrays.count++
	return c.arrays.comm, 2 * c.arrays.count % (MaxTag + 1), nil
}
