package exec_test

import (
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/policy"
)

// cubes are the values of a func(i int) float64, with a loop that leaves some to it.
type cubes struct {
	x      []float64
	leaves func(i int) bool
	wrong  int            // what is added to what the loop returns
	alone  []atomic.Int64 // calls of the functor, by index, or nil
}

func (k *cubes) at(i int) float64 {
	if k.alone != nil {
		k.alone[i].Add(1)
	}
	return k.x[i] * k.x[i] * k.x[i]
}

type cubesGo cubes

func (k *cubesGo) Values(first int, dst []float64) (done int) {
	spans.Add(1)
	for n := range dst {
		if i := first + n; i < 0 || i >= len(k.x) || k.leaves(i) {
			return n + k.wrong
		}
		dst[n] = k.x[first+n] * k.x[first+n] * k.x[first+n]
	}
	return len(dst) + k.wrong
}

func init() {
	kernel.Attach(kernel.Go, kernel.Source{Name: "exec_test.cubes", Version: kernel.Version},
		func(k *cubes) func(int) float64 { return k.at }, func(k *cubes) kernel.Values[float64] { return (*cubesGo)(k) })
}

// line is a Range of others that tells its integers as runs.
type line struct{ r policy.RangePolicy }

func (p line) Plan() policy.Plan                            { return p.r.Plan() }
func (p line) Next(begin, end int, dst []int) (n, next int) { return p.r.Next(begin, end, dst) }

func (p line) NextRuns(begin, end int, dst []policy.Run) (n, next int) {
	var first [1]int
	p.r.Next(begin, begin+1, first[:])
	dst[0] = policy.Run{Len: end - begin}
	dst[0].At[0] = first[0]
	return 1, end
}

// Integers that come as runs have the values of a Range.
func TestCompiledValuesOfRuns(t *testing.T) {
	k := &cubes{x: make([]float64, 1000), leaves: func(i int) bool { return i%50 == 3 }}
	for i := range k.x {
		k.x[i] = float64(i*7919%1009) / 7
	}
	p := policy.Range(10, 910).Chunk(40).On(exec.Serial{})
	want, err := foldCubes(p, k)
	require.NoError(t, err)
	before := spans.Load()
	var sum, high float64
	require.NoError(t, exec.ParallelFold(exec.Map(line{p}, k.at), builtin.Sum(&sum), builtin.Max(&high)))
	assert.Equal(t, want, fmt.Sprintf("%x %x", sum, high))
	if compiles() {
		assert.Greater(t, spans.Load(), before, "the loop has run")
	}
}

func foldCubes(p policy.RangePolicy, k *cubes) (text string, err error) {
	var sum, high float64
	err = exec.ParallelFold(exec.Map(p, k.at), builtin.Sum(&sum), builtin.Max(&high))
	return fmt.Sprintf("%x %x", sum, high), err
}

// Values of a loop have the bits of the functor, whatever the loop leaves to it.
func TestCompiledValues(t *testing.T) {
	x := make([]float64, 3000)
	for i := range x {
		x[i] = float64(i*7919%3001) / 7
	}
	two := exec.NewGoroutines(2)
	defer two.Close()
	for _, n := range []int{0, 1, 5, 33, 2990} {
		for _, chunk := range []int{0, 1, 40} {
			p := policy.Range(10, 10+n).Chunk(chunk)
			_, undo := kernel.Limit(kernel.Closure)
			want, err := foldCubes(p.On(exec.Serial{}), &cubes{x: x})
			undo()
			require.NoError(t, err)
			for name, leaves := range map[string]func(int) bool{
				"none": func(int) bool { return false }, "all": func(int) bool { return true },
				"some": func(i int) bool { return i%50 == 3 }, "the last": func(i int) bool { return i == 9+n },
			} {
				for _, s := range []exec.Space{exec.Serial{}, two, exec.NewSimGPU(gpu.H200())} {
					before := spans.Load()
					got, err := foldCubes(p.On(s), &cubes{x: x, leaves: leaves})
					require.NoError(t, err)
					require.Equal(t, want, got, "%d items, chunk %d, %s left, on %s", n, chunk, name, s.Name())
					if n > 0 && compiles() && !(checks() && s.Name() == "simgpu") {
						require.Greater(t, spans.Load(), before, "the loop was not asked")
					}
				}
			}
		}
	}
}

