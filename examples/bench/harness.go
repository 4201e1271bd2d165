package main

import (
	"context"
	"errors"
	"maps"
	"math"
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
	Median  float64 `json:"ns_per_item"`        // of the rounds
	Least   float64 `json:"min_ns_per_item"`    // of the rounds
	CPU     float64 `json:"cpu_ns_per_item"`    // of all cores together, the median of the rounds; 0 if unknown
	Rate    float64 `json:"gb_per_s"`           // at the median
	Allocs  float64 `json:"allocs"`             // a run; 0 for other programs
	Orders  float64 `json:"reversed,omitempty"` // the median of rounds in reversed order over that in listed order
	Missing string  `json:"missing,omitempty"`  // why there are no figures
}

// harness runs implementations in alternation.
type harness struct {
	ctx     context.Context
	o       *options
	peers   []*peers
	missing map[string]string // of implementations that are wanted, why there are none
	space   *exec.Goroutines
	data    *data
	noise   noise
}

// noise is what the figures of a program lie apart by.
type noise struct {
	spread []float64 // of each measurement: the distance of the quartiles of its rounds over the lower one
	orders []float64 // of each measurement: its Orders
}

// newHarness returns a harness with programs of peers, and the reasons why others are missing.
func newHarness(ctx context.Context, o *options, p []*peers, missing map[string]string) *harness {
	return &harness{ctx: ctx, o: o, peers: p, missing: missing, space: exec.NewGoroutines(o.workers), data: newData(0)}
}

func (h *harness) close() { _ = h.space.Close() } // no launch runs any more

// hold makes sure that the arrays have n elements.
func (h *harness) hold(n int) {
	if n > len(h.data.x) {
		h.data = nil // may be collected before the new ones are made
		h.data = newData(n)
	}
}

// measure races the implementations of a kernel at one size.
func (h *harness) measure(k kernel, n int) ([]measurement, error) {
	h.hold(k.elements(n))
	field, err := h.field(k, n)
	if err != nil {
		return nil, err
	}
	for range h.o.rounds {
		if err := h.race(k, field, listed); err != nil {
			return nil, err
		}
		if h.o.orders {
			if err := h.race(k, field, reversed); err != nil {
				return nil, err
			}
		}
	}
	var all []measurement
	for _, c := range field {
		all = append(all, h.summary(k, n, c))
	}
	for _, name := range slices.Sorted(maps.Keys(h.missing)) {
		all = append(all, measurement{Kernel: k.name, Impl: name, N: n, Workers: h.o.workers, Missing: h.missing[name]})
	}
	return all, nil
}

// summary returns what the rounds of a contestant come to.
func (h *harness) summary(k kernel, n int, c *contestant) measurement {
	m := measurement{Kernel: k.name, Impl: c.name, N: n, Workers: h.o.workers, Allocs: c.allocs, CPU: median(c.cpu)}
	if h.o.orders {
		m.Orders = median(c.times[reversed]) / median(c.times[listed])
		h.noise.orders = append(h.noise.orders, m.Orders)
	}
	times := slices.Sorted(slices.Values(slices.Concat(c.times[listed], c.times[reversed])))
	m.Median, m.Least = times[len(times)/2], times[0]
	m.Rate = k.bytes / m.Median
	h.noise.spread = append(h.noise.spread, times[len(times)*3/4]/times[len(times)/4]-1)
	return m
}

// median returns the middle one of x, or NaN if there is none.
func median(x []float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	return slices.Sorted(slices.Values(x))[len(x)/2]
}

// order is the order in which a round runs its contestants. In the two orders each of them
// comes after another one.
type order int

const (
	listed order = iota
	reversed
	orders
)

// race runs the contestants once each, in an order.
func (h *harness) race(k kernel, field []*contestant, by order) error {
	if by == reversed {
		field = slices.Clone(field)
		slices.Reverse(field)
	}
	if h.o.orders && len(field) > 0 {
		// The first one comes after the last one of this order, not after itself.
		if _, err := h.once(k, field[len(field)-1]); err != nil {
			return err
		}
	}
	for _, c := range field {
		if h.ctx.Err() != nil {
			return context.Cause(h.ctx)
		}
		s, err := h.once(k, c)
		if err != nil {
			return err
		}
		items := float64(c.repeats) * float64(c.n)
		if h.o.cpu {
			s.took = s.cpu
		}
		c.times[by] = append(c.times[by], float64(s.took)/items)
		c.cpu = append(c.cpu, float64(s.cpu)/items)
		c.allocs = float64(s.allocs) / float64(c.repeats)
	}
	return nil
}

// once runs a contestant in one round, after a rest: helpers of the last one may still look
// for work.
func (h *harness) once(k kernel, c *contestant) (sample, error) {
	time.Sleep(h.o.rest)
	return c.run(c.repeats, k.rest())
}

// field returns the contestants, each warm, with the number of repeats that fills its share
// of time, and with a result that is that of the plain one.
func (h *harness) field(k kernel, n int) ([]*contestant, error) {
	want, err := h.contestant(k, plain, n, h.space).outcome()
	if err != nil {
		return nil, err
	}
	var field []*contestant
	for _, name := range impls {
		if !h.o.wants(name) {
			continue
		}
		var c *contestant
		if k.make[name] != nil {
			c = h.contestant(k, name, n, h.space)
		} else if c, err = h.peer(k, name, n); errors.Is(err, errNoKernel) {
			continue
		} else if err != nil {
			return nil, err
		}
		if err := h.check(k, c, want); err != nil {
			return nil, err
		}
		if err := h.calibrate(c, k); err != nil {
			return nil, err
		}
		field = append(field, c)
	}
	return field, nil
}

// calibrate finds the number of repeats that takes a contestant's share of time. It believes the shorter of two runs: a program that
// had to wait for a core would get few repeats, whose times are those of cold caches.
func (h *harness) calibrate(c *contestant, k kernel) error {
	share := h.o.time / time.Duration(h.o.rounds)
	for repeats := 1; ; repeats *= 4 {
		first, err := c.run(repeats, k.rest())
		if err != nil {
			return err
		}
		second, err := c.run(repeats, k.rest())
		if err != nil {
			return err
		}
		took := min(first.took, second.took) + time.Duration(repeats)*k.rest()
		if took*4 >= share {
			c.repeats = max(1, int(float64(share)/float64(took)*float64(repeats)))
			return nil
		}
	}
}

// among returns the value that a share of x, at least 0 and below 1, is less than, or 0 if x
// is empty.
func among(x []float64, share float64) float64 {
	if len(x) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(x))[int(share*float64(len(x)))]
}
