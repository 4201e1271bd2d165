package exec_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

// A nested space runs the upper half of the leaves, and the lower half, as another worker, when it is asked to.
type nested struct{ lower func() }

func (*nested) Name() string     { return "nested" }
func (*nested) Concurrency() int { return 2 }
func (n *nested) Launch(g space.Grid, j space.Job) error {
	j.Open(2, 2)
	n.lower = func() {
		done := make(chan bool)
		go func() { done <- j.Run(0, 0, g.Leaves/2, 0) }()
		<-done
	}
	j.Run(1, g.Leaves/2, g.Leaves, 1)
	return nil
}

// A worker that runs several leaves in one call ends with the leaf in which another one fails at lower items, and all items
// below that have run.
func TestNodesEndBehindAFault(t *testing.T) {
	const n, failing = 64, 1234 // a power of two of leaves
	for _, launch := range []string{"for points", "for rows", "reduce points", "reduce rows"} {
		on := new(nested)
		p := policy.MDRange2([2]int{}, [2]int{n, n}).On(on)
		upper, above, below := 0, 0, 0 // the first item of the upper half, and how many run of each half
		see := func(first, count int) {
			switch {
			case above == 0:
				upper, above = first, count
				on.lower()
			case first >= upper:
				above += count
			case first <= failing && failing < first+count:
				panic("lower")
			default:
				below += count
			}
		}
		point := func(at policy.Index2) { see(at.I*n+at.J, 1) }                     //gokkosvet:ignore one half after the other
		row := func(r policy.Row[policy.Index2]) { see(r.At.I*n+r.Begin, r.Len()) } //gokkosvet:ignore one half after the other
		var sum float64
		var found *exec.Panic
		func() {
			defer func() { found, _ = recover().(*exec.Panic) }()
			switch launch {
			case "for points":
				_ = exec.ParallelFor(p, point)
			case "for rows":
				_ = exec.ParallelFor(p.Rows(), row)
			case "reduce points":
				//gokkosvet:ignore one half after the other
				_ = exec.ParallelReduce(p, func(at policy.Index2, _ *float64) { point(at) }, builtin.Sum(&sum))
			case "reduce rows":
				//gokkosvet:ignore one half after the other
				_ = exec.ParallelReduce(p.Rows(), func(r policy.Row[policy.Index2], _ *float64) { row(r) }, builtin.Sum(&sum))
			}
		}()
		require.NotNil(t, found, launch)
		size := found.End - found.Begin
		assert.Equal(t, "lower", found.Value, launch)
		assert.True(t, found.Begin <= failing && failing < found.End, launch)
		assert.GreaterOrEqual(t, below, found.Begin, launch)
		assert.Equal(t, size, above, "%s: a leaf of the upper half", launch)
	}
}

// Panics of functors and of joins have the items that they have where leaves run one by one.
func TestReduceRunsPanic(t *testing.T) {
	const n, m, leaf = 32, 38, 64 // 19 leaves, which cut rows
	p := policy.MDRange2([2]int{}, [2]int{n, m}).Chunk(leaf)
	for _, s := range compiledSpaces(t) {
		for _, item := range []int{-1, 0, 1, leaf - 1, leaf, 1000, 4 * leaf, 7*leaf + 5, n*m - 1} {
			for _, bad := range []uint64{1, 3, 7, 0xf, 1 << 2, 1 << 3, 3 << 4, 1 << 17, 7 << 16, 1 << 18, 1<<19 - 1, 0} {
				join := func(dst, src *uint64) {
					if *dst |= *src; *dst == bad {
						panic("join")
					}
				}
				see := func(first, count int, acc *uint64) {
					if first <= item && item < first+count {
						panic(fmt.Sprint("item ", item))
					}
					*acc |= 1 << (first / leaf) // a bit of each leaf
				}
				point := func(at policy.Index2, acc *uint64) { see(at.I*m+at.J, 1, acc) }
				row := func(r policy.Row[policy.Index2], acc *uint64) { see(r.At.I*m+r.Begin, r.Len(), acc) }
				what := fmt.Sprintf("item %d, join to %x, on %s", item, bad, s.Name())
				want := endOf(oneByOne[policy.Index2]{p.On(exec.Serial{})}, point, join)
				assert.Equal(t, want, endOf(p.On(s), point, join), what)
				want = endOf(oneByOne[policy.Row[policy.Index2]]{p.Rows().On(exec.Serial{})}, row, join)
				assert.Equal(t, want, endOf(p.Rows().On(s), row, join), what)
			}
		}
	}
}

// endOf returns how a reduction ends: its result, or the items and the value of its panic.
func endOf[I any, P exec.Policy[I]](p P, f func(I, *uint64), join func(dst, src *uint64)) (end string) {
	sum := uint64(1 << 40)
	defer func() {
		if p, ok := recover().(*exec.Panic); ok {
			end = fmt.Sprint("panic ", p.Value, " in ", p.Begin, " to ", p.End, ", ", sum)
		}
	}()
	err := exec.ParallelReduce(p, f, reducers.New(&sum, join))
	return fmt.Sprint(sum, err)
}
