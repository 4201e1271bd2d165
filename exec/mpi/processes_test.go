package mpi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	osexec "os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"go.uber.org/goleak"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/mpi/internal/launchtest"
	"github.com/gokkos/gokkos/exec/mpi/internal/tuning"
	"github.com/gokkos/gokkos/policy"
)

func TestMain(m *testing.M) {
	scenarios := earlyScenarios()
	maps.Copy(scenarios, map[string]func(){
		"everything":    func() { ofRanks(everything) },
		"panics":        func() { ofRanks(panicking) },
		"kills itself":  func() { ofRanks(killsItself) },
		"returns early": func() { ofRanks(returnsEarly) },
		"fails":         func() { ofRanks(fails) },
		"fails unheard": func() { ofRanks(failsUnheard) },
		"unlucky":       func() { ofRanks(unlucky) },
		"timings":       func() { ofRanks(timings) },
	})
	launchtest.Rank(scenarios)
	os.Setenv("GOKKOS_SPACE", "serial") // whose default has no helpers, which stay and look like a leak
	goleak.VerifyTestMain(m)
}

// ofRanks runs f as a rank.
func ofRanks(f func(c *Comm) error) {
	if err := Run(f); err != nil {
		launchtest.Fail(err)
	}
}

// What ranks do as goroutines they do as processes, under each MPI.
func TestProcesses(t *testing.T) {
	for _, mpi := range launchtest.MPIs(t) {
		for _, ranks := range []int{1, 2, 3, 4, 5, 6, 7} {
			if testing.Short() && ranks > 3 {
				break
			}
			t.Run(fmt.Sprintf("%s, %d ranks", mpi.Name, ranks), func(t *testing.T) {
				output, err := mpi.Run("everything", ranks)
				assert.NoError(t, err, output)
				assert.Equal(t, ranks, strings.Count(output, "done\n"), output)
			})
		}
	}
}

// everything is what ranks run that are processes.
func everything(c *Comm) error {
	mismatchGrace = 10 * time.Millisecond
	runs := []func(c *Comm) error{allMessages, arrays, tiledArrays, files, sameBits, endings, mismatch}
	if c.Size() == 5 || c.Size() == 6 { // to save time
		runs = []func(c *Comm) error{sameBits, mismatch}
	}
	for _, run := range runs {
		if err := cmp.Or(run(c), c.Barrier()); err != nil {
			return fmt.Errorf("rank %d of %d: %w", c.Rank(), c.Size(), err)
		}
	}
	_, err := os.Stdout.WriteString("done\n") // at once, so that no other rank's is in between
	return err
}

// innerOf returns the space that a rank runs its items on: another one on each.
func innerOf(c *Comm) exec.Space {
	switch c.Rank() % 3 {
	case 0:
		return exec.NewGoroutines(2)
	case 1:
		return exec.Serial{}
	}
	return exec.NewSimGPU(gpu.Device{}).WithSchedule(1)
}

// sameBits: all patterns have the bits of Serial, whichever way the ranks exchange nodes.
func sameBits(c *Comm) error {
	on := On(c, innerOf(c))
	defer func(before int) { tuning.GatherRanks = before }(tuning.GatherRanks)
	for _, tuning.GatherRanks = range []int{0, math.MaxInt} {
		for _, name := range slices.Sorted(maps.Keys(patterns)) {
			for _, n := range sizesOf(c) {
				want, err := patterns[name](exec.Serial{}, n)
				if err != nil {
					return err
				}
				got, err := patterns[name](on, n)
				if err != nil || !slices.Equal(got, want) {
					return fmt.Errorf("%s of %d: %x, expected %x: %w", name, n, got, want, err)
				}
			}
		}
		if err := parts(c, on); err != nil {
			return err
		}
	}
	return nil
}

// parts: scans, folds of distributed arrays, and values of ranks, which each rank has a part of.
func parts(c *Comm, on Space) error {
	const n = 20001
	x, want := make([]float64, n), make([]float64, n)
	for i := range x {
		x[i] = noise(i)
	}
	scan := func(p policy.RangePolicy, y []float64) (total float64, err error) {
		err = exec.ParallelScan(p, func(i int, acc *float64, final bool) {
			if *acc += x[i]; final {
				y[i] = *acc
			}
		}, builtin.Sum(&total))
		return total, err
	}
	total, err := scan(policy.Range(0, n).On(exec.Serial{}), want)
	if err != nil {
		return err
	}
	p, got := policy.Range(0, n).On(on), make([]float64, n)
	begin, end, err := Part(on, p)
	if err != nil {
		return err
	}
	sum, err := scan(p, got)
	if err != nil || sum != total || !slices.Equal(got[begin:end], want[begin:end]) {
		return fmt.Errorf("scan: %x, expected %x, and prefixes: %w", sum, total, err)
	}
	var dot, square float64
	err = cmp.Or(
		exec.ParallelFold(exec.Products(policy.Range(0, n).On(exec.Serial{}), x, x), builtin.Sum(&dot)),
		exec.ParallelFold(DistributedProducts(p, x[begin:end], x[begin:end]), builtin.Sum(&square)))
	if err != nil || dot != square {
		return fmt.Errorf("fold of parts: %x, expected %x: %w", square, dot, err)
	}
	ranks, all := policy.Range(0, c.Size()).Chunk(1).On(exec.Serial{}), 0.0
	err = cmp.Or(
		exec.ParallelReduce(ranks, func(k int, acc *float64) { *acc += noise(k) }, builtin.Sum(&sum)),
		Allreduce(c, noise(c.Rank()), builtin.Sum(&all)))
	if err != nil || sum != all {
		return fmt.Errorf("Allreduce: %x, expected %x: %w", all, sum, err)
	}
	return nil
}

