// Package linktest checks that a link keeps its contract.
package linktest

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/gokkos/gokkos/exec/mpi/internal/link"
)

// Check runs all cases on a link, which all of its ranks do. The error is the first one of this
// rank, with the name of the case. A rank that fails leaves others waiting: what runs them ends
// them then.
func Check(l link.Link) error {
	for _, c := range cases {
		// A case that takes messages of any rank is not to take those of the next case.
		if err := cmp.Or(c.run(l), l.Barrier()); err != nil {
			return fmt.Errorf("%s: rank %d of %d: %w", c.name, l.Rank(), l.Size(), err)
		}
	}
	return nil
}

var cases = []struct {
	name string
	run  func(l link.Link) error
}{
	{"arguments", arguments},
	{"ring", ring},
	{"order", order},
	{"any source", anySource},
	{"self", self},
	{"truncated", truncated},
	{"probe", probe},
	{"requests", requests},
	{"cancel", cancel},
	{"barrier", func(l link.Link) error { return l.Barrier() }},
	{"bcast", bcast},
	{"allgather", allgather},
	{"vectors", vectors},
	{"alltoallv", alltoallv},
	{"dup", dup},
	{"split", split},
	{"goroutines", goroutines},
}

// sizes has lengths around those where links change their ways.
var sizes = []int{0, 1, 7, 8, 64, 1000, 4096, 65536, 100_003}

// pattern returns n bytes that depend on a key.
func pattern(n int, key ...int) []byte {
	b := make([]byte, n)
	x := uint32(2463534242)
	for _, k := range key {
		x = (x ^ uint32(k+1)) * 2654435761
	}
	for i := range b {
		x = x*1664525 + 1013904223
		b[i] = byte(x >> 24)
	}
	return b
}

func expect(what string, got, want []byte) error {
	if !bytes.Equal(got, want) {
		i := 0
		for i < min(len(got), len(want)) && got[i] == want[i] {
			i++
		}
		return fmt.Errorf("%s: %d bytes differ from %d expected, first at %d", what, len(got), len(want), i)
	}
	return nil
}

func expectStatus(got, want link.Status) error {
	if got != want {
		return fmt.Errorf("status %+v, expected %+v", got, want)
	}
	return nil
}

// arguments that are wrong are errors on this rank, and harm no later call.
func arguments(l link.Link) error {
	n, b := l.Size(), make([]byte, 4)
	_, recv := l.Recv(n, 0, b)
	_, isend := l.Isend(-1, 0, b)
	_, irecv := l.Irecv(-2, 0, b)
	_, probe := l.Probe(0, link.MaxTag+1)
	_, split := l.Split(-2, 0)
	counts := slices.Repeat([]int{1}, n)
	for _, c := range []struct {
		err  error
		call string
		says []any // some of the numbers: what was given, and what was expected
	}{
		{l.Send(n, 0, b), "Send", []any{n}},
		{l.Send(-1, 0, b), "Send", []any{-1, n}},
		{l.Send(0, -1, b), "Send", []any{-1, 0, link.MaxTag}},
		{l.Send(0, link.MaxTag+1, b), "Send", []any{link.MaxTag + 1, link.MaxTag}},
		{recv, "Recv", []any{n}},
		{isend, "Isend", []any{-1, n}},
		{irecv, "Irecv", []any{-2, n}},
		{probe, "Probe", []any{link.MaxTag + 1, link.MaxTag}},
		{split, "Split", []any{-2, 0}},
		{l.Bcast(b, n), "Bcast", []any{n}},
		{l.Allgather(b, make([]byte, 4*n+1)), "Allgather", []any{4, n, 4*n + 1}},
		{l.Allgatherv(b[:1], make([]byte, n), append(counts, 0)), "Allgatherv", []any{n + 1, n}},
		{l.Allgatherv(b[:1], make([]byte, n+1), counts), "Allgatherv", []any{n, n + 1}},
		{l.Allgatherv(b[:2], make([]byte, n), counts), "Allgatherv", []any{2, 1}},
		{l.Gatherv(b, nil, nil, -1), "Gatherv", []any{-1, n}},
		{l.Scatterv(nil, nil, b, n), "Scatterv", []any{n}},
		{l.Gatherv(b[:1], make([]byte, n), slices.Repeat([]int{-1}, n), l.Rank()), "Gatherv", []any{-1, 0}},
		{l.Alltoallv(nil, counts, nil, counts), "Alltoallv", []any{0}},
	} {
		if c.err == nil {
			return fmt.Errorf("%s with a wrong argument is no error, expected one with %v", c.call, c.says)
		}
		says := append([]any{"link: " + c.call + " "}, c.says...)
		for _, word := range says {
			if !strings.Contains(c.err.Error(), fmt.Sprint(word)) {
				return fmt.Errorf("%q, expected one with %q", c.err, fmt.Sprint(word))
			}
		}
	}
	return nil
}

