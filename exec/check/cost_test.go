//go:build gokkos_slow && unix && !race

package check_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	osexec "os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/atomics"
)

// costly is a kernel whose time is measured, by items or products.
type costly struct {
	name  string
	items int
	run   func(s exec.Space) error
}

func waves(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(i%17) + 0.1*float64(i%7)
	}
	return x
}

func costlyKernels() []costly {
	const n, m, r, rows = 200_000, 400, 128, 20_000
	x, y, out := waves(n), make([]float64, n), make([]float64, rows)
	a, b := views.Must(views.Of2("a", waves(m*m), m, m)), views.Must(views.New2[float64]("b", m, m))
	h, keys := make([]int, 256), make([]int, n)
	for i := range keys {
		keys[i] = i * 2654435761 >> 7 & 255
	}
	p, q, product := waves(r*r), waves(r*r), make([]float64, r*r)
	begin, column, value := []int{0}, []int{}, []float64{}
	for i := range rows {
		for k := range 5 + i%7 {
			column, value = append(column, (i*37+k*911)%rows), append(value, 1.5)
		}
		begin = append(begin, len(column))
	}
	return []costly{
		{"a*x + y", n, func(s exec.Space) error {
			return exec.ParallelFor(policy.Range(0, n).On(s), func(i int) { y[i] = 2*x[i] + y[i] })
		}},
		{"stencil of 3", n, func(s exec.Space) error {
			return exec.ParallelFor(policy.Range(1, n-1).On(s), func(i int) { y[i] = (x[i-1] + x[i] + x[i+1]) / 3 })
		}},
		{"stencil of 5, views", m * m, func(s exec.Space) error {
			return exec.ParallelFor(policy.MDRange2([2]int{1, 1}, [2]int{m - 1, m - 1}).On(s), func(k policy.Index2) {
				b.Set(k.I, k.J, (a.At(k.I-1, k.J)+a.At(k.I+1, k.J)+a.At(k.I, k.J-1)+a.At(k.I, k.J+1))/4)
			})
		}},
		{"dot", n, func(s exec.Space) error {
			var d float64
			return exec.ParallelReduce(policy.Range(0, n).On(s), func(i int, acc *float64) { *acc += x[i] * y[i] }, builtin.Sum(&d))
		}},
		{"exp", n, func(s exec.Space) error {
			return exec.ParallelFor(policy.Range(0, n).On(s), func(i int) { y[i] = math.Exp(-x[i]) })
		}},
		{"histogram by atomics", n, func(s exec.Space) error {
			return exec.ParallelFor(policy.Range(0, n).On(s), func(i int) { atomics.Add(&h[keys[i]], 1) })
		}},
		{"sparse matrix", len(column), func(s exec.Space) error {
			return exec.ParallelFor(policy.Range(0, rows).On(s), func(i int) {
				sum := 0.0
				for k := begin[i]; k < begin[i+1]; k++ {
					sum += value[k] * x[column[k]]
				}
				out[i] = sum
			})
		}},
		{"product of matrices", r * r * r, func(s exec.Space) error {
			return exec.ParallelFor(policy.Range(0, r*r).On(s), func(i int) {
				row, c, sum := i/r*r, i%r, 0.0
				for k := range r {
					sum += p[row+k] * q[k*r+c]
				}
				product[i] = sum
			})
		}},
		{"product by tiles, teams", r * r * r, func(s exec.Space) error {
			return exec.ParallelFor(policy.Team((r/16)*(r/16), 256).Scratch(0, 4096, 0).On(s), func(m *team.Member) {
				ta, tb := team.Scratch[float64](m, 0, 256), team.Scratch[float64](m, 0, 256)
				ty, tx := m.Rank()/16, m.Rank()%16
				row, c, sum := m.LeagueRank()/(r/16)*16+ty, m.LeagueRank()%(r/16)*16+tx, 0.0
				for t := 0; t < r; t += 16 {
					ta[m.Rank()], tb[m.Rank()] = p[row*r+t+tx], q[(t+ty)*r+c]
					m.Barrier()
					for k := range 16 {
						sum += ta[ty*16+k] * tb[k*16+tx]
					}
					m.Barrier()
				}
				product[row*r+c] = sum
			})
		}},
		{"tree, teams", 50 * 256, func(s exec.Space) error {
			return exec.ParallelFor(policy.Team(50, 256).Scratch(0, 2048, 0).On(s), func(m *team.Member) {
				e := team.Scratch[float64](m, 0, 256)
				e[m.Rank()] = x[m.LeagueRank()*256+m.Rank()]
				for d := 128; d > 0; d /= 2 {
					m.Barrier()
					if m.Rank() < d {
						e[m.Rank()] += e[m.Rank()+d]
					}
				}
				team.Single(m, func() { y[m.LeagueRank()] = e[0] })
			})
		}},
	}
}

