//go:build !race && !gokkos_bounds

package scan_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/policy"
)

// prefixes is a functor of a scan, and its loop, which leaves some integers to the functor. Each integer that the functor
// runs is noted, by final.
type prefixes struct {
	x, y  []float64
	left  func(i int, final bool) bool
	fails int // the integer that panics
	calls *[2]map[int]int
}

func (k *prefixes) at(i int, acc *float64, final bool) {
	if k.calls != nil {
		k.calls[pass(final)][i]++
	}
	if i == k.fails {
		panic(i)
	}
	k.item(i, acc, final)
}

func pass(final bool) int { return map[bool]int{true: 1}[final] }

func (k *prefixes) item(i int, acc *float64, final bool) {
	*acc += k.x[i]
	if final {
		k.y[i] += *acc
	}
}

type prefixLoop prefixes

func (k *prefixLoop) Scan(begin, rounds, leaf int, a []float64, final bool) (done int) {
	for n := range rounds {
		for l := range a {
			i := begin + l*leaf + n
			if i == k.fails || k.left(i, final) {
				return n*len(a) + l
			}
			(*prefixes)(k).item(i, &a[l], final)
		}
	}
	return rounds * len(a)
}

func init() {
	from := kernel.Source{Name: "exec.prefixes", File: "compiled_test.go", Line: 30, Version: kernel.Version}
	kernel.Attach(kernel.Go, from, func(k *prefixes) func(int, *float64, bool) { return k.at }, func(k *prefixes) kernel.Scan[float64] { return (*prefixLoop)(k) })
}

// The loop and the functor run each integer once in each pass, with the bits of the functor alone, wherever the loop stops.
func TestCompiledScans(t *testing.T) {
	three := exec.NewGoroutines(3)
	defer three.Close()
	sim := exec.NewSimGPU(gpu.Device{}).WithSchedule(3)
	defer sim.Close()
	for name, left := range map[string]func(i int, final bool) bool{
		"none": func(int, bool) bool { return false }, "all": func(int, bool) bool { return true },
		"few": func(i int, _ bool) bool { return i%1000 == 300 }, "some": func(i int, _ bool) bool { return i%97 == 5 }, "results": func(i int, final bool) bool { return final && i%1000 == 999 },
		"ends": func(i int, _ bool) bool { return i&255 == 0 || i&255 == 255 },
	} {
		for _, on := range []exec.Space{exec.Serial{}, three, sim} {
			for _, n := range []int{0, 1, 5, 255, 1000, 4096, 70_003} {
				for _, chunk := range []int{0, 512} {
					k := &prefixes{make([]float64, n), make([]float64, n), left, -1, nil}
					for i := range k.x {
						k.x[i] = 1 / float64(i+3)
					}
					p := policy.Range(0, n).On(on)
					if chunk > 0 {
						p = p.Chunk(chunk)
					}
					var totals [2]float64
					require.NoError(t, exec.ParallelScan(p, k.at, builtin.Sum(&totals[0])))
					got := append([]float64(nil), k.y...)
					clear(k.y)
					_, undo := kernel.Limit(kernel.Closure)
					err := exec.ParallelScan(p, k.at, builtin.Sum(&totals[1]))
					undo()
					require.NoError(t, err)
					require.True(t, assert.ObjectsAreEqual(append(k.y, totals[1]), append(got, totals[0])), "%s: %d on %s, chunk %d", name, n, on.Name(), chunk)
				}
			}
		}
	}
}

// An integer that fails is the functor's. All in front of it have run, once in its pass.
func TestCompiledScanFails(t *testing.T) {
	two := exec.NewGoroutines(2)
	defer two.Close()
	for _, n := range []int{400, 20_000} {
		for _, fails := range []int{0, 1, 37, 255, n / 2, n - 1} {
			var texts []string
			for _, level := range []kernel.Level{kernel.Go, kernel.Closure} {
				_, undo := kernel.Limit(level)
				k := &prefixes{make([]float64, n), make([]float64, n), func(int, bool) bool { return false }, fails, nil}
				for i := range k.x {
					k.x[i] = 1
				}
				total := 7.0
				p := scanPanic(func() error {
					return exec.ParallelScan(policy.Range(0, n).On(exec.Serial{}), k.at, builtin.Sum(&total))
				})
				undo()
				require.NotNil(t, p)
				texts = append(texts, fmt.Sprint(p.Value, p.Index, p.Begin, p.End, total))
			}
			assert.Equal(t, texts[1], texts[0], "integer %d of %d", fails, n)
		}
	}
}

// The functor runs few integers where the loop stops once.
func TestCompiledScanGoesOn(t *testing.T) {
	const n = 20_000
	k := &prefixes{make([]float64, n), make([]float64, n), func(i int, _ bool) bool { return i == 7777 }, -1, &[2]map[int]int{{}, {}}}
	var total float64
	require.NoError(t, exec.ParallelScan(policy.Range(0, n).On(exec.Serial{}), k.at, builtin.Sum(&total)))
	for _, calls := range k.calls {
		assert.Equal(t, 1, calls[7777])
		assert.Less(t, len(calls), 100)
	}
}

// A scan that is cancelled ends.
func TestCompiledScanIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	const n = 1 << 20
	k := &prefixes{make([]float64, n), make([]float64, n), func(i int, final bool) bool {
		if i == 1000 {
			cancel()
		}
		return false
	}, -1, nil}
	total := 3.0
	err := exec.ParallelScan(policy.Range(0, n).On(exec.Serial{}).WithContext(ctx), k.at, builtin.Sum(&total))
	assert.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, 3.0, total)
	assert.Zero(t, k.y[n-1])
}

// wrong is a functor whose loop says that it has done what nobody asked for.
type wrong struct{ done int }

func (k *wrong) at(int, *float64, bool) {}

type wrongLoop wrong

func (k *wrongLoop) Scan(begin, rounds, leaf int, a []float64, final bool) (done int) { return k.done }

// A loop that returns another number than it may is an error that names the functor.
func TestCompiledScanBreaches(t *testing.T) {
	from := kernel.Source{Name: "exec.wrong", File: "compiled_test.go", Line: 160, Version: kernel.Version}
	kernel.Attach(kernel.Go, from, func(k *wrong) func(int, *float64, bool) { return k.at }, func(k *wrong) kernel.Scan[float64] { return (*wrongLoop)(k) })
	for _, n := range []int{20, 5000} {
		for _, done := range []int{-1, math.MaxInt} {
			k := &wrong{done}
			var total float64
			err := exec.ParallelScan(policy.Range(0, n).On(exec.Serial{}), k.at, builtin.Sum(&total))
			assert.ErrorContains(t, err, "exec: the loop of", "%d of %d", done, n)
		}
	}
}
