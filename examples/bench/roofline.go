package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/tools/rate"
)

// limits are what a machine can do at most.
type limits struct {
	reads      []reads // the smallest array first
	arithmetic float64 // products and sums of float64 in a nanosecond
}

// reads is how fast an array of so many bytes is read.
type reads struct {
	bytes int
	rate  float64 // bytes in a nanosecond
}

// readSizes are arrays that fit the caches of one level each, on most machines, and one that fits none.
var readSizes = []int{256 << 10, 4 << 20, 32 << 20, 1 << 30}

// measureLimits measures what the workers can do at most.
func (h *harness) measureLimits() (*limits, error) {
	l := &limits{}
	for _, bytes := range readSizes {
		r, err := rate.Read(h.space, bytes)
		if err != nil {
			return nil, err
		}
		l.reads = append(l.reads, reads{bytes, r})
	}
	n := 1 << 16 * h.o.workers
	for _, name := range atLevels(index) {
		c, err := h.peer(busyKernel, name, n)
		if name == index {
			h.hold(n)
			c, err = h.contestant(busyKernel, name, n, h.space), nil
		} else if errors.Is(err, errNoKernel) || !h.o.wants(name) {
			continue
		}
		for range 20 {
			if err != nil {
				return nil, err
			}
			var s sample
			s, err = c.run(1, 0)
			l.arithmetic = max(l.arithmetic, busyOperations*float64(n)/float64(s.took))
		}
	}
	return l, nil
}

// busyKernel computes for as long as it can with what it has read once: of each of eight numbers 64 products and sums.
var busyKernel = kernel{
	name: "busy", writes: "z",
	make: transform{
		gokkos: loops{
			index: func(s setup) func() error {
				p, a, x, z := s.items(), .5, s.x, s.z
				return func() error {
					return exec.ParallelFor(p, func(i int) {
						b := x[i]
						c, d, e, f := b+1, b+2, b+3, b+4
						g, h, k := b+5, b+6, b+7
						for range 64 {
							b, c = b*a+.5, c*a+.5
							d, e = d*a+.5, e*a+.5
							f, g = f*a+.5, g*a+.5
							h, k = h*a+.5, k*a+.5
						}
						z[i] = b + c + d + e + f + g + h + k
					})
				}
			},
		},
	}.implementations(),
}

// busyOperations is how many products and sums busyKernel takes for an item.
const busyOperations = 7 + 64*8*2 + 7

// flops is how many operations an item of a kernel takes, for the roofline.
var flops = map[string]float64{
	"sum": 1, "dot": 2, "min": 1, "minloc": 1, "minmax": 2, "fused4": 5, "axpy": 2, "triad": 2,
	"scan": 1, "scan_inclusive": 1, "scan_int32": 1, "stencil2": 5, "stencil3": 7, "residual": 7,
	"gemv": 2, "tensor": 3, "team_vector_loop": 2,
	"scatter1e3": 1, "scatter16e3": 1, "scatter64e3": 1, "scatter1e6": 1,
}

// A point is a kernel in the roofline: what an item of it does, and how long it takes.
type point struct {
	name                          string
	operations, bytes, nanosecond float64
}

// parseMark reads a mark that a user gives.
func parseMark(s string) (m point, err error) {
	name, figures, _ := strings.Cut(s, "=")
	words := strings.Split(figures, "/")
	if name == "" || len(words) != 3 {
		return m, fmt.Errorf("%q, expected a name, and of an item the operations, the bytes and the nanoseconds, such as axpy=2/24/1.5", s)
	}
	m.name = name
	for k, to := range []*float64{&m.operations, &m.bytes, &m.nanosecond} {
		*to, err = strconv.ParseFloat(words[k], 64)
		if err != nil || !(*to > 0 && *to < 1e18) {
			return m, fmt.Errorf("%q: %q, expected a number above 0", s, words[k])
		}
	}
	return m, nil
}

// intensity is how many operations the kernel does for a byte.
func (m point) intensity() float64 { return m.operations / m.bytes }

// speed is how many operations it does in a nanosecond.
func (m point) speed() float64 { return m.operations / m.nanosecond }

