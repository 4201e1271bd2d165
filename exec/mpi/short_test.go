package mpi

import (
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/mpi/internal/link"
	"github.com/gokkos/gokkos/exec/mpi/internal/local"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

// counting counts the Allgathers of a link.
type counting struct {
	link.Link
	calls int
}

func (l *counting) Allgather(send, recv []byte) error {
	l.calls++
	return l.Link.Allgather(send, recv)
}

// A fold that was short takes one message from the second time on. What has code of a user's takes
// two, as it could speak to other ranks, unless the user says that it does not.
func TestShortLaunchesTakeOneMessage(t *testing.T) {
	was := shortLaunch
	defer func() { shortLaunch = was }()
	fold := func(on exec.Space, into reducers.Folder[int]) error {
		return exec.ParallelFold(exec.Slice(policy.Range(0, 3).On(on), []int{1, 2, 3}), into)
	}
	folding := func(on exec.Space) error { return fold(on, builtin.Sum(new(int))) }
	reduce := func(on exec.Space) error {
		return exec.ParallelReduce(policy.Range(0, 2).On(on), func(_ int, acc *int) { *acc++ }, builtin.Sum(new(int)))
	}
	distributed := func(on exec.Space, n int) (policy.RangePolicy, []float64) {
		p := policy.Range(4, 4+n).On(on)
		begin, end, _ := Part(on, p)
		return p, make([]float64, end-begin)
	}
	eager := func(launch func(on exec.Space) error) func(on exec.Space) error {
		return func(on exec.Space) error { return launch(on.(Space).Eager()) }
	}
	for name, c := range map[string]struct {
		launch func(on exec.Space) error
		short  time.Duration
		want   [4]int // Allgathers of each launch
	}{
		"fold":      {folding, time.Hour, [4]int{2, 1, 1, 1}},
		"long fold": {folding, 0, [4]int{2, 2, 2, 2}},
		"join of a user's": {func(on exec.Space) error {
			add := reducers.New(new(int), func(dst, src *int) { *dst += *src })
			return fold(on, reducers.Folding(add, func(acc *int, _ int, x int) { *acc += x }))
		}, time.Hour, [4]int{2, 2, 2, 2}},
		"distributed": {func(on exec.Space) error {
			p, x := distributed(on, 999)
			return exec.ParallelFold(Distributed(p, x), builtin.Sum(new(float64)))
		}, time.Hour, [4]int{2, 1, 1, 1}},
		"none on a rank": {func(on exec.Space) error {
			p, x := distributed(on, 1)
			return exec.ParallelFold(DistributedProducts(p, x, x), builtin.Sum(new(float64)))
		}, time.Hour, [4]int{2, 1, 1, 1}},
		"map": {func(on exec.Space) error {
			return exec.ParallelFold(exec.Map(policy.Range(0, 3).On(on), func(i int) int { return i }), builtin.Sum(new(int)))
		}, time.Hour, [4]int{2, 2, 2, 2}},
		"for":               {func(on exec.Space) error { return exec.ParallelFor(policy.Range(0, 2).On(on), func(int) {}) }, time.Hour, [4]int{2, 2, 2, 2}},
		"reduce":            {reduce, time.Hour, [4]int{2, 2, 2, 2}},
		"eager reduce":      {eager(reduce), time.Hour, [4]int{2, 1, 1, 1}},
		"long eager reduce": {eager(reduce), 0, [4]int{2, 2, 2, 2}},
		"value of each rank": {func(on exec.Space) error {
			return Allreduce(on.(Space).Comm(), 1, builtin.Sum(new(int)))
		}, time.Hour, [4]int{2, 1, 1, 1}},
		"joined by a user's": {func(on exec.Space) error {
			return Allreduce(on.(Space).Comm(), 1, reducers.New(new(int), func(dst, src *int) { *dst += *src }))
		}, time.Hour, [4]int{2, 2, 2, 2}},
	} {
		t.Run(name, func(t *testing.T) {
			shortLaunch = c.short
			for rank, err := range everywhere(t, 2, local.Faults{}, func(comm *Comm) error {
				l := &counting{Link: comm.launch.link}
				comm.launch.link = l
				var got [4]int
				for k := range got {
					before := l.calls
					if err := c.launch(On(comm, exec.Serial{})); err != nil {
						return err
					}
					got[k] = l.calls - before
				}
				if got != c.want {
					return fmt.Errorf("%v messages, expected %v", got, c.want)
				}
				return nil
			}) {
				require.NoError(t, err, "rank %d", rank)
			}
		})
	}
}

// Launches that have run before ranks agree, in another order on each, do not run again, and have
// their own results.
func TestLaunchesRunOnce(t *testing.T) {
	impatient(t, 20*time.Second)
	exchangeBy(t, "at once")
	for range 20 {
		for rank, err := range everywhere(t, 3, local.Faults{}, func(c *Comm) error {
			on := On(c, exec.Serial{})
			var calls [2]atomic.Int32
			errs := make(chan error)
			launch := func(k int) {
				p := policy.Range(0, 3).WithLabel(fmt.Sprint("launch ", k)).On(on)
				errs <- exec.ParallelFor(p, func(int) { calls[k].Add(1) })
			}
			first := min(c.Rank(), 1)
			go launch(first)
			for calls[first].Load() == 0 { // it has run, and waits for the others
				time.Sleep(10 * time.Microsecond)
			}
			go launch(1 - first)
			if err := errors.Join(<-errs, <-errs); err != nil {
				return err
			}
			if a, b := calls[0].Load(), calls[1].Load(); a != 1 || b != 1 {
				return fmt.Errorf("the functors were called %d and %d times, expected once each", a, b)
			}
			return nil
		}) {
			require.NoError(t, err, "rank %d", rank)
		}
	}
}

// Texts that differ in a byte, in length or in the order of their halves have other keys.
func TestKeys(t *testing.T) {
	seen := map[key]string{}
	check := func(text []byte) {
		k := keyOf(text)
		if other, ok := seen[k]; ok && other != string(text) {
			t.Fatalf("%q and %q have one key", text, other)
		}
		seen[k] = string(text)
	}
	for n := range 70 {
		text := make([]byte, n)
		check(text)
		for i := range text {
			for _, b := range []byte{1, 2, 128, 255} {
				text[i] = b
				check(text)
				text[i] = 0
			}
		}
	}
	for _, text := range []string{"sixteen letters!and sixteen more", "and sixteen moresixteen letters!"} {
		check([]byte(text))
	}
	require.Equal(t, "cd", fmt.Sprintf("%x", keyOf([]byte("gokkos")))[:2], "the same in every process")
}
