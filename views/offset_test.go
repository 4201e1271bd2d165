package views_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// Elements that a launch from Begin to End sets are those of the view that lies below, in the order of memory.
func TestOffsets(t *testing.T) {
	seven, sim := exec.NewGoroutines(7), exec.NewSimGPU(gpu.H200())
	defer seven.Close()
	defer sim.Close()
	for _, s := range []exec.Space{exec.Serial{}, seven, sim} {
		v1 := views.Offset1[int]{View: views.Must(views.New1[int]("v", 5)), Begin: -2}
		require.NoError(t, exec.ParallelFor(policy.Range(v1.Begin, v1.End()).On(s), func(i int) {
			v1.Set(i, 10*i)
			*v1.Ptr(i)++
		}))
		assert.Equal(t, []int{-19, -9, 1, 11, 21}, v1.View.Row())
		assert.Equal(t, 21, v1.At(2))

		v2 := views.Offset2[int]{View: views.Must(views.New2[int]("v", 2, 3)), Begin: [2]int{-1, 7}}
		require.Equal(t, [2]int{1, 10}, v2.End())
		require.NoError(t, exec.ParallelFor(policy.MDRange2(v2.Begin, v2.End()).On(s), func(at policy.Index2) {
			v2.Set(at.I, at.J, 100*at.I+at.J)
			*v2.Ptr(at.I, at.J)++
		}))
		assert.Equal(t, []int{-92, -91, -90}, v2.Row(-1))
		assert.Equal(t, []int{8, 9, 10}, v2.View.Row(1))
		assert.Equal(t, 9, v2.At(0, 8))

		v3 := views.Offset3[int]{View: views.Must(views.New3[int]("v", 2, 1, 2)), Begin: [3]int{5, -5, 1}}
		require.Equal(t, [3]int{7, -4, 3}, v3.End())
		require.NoError(t, exec.ParallelFor(policy.MDRange3(v3.Begin, v3.End()).On(s), func(at policy.Index3) {
			v3.Set(at.I, at.J, at.K, 100*at.I+10*at.J+at.K)
			*v3.Ptr(at.I, at.J, at.K)++
		}))
		assert.Equal(t, []int{452, 453}, v3.Row(5, -5))
		assert.Equal(t, 553, v3.At(6, -5, 2))
	}
}

func TestOffsetsOutside(t *testing.T) {
	v1 := views.Offset1[int]{View: views.Must(views.New1[int]("v", 5)), Begin: -2}
	assert.Panics(t, func() { v1.At(-3) })
	assert.Panics(t, func() { v1.Set(3, 1) })
	v2 := views.Offset2[int]{View: views.Must(views.New2[int]("v", 2, 3)), Begin: [2]int{-1, 7}}
	assert.Panics(t, func() { v2.At(-2, 7) })
	assert.Panics(t, func() { v2.Row(1) })
}

func ExampleOffset1() {
	x := views.Offset1[int]{View: views.Must(views.New1[int]("x", 5)), Begin: -2}
	exec.Must(exec.ParallelFor(policy.Range(x.Begin, x.End()), func(i int) { x.Set(i, i*i) }))
	fmt.Println(x.View.Row(), x.At(-2))
	// Output: [4 1 0 1 4] 4
}

// Cells with a halo of one cell around them: the cells that count have the indices from 0 on.
func ExampleOffset2() {
	const n = 2
	cells := views.Offset2[float64]{View: views.Must(views.New2[float64]("cells", n+2, n+2)), Begin: [2]int{-1, -1}}
	sums := views.Must(views.New2[float64]("sums", n, n))
	for i := range n {
		cells.Set(i, -1, 1) // the halo on the left
	}
	exec.Must(exec.ParallelFor(policy.MDRange2([2]int{}, [2]int{n, n}), func(at policy.Index2) {
		i, j := at.I, at.J
		sums.Set(i, j, cells.At(i-1, j)+cells.At(i+1, j)+cells.At(i, j-1)+cells.At(i, j+1))
	}))
	fmt.Println(sums.Row(0), sums.Row(1), cells.Begin, cells.End())
	// Output: [1 0] [1 0] [-1 -1] [3 3]
}

func ExampleOffset3() {
	v := views.Offset3[int]{View: views.Must(views.New3[int]("v", 2, 2, 2)), Begin: [3]int{1, 1, 1}}
	v.Set(2, 2, 2, 7) // indices of Fortran
	fmt.Println(v.At(2, 2, 2), v.Row(2, 2), v.End())
	// Output: 7 [0 7] [3 3 3]
}
