package local

import (
	"bytes"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/gokkos/gokkos/exec/mpi/internal/link"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// on runs f on each rank and returns the errors, by rank.
func on(t *testing.T, n int, faults Faults, f func(l link.Link) error) []error {
	t.Helper()
	w, err := New(n, faults)
	require.NoError(t, err)
	return run(w, f)
}

func run(w *World, f func(l link.Link) error) []error {
	errs := make([]error, len(w.ranks))
	w.Run(func(l link.Link) { errs[l.Rank()] = f(l) }, func(rank int, _ bool, value any) { errs[rank] = fmt.Errorf("panic: %v", value) })
	return errs
}

func none(t *testing.T, errs []error) {
	t.Helper()
	for rank, err := range errs {
		require.NoError(t, err, "rank %d", rank)
	}
}

// noisy are worlds in which ranks run in many orders.
var noisy = []Faults{{}, {Seed: 1, Late: .5, Waiting: .5}, {Seed: 2, Waiting: 1}, {Seed: 3, Late: 1}}

// Messages of one rank and tag arrive in their order, others by what is asked for.
func TestMessages(t *testing.T) {
	for _, faults := range noisy {
		none(t, on(t, 4, faults, func(l link.Link) error {
			next, before := (l.Rank()+1)%4, (l.Rank()+3)%4
			var all []link.Request
			for k := range 20 {
				r, err := l.Isend(next, k%2, []byte{byte(l.Rank()), byte(k)})
				if err != nil {
					return err
				}
				all = append(all, r)
			}
			for _, tag := range []int{1, 0} {
				for k := tag; k < 20; k += 2 {
					s, err := l.Probe(link.AnySource, tag)
					if want := (link.Status{Source: before, Tag: tag, Bytes: 2}); err != nil || s != want {
						return fmt.Errorf("Probe: %v, %w", s, err)
					}
					b := []byte{9, 9, 9}
					s, err = l.Recv(before, tag, b)
					if want := (link.Status{Source: before, Tag: tag, Bytes: 2}); err != nil || s != want || !bytes.Equal(b, []byte{byte(before), byte(k), 9}) {
						return fmt.Errorf("message %d is %v, %v, %w", k, b, s, err)
					}
				}
			}
			for _, r := range all {
				if s, err := r.Wait(); err != nil || s.Bytes != 2 {
					return fmt.Errorf("Wait: %v, %w", s, err)
				}
				if done, _, err := r.Test(); !done || err != nil {
					return fmt.Errorf("Test after Wait: %v, %w", done, err)
				}
			}
			return nil
		}))
	}
}

// What is received may be longer than the room for it, taken back, or from the rank itself.
func TestReceives(t *testing.T) {
	none(t, on(t, 2, Faults{}, func(l link.Link) error {
		if l.Rank() == 1 {
			return errors.Join(l.Send(0, 3, []byte("long")), l.Barrier())
		}
		s, err := l.Recv(link.AnySource, link.AnyTag, make([]byte, 2))
		if !errors.Is(err, link.ErrTruncate) || s.Bytes != 4 || s.Tag != 3 {
			return fmt.Errorf("too short: %v, %w", s, err)
		}
		r, err := l.Irecv(1, 5, make([]byte, 2))
		if err != nil {
			return err
		}
		if done, _, _ := r.Test(); done {
			return errors.New("a receive of nothing is done")
		}
		if err := r.Cancel(); err != nil {
			return err
		}
		if s, err := r.Wait(); err != nil || !s.Cancelled {
			return fmt.Errorf("cancelled: %v, %w", s, err)
		}
		b := make([]byte, 3)
		if r, err = l.Irecv(0, 0, b); err != nil {
			return err
		}
		if err := l.Send(0, 0, []byte("own")); err != nil {
			return err
		}
		if _, err := r.Wait(); err != nil || string(b) != "own" {
			return fmt.Errorf("of itself: %q, %w", b, err)
		}
		return l.Barrier()
	}))
}

func TestCollectives(t *testing.T) {
	for _, faults := range noisy {
		for _, n := range []int{1, 2, 3, 7, 64} {
			none(t, on(t, n, faults, func(l link.Link) error { return collectives(l, n) }))
		}
	}
}

// collectives checks one of each, several times in a row.
func collectives(l link.Link, n int) error {
	rank := l.Rank()
	part := func(k int) []byte { return bytes.Repeat([]byte{byte(k + 1)}, k%3) } // of rank k
	counts := make([]int, n)
	var whole []byte
	for k := range n {
		counts[k] = k % 3
		whole = append(whole, part(k)...)
	}
	for range 3 {
		root := n / 2
		b := []byte{0, 0}
		if rank == root {
			b = []byte{7, 8}
		}
		if err := l.Bcast(b, root); err != nil || !bytes.Equal(b, []byte{7, 8}) {
			return fmt.Errorf("Bcast: %v, %w", b, err)
		}
		all := make([]byte, 2*n)
		if err := l.Allgather([]byte{byte(rank), 5}, all); err != nil || int(all[2*n-2]) != n-1 || all[1] != 5 || int(all[2*rank]) != rank {
			return fmt.Errorf("Allgather: %v, %w", all, err)
		}
		got := make([]byte, len(whole))
		if err := l.Allgatherv(part(rank), got, counts); err != nil || !bytes.Equal(got, whole) {
			return fmt.Errorf("Allgatherv: %v, %w", got, err)
		}
		got = make([]byte, len(whole))
		if rank != root {
			got = nil
		}
		if err := l.Gatherv(part(rank), got, counts, root); err != nil || rank == root && !bytes.Equal(got, whole) {
			return fmt.Errorf("Gatherv: %v, %w", got, err)
		}
		own := make([]byte, counts[rank])
		if err := l.Scatterv(whole, counts, own, root); err != nil || !bytes.Equal(own, part(rank)) {
			return fmt.Errorf("Scatterv: %v, %w", own, err)
		}
		send, sendCounts := []byte{}, make([]int, n)
		want, recvCounts := []byte{}, make([]int, n)
		for k := range n { // rank a sends a*b%3 bytes to rank b
			sendCounts[k], recvCounts[k] = rank*k%3, rank*k%3
			send = append(send, bytes.Repeat([]byte{byte(rank)}, sendCounts[k])...)
			want = append(want, bytes.Repeat([]byte{byte(k)}, recvCounts[k])...)
		}
		got = make([]byte, len(want))
		if err := l.Alltoallv(send, sendCounts, got, recvCounts); err != nil || !bytes.Equal(got, want) {
			return fmt.Errorf("Alltoallv: %v, expected %v, %w", got, want, err)
		}
		if err := l.Barrier(); err != nil {
			return err
		}
	}
	return nil
}

// Communicators of some ranks have numbers by key, and messages of their own.
func TestSplit(t *testing.T) {
	none(t, on(t, 7, Faults{Seed: 5, Late: .3}, func(l link.Link) error {
		color := l.Rank() % 3
		if color == 2 {
			color = link.NoColor
		}
		part, err := l.Split(color, -l.Rank())
		if err != nil {
			return err
		}
		if color == link.NoColor {
			if part != nil {
				return errors.New("a rank without a color has a link")
			}
			return nil
		}
		want := map[int][]int{0: {6, 3, 0}, 1: {4, 1}}[color]
		if part.Size() != len(want) || want[part.Rank()] != l.Rank() {
			return fmt.Errorf("rank %d of %d, expected %v", part.Rank(), part.Size(), want)
		}
		all := make([]byte, part.Size())
		if err := part.Allgather([]byte{byte(l.Rank())}, all); err != nil || int(all[0]) != want[0] {
			return fmt.Errorf("%v, %w", all, err)
		}
		twin, err := part.Dup()
		if err != nil {
			return err
		}
		if twin.Name() == part.Name() || twin.Name() == "" || part.Name() == l.Name() {
			return fmt.Errorf("names %q and %q", part.Name(), twin.Name())
		}
		next := (part.Rank() + 1) % part.Size()
		for _, l := range []link.Link{part, twin} {
			if err := l.Send(next, 0, []byte(l.Name())); err != nil {
				return err
			}
		}
		for _, l := range []link.Link{twin, part} {
			b := make([]byte, 50)
			if s, err := l.Recv(link.AnySource, 0, b); err != nil || string(b[:s.Bytes]) != l.Name() {
				return fmt.Errorf("%q on %q, %w", b[:s.Bytes], l.Name(), err)
			}
		}
		if err := errors.Join(twin.Close(), part.Close()); err != nil {
			return err
		}
		if err := part.Close(); !errors.Is(err, link.ErrClosed) {
			return fmt.Errorf("closed twice: %w", err)
		}
		if err := part.Barrier(); !errors.Is(err, link.ErrClosed) {
			return fmt.Errorf("Barrier of a closed link: %w", err)
		}
		if err := l.Close(); err == nil {
			return errors.New("the world was closed")
		}
		return nil
	}))
}

// Communicators that all ranks have closed are forgotten.
func TestClosedIsForgotten(t *testing.T) {
	w, err := New(3, Faults{})
	require.NoError(t, err)
	none(t, run(w, func(l link.Link) error {
		for range 10 {
			twin, err := l.Dup()
			if err == nil {
				err = errors.Join(twin.Barrier(), twin.Close())
			}
			if err != nil {
				return err
			}
		}
		return nil
	}))
	require.Len(t, w.comms, 1)
}

// Ranks in different collectives are told so, and so are those whose arguments do not fit.
func TestMistakes(t *testing.T) {
	for name, c := range map[string]struct {
		call func(l link.Link, odd bool) error
		want string
	}{
		"other collective": {func(l link.Link, odd bool) error {
			if odd {
				return l.Barrier()
			}
			return l.Allgather(nil, nil)
		}, "rank 0 is in Allgather with root 0, and rank 1 in Barrier with root 0"},
		"root": {func(l link.Link, odd bool) error {
			if odd {
				return l.Bcast(nil, 1)
			}
			return l.Bcast(nil, 0)
		}, "and rank 1 in Bcast with root 1"},
		"lengths": {func(l link.Link, odd bool) error {
			if odd {
				return l.Bcast(make([]byte, 5), 0)
			}
			return l.Bcast(make([]byte, 4), 0)
		}, "5 bytes on rank 1, and 4 on the root 0"},
		"counts": {func(l link.Link, odd bool) error {
			if odd {
				return l.Allgatherv([]byte{1}, make([]byte, 1), []int{0, 1, 0})
			}
			return l.Allgatherv(nil, nil, []int{0, 0, 0})
		}, "other counts on rank 1 than on rank 0"},
	} {
		for rank, err := range on(t, 3, Faults{}, func(l link.Link) error {
			err := c.call(l, l.Rank() == 1)
			return errors.Join(err, l.Barrier()) // which goes well
		}) {
			require.ErrorContains(t, err, c.want, "%s, rank %d", name, rank)
		}
	}
	none(t, on(t, 2, Faults{}, func(l link.Link) error {
		for want, err := range map[string]error{
			"link: Send on world: to rank 2 of 2":                                            l.Send(2, 0, nil),
			"link: Send on world: with tag -1, expected 0 to 32767":                          l.Send(1, -1, nil),
			"link: Allgather on world: 2 bytes of 2 ranks into 3":                            l.Allgather(make([]byte, 2), make([]byte, 3)),
			"link: Bcast on world: root 2 of 2 ranks":                                        l.Bcast(nil, 2),
			"link: Allgatherv on world: 1 counts of 2 ranks":                                 l.Allgatherv(nil, nil, []int{0}),
			"link: Allgatherv on world: a count of 5 for rank 1, with 4 bytes left":          l.Allgatherv(nil, make([]byte, 4), []int{0, 5}),
			"link: Alltoallv on world: counts of 2 bytes in all, and a buffer of 3":          l.Alltoallv(make([]byte, 3), []int{1, 1}, nil, []int{0, 0}),
			fmt.Sprintf("link: Allgatherv on world: 3 bytes, and a count of %d", 1-l.Rank()): l.Allgatherv(make([]byte, 3), make([]byte, 1), []int{1, 0}),
		} {
			if err == nil || err.Error() != want {
				return fmt.Errorf("%w, expected %s", err, want)
			}
		}
		return nil
	}))
	_, err := New(0, Faults{})
	require.EqualError(t, err, "local: 0 ranks, expected 1 to 8192")
}

// calls are those in which a rank may wait for another one.
var calls = map[string]func(l link.Link) error{
	"Barrier":   link.Link.Barrier,
	"Allgather": func(l link.Link) error { return l.Allgather([]byte{1}, make([]byte, l.Size())) },
	"Recv":      func(l link.Link) error { _, err := l.Recv(1, 0, nil); return err },
	"any":       func(l link.Link) error { _, err := l.Recv(link.AnySource, 0, nil); return err },
	"Probe":     func(l link.Link) error { _, err := l.Probe(1, 0); return err },
	"Send":      func(l link.Link) error { return l.Send(1, 0, nil) },
	"Split":     func(l link.Link) error { _, err := l.Split(0, 0); return err },
}

// Who waits for a rank that dies hears of it, whether it dies before, at the same time or in a
// call of its own, and whatever happens then is an error.
func TestDeadRank(t *testing.T) {
	for name, call := range calls {
		for _, ranks := range []int{2, 5} {
			for _, die := range []func(w *World){
				func(w *World) { w.Kill(1) },
				func(w *World) { time.Sleep(time.Millisecond); w.Kill(1) },
				func(w *World) { _ = w.Link(1).Barrier() },
				func(w *World) { panic("dead") },
				func(w *World) { w.Link(1).Abort(3, "enough") },
			} {
				w, err := New(ranks, Faults{Waiting: 1, Dead: 1, At: 1})
				require.NoError(t, err)
				for rank, err := range run(w, func(l link.Link) error {
					if l.Rank() == 1 {
						die(w)
						return nil
					}
					err := call(l)
					require.ErrorIs(t, l.Barrier(), link.ErrDead)
					return err
				}) {
					if rank != 1 {
						require.True(t, isGone(err), "%s, rank %d: %v", name, rank, err)
					}
				}
			}
		}
	}
}

// So does who waits for one that has ended, but not before its messages are received.
func TestEndedRank(t *testing.T) {
	for name, call := range calls {
		for _, late := range []time.Duration{0, time.Millisecond} {
			errs := on(t, 2, Faults{Waiting: 1}, func(l link.Link) error {
				if l.Rank() == 1 {
					time.Sleep(late)
					return nil
				}
				return call(l)
			})
			require.ErrorContains(t, errs[0], "rank 1 of 2 has ended, and is waited for", name)
		}
	}
	none(t, on(t, 2, Faults{}, func(l link.Link) error {
		if l.Rank() == 1 {
			return l.Send(0, 0, []byte("last words"))
		}
		time.Sleep(time.Millisecond)
		b := make([]byte, 10)
		_, err := l.Recv(1, 0, b)
		if string(b) != "last words" {
			return fmt.Errorf("%q, %w", b, err)
		}
		return err
	}))
}

// isGone reports whether an error is that of a rank that has died. Whoever comes late hears that its function has returned.
func isGone(err error) bool { return errors.Is(err, link.ErrDead) || errors.Is(err, link.ErrEnded) }

// A rank dies in each of its calls in turn.
func TestDeadInEachCall(t *testing.T) {
	w, err := New(3, Faults{})
	require.NoError(t, err)
	none(t, run(w, func(l link.Link) error { return collectives(l, 3) }))
	most := w.Calls(1)
	require.Positive(t, most)
	for at := 1; at <= most; at++ {
		for rank, err := range on(t, 3, Faults{Seed: uint64(at), Late: .5, Dead: 1, At: at}, func(l link.Link) error { return collectives(l, 3) }) {
			if at < most { // the others may be done by the last one
				require.True(t, isGone(err), "call %d, rank %d: %v", at, rank, err)
			}
		}
	}
}

// Several goroutines of a rank may send and receive, and use different links, at one time.
func TestGoroutines(t *testing.T) {
	none(t, on(t, 3, Faults{Seed: 9, Late: .1, Waiting: .3}, func(l link.Link) error {
		links := make([]link.Link, 4)
		for k := range links {
			var err error
			if links[k], err = l.Dup(); err != nil {
				return err
			}
		}
		errs := make([]error, 2*len(links))
		var all sync.WaitGroup
		for k, twin := range links {
			all.Go(func() { errs[k] = collectives(twin, 3) })
			all.Go(func() {
				next, before := (l.Rank()+1)%3, (l.Rank()+2)%3
				for n := range 50 {
					r, err := l.Isend(next, k, []byte{byte(n)})
					if err == nil {
						b := []byte{0}
						if _, err = l.Recv(before, k, b); err == nil && b[0] != byte(n) {
							err = fmt.Errorf("message %d is %d", n, b[0])
						}
					}
					if err == nil {
						_, err = r.Wait()
					}
					errs[len(links)+k] = errors.Join(errs[len(links)+k], err)
				}
			})
		}
		all.Wait()
		return errors.Join(errs...)
	}))
}

// Thousands of ranks are a world, too.
func TestManyRanks(t *testing.T) {
	n := 4096
	if testing.Short() {
		n = 512
	}
	none(t, on(t, n, Faults{}, func(l link.Link) error {
		b := make([]byte, n)
		if err := l.Allgather([]byte{byte(l.Rank())}, b); err != nil {
			return err
		}
		for k := range b {
			if b[k] != byte(k) {
				return fmt.Errorf("byte %d is %d", k, b[k])
			}
		}
		return l.Barrier()
	}))
}