// ring passes messages of all sizes to the next rank, by requests so that no order is assumed.
func ring(l link.Link) error {
	n, rank := l.Size(), l.Rank()
	next, before := (rank+1)%n, (rank+n-1)%n
	for tag, size := range sizes {
		sent := pattern(size, rank, tag)
		s, err := l.Isend(next, tag, sent)
		if err != nil {
			return err
		}
		got := pattern(size+5, 99) // and a rest, which stays
		status, err := l.Recv(before, tag, got)
		if err != nil {
			return err
		}
		err = cmp.Or(
			expectStatus(status, link.Status{Source: before, Tag: tag, Bytes: size}),
			expect("received", got[:size], pattern(size, before, tag)),
			expect("rest", got[size:], pattern(size+5, 99)[size:]))
		if err != nil {
			return err
		}
		if status, err = s.Wait(); err != nil {
			return err
		}
		if status.Bytes != size || status.Cancelled {
			return fmt.Errorf("status of a send of %d bytes: %+v", size, status)
		}
	}
	return nil
}

// order: messages that match arrive as they were sent, whatever their sizes and calls.
func order(l link.Link) error {
	const messages = 40
	n, rank := l.Size(), l.Rank()
	size := func(k int) int { return sizes[k%len(sizes)] + 1 }
	var open []link.Request
	for k := range messages {
		b := pattern(size(k), rank)
		b[0] = byte(k)
		r, err := l.Isend((rank+1)%n, 3, b)
		if err != nil {
			return err
		}
		open = append(open, r)
	}
	b := make([]byte, 200_000)
	for k := range messages {
		status, err := l.Recv((rank+n-1)%n, 3, b)
		if err != nil {
			return err
		}
		if b[0] != byte(k) || status.Bytes != size(k) {
			return fmt.Errorf("message %d of %d bytes, expected %d of %d", b[0], status.Bytes, k, size(k))
		}
	}
	return waitAll(open)
}

func waitAll(open []link.Request) error {
	for _, r := range open {
		if _, err := r.Wait(); err != nil {
			return err
		}
	}
	return nil
}

// anySource: one rank takes messages of all in whatever order they come, with any tag.
func anySource(l link.Link) error {
	n, rank := l.Size(), l.Rank()
	if rank != 0 {
		return l.Send(0, rank, pattern(rank, rank))
	}
	seen := map[int]bool{}
	for range n - 1 {
		b := make([]byte, n)
		s, err := l.Recv(link.AnySource, link.AnyTag, b)
		if err != nil {
			return err
		}
		if seen[s.Source] || s.Tag != s.Source || s.Bytes != s.Source {
			return fmt.Errorf("%+v, after %v", s, seen)
		}
		seen[s.Source] = true
		if err := expect("received", b[:s.Bytes], pattern(s.Source, s.Source)); err != nil {
			return err
		}
	}
	return nil
}