// share is how much of the limit of an array of so many bytes, or of arithmetic if that is lower, a kernel has.
func (l *limits) share(m point, of reads) (share float64, by string) {
	if most := of.rate * m.intensity(); most < l.arithmetic {
		return m.speed() / most, "reads"
	}
	return m.speed() / l.arithmetic, "arithmetic"
}

// write prints the limits, and of each mark what it has of that of memory.
func (l *limits) write(w io.Writer, marks []point) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "limit\tGB/s\t\n")
	for _, r := range l.reads {
		fmt.Fprintf(t, "reads of %s\t%.1f\t\n", sizeOf(r.bytes), r.rate)
	}
	fmt.Fprintf(t, "\nlimit\tper ns\t\nproducts and sums of float64\t%.1f\t\n", l.arithmetic)
	memory := l.reads[len(l.reads)-1]
	fmt.Fprintf(t, "\nkernel\toperations per byte\tper ns\tGB/s\tlimit\tof it\t\n")
	for _, m := range marks {
		share, by := l.share(m, memory)
		fmt.Fprintf(t, "%s\t%.3g\t%.3g\t%.1f\t%s\t%.0f %%\t\n", m.name, m.intensity(), m.speed(), m.bytes/m.nanosecond, by, 100*share)
	}
	return t.Flush()
}

// sizeOf names a number of bytes.
func sizeOf(bytes int) string {
	for _, u := range []struct {
		name string
		log  int
	}{{"GiB", 30}, {"MiB", 20}, {"KiB", 10}} {
		if bytes >= 1<<u.log {
			return fmt.Sprintf("%d %s", bytes>>u.log, u.name)
		}
	}
	return fmt.Sprintf("%d B", bytes)
}

// marksOf returns where kernels lie that were measured, each at its largest size and in our fastest form.
func marksOf(all []measurement) (marks []point) {
	best := map[string]measurement{}
	for _, m := range all {
		before, known := best[m.Kernel]
		switch {
		case m.Missing != "" || !ours(m.Impl) || flops[m.Kernel] == 0:
		case !known || m.N > before.N || m.N == before.N && m.Median < before.Median:
			best[m.Kernel] = m
		}
	}
	for _, m := range all {
		if b, ok := best[m.Kernel]; ok && b == m {
			name := fmt.Sprintf("%s (%s)", m.Kernel, strings.TrimPrefix(m.Impl, "gokkos-"))
			marks = append(marks, point{name, flops[m.Kernel], m.Rate * m.Median, m.Median})
		}
	}
	return marks
}

// draw draws the limits, and how many operations kernels do in a time, over how many they do for a byte that
// they move.
func (l *limits) draw(name string, marks []point) error {
	p := plot.New()
	p.Title.Text = "roofline"
	p.X.Label.Text, p.Y.Label.Text = "operations per byte", "operations per ns"
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = plot.LogTicks{Prec: -1}, plot.LogTicks{Prec: -1}
	low, high := 1./64, 64.
	for _, m := range marks {
		low, high = min(low, m.intensity()/2), max(high, 2*m.intensity())
	}
	for k, r := range l.reads {
		ridge := min(max(l.arithmetic/r.rate, low), high)
		roof, err := plotter.NewLine(plotter.XYs{{X: low, Y: r.rate * low}, {X: ridge, Y: min(r.rate*ridge, l.arithmetic)}, {X: high, Y: min(r.rate*high, l.arithmetic)}})
		if err != nil {
			return err
		}
		roof.Dashes = plotutil.Dashes(k)
		p.Add(roof)
		p.Legend.Add(fmt.Sprintf("%s: %.0f GB/s", sizeOf(r.bytes), r.rate), roof)
	}
	for k, m := range marks {
		at, err := plotter.NewScatter(plotter.XYs{{X: m.intensity(), Y: m.speed()}})
		if err != nil {
			return err
		}
		at.Color, at.Shape = plotutil.Color(k), plotutil.Shape(k)
		p.Add(at)
		p.Legend.Add(m.name, at)
	}
	widen(&p.Y, 0)
	return save(name, []*plot.Plot{p})
}
