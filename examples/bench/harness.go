package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"time"

	"github.com/gokkos/gokkos/exec"
)

// A measurement is what one implementation of a kernel did at one size.
type measurement struct {
	Kernel  string  `json:"kernel"`
	Impl    string  `json:"impl"`
	N       int     `json:"n"`
	Workers int     `json:"workers"`
	Median  float64 `json:"ns_per_item"`     // of the rounds
	Least   float64 `json:"min_ns_per_item"` // of the rounds
	Rate    float64 `json:"gb_per_s"`        // at the median
	Allocs  float64 `json:"allocs"`          // a run; 0 for C++
}

// harness runs implementations in alternation.
type harness struct {
	ctx    context.Context
	o      *options
	peers  *peers
	space  *exec.Goroutines
	data   *data
	spread []float64 // of the rounds of each measurement, relative to its median
}

func newHarness(ctx context.Context, o *options, p *peers) *harness {
	return &harness{ctx: ctx, o: o, peers: p, space: exec.NewGoroutines(o.workers), data: newData(0)}
}

func (h *harness) close() { _ = h.space.Close() } // no launch runs any more

// hold makes sure that the arrays have n elements.
func (h *harness) hold(n int) {
	if n > len(h.data.x) {
		h.data = nil // may be collected before the new ones are made
		h.data = newData(n)
	}
}

// A contestant is an implementation in a race.
type contestant struct {
	name    string
	run     func(repeats int) (time.Duration, float64, error)
	written func() (float64, error) // runs once on a z that is reset, and returns its checksum
	repeats int
	times   []float64 // ns per item, one for each round
	allocs  float64
}

// result runs a contestant once and returns what it computes: all of it, if that is in z.
func (c *contestant) result(k kernel) (float64, error) {
	if k.writes {
		return c.written()
	}
	_, result, err := c.run(1)
	return result, err
}

// measure races the implementations of a kernel at one size.
func (h *harness) measure(k kernel, n int) ([]measurement, error) {
	h.hold(n)
	field, err := h.field(k, n)
	if err != nil {
		return nil, err
	}
	for range h.o.rounds {
		for _, c := range field {
			if err := h.ctx.Err(); err != nil {
				return nil, context.Cause(h.ctx)
			}
			took, allocs, err := h.once(k, c)
			if err != nil {
				return nil, err
			}
			c.times = append(c.times, float64(took)/float64(c.repeats)/float64(n))
			c.allocs = allocs / float64(c.repeats)
		}
	}
	var all []measurement
	for _, c := range field {
		slices.Sort(c.times)
		median := c.times[len(c.times)/2]
		h.spread = append(h.spread, c.times[len(c.times)*3/4]/c.times[len(c.times)/4]-1)
		all = append(all, measurement{k.name, c.name, n, h.o.workers, median, c.times[0], k.bytes / median, c.allocs})
	}
	return all, nil
}

const (
	idleTime = 3 * time.Millisecond  // before each run of kernels that measure this
	restTime = 10 * time.Millisecond // before each contestant: threads of the last one still spin
)

// once runs a contestant in one round.
func (h *harness) once(k kernel, c *contestant) (took time.Duration, allocs float64, err error) {
	runs, repeats := 1, c.repeats
	if k.idle {
		runs, repeats = repeats, 1
	}
	time.Sleep(restTime)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range runs {
		if k.idle {
			time.Sleep(idleTime)
		}
		t, _, err := c.run(repeats)
		if err != nil {
			return 0, 0, err
		}
		took += t
	}
	runtime.ReadMemStats(&after)
	return took, float64(after.Mallocs - before.Mallocs), nil
}

// field returns the contestants, each warm, with the number of repeats that fills its share
// of time, and with a result that is that of the plain one.
func (h *harness) field(k kernel, n int) ([]*contestant, error) {
	want, err := h.contestant(k, plain, n).result(k)
	if err != nil {
		return nil, err
	}
	var field []*contestant
	for _, name := range impls {
		if !h.o.impls.has(name) {
			continue
		}
		c := h.contestant(k, name, n)
		got, err := c.result(k)
		if errors.Is(err, errNoKernel) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if near := math.Abs(got-want) <= 1e-6*max(math.Abs(want), 1); !near && name != readLimit {
			return nil, fmt.Errorf("%s computes %v, but %s %v", name, got, plain, want)
		}
		if err := h.calibrate(c, k); err != nil {
			return nil, err
		}
		field = append(field, c)
	}
	return field, nil
}

// contestant sets up an implementation.
func (h *harness) contestant(k kernel, name string, n int) *contestant {
	build := k.make[name]
	if build == nil {
		return &contestant{
			name: name,
			run: func(repeats int) (time.Duration, float64, error) {
				return h.peers.run(k.name, name, n, h.o.workers, repeats)
			},
			written: func() (float64, error) { return h.peers.written(k.name, name, n, h.o.workers) },
		}
	}
	run, z := build(setup{h.data, n, h.o.workers, h.space}), h.data.z[:n]
	return &contestant{
		name: name,
		run: func(repeats int) (time.Duration, float64, error) {
			var result float64
			begin := time.Now()
			for range repeats {
				result = run()
			}
			return time.Since(begin), result, nil
		},
		written: func() (float64, error) {
			reset(z)
			run()
			return checksum(z), nil
		},
	}
}

// calibrate finds the number of repeats that takes a contestant's share of time.
func (h *harness) calibrate(c *contestant, k kernel) error {
	share := h.o.time / time.Duration(h.o.rounds)
	for repeats := 1; ; repeats *= 4 {
		took, _, err := c.run(repeats)
		if err != nil {
			return err
		}
		if k.idle {
			took += time.Duration(repeats) * idleTime
		}
		if took*4 >= share {
			c.repeats = max(1, int(float64(share)/float64(took)*float64(repeats)))
			return nil
		}
	}
}

// noise returns how far apart the rounds of a measurement lie: the distance of the
// quartiles over the lower one, in the middle and at worst.
func (h *harness) noise() (typical, worst float64) {
	if len(h.spread) == 0 {
		return 0, 0
	}
	slices.Sort(h.spread)
	return h.spread[len(h.spread)/2], h.spread[len(h.spread)-1]
}
