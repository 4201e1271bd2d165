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
	"github.com/gokkos/gokkos/views"
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

// A launch that was short takes one message from the second time on, as long as it is short and
// its functor does not speak to other ranks itself.
func TestShortLaunchesTakeOneMessage(t *testing.T) {
	const long = 20 * shortLaunch
	many := func(on exec.Space, f func(int)) error {
		x := make([]float64, gatherBytes)
		return exec.ParallelReduce(policy.Range(0, 2).On(on), func(i int, _ *[]float64) { f(i) }, reducers.Slice(&x, builtin.Sum))
	}
	for name, c := range map[string]struct {
		f    func(c *Comm, k int)
		want [5]int // Allgathers of each launch
		many bool   // values of the launch
	}{
		"short":     {func(*Comm, int) {}, [5]int{2, 1, 1, 1, 1}, false},
		"many":      {func(*Comm, int) {}, [5]int{2, 1, 1, 1, 1}, true},
		"long many": {func(*Comm, int) { time.Sleep(long) }, [5]int{2, 1, 1, 1, 1}, true},
		"shared": {func(c *Comm, k int) {
			c.launch.mu.Lock()
			defer c.launch.mu.Unlock()
			c.launch.shared = k >= 2
		}, [5]int{2, 1, 1, 2, 2}, false},
		"long":      {func(*Comm, int) { time.Sleep(long) }, [5]int{2, 2, 2, 2, 2}, false},
		"long once": {func(_ *Comm, k int) { time.Sleep(long * time.Duration(k&2)) }, [5]int{2, 1, 1, 2, 2}, false},
		// One rank decides for all, else a functor that speaks to others would wait for a rank that
		// waits for this one.
		"long on one rank": {func(c *Comm, _ int) { time.Sleep(long * time.Duration(c.Rank())) }, [5]int{2, 2, 2, 2, 2}, false},
		"barrier late":     {func(c *Comm, k int) { time.Sleep(long * time.Duration(k&2)); barrierAt(4, c, k) }, [5]int{2, 1, 1, 2, 2}, false},
		"barrier at once":  {func(c *Comm, k int) { barrierAt(3, c, k) }, [5]int{2, 1, 1, 1, 2}, false},
		"barrier, once uneven": {func(c *Comm, k int) {
			time.Sleep(long * time.Duration(c.Rank()*(k&1)))
			barrierAt(3, c, k)
		}, [5]int{2, 1, 2, 1, 2}, false},
		"barrier": {func(c *Comm, _ int) { exec.Must(c.Barrier()) }, [5]int{2, 2, 2, 2, 2}, false},
		"messages": {func(c *Comm, _ int) {
			x, y := views.Must(views.New1[int]("x", 1)), views.Must(views.New1[int]("y", 1))
			_, err := Sendrecv(c, 1-c.Rank(), x, 1-c.Rank(), y, 0)
			exec.Must(err)
		}, [5]int{2, 2, 2, 2, 2}, false},
	} {
		t.Run(name, func(t *testing.T) {
			for rank, err := range everywhere(t, 2, local.Faults{}, func(comm *Comm) error {
				l := &counting{Link: comm.launch.link}
				comm.launch.link = l
				var got [5]int
				for k := range got {
					before := l.calls
					launch := many
					if !c.many {
						launch = func(on exec.Space, f func(int)) error { return exec.ParallelFor(policy.Range(0, 2).On(on), f) }
					}
					if err := launch(On(comm, exec.Serial{}), func(int) { c.f(comm, k) }); err != nil {
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

func barrierAt(when int, c *Comm, k int) {
	if k == when {
		exec.Must(c.Barrier())
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
			if !c.launch.disordered {
				return fmt.Errorf("that several goroutines launch was not seen")
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
