package main

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"time"

	"github.com/gokkos/gokkos/exec"
)

// A sample is what the runs of a contestant took, on the clock and of all cores together, how
// often they allocated, which is not known of programs in C++, and the last result.
type sample struct {
	took, cpu time.Duration
	allocs    uint64
	result    float64
	bits      uint64 // of the result, or of all that was written; 0 if not known
}

// A contestant is an implementation in a race.
type contestant struct {
	name    string
	n       int // items
	run     func(repeats int, rest time.Duration) (sample, error)
	outcome func() (outcome, error) // runs once, on results that are reset
	repeats int
	times   [orders][]float64 // ns per item, one for each round
	cpu     []float64         // the same of processor time
	allocs  float64
}

// An outcome is what a contestant computes.
type outcome struct {
	value float64 // the result, or a checksum of all that was written
	scale float64 // what the error of value is relative to
	bits  uint64  // tells apart all that differs in a bit; 0 for programs in C++
}

// The error bounds, relative to the scale of an outcome: sums in another order have other
// rounding errors.
const (
	resultBound  = 1e-9  // of a result that is reduced to: its own size is the scale, or 1
	writtenBound = 1e-12 // of what is written: the sum of the sizes of all elements is the scale
)

// contestant sets up an implementation of this program, on a space if it is ours.
func (h *harness) contestant(k kernel, name string, n int, on exec.Space) *contestant {
	s := setup{h.data, n, h.o.workers, on}
	run, results := k.make[name](s), k.results(s)
	return &contestant{
		name: name,
		n:    n,
		run: func(repeats int, rest time.Duration) (sample, error) {
			return sampleOf(run, repeats, rest), nil
		},
		outcome: func() (outcome, error) {
			results.reset()
			value := run()
			if k.writes == "" {
				return outcome{value, resultBound * max(math.Abs(value), 1), math.Float64bits(value)}, nil
			}
			return results.outcome(), nil
		},
	}
}

// sampleOf runs an implementation that often, each time after a rest if there is one.
func sampleOf(run implementation, repeats int, rest time.Duration) (s sample) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	used := cpuTime()
	if rest == 0 {
		begin := time.Now()
		for range repeats {
			s.result = run()
		}
		s.took = time.Since(begin)
	} else {
		for range repeats {
			time.Sleep(rest)
			begin := time.Now()
			s.result = run()
			s.took += time.Since(begin)
		}
	}
	s.cpu = cpuTime() - used
	runtime.ReadMemStats(&after)
	s.allocs = after.Mallocs - before.Mallocs
	s.bits = math.Float64bits(s.result)
	return s
}

// peer sets up an implementation of the program that has it, if there is one.
func (h *harness) peer(k kernel, name string, n int) (*contestant, error) {
	var p *peers
	err := errNoKernel
	for _, p = range h.peers {
		if _, err = p.run(command{kernel: k.name, impl: name, workers: h.o.workers}); !errors.Is(err, errNoKernel) {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	c := command{kernel: k.name, impl: name, n: n, room: k.elements(n), workers: h.o.workers, repeats: 1}
	return &contestant{
		name: name,
		n:    n,
		run: func(repeats int, rest time.Duration) (sample, error) {
			c := c
			c.repeats, c.rest = repeats, rest
			return p.run(c)
		},
		outcome: func() (outcome, error) {
			if k.writes == "" {
				s, err := p.run(c)
				return outcome{value: s.result, bits: s.bits}, err
			}
			s, err := p.written(c, k.writes)
			return outcome{value: s.result, bits: s.bits}, err
		},
	}, nil
}

// check runs a contestant once and says what is wrong with its outcome. It must be the plain
// one's but for rounding. Where the kernel is exact, what this program computes itself must be
// that bit by bit, unless Go fuses products. What gokkos computes must have the bits that its form has on Serial, also
// compiled.
func (h *harness) check(k kernel, c *contestant, want outcome) error {
	got, err := c.outcome()
	if err != nil || c.name == readLimit {
		return err
	}
	if near := math.Abs(got.value-want.value) <= want.scale; !near {
		return fmt.Errorf("%s computes %v, but %s %v", c.name, got.value, plain, want.value)
	}
	if here := k.make[c.name] != nil && c.name != "gonum"; here && k.exact && !fuses && got.bits != want.bits {
		return fmt.Errorf("%s computes other bits than %s", c.name, plain)
	}
	if form, _ := levelOf(c.name); ours(form) && form != unordered {
		serial, err := h.contestant(k, form, c.n, exec.Serial{}).outcome()
		if err != nil {
			return err
		}
		if got.bits != serial.bits {
			return fmt.Errorf("%s computes other bits with %d workers than %s on Serial", c.name, h.o.workers, form)
		}
	}
	return nil
}

// fuses reports whether Go computes a product and a sum with one rounding, on this processor.
var fuses = func(x float64) bool { return x*x-float64(x*x) != 0 }(third)

var third = 1. / 3

// ours reports whether an implementation is one of gokkos.
func ours(name string) bool { return strings.HasPrefix(name, "gokkos-") }
