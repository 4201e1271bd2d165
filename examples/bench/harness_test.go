package main

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// beside races an implementation against the loop of a kernel, and returns the error.
func beside(t *testing.T, k kernel, run func(s setup) float64) error {
	return besideAs(t, "gonum", k, run)
}

// besideAs does so under a name.
func besideAs(t *testing.T, name string, k kernel, run func(s setup) float64) error {
	k.make = implementations{
		plain: k.make[plain],
		name:  func(s setup) implementation { return func() float64 { return run(s) } },
	}
	h := newHarness(t.Context(), &options{workers: 2, rounds: 1, time: 1}, nil, nil)
	defer h.close()
	_, err := h.measure(k, 10000)
	return err
}

// An implementation that computes something else is no competitor.
func TestWrongResultsAreFound(t *testing.T) {
	assert.ErrorContains(t, beside(t, sumKernel, func(setup) float64 { return 42 }), "gonum computes 42")
	assert.ErrorContains(t, beside(t, sumKernel, func(setup) float64 { return math.NaN() }), "gonum computes NaN")
}

// Neither is one that does nothing, unless that is the work.
func TestNoWorkIsFound(t *testing.T) {
	for _, k := range kernels {
		err := beside(t, k, func(setup) float64 { return 0 })
		if k.name == launchForKernel.name {
			assert.NoError(t, err)
			continue
		}
		assert.ErrorContains(t, err, "gonum computes", k.name)
	}
}

// Nor is one that does a part of the work, or all of it in the wrong places.
func TestMissingWorkIsFound(t *testing.T) {
	whole := func(k kernel, s setup) { k.make[plain](s)() }
	for name, c := range map[string]struct {
		k   kernel
		run func(s setup)
	}{
		"axpy, half":           {axpyKernel, func(s setup) { axpy(-.5, s.x[:s.n/2], s.z) }},
		"axpy, the other sign": {axpyKernel, func(s setup) { axpy(.5, s.x[:s.n], s.z) }},
		"triad, one item":      {triadKernel, func(s setup) { triad(s, s.n/2, s.n/2+1) }},
		"triad, one item less": {triadKernel, func(s setup) { triad(s, 0, s.n-1) }},
		"triad, two swapped": {triadKernel, func(s setup) {
			whole(triadKernel, s)
			s.z[1], s.z[2] = s.z[2], s.z[1]
		}},
		"scan, the total": {scanKernel, func(s setup) {
			whole(scanKernel, s)
			float64s(s.z[:s.n-1]).reset()
		}},
		"scan, all but the first": {scanKernel, func(s setup) {
			whole(scanKernel, s)
			float64s(s.z[:1]).reset()
		}},
		"scan of integers, one off": {scanInt32Kernel, func(s setup) {
			whole(scanInt32Kernel, s)
			s.ints[s.n-1]++
		}},
		"stencil, the first row": {stencil2Kernel, func(s setup) {
			m := edge(s.n)
			stencil2(s.z, s.x, m, m+1, m-2)
		}},
		"stencil, a border too": {stencil2Kernel, func(s setup) {
			whole(stencil2Kernel, s)
			s.z[0] = 0
		}},
		"stencil, no last plane": {stencil3Kernel, func(s setup) {
			m := edge3(s.n)
			for k := m + 1; k < (m-2)*m-1; k++ {
				stencil3(s.z, s.x, m, m*m+k, 1)
			}
		}},
		"transpose, not": {transposeKernel, func(s setup) { copy(s.z, s.x[:s.n]) }},
		"product, of the transposed": {matmulKernel, func(s setup) {
			m := extent(s.n)
			for i := range m {
				for j := range m {
					s.z[i*m+j] = dot(s.x[i*m:][:m], s.y[j*m:][:m])
				}
			}
		}},
		"scatter, one less": {scatterKernel("", 1000), func(s setup) {
			whole(scatterKernel("", 1000), s)
			s.z[s.cell[s.n-1]] -= s.x[s.n-1]
		}},
		"scatter, to cells beyond the items": {scatterKernel("", 20000), func(s setup) {
			whole(scatterKernel("", 20000), s)
			s.z[19999]++
		}},
		"forces, of one of each pair": {forcesKernel, func(s setup) {
			f := newForces(s)
			for i := range f.particles {
				for _, j := range f.nearOf(i) {
					x, _, _ := force(f.at(i), f.at(int(j)))
					s.z[i/lanes*3*lanes+i%lanes] += x
				}
			}
		}},
		"gemv, the first row":    {gemvKernel, func(s setup) { s.z[0] = dot(s.x[:edge(s.n)], s.y[:edge(s.n)]) }},
		"softmax, the first row": {softmaxKernel, func(s setup) { softmax(s.z[:edge(s.n)], s.x[:edge(s.n)]) }},
		"tensor, the first row":  {tensorKernel, func(s setup) { s.z[0], s.z[1] = means(s.x[:edge(s.n)]) }},
	} {
		err := beside(t, c.k, func(s setup) float64 { c.run(s); return 0 })
		assert.ErrorContains(t, err, "gonum computes", name)
	}
}

// The peers in C++ write the same each time, and so does axpy, whose sign alternates.
func TestPeersAreReset(t *testing.T) {
	p := peersOf(t)
	axpy := command{kernel: "axpy", impl: "cpp-omp", n: 100, room: 100, workers: 1, repeats: 1}
	first, err := p.written(axpy, "z")
	assert.NoError(t, err)
	second, err := p.written(axpy, "z")
	assert.NoError(t, err)
	assert.Equal(t, first.result, second.result)
}

