package local

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/gokkos/gokkos/exec/mpi/internal/link"
)

// round is one collective.
type round struct {
	parts   []*part // by rank, nil for those that have not arrived
	arrived int
	done    chan struct{} // closed when the rest is final
	err     error
}

// part is what a rank brings to a collective.
type part struct {
	h          *handle
	call       string
	root       int
	send, recv []byte
	sendCounts []int
	counts     []int
	color, key int
	made       *comm // of Split and Dup
	rank       int   // in that
}

func newRound(ranks int) *round {
	return &round{parts: make([]*part, ranks), done: make(chan struct{})}
}

// finish ends the round and begins the next one. The lock is held.
func (c *comm) finish(err error) {
	c.round.err = err
	close(c.round.done)
	c.round = newRound(len(c.members))
}

// meet brings a part, waits for those of the other ranks, and lets the last one move all bytes.
func (h *handle) meet(p *part, move func(parts []*part) error) error {
	if err := h.begin(p.call); err != nil {
		return err
	}
	p.h = h
	c := h.comm
	c.mu.Lock()
	r := c.round
	if r.parts[h.rank] != nil {
		c.mu.Unlock()
		return h.wrong(p.call, "rank %d is in %s already, expected one collective at a time", h.rank, r.parts[h.rank].call)
	}
	r.parts[h.rank] = p
	if r.arrived++; r.arrived == len(r.parts) {
		err := together(r.parts)
		if err == nil {
			err = move(r.parts)
		}
		c.finish(err)
	} else if rank := c.missing(r); rank >= 0 {
		c.finish(c.gone(rank))
	}
	c.mu.Unlock()
	select {
	case <-r.done:
	case <-c.world.over:
		c.mu.Lock()
		if c.round == r { // nobody moves bytes any more
			c.finish(c.world.err())
		}
		c.mu.Unlock()
		<-r.done
	}
	if r.err != nil {
		return h.says(p.call, r.err)
	}
	return nil
}

// missing returns a rank that has ended and is waited for, or -1.
func (c *comm) missing(r *round) int {
	for k, p := range r.parts {
		if p == nil && c.world.hasEnded(c.members[k]) {
			return k
		}
	}
	return -1
}

// together returns an error if ranks are in different collectives.
func together(parts []*part) error {
	for k, p := range parts {
		if p.call != parts[0].call || p.root != parts[0].root {
			return fmt.Errorf("rank 0 is in %s with root %d, and rank %d in %s with root %d", parts[0].call, parts[0].root, k, p.call, p.root)
		}
	}
	return nil
}

// Barrier implements [link.Link].
func (h *handle) Barrier() error {
	return h.meet(&part{call: "Barrier"}, func([]*part) error { return nil })
}

// Bcast implements [link.Link].
func (h *handle) Bcast(b []byte, root int) error {
	if err := h.checkRoot("Bcast", root); err != nil {
		return err
	}
	return h.meet(&part{call: "Bcast", root: root, send: b}, func(parts []*part) error {
		from := parts[root].send
		for k, p := range parts {
			if len(p.send) != len(from) {
				return fmt.Errorf("%d bytes on rank %d, and %d on the root %d", len(p.send), k, len(from), root)
			}
		}
		for k, p := range parts {
			if k != root {
				copy(p.send, from)
			}
		}
		return nil
	})
}

func (h *handle) checkRoot(call string, root int) error {
	if root < 0 || root >= h.Size() {
		return h.wrong(call, "root %d of %d ranks", root, h.Size())
	}
	return nil
}

// Allgather implements [link.Link].
func (h *handle) Allgather(send, recv []byte) error {
	if len(recv) != len(send)*h.Size() {
		return h.wrong("Allgather", "%d bytes of %d ranks into %d", len(send), h.Size(), len(recv))
	}
	return h.meet(&part{call: "Allgather", send: send, recv: recv}, func(parts []*part) error {
		all := parts[0].recv[:0]
		for k, p := range parts {
			if len(p.send) != len(parts[0].send) {
				return fmt.Errorf("%d bytes on rank %d, and %d on rank 0", len(p.send), k, len(parts[0].send))
			}
			all = append(all, p.send...)
		}
		for _, p := range parts[1:] {
			copy(p.recv, all)
		}
		return nil
	})
}

// Allgatherv implements [link.Link].
func (h *handle) Allgatherv(send, recv []byte, counts []int) error {
	const call = "Allgatherv"
	if err := h.checkCounts(call, counts, len(recv)); err != nil {
		return err
	}
	if len(send) != counts[h.rank] {
		return h.wrong(call, "%d bytes, and a count of %d", len(send), counts[h.rank])
	}
	return h.meet(&part{call: call, send: send, recv: recv, counts: counts}, func(parts []*part) error {
		for k, p := range parts {
			if !slices.Equal(p.counts, parts[0].counts) {
				return fmt.Errorf("other counts on rank %d than on rank 0", k)
			}
		}
		all := parts[0].recv[:0]
		for _, p := range parts {
			all = append(all, p.send...)
		}
		for _, p := range parts[1:] {
			copy(p.recv, all)
		}
		return nil
	})
}