// sizesOf returns numbers of items: fewer of them where ranks share cores and take longer.
func sizesOf(c *Comm) []int {
	if c.Size() > 3 {
		return []int{20001}
	}
	return []int{0, 1, 5, 1000, 20001}
}

// endings: what goes wrong on one rank goes wrong on all, and the next launch is as good as ever.
func endings(c *Comm) error {
	on := On(c, innerOf(c))
	for _, name := range slices.Sorted(maps.Keys(faults)) {
		if err := ending(c, on, name); err != nil {
			return err
		}
	}
	return cancelled(c, on, c.Size()-1)
}

// ending runs one of faults.
func ending(c *Comm, on exec.Space, name string) error {
	if c.Size() == 1 && name == "no form" {
		return nil // nothing has to leave the process
	}
	f, sum, err := faults[name], 42.0, errEnded
	done := make(chan struct{})
	go func() { // which the functor may end
		defer close(done)
		defer func() {
			if p, ok := recover().(*exec.Panic); ok {
				err = fmt.Errorf("%v in items %d to %d of %q", p.Value, p.Begin, p.End, p.Label)
			}
		}()
		err = f.run(on, &sum)
	}()
	<-done
	alike := err != nil && (err.Error() == f.want || f.is != nil && errors.Is(err, f.is))
	if !alike && strings.HasPrefix(f.want, exit) {
		alike = err == errEnded || strings.HasPrefix(err.Error(), exit)
	}
	if !alike && name == "no form" {
		alike = err != nil && strings.Contains(err.Error(), "chan int")
	}
	if !alike || sum != 42 {
		return fmt.Errorf("%s: %v, with the result %v, expected %q and 42", name, err, sum, f.want)
	}
	if err := usable(on); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// cancelled: one rank cancels a launch of all.
func cancelled(c *Comm, on exec.Space, rank int) error {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	if c.Rank() == rank {
		cancel(context.DeadlineExceeded)
	}
	err := exec.ParallelFor(policy.Range(0, 1000).WithContext(ctx).On(on), func(int) {})
	if !errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("rank %d cancels: %v", rank, err)
	}
	return usable(on)
}

// mismatch: the last rank makes another launch.
func mismatch(c *Comm) error { return mismatchOf(c, On(c, innerOf(c)), c.Size()-1) }

func mismatchOf(c *Comm, on exec.Space, rank int) error {
	if c.Size() == 1 {
		return nil
	}
	n := 10
	if c.Rank() == rank {
		n = 11
	}
	sum := 42.0
	err := exec.ParallelReduce(policy.Range(0, n).On(on), func(int, *float64) {}, builtin.Sum(&sum))
	for _, want := range []string{"mpi: the ranks of world make different launches, expected the same ones:", "\n\trank 0: ", fmt.Sprintf("\n\trank %d: ", rank)} {
		if err == nil || !strings.Contains(err.Error(), want) || sum != 42 {
			return fmt.Errorf("different launches: %v, with the result %v, expected an error with %q", err, sum, want)
		}
	}
	return usable(on)
}

// together launches until something ends the job.
func together(c *Comm) error {
	for {
		if err := usable(On(c, exec.Serial{})); err != nil {
			return err
		}
	}
}

// A rank that ends as it should not ends the job, while others wait for it.
func panicking(c *Comm) error {
	if c.Rank() == 1 {
		panic("kettle")
	}
	return together(c)
}

func killsItself(c *Comm) error {
	if c.Rank() == 1 {
		return dies()
	}
	return together(c)
}

// dies kills this process as the system does that is short of memory.
func dies() error {
	p, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = p.Kill()
	}
	return err
}

func returnsEarly(c *Comm) error {
	if c.Rank() == 1 {
		os.Exit(0)
	}
	return together(c)
}

func fails(c *Comm) error {
	if c.Rank() == 1 {
		return errors.New("no kettle")
	}
	return together(c)
}

// failsUnheard fails while the launcher is too busy to read why.
func failsUnheard(c *Comm) error {
	if c.Rank() == 1 {
		launchers := strconv.Itoa(os.Getppid())
		if os.Getenv("PMI_RANK") != "" { // MPICH's consists of two
			above, err := osexec.Command("ps", "-o", "ppid=", "-p", launchers).Output()
			if err != nil {
				return err
			}
			launchers += " " + strings.TrimSpace(string(above))
		}
		if err := osexec.Command("sh", "-c", "kill -STOP "+launchers).Run(); err != nil {
			return err
		}
		if err := osexec.Command("sh", "-c", "sleep 1; kill -CONT "+launchers).Start(); err != nil {
			return err
		}
	}
	return fails(c)
}

// A rank that is gone ends the job, with a message, by the means of the MPI.
func TestDeadRanks(t *testing.T) {
	for _, mpi := range launchtest.MPIs(t) {
		for scenario, want := range map[string]string{
			"panics":        "panic: kettle",
			"kills itself":  "signal 9",
			"fails":         "mpi: rank 1 of world aborts the job: no kettle",
			"fails unheard": "mpi: rank 1 of world aborts the job: no kettle",
			"returns early": `exited without calling "finalize"`,
		} {
			output, err := mpi.Run(scenario, 3)
			if scenario == "returns early" && mpi.Name == "MPICH" {
				assert.NotContains(t, fmt.Sprint(err), "hangs") // it may even say that all is well
				continue
			}
			assert.Error(t, err, "%s, %s: %s", mpi.Name, scenario, output)
			assert.NotContains(t, fmt.Sprint(err), "hangs")
			assert.Contains(t, output, want, "%s, %s: %v", mpi.Name, scenario, err)
		}
	}
}