// What is as good as the loop but for rounding is no form of an exact kernel, though gonum may
// round as it likes.
func TestOtherBitsAreFound(t *testing.T) {
	k := triadKernel
	run := func(s setup) float64 {
		triad(s, 0, s.n)
		s.z[s.n-1] = math.Nextafter(s.z[s.n-1], 1)
		return 0
	}
	assert.ErrorContains(t, besideAs(t, "errgroup", k, run), "errgroup computes other bits than loop")
	assert.NoError(t, besideAs(t, "gonum", k, run))
}

// Ours have the bits that they have on Serial, but for atomics.
func TestBitsOfWorkersAreFound(t *testing.T) {
	run := func(s setup) float64 {
		sum := sumKernel.make[plain](s)()
		if s.space.Concurrency() > 1 {
			sum = math.Nextafter(sum, 0)
		}
		return sum
	}
	assert.ErrorContains(t, besideAs(t, "gokkos-span", sumKernel, run), "gokkos-span computes other bits with 2 workers than gokkos-span on Serial")
	assert.NoError(t, besideAs(t, unordered, sumKernel, run))
}

// Integers are compared exactly, however many there are.
func TestIntegersAreExact(t *testing.T) {
	x := make(int32s, 1e5)
	for i := range x {
		x[i] = math.MaxInt32
	}
	before := x.outcome()
	x[5e4]--
	assert.NotEqual(t, before.value, x.outcome().value)
	assert.Zero(t, before.scale)
}

// Threads of C++ are gone when a command is done: nothing spins while another one is measured.
func TestPeersSleep(t *testing.T) {
	p := peersOf(t)
	if _, err := os.Stat("/proc/self/task"); err != nil {
		t.Skip(err)
	}
	for _, rest := range []time.Duration{0, time.Millisecond} {
		_, err := p.run(command{kernel: "sum", impl: "cpp-omp", n: 1000, room: 1000, workers: 2, repeats: 10, rest: rest})
		require.NoError(t, err)
		process := fmt.Sprintf("/proc/%d/", p.cmd.Process.Pid)
		assert.Eventually(t, func() bool { // a thread that is joined may be listed for a moment
			tasks, err := os.ReadDir(process + "task")
			return err == nil && len(tasks) == 1
		}, time.Minute, time.Millisecond, "threads are left")
		assert.Eventually(t, func() bool {
			stat, err := os.ReadFile(process + "stat")
			return err == nil && strings.Contains(string(stat), ") S ")
		}, time.Minute, time.Millisecond, "it spins in place of sleeping until its next command")
	}
}

// A rest is not part of what is measured, in Go nor in C++, and processor time is that of all
// workers.
func TestSamples(t *testing.T) {
	const rest, times = 30 * time.Millisecond, 4
	begin := time.Now()
	s := sampleOf(func() float64 { return 7 }, times, rest)
	assert.LessOrEqual(t, s.took+times*rest, time.Since(begin))
	assert.EqualValues(t, 7, s.result)
	h := newHarness(t.Context(), &options{workers: 2}, nil, nil)
	defer h.close()
	h.hold(1e6)
	c := h.contestant(computeKernel, "errgroup", 1e6, h.space)
	if s, err := c.run(1, 0); assert.NoError(t, err) && cpuTime() > 0 {
		assert.Greater(t, s.cpu, 10*time.Millisecond, "of 1e8 steps, each of which waits for the one before")
		assert.LessOrEqual(t, s.cpu, 2*s.took+20*time.Millisecond)
	}
	p := peersOf(t)
	begin = time.Now()
	s, err := p.run(command{kernel: "sum", impl: "cpp-omp", n: 10, room: 10, workers: 1, repeats: times, rest: rest})
	assert.NoError(t, err)
	assert.LessOrEqual(t, s.took+times*rest, time.Since(begin))
	assert.Positive(t, s.cpu)
}

// Rounds in both orders: each contestant comes after another one than itself, and the ratio is
// that of the medians.
func TestOrders(t *testing.T) {
	var ran []string
	fake := func(name string) *contestant {
		return &contestant{name: name, n: 1, repeats: 1, run: func(int, time.Duration) (sample, error) {
			ran = append(ran, name)
			took := time.Duration(1)
			if name == "b" && ran[max(len(ran)-2, 0)] == "c" { // disturbed by c
				took = 3
			}
			return sample{took: took}, nil
		}}
	}
	field := []*contestant{fake("a"), fake("b"), fake("c")}
	h := newHarness(t.Context(), &options{workers: 1, orders: true}, nil, nil)
	defer h.close()
	for range 3 {
		require.NoError(t, h.race(sumKernel, field, listed))
		require.NoError(t, h.race(sumKernel, field, reversed))
	}
	assert.Equal(t, "cabcacba", strings.Join(ran[:8], ""))
	assert.EqualValues(t, 1, h.summary(sumKernel, 1, field[0]).Orders)
	assert.EqualValues(t, 3, h.summary(sumKernel, 1, field[1]).Orders)
	assert.Contains(t, h.noise.String(), "1.00 to 3.00 for all")
}

// With -cpu, figures are of processor time, and it takes no part in what they are else.
func TestProcessorTime(t *testing.T) {
	for _, cpu := range []bool{false, true} {
		h := newHarness(t.Context(), &options{workers: 2, cpu: cpu}, nil, nil)
		c := &contestant{n: 2, repeats: 2, run: func(int, time.Duration) (sample, error) {
			return sample{took: 40, cpu: 60}, nil
		}}
		require.NoError(t, h.race(sumKernel, []*contestant{c}, listed))
		m := h.summary(sumKernel, 2, c)
		assert.EqualValues(t, 15, m.CPU)
		assert.EqualValues(t, map[bool]float64{false: 10, true: 15}[cpu], m.Median)
		h.close()
	}
}
