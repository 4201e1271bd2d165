//go:build !race && !noasm && (amd64 || arm64)

package exec_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/check"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/atomics"
)

// instrumented reports whether this package was built for accesses to be seen.
func instrumented(t *testing.T, s exec.Space) bool {
	shared := 0
	err := exec.ParallelFor(policy.Range(0, 2).On(s), func(int) { shared++ })
	if err == nil {
		t.Log("build with -gcflags=-race to see accesses")
	}
	return err != nil
}

// watchedKernels are what items do, and what of it is a mistake.
var watchedKernels = []struct {
	name string
	want error // or nil
	line string
	run  func(s exec.Space) error
}{
	{"own elements", nil, "", func(s exec.Space) error {
		x := make([]float64, 1000)
		return exec.ParallelFor(policy.Range(0, len(x)).On(s), func(i int) { x[i] += float64(i) })
	}},
	{"neighbours", check.ErrRace, "x[i] = x[max(i-1, 0)]", func(s exec.Space) error {
		x := make([]float64, 1000)
		return exec.ParallelFor(policy.Range(0, len(x)).On(s), func(i int) { x[i] = x[max(i-1, 0)] + 1 })
	}},
	{"a histogram", check.ErrRace, "", func(s exec.Space) error {
		h := make([]int, 10)
		return exec.ParallelFor(policy.Range(0, 1000).On(s), func(i int) { h[i%10]++ })
	}},
	{"a histogram of atomics", nil, "", func(s exec.Space) error {
		h := make([]int64, 10)
		return exec.ParallelFor(policy.Range(0, 1000).On(s), func(i int) { atomics.Add(&h[i%10], 1) })
	}},
	{"a captured variable", check.ErrRace, "", func(s exec.Space) error {
		var t float64
		x := make([]float64, 1000)
		return exec.ParallelFor(policy.Range(0, 1000).On(s), func(i int) { t = float64(i); x[i] = t * t })
	}},
	{"a view of two dimensions", nil, "", func(s exec.Space) error {
		v, err := views.New2[float64]("v", 20, 30)
		exec.Must(err)
		return exec.ParallelFor(policy.MDRange2([2]int{}, [2]int{20, 30}).On(s), func(i policy.Index2) { v.Set(i.I, i.J, v.At(i.I, i.J)+1) })
	}},
	{"a row below", check.ErrRace, "", func(s exec.Space) error {
		v, err := views.New2[float64]("v", 20, 30)
		exec.Must(err)
		return exec.ParallelFor(policy.MDRange2([2]int{}, [2]int{20, 30}).On(s), func(i policy.Index2) { v.Set(i.I, i.J, v.At((i.I+1)%20, i.J)) })
	}},
	{"bytes side by side", nil, "", func(s exec.Space) error {
		x := make([]bool, 1000)
		return exec.ParallelFor(policy.Range(0, len(x)).On(s), func(i int) { x[i] = true })
	}},
	{"a sum", nil, "", func(s exec.Space) error {
		var sum float64
		x := make([]float64, 1000)
		return exec.ParallelReduce(policy.Range(0, len(x)).On(s), func(i int, acc *float64) { *acc += x[i] }, builtin.Sum(&sum))
	}},
	{"four sums", nil, "", func(s exec.Space) error {
		var a, b, c, d float64
		return exec.ParallelReduce4(policy.Range(0, 1000).On(s), func(i int, w, x, y, z *float64) { *w++; *x++; *y++; *z++ },
			builtin.Sum(&a), builtin.Sum(&b), builtin.Sum(&c), builtin.Sum(&d))
	}},
	{"the result in the functor", check.ErrResult, "", func(s exec.Space) error {
		var sum float64
		return exec.ParallelReduce(policy.Range(0, 1000).On(s), func(i int, acc *float64) { *acc += sum }, builtin.Sum(&sum))
	}},
	{"lanes", nil, "", func(s exec.Space) error {
		var sum float64
		x := make([]float64, 10000)
		return exec.ParallelReduceLanes(policy.Spans(0, len(x)).On(s), func(l exec.Lanes[float64]) {
			for i, acc := range l.Items() {
				*acc += x[i]
			}
		}, builtin.Sum(&sum))
	}},
	{"spans that overlap", check.ErrRace, "", func(s exec.Space) error {
		x := make([]float64, 10001)
		return exec.ParallelFor(policy.Spans(0, 10000).On(s), func(p policy.Span) {
			for i := p.Begin; i <= p.End; i++ {
				x[i] = 1
			}
		})
	}},
	{"a scan", nil, "", func(s exec.Space) error {
		x := make([]int, 1000)
		return exec.ParallelScan(policy.Range(0, len(x)).On(s), func(i int, acc *int, final bool) {
			*acc += i
			if final {
				x[i] = *acc
			}
		}, builtin.Sum(new(int)))
	}},
	{"a scan that writes twice", check.ErrScan, "", func(s exec.Space) error {
		x := make([]int, 1000)
		return exec.ParallelScan(policy.Range(0, len(x)).On(s), func(i int, acc *int, final bool) {
			*acc += i
			x[i] = *acc
		}, builtin.Sum(new(int)))
	}},
	{"a nested launch", nil, "", func(s exec.Space) error {
		x := make([]float64, 40)
		return exec.ParallelFor(policy.Range(0, 4).On(s), func(i int) {
			exec.Must(exec.ParallelFor(policy.Range(10*i, 10*i+10).On(s), func(k int) { x[10*i]++; x[k]++ }))
		})
	}},
}

func TestWatchedItems(t *testing.T) {
	sim := exec.NewSimGPU(gpu.Device{}).WithChecks()
	defer sim.Close()
	if !instrumented(t, sim) {
		return
	}
	for _, k := range watchedKernels {
		var first string
		for schedule := range uint64(8) {
			err := k.run(sim.WithSchedule(schedule))
			if k.want == nil {
				assert.NoError(t, err, "%s, schedule %d", k.name, schedule)
				continue
			}
			require.ErrorIs(t, err, k.want, "%s, schedule %d", k.name, schedule)
			var e *check.Error
			require.True(t, errors.As(err, &e))
			for _, f := range e.Findings {
				assert.True(t, strings.HasSuffix(f.Now.File, "watched_test.go"), "%s: %v", k.name, f)
			}
			if schedule == 0 {
				first = err.Error()
				t.Log(k.name, first)
			}
		}
	}
}
