package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gokkos/gokkos/exec"
	levels "github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
)

// serving is the argument with which a program of peers is started: this one as well, built by gokkosc, which has compiled
// its functors where they stand.
const serving = "serve"

// serve answers the commands of cpp/serve.h to the end of the input, for the implementations of one level. An answer has
// the bits of the result, and how often a run allocates, as well.
func serve(in io.Reader, out io.Writer) error {
	h := &server{newHarness(context.Background(), &options{workers: 1}, nil, nil), map[string]bool{}}
	defer func() { h.close() }()
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		var c command
		if _, err := fmt.Sscan(lines.Text(), &c.kernel, &c.impl, &c.n, &c.room, &c.workers, &c.repeats, &c.rest); err != nil {
			return fmt.Errorf("the command %q: %w", lines.Text(), err)
		}
		if c.workers != h.o.workers {
			h.close()
			h.o.workers, h.space = c.workers, exec.NewGoroutines(c.workers)
		}
		s, ok := h.answer(c)
		if !ok {
			fmt.Fprintln(out, "none")
			continue
		}
		fmt.Fprintln(out, s.took.Nanoseconds(), s.cpu.Nanoseconds(), s.result, s.bits, s.allocs)
	}
	return lines.Err()
}

// A server runs implementations of this program for another one.
type server struct {
	*harness
	looped map[string]bool // by kernel and implementation, whether there is a loop of that level
}

// answer does what a command says. It is false if there is no such kernel.
func (h *server) answer(c command) (s sample, ok bool) {
	h.hold(c.room)
	results := kernel{writes: c.impl, room: func(int) int { return c.room }}.results(setup{data: h.data, n: c.n})
	switch c.kernel {
	case "reset":
		results.reset()
		return s, true
	case "checksum":
		o := results.outcome()
		return sample{result: o.value, bits: o.bits}, true
	}
	form, level := levelOf(c.impl)
	use, undo := levels.Limit(level)
	defer undo()
	all := append(kernels, busyKernel)
	n := slices.IndexFunc(all, func(k kernel) bool { return k.name == c.kernel })
	if n < 0 || all[n].make[form] == nil || level == levels.Closure || use != level {
		return s, false
	}
	name := c.kernel + " " + c.impl
	if _, known := h.looped[name]; !known {
		h.looped[name] = hasLoop(all[n], form, level)
	}
	if !h.looped[name] {
		return s, false
	}
	if c.repeats == 0 { // whether there is such a kernel, of no items
		return s, true
	}
	run := all[n].make[form](setup{h.data, c.n, c.workers, h.space})
	return sampleOf(run, c.repeats, c.rest), true
}

// levelOf returns the form of an implementation, and the level that its name ends with.
func levelOf(impl string) (form string, level levels.Level) {
	for level = levels.AVX512; level > levels.Closure; level-- {
		if form, ok := strings.CutSuffix(impl, "-"+level.String()); ok {
			return form, level
		}
	}
	return impl, level
}

// hasLoop reports whether the functor of a form has a loop of a level.
func hasLoop(k kernel, form string, level levels.Level) bool {
	const n = 1000 // as good as any
	p := &probe{target: level.String()}
	k.make[form](setup{newData(k.elements(n)), n, 1, p})()
	return p.found
}

// A probe is a space that asks whether the functors of its launches have loops.
type probe struct {
	exec.Serial
	target string
	found  bool
}

func (p *probe) Launch(g space.Grid, j space.Job) error {
	if job, ok := j.(device.Job); ok {
		p.found = p.found || job.Functor().Code(p.target) != nil
	}
	return p.Serial.Launch(g, j)
}