// A functor is called once for each value that its loop leaves, and for some behind it.
func TestValuesThatLoopsLeave(t *testing.T) {
	if !compiles() {
		t.Skip("no loops in this build")
	}
	alone := make([]atomic.Int64, 1000)
	k := &cubes{x: make([]float64, 1000), leaves: func(i int) bool { return i == 500 }, alone: alone}
	_, err := foldCubes(policy.Range(0, 1000).On(exec.Serial{}), k)
	require.NoError(t, err)
	calls := 0
	for i := range alone {
		n := int(alone[i].Load())
		calls += n
		assert.LessOrEqual(t, n, 1, "value %d", i)
		assert.True(t, n == 0 || i >= 500, "value %d", i)
	}
	assert.Equal(t, int64(1), alone[500].Load())
	assert.Less(t, calls, 100)
}

func TestWrongLoopOfValues(t *testing.T) {
	if !compiles() {
		t.Skip("no loops in this build")
	}
	for _, wrong := range []int{1, -2000} {
		k := &cubes{x: make([]float64, 100), leaves: func(int) bool { return false }, wrong: wrong}
		sum := 7.0
		err := exec.ParallelFold(exec.Map(policy.Range(0, 100).On(exec.Serial{}), k.at), builtin.Sum(&sum))
		require.ErrorContains(t, err, "the loop of", "%d", wrong)
		assert.Equal(t, 7.0, sum)
	}
}

// pointValues are the values of a func(at policy.Index2) float64, with a loop that leaves some to it.
type pointValues cubes

func (k *pointValues) at(at policy.Index2) float64 { return k.x[40*at.I+at.J] * float64(at.J-at.I) }

type pointValuesGo pointValues

func (k *pointValuesGo) Runs(runs []policy.Run, dst []float64) (done int) {
	spans.Add(1)
	for _, r := range runs {
		for range r.Len {
			if k.leaves(40*r.At[0] + r.At[1]) {
				return done + k.wrong
			}
			dst[done] = (*pointValues)(k).at(policy.Index2{I: r.At[0], J: r.At[1]})
			done++
			r.At[r.Dim]++
		}
	}
	return done + k.wrong
}

func init() {
	kernel.Attach(kernel.Go, kernel.Source{Name: "exec_test.pointValues", Version: kernel.Version},
		func(k *pointValues) func(policy.Index2) float64 { return k.at }, func(k *pointValues) kernel.ValuesRuns[float64] { return (*pointValuesGo)(k) })
}

// Values of points have the bits of the functor in all orders, whatever the loop leaves to it.
func TestCompiledValuesOfPoints(t *testing.T) {
	x := make([]float64, 1600)
	for i := range x {
		x[i] = float64(i*7919%3001) / 7
	}
	fold := func(p policy.MDRangePolicy[policy.Index2, [2]int], k *pointValues) (text string, err error) {
		var sum, high float64
		err = exec.ParallelFold(exec.Map(p, k.at), builtin.Sum(&sum), builtin.Max(&high))
		return fmt.Sprintf("%x %x", sum, high), err
	}
	two := exec.NewGoroutines(2)
	defer two.Close()
	box := policy.MDRange2([2]int{1, 3}, [2]int{37, 40})
	for n, p := range []policy.MDRangePolicy[policy.Index2, [2]int]{box, box.Iterate(policy.Right, policy.Left), box.Tile([2]int{5, 6}), box.Chunk(33)} {
		_, undo := kernel.Limit(kernel.Closure)
		want, err := fold(p.On(exec.Serial{}), &pointValues{x: x})
		undo()
		require.NoError(t, err)
		for name, leaves := range map[string]func(int) bool{
			"none": func(int) bool { return false }, "all": func(int) bool { return true },
			"some": func(i int) bool { return i%50 == 3 }, "the last": func(i int) bool { return i == 36*40+39 },
		} {
			for _, s := range []exec.Space{exec.Serial{}, two, exec.NewSimGPU(gpu.H200())} {
				before := spans.Load()
				got, err := fold(p.On(s), &pointValues{x: x, leaves: leaves})
				require.NoError(t, err)
				require.Equal(t, want, got, "policy %d, %s left, on %s", n, name, s.Name())
				if compiles() && !(checks() && s.Name() == "simgpu") {
					require.Greater(t, spans.Load(), before, "the loop was not asked")
				}
			}
		}
	}
	for _, wrong := range []int{1, -2000} {
		if _, err := fold(box.On(exec.Serial{}), &pointValues{x: x, leaves: func(int) bool { return false }, wrong: wrong}); compiles() {
			require.ErrorContains(t, err, "the loop of", "%d", wrong)
		}
	}
}
