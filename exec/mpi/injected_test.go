package mpi

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/mpi/internal/link"
	"github.com/gokkos/gokkos/exec/mpi/internal/local"
	"github.com/gokkos/gokkos/exec/mpi/internal/tuning"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

// Many more than these: go test -run Injected -timeout 0 . -injected 100000
var (
	injected = flag.Int("injected", 400, "how many faults TestInjectedFaults injects")
	seedFrom = flag.Uint64("seed", 0, "the first seed of TestInjectedFaults")
)

// mishap is what goes wrong in a trial.
type mishap int

const (
	nothing mishap = iota
	panics
	exits
	cancels
	otherLaunch
	spaceFails
	rankDies
	rankLeaves
	mishaps
)

// trial is a few launches on some ranks, in one of which something goes wrong.
type trial struct {
	seed           uint64
	ranks, items   int
	chunk, pattern int
	mishap         mishap
	at             int // the item, or the rank
	tree           bool
	faults         local.Faults
}

func newTrial(seed uint64) trial {
	rng := rand.New(rand.NewPCG(seed, 1))
	x := trial{seed: seed, ranks: 2 + rng.IntN(7), items: 1 + rng.IntN(3000), pattern: rng.IntN(4)}
	if rng.IntN(20) == 0 {
		x.ranks = 2 + rng.IntN(200)
	}
	x.chunk = []int{0, 0, 1, 16}[rng.IntN(4)]
	x.mishap = mishap(rng.IntN(int(mishaps)))
	x.at = rng.IntN(x.items)
	x.tree = rng.IntN(2) == 0
	x.faults = local.Faults{Seed: seed}
	if rng.IntN(2) == 0 {
		x.faults.Late, x.faults.Waiting = .3*rng.Float64(), rng.Float64()
	}
	if x.mishap == rankDies {
		x.faults.Dead, x.faults.At = rng.IntN(x.ranks), 1+rng.IntN(30)
	}
	return x
}

// launch makes the launch of the trial. f is called for each item.
func (x trial) launch(on exec.Space, p policy.RangePolicy, f func(i int), result *float64) error {
	p = p.Chunk(x.chunk).On(on)
	reduce := func(i int, acc *float64) {
		f(i)
		*acc += noise(i)
	}
	switch x.pattern {
	case 0:
		return exec.ParallelReduce(p, reduce, builtin.Sum(result))
	case 1:
		return exec.ParallelScan(p, func(i int, acc *float64, final bool) {
			if final {
				f(i)
			}
			*acc += noise(i)
		}, builtin.Sum(result))
	case 2: // large values
		sums := make([]float64, 40)
		sums[7] = *result
		err := exec.ParallelReduce(p, func(i int, acc *[]float64) { reduce(i, &(*acc)[7]) }, reducers.Slice(&sums, builtin.Sum))
		*result = sums[7]
		return err
	default:
		return exec.ParallelFold(exec.Map(p, func(i int) float64 {
			f(i)
			return noise(i)
		}), builtin.Sum(result))
	}
}

// outcome is how a launch ended on a rank.
type outcome struct {
	err    error
	result float64
	ended  bool // its goroutine
}

// try calls launch on a goroutine of its own, which a functor may end.
func try(launch func(result *float64) error) outcome {
	done := make(chan outcome)
	go func() {
		o := outcome{result: 42, ended: true}
		defer func() {
			if p, ok := recover().(*exec.Panic); ok {
				o.err, o.ended = fmt.Errorf("%v in items %d to %d of %q", p.Value, p.Begin, p.End, p.Label), false
			}
			done <- o
		}()
		o.err = launch(&o.result)
		o.ended = false
	}()
	return <-done
}

// rank makes the launches of a rank: one as it should be, the one with the mishap, and another
// that should be well again.
func (x trial) rank(c *Comm) (first, second, third outcome) {
	on := On(c, exec.Serial{})
	p := policy.Range(0, x.items).WithLabel("trial")
	well := func(result *float64) error { return x.launch(on, p, func(int) {}, result) }
	first = try(well)
	second = try(func(result *float64) error { return x.goWrong(c, on, p, result) })
	if x.mishap == rankLeaves && c.Rank() == x.at%x.ranks {
		return first, second, third
	}
	third = try(well)
	return first, second, third
}

func (x trial) goWrong(c *Comm, on Space, p policy.RangePolicy, result *float64) error {
	chosen := c.Rank() == x.at%x.ranks
	f := func(int) {}
	switch {
	case x.mishap == panics:
		f = func(i int) {
			if i >= x.at {
				panic(fmt.Sprint("boom ", i))
			}
		}
	case x.mishap == exits:
		f = func(i int) {
			if i == x.at {
				runtime.Goexit()
			}
		}
	case x.mishap == cancels && chosen:
		ctx, cancel := context.WithCancelCause(context.Background())
		defer cancel(nil)
		cancel(errBoom)
		p = p.WithContext(ctx)
	case x.mishap == otherLaunch && chosen:
		p = p.WithLabel("other")
	case x.mishap == spaceFails && chosen:
		on = On(c, broken{err: errBoom})
	}
	return x.launch(on, p, f, result)
}