// TestTimes writes what a space takes for each kernel, in nanoseconds, for TestCost.
func TestTimes(t *testing.T) {
	file := os.Getenv("GOKKOS_COST_FILE")
	if file == "" {
		t.Skip("TestCost runs this")
	}
	var s exec.Space = exec.Serial{}
	sim := exec.NewSimGPU(gpu.H200())
	switch os.Getenv("GOKKOS_COST_SPACE") {
	case "checked":
		s = sim.WithChecks()
	case "simgpu":
		s = sim
	}
	var out bytes.Buffer
	for _, k := range costlyKernels() {
		least := time.Duration(math.MaxInt64)
		for range 5 {
			start := spent(t)
			for range 4 {
				require.NoError(t, k.run(s))
			}
			least = min(least, (spent(t)-start)/4)
		}
		fmt.Fprintln(&out, float64(least)/float64(k.items))
	}
	require.NoError(t, os.WriteFile(file, out.Bytes(), 0o644))
}

// spent returns the time that the process has had on processors.
func spent(t *testing.T) time.Duration {
	var u syscall.Rusage
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// A launch that is watched takes less than 15 times what Serial takes for code that is built
// without the flag, over ten kernels, and less than 50 times for each. Code that is built with
// the flag takes less than 4 times where nothing is watched: calls of functions that do nothing
// take 3.5.
func TestCost(t *testing.T) {
	if testing.Short() {
		t.Skip("times are for a quiet machine")
	}
	dir := t.TempDir()
	build := func(name string, flags ...string) string {
		file := filepath.Join(dir, name)
		out, err := osexec.Command("go", append(append([]string{"test", "-c", "-tags=gokkos_slow", "-o", file}, flags...), ".")...).CombinedOutput()
		require.NoError(t, err, "%s", out)
		return file
	}
	plain, told := build("plain"), build("told", "-gcflags=-race")
	times := func(program, space string) (x []float64) {
		file := filepath.Join(dir, "times")
		c := osexec.Command(program, "-test.run=^TestTimes$")
		c.Env = append(os.Environ(), "GOKKOS_COST_FILE="+file, "GOKKOS_COST_SPACE="+space, "GOMAXPROCS=1")
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%s", out)
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		for line := range bytes.Lines(data) {
			var v float64
			_, err := fmt.Sscan(string(line), &v)
			require.NoError(t, err)
			x = append(x, v)
		}
		return x
	}
	// The three take turns, so that they have the same neighbours, and the least of each counts.
	var serial, off, on []float64
	for range 5 {
		serial = least(serial, times(plain, "serial"))
		off = least(off, times(told, "serial"))
		on = least(on, times(told, "checked"))
	}
	var logOff, logOn float64
	for k, x := range costlyKernels() {
		t.Logf("%-26s %8.2f ns, %5.2f times as long with the flag, %5.1f times where it is watched", x.name, serial[k], off[k]/serial[k], on[k]/serial[k])
		assert.Less(t, on[k]/serial[k], 50.0, x.name)
		logOff += math.Log(off[k]/serial[k]) / float64(len(serial))
		logOn += math.Log(on[k]/serial[k]) / float64(len(serial))
	}
	t.Logf("geometric means: %.2f and %.2f", math.Exp(logOff), math.Exp(logOn))
	assert.Less(t, math.Exp(logOff), 4.0)
	assert.Less(t, math.Exp(logOn), 15.0)
}

// least returns the lesser of two times of each kernel. There are none in x at first.
func least(x, y []float64) []float64 {
	if x == nil {
		return y
	}
	for k := range x {
		x[k] = min(x[k], y[k])
	}
	return x
}
