// Command tables measures launches over the ranks of one machine, and prints the tables of it in
// Markdown, each as soon as it is made. It starts itself and the programs heat and cg of examples, which
// lie beside it, by a launcher:
//
//	go build -o /tmp/tables/ ./tables
//	go -C ../../examples build -o /tmp/tables/ ./heat ./cg
//	/tmp/tables/tables -mpiexec mpirun.mpich
//	/tmp/tables/tables -mpiexec "mpirun --bind-to none --oversubscribe"
//
// It ends within the time of -budget, whatever the machine: where that is short it makes fewer rounds and
// runs, and leaves out what is not done then, and says so.
//
// For a machine without Go and without MPI, the script pack beside this file puts the programs and the
// files of MPICH into a folder:
//
//	tables/pack /tmp/packed
//	/tmp/packed/tables
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/gokkos/gokkos/exec/mpi"
)

func main() {
	var o work
	d := driver{out: os.Stdout}
	flag.StringVar(&d.mpiexec, "mpiexec", "mpiexec", "the launcher and its options, up to that for the number of ranks")
	flag.StringVar(&d.bin, "bin", "", "the folder of the programs, that of this one otherwise")
	flag.IntVar(&d.cores, "cores", runtime.NumCPU(), "cores to use")
	flag.IntVar(&d.repeats, "repeats", 3, "runs of each measurement at most, of which the best counts")
	flag.DurationVar(&d.budget, "budget", fullBudget, "time that all may take, or that a rank may take for a measurement")
	flag.BoolVar(&d.quick, "quick", false, "small problems, once: to see whether it works")
	flag.StringVar(&o.what, "rank", "", "what to measure as a rank: launch, crossing, fold or compute")
	flag.IntVar(&o.items, "items", 0, "items of it")
	flag.IntVar(&o.workers, "workers", 1, "workers of a rank")
	flag.IntVar(&o.rounds, "rounds", 20, "rounds at most, of which the best counts")
	flag.IntVar(&o.launches, "launches", 1, "launches of a round")
	flag.Parse()
	var err error
	if o.what != "" {
		o.budget = d.budget
		err = mpi.Run(func(world *mpi.Comm) error { return measure(world, o) })
	} else {
		interrupted, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		err = d.tables(interrupted)
		stop()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "tables:", err)
		os.Exit(1)
	}
}

// fullBudget is the time for which problems have their full size. In less they are smaller.
const fullBudget = 150 * time.Second

// A driver starts the ranks, and prints the tables.
type driver struct {
	out            io.Writer
	mpiexec, bin   string
	cores, repeats int
	budget         time.Duration
	quick          bool
	within         func(context.Context, time.Duration) (context.Context, context.CancelFunc) // context.WithTimeout, but in tests
}

// tables prints the tables. Those that are made when the context ends are printed as far as they are.
func (d *driver) tables(ctx context.Context) error {
	if d.cores < 1 || d.repeats < 1 || d.budget < time.Second {
		return fmt.Errorf("%d cores, %d repeats and a budget of %v, expected at least 1, 1 and 1s", d.cores, d.repeats, d.budget)
	}
	if d.bin == "" {
		self, err := os.Executable()
		if err != nil {
			return err
		}
		d.bin = filepath.Dir(self)
	}
	start := time.Now()
	fmt.Fprintf(d.out, "%s, %d cores, %s\n", processor(), d.cores, runtime.Version())
	for _, table := range []struct {
		until float64 // the part of the budget that is over when it has to be done
		print func(ctx context.Context) error
	}{{.1, d.launchTable}, {.25, d.crossing}, {.6, d.sameCores}, {.95, d.weak}} {
		until, cancel := context.WithDeadline(ctx, start.Add(time.Duration(table.until*float64(d.budget))))
		err := table.print(until)
		cancel()
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return fmt.Errorf("interrupted after %v", time.Since(start).Round(time.Second))
		}
	}
	fmt.Fprintf(d.out, "\nMeasured in %v.\n", time.Since(start).Round(time.Second))
	return nil
}

// processor returns the model of the processor.
func processor() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(text)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}
