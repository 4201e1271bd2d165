package mpi

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/gokkos/gokkos/exec/mpi/internal/link"
	"github.com/gokkos/gokkos/policy"
)

// Ranks of one process that have cards hand arrays over to each other in place of rows: whoever wants rows copies them from the
// other rank's memory to its own, over the link between the cards. A message has the number of the array, and an answer says that
// the rows are copied.

// handed has the arrays that are on their way, by number.
var (
	handed sync.Map
	counts atomic.Uint64
)

// meet finds out which ranks the arrays of this rank are handed over to: the ranks of this process, if one of the two has its
// rows in memory of a card.
func (h *halo) meet(far bool) error {
	if h.comm == nil {
		return nil
	}
	l, ok := h.comm.link.(link.Near)
	if !ok || !l.Near() {
		return nil
	}
	mine, all := []byte{0}, make([]byte, h.comm.Size())
	if far {
		mine[0] = 1
	}
	if err := h.comm.link.Allgather(mine, all); err != nil {
		return fmt.Errorf("mpi: %w", err)
	}
	h.hands = make([]bool, len(all))
	for k, theirs := range all {
		h.hands[k] = far || theirs == 1
	}
	return nil
}

// gives returns what begins to hand an array over to a rank.
func (h *halo) gives(rank int, array any) func(...policy.Launch) (*Request, error) {
	return func(...policy.Launch) (*Request, error) {
		answer, err := h.comm.link.Irecv(rank, h.tag+1, nil)
		if err != nil {
			return nil, err
		}
		number := counts.Add(1)
		handed.Store(number, array)
		sent, err := h.comm.link.Isend(rank, h.tag, binary.NativeEndian.AppendUint64(nil, number))
		if err != nil {
			handed.Delete(number)
			if answer.Cancel() == nil {
				_, _ = answer.Wait()
			}
			return nil, err
		}
		return &Request{r: &given{sent, answer, number}}, nil
	}
}

// takes returns what begins to receive an array of a rank. copies copies rows of it.
func (h *halo) takes(rank int, copies func(theirs any, on []policy.Launch) error) func(...policy.Launch) (*Request, error) {
	return func(on ...policy.Launch) (*Request, error) {
		number := make([]byte, 8)
		r, err := h.comm.link.Irecv(rank, h.tag, number)
		if err != nil {
			return nil, err
		}
		return &Request{r: r, received: func(s link.Status) (Status, error) {
			theirs, ok := handed.LoadAndDelete(binary.NativeEndian.Uint64(number))
			if !ok {
				return Status{}, fmt.Errorf("mpi: rank %d has given up an exchange", rank)
			}
			return statusOf(s), errors.Join(copies(theirs, on), h.comm.link.Send(rank, h.tag+1, nil))
		}}, nil
	}
}

// given is a [link.Request] that is done when the other rank has copied what was handed over.
type given struct {
	sent, answer link.Request
	number       uint64
}

// Wait implements [link.Request].
func (g *given) Wait() (link.Status, error) {
	_, err := g.answer.Wait()
	return g.end(err)
}

// Test implements [link.Request].
func (g *given) Test() (bool, link.Status, error) {
	done, _, err := g.answer.Test()
	if !done {
		return false, link.Status{}, err
	}
	s, err := g.end(err)
	return true, s, err
}

func (g *given) end(err error) (link.Status, error) {
	handed.Delete(g.number) // which nobody has taken if the other rank has ended
	s, sent := g.sent.Wait()
	return s, errors.Join(err, sent)
}

// Cancel implements [link.Request]. If the other rank has taken the array, it may copy. Else it gets an error.
func (g *given) Cancel() error {
	if _, waits := handed.LoadAndDelete(g.number); waits {
		return g.answer.Cancel()
	}
	return nil
}