// run runs the trial and returns what is wrong with how it ended.
func (x trial) run() error {
	tuning.GatherRanks, alwaysShort = map[bool]int{true: 0, false: math.MaxInt}[x.tree], x.seed%2 == 1
	want := try(func(result *float64) error {
		return x.launch(exec.Serial{}, policy.Range(0, x.items).WithLabel("trial"), func(int) {}, result)
	})
	wrong := try(func(result *float64) error {
		return x.launch(exec.Serial{}, policy.Range(0, x.items).WithLabel("trial"), func(i int) {
			if i >= x.at {
				panic(fmt.Sprint("boom ", i))
			}
		}, result)
	})
	ends := make([][3]outcome, x.ranks)
	errs, err := localErrors(x.ranks, x.faults, func(c *Comm) error {
		ends[c.Rank()][0], ends[c.Rank()][1], ends[c.Rank()][2] = x.rank(c)
		return nil
	})
	if err != nil {
		return err
	}
	for rank, end := range ends {
		for k, o := range end {
			if err := x.check(k, rank, o, want, wrong.err, errs[rank]); err != nil {
				return fmt.Errorf("launch %d, rank %d: %w", k, rank, err)
			}
			if other := ends[(rank+1)%x.ranks][k]; x.alike(k) && !o.ended && !other.ended && fmt.Sprint(o.err) != fmt.Sprint(other.err) {
				return fmt.Errorf("launch %d, rank %d: %v, and %v on the next rank", k, rank, o.err, other.err)
			}
		}
	}
	return nil
}

// alike reports whether a launch ends with the same error on all ranks.
func (x trial) alike(k int) bool {
	return x.mishap != rankDies && !(x.mishap == rankLeaves && k == 2)
}

// check returns what is wrong with how a launch ended on a rank.
func (x trial) check(k, rank int, o, want outcome, wrong, ofRank error) error {
	good := !o.ended && o.err == nil && math.Float64bits(o.result) == math.Float64bits(want.result)
	kept := o.result == 42
	says := func(text string) bool { return o.err != nil && strings.Contains(o.err.Error(), text) }
	ok := good
	switch {
	case x.mishap == rankDies:
		gone := errors.Is(o.err, link.ErrDead) || errors.Is(o.err, link.ErrEnded)
		ok = good || kept && gone || o == outcome{} && errors.Is(ofRank, link.ErrDead)
	case x.mishap == rankLeaves && k == 2:
		ok = rank == x.at%x.ranks && o == outcome{} || kept && errors.Is(o.err, link.ErrEnded)
	case k != 1:
	case x.mishap == panics:
		ok = kept && says(wrong.Error())
	case x.mishap == exits:
		ok = kept && (o.ended || says("the goroutine was ended on rank "))
	case x.mishap == cancels:
		ok = kept && says("cancelled: boom")
	case x.mishap == otherLaunch:
		ok = kept && says("make different launches") && says(`"trial"`) && says(`"other"`)
	case x.mishap == spaceFails:
		first, _ := share(gridOf(x), x.at%x.ranks, x.ranks)
		_, last := share(gridOf(x), x.at%x.ranks, x.ranks)
		if first < last { // else the space is not asked
			ok = kept && says(fmt.Sprintf("mpi: rank %d of %d: boom", x.at%x.ranks, x.ranks))
		}
	}
	if !ok {
		return fmt.Errorf("%+v, expected %+v or an error", o, want)
	}
	return nil
}

// Whatever goes wrong wherever, ranks end alike, keep their results and make the next launch, or
// hear that a rank has died; none waits for ever, and no bit is wrong.
func TestInjectedFaults(t *testing.T) {
	impatient(t, 3*time.Millisecond)
	exchangeBy(t, "tree")
	n := *injected
	if testing.Short() {
		n = min(n, 100)
	}
	var seen [mishaps]int
	for seed := *seedFrom; seed < *seedFrom+uint64(n); seed++ {
		x := newTrial(seed)
		hangs := time.AfterFunc(time.Minute, func() {
			fmt.Fprintf(os.Stderr, "%+v hangs\n", x)
			_ = pprof.Lookup("goroutine").WriteTo(os.Stderr, 2)
			os.Exit(1)
		})
		err := x.run()
		hangs.Stop()
		require.NoError(t, err, "%+v", x)
		seen[x.mishap]++
	}
	if n >= 100 {
		require.False(t, slices.Contains(seen[:], 0), "each kind of mishap: %v", seen)
	}
}

func gridOf(x trial) space.Grid { return space.NewGrid(x.items, x.chunk, x.pattern == 1) }
