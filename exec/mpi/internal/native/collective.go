//go:build linux && (amd64 || arm64 || loong64 || ppc64le || riscv64)

package native

import (
	"cmp"
	"fmt"
	"slices"
	"unsafe"
)

func (c *comm) Barrier() error { return c.do(c.l.f.Barrier, c.handle) }

func (c *comm) Bcast(b []byte, root int) error {
	if err := checkRank("Bcast from", root, c.size); err != nil {
		return err
	}
	for first := true; first || len(b) > 0; first = false {
		n := min(len(b), c.l.limit)
		if err := c.do(c.l.f.Bcast, uintptr(at(b)), uintptr(n), c.l.byteType, uintptr(root), c.handle); err != nil {
			return err
		}
		b = b[n:]
	}
	return nil
}

func (c *comm) Allgather(send, recv []byte) error {
	n := len(send)
	if len(recv) != n*c.size {
		return fmt.Errorf("link: Allgather of %d bytes from each of %d ranks into %d bytes, expected %d", n, c.size, len(recv), n*c.size)
	}
	if len(recv) > c.l.limit {
		return c.Allgatherv(send, recv, slices.Repeat([]int{n}, c.size))
	}
	return c.do(c.l.f.Allgather, uintptr(at(send)), uintptr(n), c.l.byteType, uintptr(at(recv)), uintptr(n), c.l.byteType, c.handle)
}

func (c *comm) Allgatherv(send, recv []byte, counts []int) error {
	if err := checkCounts("Allgatherv", counts, c.size, len(recv)); err != nil {
		return err
	}
	if err := checkOwn("Allgatherv", counts, c.rank, len(send)); err != nil {
		return err
	}
	if !c.fits(len(recv)) {
		return c.rounds(c.turns(slices.Max(counts)), func(r round) error {
			part, stage := r.of(send), r.stage(counts)
			if err := c.allgatherv(part, stage.bytes, stage.counts); err != nil {
				return err
			}
			stage.spread(recv, counts, r)
			return nil
		})
	}
	return c.allgatherv(send, recv, counts)
}

func (c *comm) allgatherv(send, recv []byte, counts []int) error {
	n, places := c.table(counts)
	return c.do(c.l.f.Allgatherv, uintptr(at(send)), uintptr(len(send)), c.l.byteType, uintptr(at(recv)), uintptr(n), uintptr(places), c.l.byteType, c.handle)
}

func (c *comm) Gatherv(send, recv []byte, counts []int, root int) error {
	if err := checkRank("Gatherv to", root, c.size); err != nil {
		return err
	}
	if c.rank == root {
		if err := checkCounts("Gatherv", counts, c.size, len(recv)); err != nil {
			return err
		}
		if err := checkOwn("Gatherv", counts, c.rank, len(send)); err != nil {
			return err
		}
	}
	turns, err := c.agreeWith(root, len(recv), counts)
	if err != nil || turns == 0 {
		return cmp.Or(err, c.gatherv(send, recv, counts, root))
	}
	return c.rounds(turns, func(r round) error {
		if c.rank != root {
			return c.gatherv(r.of(send), nil, nil, root)
		}
		stage := r.stage(counts)
		if err := c.gatherv(r.of(send), stage.bytes, stage.counts, root); err != nil {
			return err
		}
		stage.spread(recv, counts, r)
		return nil
	})
}

func (c *comm) gatherv(send, recv []byte, counts []int, root int) error {
	n, places := c.table(counts)
	return c.do(c.l.f.Gatherv, uintptr(at(send)), uintptr(len(send)), c.l.byteType, uintptr(at(recv)), uintptr(n), uintptr(places), c.l.byteType, uintptr(root), c.handle)
}

func (c *comm) Scatterv(send []byte, counts []int, recv []byte, root int) error {
	if err := checkRank("Scatterv from", root, c.size); err != nil {
		return err
	}
	if c.rank == root {
		if err := checkCounts("Scatterv", counts, c.size, len(send)); err != nil {
			return err
		}
		if err := checkOwn("Scatterv", counts, c.rank, len(recv)); err != nil {
			return err
		}
	}
	turns, err := c.agreeWith(root, len(send), counts)
	if err != nil || turns == 0 {
		return cmp.Or(err, c.scatterv(send, counts, recv, root))
	}
	return c.rounds(turns, func(r round) error {
		if c.rank != root {
			return c.scatterv(nil, nil, r.of(recv), root)
		}
		stage := r.stage(counts)
		stage.collect(send, counts, r)
		return c.scatterv(stage.bytes, stage.counts, r.of(recv), root)
	})
}

func (c *comm) scatterv(send []byte, counts []int, recv []byte, root int) error {
	n, places := c.table(counts)
	return c.do(c.l.f.Scatterv, uintptr(at(send)), uintptr(n), uintptr(places), c.l.byteType, uintptr(at(recv)), uintptr(len(recv)), c.l.byteType, uintptr(root), c.handle)
}

func (c *comm) Alltoallv(send []byte, sendCounts []int, recv []byte, recvCounts []int) error {
	if err := checkCounts("Alltoallv", sendCounts, c.size, len(send)); err != nil {
		return err
	}
	if err := checkCounts("Alltoallv", recvCounts, c.size, len(recv)); err != nil {
		return err
	}
	if sendCounts[c.rank] != recvCounts[c.rank] {
		return fmt.Errorf("link: Alltoallv of %d bytes from rank %d to itself into %d", sendCounts[c.rank], c.rank, recvCounts[c.rank])
	}
	turns, err := c.agree(max(len(send), len(recv)), slices.Max(sendCounts))
	if err != nil || turns == 0 {
		return cmp.Or(err, c.alltoallv(send, sendCounts, recv, recvCounts))
	}
	return c.rounds(turns, func(r round) error {
		from, to := r.stage(sendCounts), r.stage(recvCounts)
		from.collect(send, sendCounts, r)
		if err := c.alltoallv(from.bytes, from.counts, to.bytes, to.counts); err != nil {
			return err
		}
		to.spread(recv, recvCounts, r)
		return nil
	})
}

func (c *comm) alltoallv(send []byte, sendCounts []int, recv []byte, recvCounts []int) error {
	if len(send) == 0 && len(recv) == 0 {
		// A rank with nothing to do sends a byte to itself. Open MPI 4 forgets to count an
		// Ialltoallv of nothing on that rank, and the next collective waits for ever.
		sendCounts = make([]int, c.size)
		sendCounts[c.rank] = 1
		send, recv, recvCounts = make([]byte, 1), make([]byte, 1), sendCounts
	}
	n, places := c.table(sendCounts)
	m, spots := c.table(recvCounts)
	t := c.l.byteType
	return c.do(c.l.f.Alltoallv, uintptr(at(send)), uintptr(n), uintptr(places), t, uintptr(at(recv)), uintptr(m), uintptr(spots), t, c.handle)
}

// table returns the addresses of counts and of where each rank's bytes begin, as the library
// takes them.
func (c *comm) table(counts []int) (n, places unsafe.Pointer) {
	if len(counts) == 0 { // not on this rank
		return unsafe.Pointer(&nothing), unsafe.Pointer(&nothing)
	}
	if c.l.f.wide {
		return fill(make([]int64, 2*len(counts)), counts)
	}
	return fill(make([]int32, 2*len(counts)), counts)
}

func fill[T int32 | int64](t []T, counts []int) (n, places unsafe.Pointer) {
	place := 0
	for k, count := range counts {
		t[k], t[len(counts)+k] = T(count), T(place)
		place += count
	}
	return unsafe.Pointer(&t[0]), unsafe.Pointer(&t[len(counts)])
}
