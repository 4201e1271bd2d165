package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What programs print is found, and what went wrong is told.
func TestRead(t *testing.T) {
	s := read("reduce 1200\nallreduce 800\nbits 0x1p+01\n")
	assert.Equal(t, sample{map[string]float64{"reduce": 1200, "allreduce": 800}, "0x1p+01"}, s)
	s = read("step 0: heat 0x1p+1, change 0x0p+00\n0.250 ns per point and step\nabc\n")
	assert.Equal(t, sample{map[string]float64{"ns": .25}, "abc"}, s)
	s = read("    2: 0x1p+1 2.0e+00\n1.5 ns per row and iteration\nx: abc\n")
	assert.Equal(t, sample{map[string]float64{"ns": 1.5}, "abc"}, s)
	s = read("a 5\nrounds 7\nb 6\nrounds 3\nc 7\nrounds 9\nbits 1\n")
	assert.Equal(t, sample{map[string]float64{"a": 5, "b": 6, "c": 7, "rounds": 3}, "1"}, s)
}

// Runs that fail are errors, with what they have said.
func TestFailedRuns(t *testing.T) {
	d := &driver{mpiexec: "false", bin: "/", repeats: 1, budget: time.Minute}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	_, _, err := d.best(ctx, []job{{ranks: 2, program: "p"}})
	require.ErrorContains(t, err, "false -n 2 /p -workers 0: exit status 1")
	d.mpiexec = "echo nothing"
	_, _, err = d.best(ctx, []job{{ranks: 2, program: "p"}})
	require.ErrorContains(t, err, "p [] with 2 ranks printed no times")
	d.mpiexec = " "
	_, _, err = d.best(ctx, []job{{ranks: 2, program: "p"}})
	require.EqualError(t, err, "-mpiexec is empty, expected a launcher")
	d = &driver{repeats: 1, budget: time.Millisecond}
	require.EqualError(t, d.tables(ctx), "0 cores, 1 repeats and a budget of 1ms, expected at least 1, 1 and 1s")
}

func TestCounts(t *testing.T) {
	assert.Equal(t, []int{1, 2, 4, 6}, (&driver{cores: 6}).counts())
	assert.Equal(t, []int{1, 2, 4}, (&driver{cores: 4}).counts())
}

// launcher makes a launcher that is a shell script, whose second argument is the number of ranks.
func launcher(t *testing.T, script string) string {
	path := filepath.Join(t.TempDir(), "launcher")
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o700))
	return path
}

// The least times of all runs count, and the most rounds. Bits that change are an error.
func TestBestOfRuns(t *testing.T) {
	count := filepath.Join(t.TempDir(), "count")
	script := "echo >>" + count + "; n=$(wc -l <" + count + `)
echo "a $((10 + (n - 2) * (n - 2)))"
echo "rounds $n"
`
	d := &driver{mpiexec: launcher(t, script+"echo bits 1"), repeats: 3}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	best, runs, err := d.best(ctx, []job{{ranks: 2, program: "p"}})
	require.NoError(t, err)
	assert.Equal(t, 3, runs)
	assert.Equal(t, []sample{{map[string]float64{"a": 10, "rounds": 3}, "1"}}, best)
	d.mpiexec = launcher(t, script+"echo bits $n")
	_, _, err = d.best(ctx, []job{{ranks: 2, program: "p"}})
	require.ErrorContains(t, err, "p [] with 2 ranks has other bits each time: 4, 5")
}

// A run that takes too long is ended, and others have their time.
func TestLateRuns(t *testing.T) {
	begun := filepath.Join(t.TempDir(), "begun")
	script := `if [ "$2" = 2 ]; then echo >` + begun + `; exec sleep 3600; fi
echo ns 5; echo bits 1`
	var limits []time.Duration
	d := &driver{mpiexec: launcher(t, script), repeats: 3, within: func(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
		until, cancel := context.WithCancel(ctx)
		if limits = append(limits, limit); len(limits) == 2 {
			go func() { // which is when its time is over
				for _, err := os.Stat(begun); err != nil; _, err = os.Stat(begun) {
					time.Sleep(time.Millisecond)
				}
				cancel()
			}()
		}
		return until, cancel
	}}
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	var jobs []job
	for ranks := range 14 {
		jobs = append(jobs, job{ranks: ranks + 1, program: "p"})
	}
	best, runs, err := d.best(ctx, jobs)
	require.NoError(t, err)
	assert.Equal(t, 1, runs, "it is not tried again")
	for k, s := range best {
		assert.Equal(t, k == 1, s.ns == nil, k)
		assert.LessOrEqual(t, limits[k], time.Hour*slack/time.Duration(len(jobs)-k), "others have their time")
	}
}

// Tables are whole and in time on a machine where nothing is done in time, and say so.
func TestNothingInTime(t *testing.T) {
	var out strings.Builder
	d := &driver{out: &out, mpiexec: launcher(t, "exec sleep 60"), cores: 2, repeats: 3, budget: 2 * time.Second}
	require.NoError(t, d.tables(t.Context()))
	assert.Contains(t, out.String(), "\n| 2 | – | – | – | – |\n\nTime was short: 1 of 3 runs of each; 1 of 1 measurements not done, –.\n")
	assert.Contains(t, out.String(), "\n| 2 × 1 | – | – | – | – | – |\n\nTime was short: 1 of 3 runs of each; heat 1 of 200 rounds; CG 1 of 200 rounds; 8 of 8 measurements not done, –.\n")
	assert.Equal(t, 4, strings.Count(out.String(), "Time was short"))
}

// Who stops the program has the tables that are made.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var out strings.Builder
	d := &driver{out: &out, mpiexec: launcher(t, "exec sleep 60"), cores: 2, repeats: 1, budget: time.Hour}
	time.AfterFunc(100*time.Millisecond, cancel)
	require.ErrorContains(t, d.tables(ctx), "interrupted after ")
	assert.Equal(t, 1, strings.Count(out.String(), "| ranks |"))
}

// Problems are smaller in less time, and rounds as many as there is time for.
func TestSizesAndRounds(t *testing.T) {
	d := &driver{mpiexec: launcher(t, "echo 1000 ns per point; echo 1f"), budget: fullBudget}
	assert.Equal(t, []int{1 << 20, 100}, []int{d.size(1<<20, 100), d.size(50, 100)})
	p := problem{program: "p", most: 200, fixed: true, items: func(times int) int { return times * 1000 }, args: func(int, int, time.Duration) []string { return nil }}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	rounds, err := d.fit(ctx, p, 1, 1, 10*time.Second)
	require.NoError(t, err)
	assert.Equal(t, 200, rounds)
	const ms = time.Millisecond
	for share, want := range map[time.Duration]int{10 * time.Second: 200, 120 * ms: 140 + probeRounds, 60 * ms: 20 + probeRounds, ms: 1} {
		assert.Equal(t, want, roundsIn(share, 100*ms, ms, 200), share)
	}
	d.budget = fullBudget / 5
	assert.Equal(t, 1<<17, d.size(1<<20, 100))
	d.quick = true
	assert.Equal(t, []int{100, 2}, []int{d.size(1<<20, 100), d.rounds(200)})
}