// self: a rank sends to itself.
func self(l link.Link) error {
	got := make([]byte, 1000)
	r, err := l.Irecv(l.Rank(), 1, got)
	if err != nil {
		return err
	}
	if err := l.Send(l.Rank(), 1, pattern(1000, l.Rank())); err != nil {
		return err
	}
	s, err := r.Wait()
	if err != nil {
		return err
	}
	return cmp.Or(expectStatus(s, link.Status{Source: l.Rank(), Tag: 1, Bytes: 1000}), expect("received", got, pattern(1000, l.Rank())))
}

// truncated: a message that is too long is an error, and gone.
func truncated(l link.Link) error {
	for _, wait := range []bool{true, false} {
		n, rank := l.Size(), l.Rank()
		var sent []link.Request
		for _, size := range []int{100, 10} {
			r, err := l.Isend((rank+1)%n, 2, pattern(size, rank))
			if err != nil {
				return err
			}
			sent = append(sent, r)
		}
		before, b := (rank+n-1)%n, make([]byte, 10)
		var err error
		if wait {
			_, err = l.Recv(before, 2, b)
		} else if r, err2 := l.Irecv(before, 2, b); err2 != nil {
			return err2
		} else if _, err = r.Wait(); err == nil || !errors.Is(err, link.ErrTruncate) {
			return fmt.Errorf("an Irecv of 100 bytes into 10: %v", err)
		} else if _, again := r.Wait(); again == nil || again.Error() != err.Error() {
			return fmt.Errorf("the second Wait: %v, the first: %v", again, err)
		}
		if !errors.Is(err, link.ErrTruncate) {
			return fmt.Errorf("100 bytes into 10: %v", err)
		}
		if _, err := l.Recv(before, 2, b); err != nil {
			return err
		}
		if err := cmp.Or(expect("the next", b, pattern(10, before)), waitAll(sent)); err != nil {
			return err
		}
	}
	return nil
}

func probe(l link.Link) error {
	n, rank := l.Size(), l.Rank()
	r, err := l.Isend((rank+1)%n, 5, pattern(77+rank, rank))
	if err != nil {
		return err
	}
	before := (rank + n - 1) % n
	for _, from := range []int{link.AnySource, before} {
		s, err := l.Probe(from, link.AnyTag)
		if err != nil {
			return err
		}
		if err := expectStatus(s, link.Status{Source: before, Tag: 5, Bytes: 77 + before}); err != nil {
			return err
		}
	}
	b := make([]byte, 77+before)
	if _, err := l.Recv(before, 5, b); err != nil {
		return err
	}
	return cmp.Or(expect("received", b, pattern(len(b), before)), waitAll([]link.Request{r}))
}

// requests: all ranks exchange with all at once, and test until all is done.
func requests(l link.Link) error {
	n, rank := l.Size(), l.Rank()
	var open []link.Request
	got := make([][]byte, n)
	for _, size := range []int{10, 100_003} {
		for k := range n {
			got[k] = make([]byte, size)
			r, err := l.Irecv(k, size%1000, got[k])
			if err != nil {
				return err
			}
			open = append(open, r)
		}
		for k := range n {
			r, err := l.Isend(k, size%1000, pattern(size, rank, k))
			if err != nil {
				return err
			}
			open = append(open, r)
		}
		for len(open) > 0 {
			var failed error
			open = slices.DeleteFunc(open, func(r link.Request) bool {
				done, s, err := r.Test()
				if done && err == nil {
					var again bool
					var same link.Status
					if again, same, err = r.Test(); !again || same != s {
						err = fmt.Errorf("the second Test: %v %+v, the first %+v", again, same, s)
					}
				}
				failed = cmp.Or(failed, err)
				return done
			})
			if failed != nil {
				return failed
			}
		}
		for k := range n {
			if err := expect(fmt.Sprint("from rank ", k), got[k], pattern(size, k, rank)); err != nil {
				return err
			}
		}
	}
	return nil
}

