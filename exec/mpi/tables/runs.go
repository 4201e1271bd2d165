package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A job is a program that is measured on so many ranks, with so many workers each.
type job struct {
	ranks, workers int
	program        string
	args           []string
}

// errLate is that of a run that was not done in time.
var errLate = errors.New("not done in time")

// run runs a job, and returns what the first rank prints. It is errLate where the context has ended.
func (d *driver) run(ctx context.Context, j job) (string, error) {
	launcher := strings.Fields(d.mpiexec)
	if len(launcher) == 0 {
		return "", errors.New("-mpiexec is empty, expected a launcher")
	}
	all := append(launcher[1:len(launcher):len(launcher)], "-n", strconv.Itoa(j.ranks), filepath.Join(d.bin, j.program))
	c := exec.CommandContext(ctx, launcher[0], append(append(all, j.args...), "-workers", strconv.Itoa(j.workers))...)
	c.Env = append(os.Environ(), "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1")
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) } // which the launcher passes on
	c.WaitDelay = time.Second
	var complaints strings.Builder
	c.Stderr = &complaints
	output, err := c.Output()
	if ctx.Err() != nil {
		return "", errLate
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%s%s", c, err, output, complaints.String())
	}
	return string(output), nil
}

// A sample is what one run has come to.
type sample struct {
	ns   map[string]float64 // by what was measured; nil of a job that was not done in time
	bits string
}

// read finds the lines "NAME NANOSECONDS" and "NANOSECONDS ns per ...", the bits of the result, and the
// rounds of that measurement which had the fewest.
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
			x, _ := strconv.ParseFloat(f[1], 64)
			if least, again := s.ns[f[0]]; again && f[0] == roundsName {
				x = min(x, least)
			}
			s.ns[f[0]] = x
		case len(f) > 2 && f[1] == "ns" && f[2] == "per":
			s.ns["ns"], _ = strconv.ParseFloat(f[0], 64)
		}
	}
	return s
}

// once runs a job, which must print times and bits.
func (d *driver) once(ctx context.Context, j job) (s sample, err error) {
	output, err := d.run(ctx, j)
	if err != nil {
		return s, err
	}
	if s = read(output); len(s.ns) == 0 || s.bits == "" {
		return s, fmt.Errorf("%s %v with %d ranks printed no times: %q", j.program, j.args, j.ranks, output)
	}
	return s, nil
}

// roundsName is what ranks call the rounds that they have made.
const roundsName = "rounds"

// take keeps the least times of two runs of a job, and the most rounds.
func (s *sample) take(j job, now sample) error {
	if s.ns == nil {
		*s = now
		return nil
	}
	if now.bits != s.bits {
		return fmt.Errorf("%s %v with %d ranks has other bits each time: %s, %s", j.program, j.args, j.ranks, s.bits, now.bits)
	}
	for name, ns := range now.ns {
		if name == roundsName {
			s.ns[name] = max(s.ns[name], ns)
		} else {
			s.ns[name] = min(s.ns[name], ns)
		}
	}
	return nil
}

// slack is how many times its share of the time a run may take before it is ended.
const slack = 3

// best runs jobs in turn, repeatedly as long as there is time, and returns the least times of each, and how
// often all of them have run.
func (d *driver) best(ctx context.Context, jobs []job) (best []sample, runs int, err error) {
	best = make([]sample, len(jobs))
	took := make([]time.Duration, len(jobs))
	repeats := d.repeats
	if d.quick {
		repeats = 1
	}
	for runs < repeats {
		for k, j := range jobs {
			left := remaining(ctx)
			if runs > 0 && (best[k].ns == nil || took[k] > left) {
				return best, runs, nil
			}
			limit := left
			if runs == 0 {
				limit = min(limit, slack*left/time.Duration(len(jobs)-k))
			}
			start := time.Now()
			within := d.within
			if within == nil {
				within = context.WithTimeout
			}
			until, cancel := within(ctx, limit)
			now, err := d.once(until, j)
			cancel()
			took[k] = time.Since(start)
			if err == nil {
				err = best[k].take(j, now)
			}
			if err != nil && !errors.Is(err, errLate) {
				return nil, 0, err
			}
		}
		runs++
	}
	return best, runs, nil
}

// remaining returns the time until a context ends.
func remaining(ctx context.Context) time.Duration {
	until, _ := ctx.Deadline()
	if ctx.Err() != nil {
		return 0
	}
	return time.Until(until)
}