// checkCounts returns an error unless there is a count for each rank, and total bytes.
func (h *handle) checkCounts(call string, counts []int, total int) error {
	if len(counts) != h.Size() {
		return h.wrong(call, "%d counts of %d ranks", len(counts), h.Size())
	}
	sum := 0
	for k, n := range counts {
		if n < 0 || n > total-sum {
			return h.wrong(call, "a count of %d for rank %d, with %d bytes left", n, k, total-sum)
		}
		sum += n
	}
	if sum != total {
		return h.wrong(call, "counts of %d bytes in all, and a buffer of %d", sum, total)
	}
	return nil
}

// Gatherv implements [link.Link].
func (h *handle) Gatherv(send, recv []byte, counts []int, root int) error {
	const call = "Gatherv"
	if err := h.checkRoot(call, root); err != nil {
		return err
	}
	if h.rank == root {
		if err := h.checkCounts(call, counts, len(recv)); err != nil {
			return err
		}
	}
	return h.meet(&part{call: call, root: root, send: send, recv: recv, counts: counts}, func(parts []*part) error {
		to := parts[root].recv
		for k, p := range parts {
			n := parts[root].counts[k]
			if len(p.send) != n {
				return fmt.Errorf("%d bytes on rank %d, and a count of %d", len(p.send), k, n)
			}
			copy(to, p.send)
			to = to[n:]
		}
		return nil
	})
}

// Scatterv implements [link.Link].
func (h *handle) Scatterv(send []byte, counts []int, recv []byte, root int) error {
	const call = "Scatterv"
	if err := h.checkRoot(call, root); err != nil {
		return err
	}
	if h.rank == root {
		if err := h.checkCounts(call, counts, len(send)); err != nil {
			return err
		}
	}
	return h.meet(&part{call: call, root: root, send: send, recv: recv, counts: counts}, func(parts []*part) error {
		from := parts[root].send
		for k, p := range parts {
			n := parts[root].counts[k]
			if len(p.recv) != n {
				return fmt.Errorf("%d bytes on rank %d, and a count of %d", len(p.recv), k, n)
			}
			copy(p.recv, from)
			from = from[n:]
		}
		return nil
	})
}

// Alltoallv implements [link.Link].
func (h *handle) Alltoallv(send []byte, sendCounts []int, recv []byte, recvCounts []int) error {
	const call = "Alltoallv"
	if err := h.checkCounts(call, sendCounts, len(send)); err != nil {
		return err
	}
	if err := h.checkCounts(call, recvCounts, len(recv)); err != nil {
		return err
	}
	return h.meet(&part{call: call, send: send, recv: recv, sendCounts: sendCounts, counts: recvCounts}, exchange)
}

func exchange(parts []*part) error {
	for src, p := range parts {
		for dst, q := range parts {
			if p.sendCounts[dst] != q.counts[src] {
				return fmt.Errorf("rank %d sends %d bytes to rank %d, which expects %d", src, p.sendCounts[dst], dst, q.counts[src])
			}
		}
	}
	at := make([]int, len(parts)) // what each has received
	for _, p := range parts {
		from := p.send
		for dst, n := range p.sendCounts {
			copy(parts[dst].recv[at[dst]:], from[:n])
			at[dst] += n
			from = from[n:]
		}
	}
	return nil
}

// Split implements [link.Link].
func (h *handle) Split(color, key int) (link.Link, error) {
	if color < 0 && color != link.NoColor {
		return nil, h.wrong("Split", "color %d, expected 0 or more, or NoColor", color)
	}
	p := &part{call: "Split", color: color, key: key}
	if err := h.meet(p, h.comm.split); err != nil {
		return nil, err
	}
	if p.made == nil {
		return nil, nil
	}
	return &handle{comm: p.made, rank: p.rank}, nil
}

// split makes the communicators of a Split.
func (c *comm) split(parts []*part) error {
	order := slices.Clone(parts)
	slices.SortStableFunc(order, func(p, q *part) int { return cmp.Or(cmp.Compare(p.color, q.color), cmp.Compare(p.key, q.key)) })
	c.dups++
	for len(order) > 0 {
		color := order[0].color
		n := 0
		for n < len(order) && order[n].color == color {
			n++
		}
		if color != link.NoColor {
			c.group(order[:n], fmt.Sprintf("%s/%d:%d", c.name, c.dups, color))
		}
		order = order[n:]
	}
	return nil
}

// group makes a communicator of ranks of this one.
func (c *comm) group(parts []*part, name string) {
	members := make([]int, len(parts))
	for k, p := range parts {
		members[k] = c.members[p.h.rank]
	}
	made := c.world.newComm(name, members)
	for k, p := range parts {
		p.made, p.rank = made, k
	}
}

// Dup implements [link.Link].
func (h *handle) Dup() (link.Link, error) {
	p := &part{call: "Dup"}
	if err := h.meet(p, func(parts []*part) error {
		h.comm.dups++
		h.comm.group(parts, fmt.Sprintf("%s/%d", h.comm.name, h.comm.dups))
		return nil
	}); err != nil {
		return nil, err
	}
	if p.made == nil {
		return nil, errors.New("link: Dup made nothing")
	}
	return &handle{comm: p.made, rank: p.rank}, nil
}