// cancel: a receive that nobody sends to is given up, and the next message is not lost.
func cancel(l link.Link) error {
	n, rank := l.Size(), l.Rank()
	b := make([]byte, 4)
	r, err := l.Irecv((rank+n-1)%n, 6, b)
	if err != nil {
		return err
	}
	if done, _, err := r.Test(); done || err != nil {
		return fmt.Errorf("done %v %v before anything was sent", done, err)
	}
	if err := r.Cancel(); err != nil {
		return err
	}
	s, err := r.Wait()
	if err != nil || !s.Cancelled {
		return fmt.Errorf("cancelled: %+v %v", s, err)
	}
	if err := r.Cancel(); err != nil { // which has no effect any more
		return err
	}
	if err := l.Barrier(); err != nil {
		return err
	}
	out, err := l.Isend((rank+1)%n, 6, []byte{1, 2, 3, byte(rank)})
	if err != nil {
		return err
	}
	if _, err := l.Recv((rank+n-1)%n, 6, b); err != nil {
		return err
	}
	return cmp.Or(expect("received", b, []byte{1, 2, 3, byte((rank + n - 1) % n)}), waitAll([]link.Request{out}))
}

func bcast(l link.Link) error {
	for root := range l.Size() {
		for _, size := range sizes {
			b := make([]byte, size)
			if l.Rank() == root {
				b = pattern(size, root, size)
			}
			if err := cmp.Or(l.Bcast(b, root), expect("bcast", b, pattern(size, root, size))); err != nil {
				return err
			}
		}
	}
	return nil
}

func allgather(l link.Link) error {
	for _, size := range sizes {
		got := make([]byte, size*l.Size())
		if err := l.Allgather(pattern(size, l.Rank()), got); err != nil {
			return err
		}
		for k := range l.Size() {
			if err := expect(fmt.Sprint("part of rank ", k), got[k*size:][:size], pattern(size, k)); err != nil {
				return err
			}
		}
	}
	return nil
}

// vectors are the collectives with a length for each rank, some of them 0.
func vectors(l link.Link) error {
	n, rank := l.Size(), l.Rank()
	for _, unit := range []int{0, 1, 40_001} {
		counts, total := make([]int, n), 0
		var all []byte
		for k := range n {
			counts[k] = (k * 2 % 5) * unit
			all = append(all, pattern(counts[k], k, unit)...)
			total += counts[k]
		}
		own := pattern(counts[rank], rank, unit)
		got := make([]byte, total)
		if err := cmp.Or(l.Allgatherv(own, got, counts), expect("allgatherv", got, all)); err != nil {
			return err
		}
		for root := range n {
			if rank != root {
				part := make([]byte, counts[rank])
				if err := cmp.Or(l.Gatherv(own, nil, nil, root), l.Scatterv(nil, nil, part, root), expect("scatterv", part, own)); err != nil {
					return err
				}
				continue
			}
			got, part := make([]byte, total), make([]byte, counts[rank])
			if err := cmp.Or(l.Gatherv(own, got, counts, root), expect("gatherv", got, all)); err != nil {
				return err
			}
			if err := cmp.Or(l.Scatterv(all, counts, part, root), expect("scatterv", part, own)); err != nil {
				return err
			}
		}
	}
	return nil
}

func alltoallv(l link.Link) error {
	n, rank := l.Size(), l.Rank()
	for _, unit := range []int{0, 1, 1000, 30_001} {
		size := func(from, to int) int { return (from + 2*to) % 4 * unit }
		var send, want []byte
		sends, recvs := make([]int, n), make([]int, n)
		for k := range n {
			sends[k], recvs[k] = size(rank, k), size(k, rank)
			send = append(send, pattern(sends[k], rank, k)...)
			want = append(want, pattern(recvs[k], k, rank)...)
		}
		got := make([]byte, len(want))
		if err := cmp.Or(l.Alltoallv(send, sends, got, recvs), expect("alltoallv", got, want)); err != nil {
			return err
		}
	}
	return nil
}

