package exec_test

import (
	"fmt"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/policy"
)

// A copied is a functor whose loop has its body, as a generator writes it: see method Each.
type copied struct {
	panics func(n int) bool
	each   int // calls of Each
	got    []int
}

func (k *copied) item(n int) {
	if k.panics(n) {
		panic(fmt.Sprint("at ", n))
	}
	k.got[n]++
}

func (k *copied) at(i int)               { k.item(i) }
func (k *copied) sum(i int, a *float64)  { k.item(i); *a += 1 / float64(i+1) }
func (k *copied) point(at policy.Index2) { k.item(10*at.I + at.J) }
func (k *copied) sums(at policy.Index2, a *float64) {
	k.item(10*at.I + at.J)
	*a += 1 / float64(at.I+at.J+1)
}
func (k *copied) cube(at policy.Index3)                { k.item(100*at.I + 10*at.J + at.K) }
func (k *copied) cubes(at policy.Index3, a *float64)   { k.cube(at); *a += 1 / float64(at.I+at.K+1) }
func (k *copied) fourth(at policy.Index4)              { k.item(180*at.I + 18*at.J + 2*at.K + at.L) }
func (k *copied) fourths(at policy.Index4, a *float64) { k.fourth(at); *a += 1 / float64(at.L+at.K+1) }

type (
	copiedAt              struct{ *copied }
	copiedSum             struct{ *copied }
	copiedPoints[I index] struct{ f func(at I) }
	copiedSums[I index]   struct{ f func(at I, a *float64) }
	index                 interface {
		policy.Index2 | policy.Index3 | policy.Index4
	}
)

func (k copiedAt) Span(begin, _ int) (next int) { return begin }
func (k copiedAt) Each(at *int, begin, end int) {
	k.each++
	for i := begin; i < end; i++ {
		*at = i
		k.at(i)
	}
}

func (k copiedSum) Span(begin, _, _ int, _ []float64) (next int) { return begin }
func (k copiedSum) Each(at *int, begin, end, item int, a *[4]unsafe.Pointer, n *[4]int) {
	k.each++
	lanes := unsafe.Slice((*float64)(a[0]), n[0])
	for i := begin; i < end; i++ {
		*at = i
		k.sum(i, &lanes[(item+i-begin)&(len(lanes)-1)])
	}
}

func (copiedPoints[I]) Runs([]policy.Run) (done, items int) { return 0, 0 }
func (k copiedPoints[I]) Each(at *I, x *int, begin, end int) {
	for *x = begin; *x < end; *x++ {
		k.f(*at)
	}
}

func (copiedSums[I]) Runs([]policy.Run, int, int, []float64) (done, items int) { return 0, 0 }
func (k copiedSums[I]) Each(at *I, x *int, begin, end, item int, a *[4]unsafe.Pointer, n *[4]int) {
	lanes := unsafe.Slice((*float64)(a[0]), n[0])
	for *x = begin; *x < end; *x++ {
		k.f(*at, &lanes[(item+*x-begin)&(len(lanes)-1)])
	}
}

func init() {
	from := kernel.Source{Name: "exec_test.copied", File: "compiledbody_test.go", Version: kernel.Version}
	kernel.Attach(kernel.Go, from, func(k *copied) func(int) { return k.at }, func(k *copied) kernel.For { return copiedAt{k} })
	kernel.Attach(kernel.Go, from, func(k *copied) func(int, *float64) { return k.sum }, func(k *copied) kernel.Reduce[float64] { return copiedSum{k} })
	kernel.Attach(kernel.Go, from, func(k *copied) func(policy.Index2) { return k.point }, func(k *copied) kernel.ForRuns { return copiedPoints[policy.Index2]{k.point} })
	kernel.Attach(kernel.Go, from, func(k *copied) func(policy.Index3) { return k.cube }, func(k *copied) kernel.ForRuns { return copiedPoints[policy.Index3]{k.cube} })
	kernel.Attach(kernel.Go, from, func(k *copied) func(policy.Index4) { return k.fourth }, func(k *copied) kernel.ForRuns { return copiedPoints[policy.Index4]{k.fourth} })
	kernel.Attach(kernel.Go, from, func(k *copied) func(policy.Index2, *float64) { return k.sums }, func(k *copied) kernel.ReduceRuns[float64] { return copiedSums[policy.Index2]{k.sums} })
	kernel.Attach(kernel.Go, from, func(k *copied) func(policy.Index3, *float64) { return k.cubes }, func(k *copied) kernel.ReduceRuns[float64] { return copiedSums[policy.Index3]{k.cubes} })
	kernel.Attach(kernel.Go, from, func(k *copied) func(policy.Index4, *float64) { return k.fourths }, func(k *copied) kernel.ReduceRuns[float64] { return copiedSums[policy.Index4]{k.fourths} })
}

// Loops with a functor's body have the bits of the functor, and panics name the index that it had.
func TestCopiedBodies(t *testing.T) {
	type launch = func(k *copied, on exec.Space, sum *float64) error
	box2, box3, box4 := policy.MDRange2([2]int{}, [2]int{30, 10}), policy.MDRange3([3]int{}, [3]int{3, 10, 10}), policy.MDRange4([4]int{}, [4]int{3, 10, 9, 2})
	launches := map[string][2]launch{
		"range": {func(k *copied, on exec.Space, _ *float64) error {
			return exec.ParallelFor(policy.Range(0, 300).On(on), k.at)
		},
			func(k *copied, on exec.Space, s *float64) error {
				return exec.ParallelReduce(policy.Range(0, 300).On(on), k.sum, builtin.Sum(s))
			}},
		"square": {func(k *copied, on exec.Space, _ *float64) error { return exec.ParallelFor(box2.On(on), k.point) },
			func(k *copied, on exec.Space, s *float64) error {
				return exec.ParallelReduce(box2.On(on), k.sums, builtin.Sum(s))
			}},
		"cube": {func(k *copied, on exec.Space, _ *float64) error { return exec.ParallelFor(box3.On(on), k.cube) },
			func(k *copied, on exec.Space, s *float64) error {
				return exec.ParallelReduce(box3.On(on), k.cubes, builtin.Sum(s))
			}},
		"four": {func(k *copied, on exec.Space, _ *float64) error { return exec.ParallelFor(box4.On(on), k.fourth) },
			func(k *copied, on exec.Space, s *float64) error {
				return exec.ParallelReduce(box4.On(on), k.fourths, builtin.Sum(s))
			}},
	}
	run := func(l launch, on exec.Space, panics func(n int) bool) (k *copied, sum float64, text any) {
		k = &copied{panics: panics, got: make([]int, 540)}
		defer func() {
			if p, ok := recover().(*exec.Panic); ok {
				text = fmt.Sprint(p.Value, " ", p.Index, " ", p.Begin, " ", p.End)
			}
		}()
		require.NoError(t, l(k, on, &sum))
		return
	}
	for name, both := range launches {
		for _, l := range both {
			for _, panics := range []func(int) bool{never, func(n int) bool { return n == 217 }} {
				_, undo := kernel.Limit(kernel.Closure)
				want, sum, text := run(l, exec.Serial{}, panics)
				undo()
				got, has, says := run(l, exec.Serial{}, panics)
				assert.Equal(t, []any{want.got, sum, text}, []any{got.got, has, says}, name)
				if name == "range" && compiles() {
					assert.Positive(t, got.each)
				}
			}
		}
	}
}
