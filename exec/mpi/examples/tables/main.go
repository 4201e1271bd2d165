// Command tables measures launches over the ranks of one machine, and prints the tables of it in
// Markdown. It starts itself and the programs heat and cg, which lie beside it, by a launcher:
//
//	go build -o /tmp/tables ./examples/...
//	/tmp/tables/tables -mpiexec mpirun.mpich
//	/tmp/tables/tables -mpiexec "mpirun --bind-to none --oversubscribe"
//
// For a machine without Go and without MPI, the script pack beside this file puts the programs and the
// files of MPICH into a folder:
//
//	examples/tables/pack /tmp/packed
//	/tmp/packed/tables
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/gokkos/gokkos/exec/mpi"
)

func main() {
	var o work
	var d driver
	flag.StringVar(&d.mpiexec, "mpiexec", "mpiexec", "the launcher and its options, up to that for the number of ranks")
	flag.StringVar(&d.bin, "bin", "", "the folder of the programs, that of this one otherwise")
	flag.IntVar(&d.cores, "cores", runtime.NumCPU(), "cores to use")
	flag.IntVar(&d.repeats, "repeats", 3, "runs of each measurement, of which the best counts")
	flag.DurationVar(&d.limit, "limit", 3*time.Minute, "time after which nothing is run again")
	flag.BoolVar(&d.quick, "quick", false, "small problems, once: to see whether it works")
	flag.StringVar(&o.what, "rank", "", "what to measure as a rank: launch, fold or compute")
	flag.IntVar(&o.items, "items", 0, "items of it")
	flag.IntVar(&o.workers, "workers", 1, "workers of a rank")
	flag.IntVar(&o.rounds, "rounds", 20, "rounds, of which the best counts")
	flag.IntVar(&o.launches, "launches", 1, "launches of a round")
	flag.Parse()
	var err error
	if o.what != "" {
		err = mpi.Run(func(world *mpi.Comm) error { return measure(world, o) })
	} else {
		err = d.tables()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "tables:", err)
		os.Exit(1)
	}
}

// A driver starts the ranks, and prints the tables.
type driver struct {
	mpiexec, bin   string
	cores, repeats int
	limit          time.Duration
	quick          bool
	start          time.Time
}

// run starts a program with so many ranks, and returns what the first one prints.
func (d *driver) run(ranks int, program string, args ...string) (string, error) {
	launcher := strings.Fields(d.mpiexec)
	if len(launcher) == 0 {
		return "", fmt.Errorf("-mpiexec is empty, expected a launcher")
	}
	all := append(launcher[1:len(launcher):len(launcher)], "-n", strconv.Itoa(ranks), filepath.Join(d.bin, program))
	c := exec.Command(launcher[0], append(all, args...)...)
	c.Env = append(os.Environ(), "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1")
	var complaints strings.Builder
	c.Stderr = &complaints
	output, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%s%s", c, err, output, complaints.String())
	}
	return string(output), nil
}

// A sample is what one run has come to.
type sample struct {
	ns   map[string]float64 // by what was measured
	bits string
}

// read finds the lines "NAME NANOSECONDS" and "NANOSECONDS ns per ...", and the bits of the result.
func read(output string) sample {
	s := sample{ns: map[string]float64{}}
	for line := range strings.Lines(output) {
		f := strings.Fields(line)
		switch {
		case len(f) == 2 && (f[0] == "bits" || f[0] == "x:"):
			s.bits = f[1]
		case len(f) == 1: // the hash that heat prints
			s.bits = f[0]
		case len(f) == 2:
			s.ns[f[0]], _ = strconv.ParseFloat(f[1], 64)
		case len(f) > 2 && f[1] == "ns" && f[2] == "per":
			s.ns["ns"], _ = strconv.ParseFloat(f[0], 64)
		}
	}
	return s
}

// A job is a program that is measured on so many ranks, with so many workers each.
type job struct {
	ranks, workers int
	program        string
	args           []string
}

// best runs jobs in turn, several times, and returns the least times of each.
func (d *driver) best(jobs []job) ([]sample, error) {
	repeats := d.repeats
	if d.quick {
		repeats = 1
	}
	best := make([]sample, len(jobs))
	for n := 0; n < repeats && (n == 0 || time.Since(d.start) < d.limit); n++ {
		for k, j := range jobs {
			output, err := d.run(j.ranks, j.program, append(j.args, "-workers", strconv.Itoa(j.workers))...)
			if err != nil {
				return nil, err
			}
			now := read(output)
			if len(now.ns) == 0 || now.bits == "" {
				return nil, fmt.Errorf("%s %v with %d ranks printed no times: %q", j.program, j.args, j.ranks, output)
			}
			if best[k].ns == nil {
				best[k] = now
				continue
			}
			if now.bits != best[k].bits {
				return nil, fmt.Errorf("%s %v with %d ranks has other bits each time: %s, %s", j.program, j.args, j.ranks, best[k].bits, now.bits)
			}
			for name, ns := range now.ns {
				best[k].ns[name] = min(best[k].ns[name], ns)
			}
		}
	}
	return best, nil
}

func (d *driver) tables() error {
	if d.cores < 1 || d.repeats < 1 {
		return fmt.Errorf("%d cores and %d repeats, expected at least 1 of each", d.cores, d.repeats)
	}
	if d.bin == "" {
		self, err := os.Executable()
		if err != nil {
			return err
		}
		d.bin = filepath.Dir(self)
	}
	d.start = time.Now()
	fmt.Printf("%s, %d cores, %s\n", processor(), d.cores, runtime.Version())
	for _, table := range []func() error{d.launchTable, d.sameCores, d.weak} {
		if err := table(); err != nil {
			return err
		}
	}
	fmt.Printf("\nMeasured in %v.\n", time.Since(d.start).Round(time.Second))
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