// dup: messages of two links of the same ranks do not mix.
func dup(l link.Link) error {
	d, err := l.Dup()
	if err != nil {
		return err
	}
	if d.Rank() != l.Rank() || d.Size() != l.Size() || d.Name() == "" {
		return fmt.Errorf("rank %d of %d of %q", d.Rank(), d.Size(), d.Name())
	}
	n, rank := l.Size(), l.Rank()
	var sent []link.Request
	for k, x := range []link.Link{l, d} {
		r, err := x.Isend((rank+1)%n, 7, []byte{byte(k)})
		if err != nil {
			return err
		}
		sent = append(sent, r)
	}
	for k, x := range []link.Link{l, d} {
		if k == 0 {
			x = d // the other order
		} else {
			x = l
		}
		b := make([]byte, 1)
		if _, err := x.Recv(link.AnySource, link.AnyTag, b); err != nil {
			return err
		}
		if b[0] != byte(1-k) {
			return fmt.Errorf("a message of the other link")
		}
	}
	if err := d.Close(); err == nil || !strings.Contains(err.Error(), "requests that are not done") {
		return fmt.Errorf("closed with open requests: %v", err)
	}
	if err := cmp.Or(waitAll(sent), d.Close()); err != nil {
		return err
	}
	if err := d.Close(); err == nil {
		return fmt.Errorf("closed twice")
	}
	if err := d.Barrier(); !errors.Is(err, link.ErrClosed) {
		return fmt.Errorf("a closed link: %v", err)
	}
	return nil
}

// split: even and odd ranks, backwards, and one rank that wants no part.
func split(l link.Link) error {
	n, rank := l.Size(), l.Rank()
	color := rank % 2
	if rank == n-1 && n > 2 {
		color = link.NoColor
	}
	part, err := l.Split(color, -rank)
	if err != nil {
		return err
	}
	if color == link.NoColor {
		if part != nil {
			return fmt.Errorf("a link for a rank without a color")
		}
		return nil
	}
	var want []byte
	for k := n - 1; k >= 0; k-- {
		if k%2 == color && !(k == n-1 && n > 2) {
			want = append(want, byte(k))
		}
	}
	if part.Size() != len(want) || part.Rank() != slices.Index(want, byte(rank)) {
		return fmt.Errorf("rank %d of %d, expected the ranks %v", part.Rank(), part.Size(), want)
	}
	got := make([]byte, part.Size())
	if err := cmp.Or(part.Allgather([]byte{byte(rank)}, got), expect("ranks", got, want)); err != nil {
		return err
	}
	if n <= 2 { // without a rank that has none: equal keys are in the order of rank
		same, err := l.Split(0, 5)
		if err != nil {
			return err
		}
		if same.Rank() != rank {
			return fmt.Errorf("rank %d among equal keys, expected %d", same.Rank(), rank)
		}
		if err := same.Close(); err != nil {
			return err
		}
	}
	return part.Close()
}

// goroutines exchange at one time, each with a tag of its own, and collectives of another link
// go on beside them.
func goroutines(l link.Link) error {
	const workers, rounds = 4, 20
	n, rank := l.Size(), l.Rank()
	d, err := l.Dup()
	if err != nil {
		return err
	}
	errs := make([]error, workers+1)
	var wait sync.WaitGroup
	for w := range workers {
		wait.Go(func() {
			b := make([]byte, 100)
			for k := range rounds {
				r, err := l.Isend((rank+1)%n, 100+w, pattern(100, rank, w, k))
				if err == nil {
					_, err = l.Recv((rank+n-1)%n, 100+w, b)
				}
				if err == nil {
					err = cmp.Or(expect("received", b, pattern(100, (rank+n-1)%n, w, k)), waitAll([]link.Request{r}))
				}
				if err != nil {
					errs[w] = err
					return
				}
			}
		})
	}
	wait.Go(func() {
		for k := range rounds {
			b := make([]byte, 8*n)
			if errs[workers] = cmp.Or(errs[workers], d.Allgather(pattern(8, rank, k), b)); errs[workers] != nil {
				return
			}
		}
	})
	wait.Wait()
	return cmp.Or(errors.Join(errs...), d.Close())
}
