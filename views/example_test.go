package views_test

import (
	"fmt"
	"log"
	"runtime"
	"sync/atomic"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

func Example() {
	const n, m = 4, 5
	x, err := views.New2[float64]("x", n, m)
	if err != nil {
		log.Fatal(err)
	}
	y := views.Must(views.New2[float64]("y", n, m))
	for i := range x.All() {
		x.Set(i.I, i.J, float64(i.I*i.J))
	}
	inner := policy.MDRange2([2]int{1, 1}, [2]int{n - 1, m - 1})
	err = exec.ParallelFor(inner, func(p policy.Index2) {
		i, j := p.I, p.J
		y.Set(i, j, (x.At(i-1, j)+x.At(i+1, j)+x.At(i, j-1)+x.At(i, j+1))/4)
	})
	for i := range n {
		fmt.Println(y.Row(i))
	}
	fmt.Println(err)
	// Output:
	// [0 0 0 0 0]
	// [0 1 2 3 0]
	// [0 2 4 6 0]
	// [0 0 0 0 0]
	// <nil>
}

func ExampleNew() {
	v, err := views.New[int]("v", []int{2, 1, 3, 1, 2}, views.Left)
	if err != nil {
		log.Fatal(err)
	}
	v.Set([]int{1, 0, 2, 0, 1}, 7)
	fmt.Println(v, v.At(1, 0, 2, 0, 1), v.Rank(), v.Len(), v.Layout())

	_, err = views.New[int]("v", []int{2, -1})
	fmt.Println(err)
	// Output:
	// "v" [2 1 3 1 2] 7 5 12 Left
	// views: "v" has extent -1 in dimension 1, expected at least 0
}

func ExampleNewIn() {
	sim := exec.NewSimGPU(gpu.H200())
	defer sim.Close()
	a, err := views.As2(views.NewIn[float64](views.MemoryOf(sim), "a", []int{2, 3}))
	if err != nil {
		log.Fatal(err)
	}
	err = exec.ParallelFor(policy.Range(0, 2).On(sim), func(i int) { a.Set(i, 2, 1) })
	fmt.Println(a, a.MemorySpace(), err)

	defer func() { fmt.Println(recover()) }()
	a.At(0, 2) // on the host
	// Output:
	// "a" [2 3] SimGPU H200 <nil>
	// views: access to "a" [2 3] in the memory of SimGPU H200, which is for functors that run there; views.MirrorCopy or views.DeepCopy copies it
}

func ExampleMemoryOf() {
	sim := exec.NewSimGPU(gpu.H200())
	defer sim.Close()
	fmt.Println(views.MemoryOf(sim), views.MemoryOf(exec.Serial{}), views.MemoryOf(exec.Serial{}) == views.Host)
	// Output: SimGPU H200 Host true
}

// The same program on every space. On the host d is h, and nothing is copied.
func ExampleMirrorCopy() {
	workers, sim := exec.NewGoroutines(2), exec.NewSimGPU(gpu.H200())
	defer workers.Close()
	defer sim.Close()
	square := func(space exec.Space, h views.View2[int]) error {
		d, err := views.MirrorCopy(views.MemoryOf(space), h)
		if err != nil {
			return err
		}
		all := policy.MDRange2([2]int{}, [2]int{d.Extent(0), d.Extent(1)}).On(space)
		err = exec.ParallelFor(all, func(p policy.Index2) {
			x := d.At(p.I, p.J)
			d.Set(p.I, p.J, x*x)
		})
		if err != nil {
			return err
		}
		return views.DeepCopy(h, d)
	}
	for _, space := range []exec.Space{exec.Serial{}, workers, sim} {
		h := views.Must(views.Of2("h", []int{1, 2, 3, 4}, 2, 2))
		err := square(space, h)
		fmt.Println(space.Name(), h.Row(0), h.Row(1), err)
	}
	// Output:
	// serial [1 4] [9 16] <nil>
	// goroutines [1 4] [9 16] <nil>
	// simgpu [1 4] [9 16] <nil>
}

func ExampleFree() {
	sim := exec.NewSimGPU(gpu.H200())
	defer sim.Close()
	for range 3 {
		d := views.Must(views.NewIn[float64](views.MemoryOf(sim), "d", []int{1000, 1000}))
		// Kernels use d.
		fmt.Println(views.Free(d))
	}
	// Output:
	// <nil>
	// <nil>
	// <nil>
}

func ExampleView_Address() {
	a := views.Must(views.New2[float64]("a", 2, 3))
	row := views.Must(a.Sub(views.Index(1), views.All()))
	fmt.Println(uintptr(row.Address()) - uintptr(a.Address())) // in bytes
	runtime.KeepAlive(a)
	// Output: 24
}

func ExampleMirror() {
	a := views.Must(views.Of2("a", []int{1, 2, 3, 4}, 2, 2))
	m, err := views.Mirror(a)
	fmt.Println(m, m.At(1, 1), err)
	// Output: "a" [2 2] 0 <nil>
}

// A view on the host is its own mirror. One on a device gets one, into which DeepCopy copies.
func ExampleMirrorView() {
	sim := exec.NewSimGPU(gpu.H200())
	defer sim.Close()
	a := views.Must(views.New1[int]("a", 3))
	same := views.Must(views.MirrorView(a))
	fmt.Println(same.Ptr(0) == a.Ptr(0))

	d := views.Must(views.As1(views.NewIn[int](views.MemoryOf(sim), "d", []int{3})))
	h := views.Must(views.MirrorView(d))
	fmt.Println(views.Fill(d, 7), h.At(0), views.DeepCopy(h, d), h.At(0))
	// Output:
	// true
	// <nil> 0 <nil> 7
}

func ExampleResize() {
	a := views.Must(views.Of2("a", []int{1, 2, 3, 4}, 2, 2))
	err := views.Resize(&a, 3, 3)
	fmt.Println(a.Row(0), a.Row(1), a.Row(2), err)

	err = views.Resize(&a, 3)
	fmt.Println(a, err)
	// Output:
	// [1 2 0] [3 4 0] [0 0 0] <nil>
	// "a" [3 3] views: Resize of "a" [3 3] to extents [3], expected 2
}

func ExampleRealloc() {
	a := views.Must(views.Of1("a", []int{1, 2}))
	err := views.Realloc(&a, 3)
	fmt.Println(a, a.At(0), err)
	// Output: "a" [3] 0 <nil>
}

// Any number of items may add to one element.
func ExampleView1_Ptr() {
	counts := views.Must(views.New1[int64]("counts", 3))
	err := exec.ParallelFor(policy.Range(0, 1000), func(i int) {
		atomic.AddInt64(counts.Ptr(i%3), 1)
	})
	fmt.Println(counts.At(0), counts.At(1), counts.At(2), err)
	// Output: 334 333 333 <nil>
}

func ExampleNew1() {
	a, err := views.New1[int]("a", 3)
	fmt.Println(a, err)
	// Output: "a" [3] <nil>
}

func ExampleNew2() {
	a, err := views.New2[int]("a", 3, 0) // extents may be 0
	fmt.Println(a, a.Len(), err)
	// Output: "a" [3 0] 0 <nil>
}

func ExampleNew3() {
	a, err := views.New3[int]("a", 2, 3, 4)
	fmt.Println(a, a.Stride(0), a.Stride(1), a.Stride(2), err)
	// Output: "a" [2 3 4] 12 4 1 <nil>
}

func ExampleNew4() {
	a, err := views.New4[int]("a", 2, 3, 4, 5)
	fmt.Println(a, err)
	// Output: "a" [2 3 4 5] <nil>
}

// Rows of 3 numbers, 4 apart.
func ExampleOf() {
	x := []int{1, 2, 3, 0, 4, 5, 6}
	a, err := views.As2(views.Of("a", x, []int{2, 3}, views.Stride{4, 1}))
	fmt.Println(a.Row(0), a.Row(1), err)

	_, err = views.Of("a", x, []int{2, 3})
	fmt.Println(err)
	// Output:
	// [1 2 3] [4 5 6] <nil>
	// views: "a" [2 3] of a slice of length 7, expected 6
}

func ExampleOf1() {
	x := []int{1, 2, 3}
	a, err := views.Of1("a", x)
	a.Set(0, 10)
	fmt.Println(x, err)
	// Output: [10 2 3] <nil>
}

func ExampleOf2() {
	a, err := views.Of2("a", []int{1, 2, 3, 4, 5, 6}, 2, 3)
	fmt.Println(a.At(1, 0), err)
	// Output: 4 <nil>
}

func ExampleOf3() {
	a, err := views.Of3("a", []int{1, 2, 3, 4, 5, 6, 7, 8}, 2, 2, 2)
	fmt.Println(a.At(1, 0, 1), err)
	// Output: 6 <nil>
}

func ExampleOf4() {
	a, err := views.Of4("a", []int{1, 2, 3, 4}, 1, 2, 2, 1)
	fmt.Println(a.At(0, 1, 0, 0), err)
	// Output: 3 <nil>
}

func ExampleOfArrays() {
	var table [2][3]int
	a, err := views.As2(views.OfArrays[int]("table", table[:]))
	a.Set(1, 2, 5)
	fmt.Println(table, err)
	// Output: [[0 0 0] [0 0 5]] <nil>
}

func ExampleMust() {
	identity := views.Must(views.New2[float64]("identity", 2, 2))
	for i := range identity.Extent(0) {
		identity.Set(i, i, 1)
	}
	fmt.Println(identity.Slice())
	// Output: [1 0 0 1] true
}

func ExampleAs1() {
	a := views.Must(views.Of2("a", []int{1, 2, 3, 4, 5, 6}, 2, 3))
	row, err := views.As1(a.Sub(views.Index(1), views.All()))
	fmt.Println(row.At(0), row.At(1), row.At(2), err)

	_, err = views.As1(a.Sub(views.All(), views.Index(1)))
	fmt.Println(err)
	// Output:
	// 4 5 6 <nil>
	// views: "a" [2] has stride 3 in dimension 0, expected 1; AsStrided1 takes it
}

func ExampleAs2() {
	line := views.Must(views.Of1("line", []int{1, 2, 3, 4, 5, 6}))
	a, err := views.As2(line.Reshape(3, 2))
	fmt.Println(a.Row(2), err)
	// Output: [5 6] <nil>
}

func ExampleAs3() {
	a := views.Must(views.New4[int]("a", 2, 3, 4, 5))
	b, err := views.As3(a.Sub(views.All(), views.Index(0), views.All(), views.Range(1, 3)))
	fmt.Println(b, len(b.Row(1, 3)), err)
	// Output: "a" [2 4 2] 2 <nil>
}

func ExampleAs4() {
	a := views.Must(views.New1[int]("a", 24))
	b, err := views.As4(a.Reshape(2, 3, 2, 2))
	fmt.Println(b, err)
	// Output: "a" [2 3 2 2] <nil>
}

func ExampleAsStrided1() {
	a := views.Must(views.Of2("a", []int{1, 2, 3, 4, 5, 6}, 2, 3))
	column, err := views.AsStrided1(a.Sub(views.All(), views.Index(1)))
	fmt.Println(column.At(0), column.At(1), err)
	// Output: 2 5 <nil>
}

func ExampleAsStrided2() {
	a, err := views.AsStrided2(views.New[int]("a", []int{2, 3}, views.Left))
	a.Set(1, 2, 5)
	fmt.Println(a.At(1, 2), a.Stride(0), a.Stride(1), err)
	// Output: 5 1 2 <nil>
}

func ExampleAsStrided3() {
	a, err := views.AsStrided3(views.Must(views.New3[int]("a", 2, 3, 4)).Permute(2, 0, 1))
	fmt.Println(a, err)
	// Output: "a" [4 2 3] <nil>
}

func ExampleAsStrided4() {
	a, err := views.AsStrided4(views.New[int]("a", []int{2, 3, 4, 5}, views.Left))
	fmt.Println(a, a.Layout(), err)
	// Output: "a" [2 3 4 5] Left <nil>
}

func ExampleView1() {
	a := views.Must(views.New1[int]("a", 3))
	a.Set(1, 5)
	for i, x := range a.All() {
		fmt.Print(i, ":", x, " ")
	}
	fmt.Println(a.At(1), a.Len(), a.Label())
	// Output: 0:0 1:5 2:0 5 3 a
}

func ExampleView2() {
	a := views.Must(views.New2[int]("a", 2, 2))
	a.Set(1, 0, 5)
	for i, x := range a.All() {
		fmt.Print(i.I, i.J, ":", x, " ")
	}
	fmt.Println(a.At(1, 0), a.Transpose().At(0, 1))
	// Output: 0 0:0 0 1:0 1 0:5 1 1:0 5 5
}

func ExampleView2_Row() {
	a := views.Must(views.Of2("a", []int{1, 2, 3, 4, 5, 6}, 2, 3))
	for i := range a.Extent(0) {
		sum := 0
		for _, x := range a.Row(i) {
			sum += x
		}
		fmt.Println(sum)
	}
	// Output:
	// 6
	// 15
}

// The middle column of a matrix of layout Left lies without gaps.
func ExampleView1_Row() {
	a := views.Must(views.Of("a", []int{1, 2, 3, 4, 5, 6}, []int{2, 3}, views.Left))
	column := views.Must(views.As1(a.Sub(views.All(), views.Index(1))))
	for i := range column.Row() {
		column.Row()[i] *= 10
	}
	fmt.Println(column.Row(), a.At(0, 1), a.At(0, 2))
	// Output: [30 40] 30 5
}

func ExampleView3() {
	a := views.Must(views.New3[int]("a", 1, 2, 2))
	a.Set(0, 1, 1, 5)
	for i, x := range a.All() {
		fmt.Print(i, x, " ")
	}
	fmt.Println(a.At(0, 1, 1), a.Row(0, 1))
	// Output: {0 0 0} 0 {0 0 1} 0 {0 1 0} 0 {0 1 1} 5 5 [0 5]
}

func ExampleView4() {
	a := views.Must(views.New4[int]("a", 1, 1, 2, 2))
	a.Set(0, 0, 1, 1, 5)
	for i, x := range a.All() {
		fmt.Print(i, x, " ")
	}
	fmt.Println(a.At(0, 0, 1, 1), a.Row(0, 0, 1))
	// Output: {0 0 0 0} 0 {0 0 0 1} 0 {0 0 1 0} 0 {0 0 1 1} 5 5 [0 5]
}

func ExampleStrided1() {
	a := views.Must(views.Of1("a", []int{1, 2, 3, 4, 5}))
	odd := views.Must(views.AsStrided1(a.Sub(views.All().By(2))))
	odd.Set(1, 30)
	for i, x := range odd.All() {
		fmt.Print(i, ":", x, " ")
	}
	fmt.Println(a.At(2), odd.At(1))
	// Output: 0:1 1:30 2:5 30 30
}

func ExampleStrided2() {
	a := views.Must(views.Of2("a", []int{1, 2, 3, 4, 5, 6}, 2, 3)).Transpose()
	a.Set(2, 0, 30)
	for i, x := range a.All() {
		fmt.Print(i.I, i.J, ":", x, " ")
	}
	fmt.Println(a.At(2, 0), a.Transpose().At(0, 2))
	// Output: 0 0:1 0 1:4 1 0:2 1 1:5 2 0:30 2 1:6 30 30
}

func ExampleStrided3() {
	a := views.Must(views.AsStrided3(views.New[int]("a", []int{1, 2, 2}, views.Left)))
	a.Set(0, 1, 0, 5)
	for i, x := range a.All() {
		fmt.Print(i, x, " ")
	}
	fmt.Println(a.At(0, 1, 0))
	// Output: {0 0 0} 0 {0 0 1} 0 {0 1 0} 5 {0 1 1} 0 5
}

func ExampleStrided4() {
	a := views.Must(views.AsStrided4(views.New[int]("a", []int{1, 2, 1, 2}, views.Left)))
	a.Set(0, 1, 0, 0, 5)
	for i, x := range a.All() {
		fmt.Print(i, x, " ")
	}
	fmt.Println(a.At(0, 1, 0, 0))
	// Output: {0 0 0 0} 0 {0 0 0 1} 0 {0 1 0 0} 5 {0 1 0 1} 0 5
}

func ExampleView_All() {
	v := views.Must(views.New[int]("v", []int{2, 2}, views.Left))
	v.Set([]int{1, 0}, 5)
	for i, x := range v.All() {
		fmt.Print(i, x, " ")
	}
	// Output: [0 0] 0 [0 1] 0 [1 0] 5 [1 1] 0
}

func ExampleView_Values() {
	a := views.Must(views.Of2("a", []int{1, 2, 3, 4}, 2, 2))
	for x := range a.Transpose().Values() {
		fmt.Print(x, " ")
	}
	// Output: 1 3 2 4
}

func ExampleView_Runs() {
	a := views.Must(views.Of2("a", []int{1, 2, 3, 4, 5, 6, 7, 8}, 2, 4))
	for run := range a.Transpose().Runs() {
		fmt.Print(run)
	}
	fmt.Println()
	middle := views.Must(a.Sub(views.All(), views.Range(1, 3)))
	for run := range middle.Runs() {
		fmt.Print(run)
	}
	// Output:
	// [1 2 3 4 5 6 7 8]
	// [2 3][6 7]
}

func ExampleView_Slice() {
	a := views.Must(views.Of2("a", []int{1, 2, 3, 4}, 2, 2))
	fmt.Println(a.Slice())
	fmt.Println(a.Transpose().Slice())
	// Output:
	// [1 2 3 4] true
	// [] false
}

func ExampleView_Sub() {
	x := []int{
		0, 1, 2, 3,
		4, 5, 6, 7,
		8, 9, 10, 11,
	}
	a := views.Must(views.Of2("a", x, 3, 4))
	show := func(v views.View[int], err error) {
		fmt.Print(v.Extents(), err)
		for x := range v.Values() {
			fmt.Print(" ", x)
		}
		fmt.Println()
	}
	show(a.Sub(views.Range(1, 3), views.Range(0, 2)))
	show(a.Sub(views.Index(1), views.All().By(3)))
	show(a.Sub(views.Range(1, 4), views.All()))
	// Output:
	// [2 2] <nil> 4 5 8 9
	// [2] <nil> 4 7
	// [] views: Sub of "a" [3 4] with Range(1, 4) in dimension 0, expected 0 <= begin <= end <= 3
}

func ExampleAll() {
	a := views.Must(views.New2[int]("a", 3, 4))
	fmt.Println(a.Sub(views.All(), views.All()))
	// Output: "a" [3 4] <nil>
}

func ExampleRange() {
	a := views.Must(views.New1[int]("a", 10))
	fmt.Println(a.Sub(views.Range(2, 10)))
	// Output: "a" [8] <nil>
}

func ExampleIndex() {
	a := views.Must(views.New2[int]("a", 3, 4))
	fmt.Println(a.Sub(views.All(), views.Index(2)))
	// Output: "a" [3] <nil>
}

func ExampleSelector_By() {
	a := views.Must(views.New1[int]("a", 10))
	fmt.Println(a.Sub(views.Range(2, 9).By(3))) // 2, 5 and 8
	// Output: "a" [3] <nil>
}

func ExampleView_Transpose() {
	v := views.Must(views.New[int]("v", []int{2, 3, 4}))
	t := v.Transpose()
	t.Set([]int{3, 2, 1}, 5)
	fmt.Println(t, t.Layout(), v.At(1, 2, 3))
	// Output: "v" [4 3 2] Left 5
}

func ExampleView_Permute() {
	v := views.Must(views.New[int]("v", []int{2, 3, 4}))
	w, err := v.Permute(1, 2, 0)
	w.Set([]int{2, 3, 1}, 5)
	fmt.Println(w, w.Layout(), v.At(1, 2, 3), err)
	// Output: "v" [3 4 2] Stride[4 1 12] 5 <nil>
}

func ExampleView_Reshape() {
	v := views.Must(views.Of("v", []int{0, 1, 2, 3, 4, 5, 6, 7}, []int{2, 4}))
	w, err := v.Reshape(2, 2, 2)
	fmt.Println(w, w.At(1, 0, 1), err)

	_, err = v.Transpose().Reshape(8)
	fmt.Println(err)
	// Output:
	// "v" [2 2 2] 5 <nil>
	// views: Reshape of "v" [4 2] with strides [1 4] to [8] needs a copy
}

func ExampleDense() {
	for _, layout := range []views.Layout{views.Right, views.Left} {
		v := views.Must(views.New[int]("v", []int{2, 3}, layout))
		fmt.Println(layout, v.Stride(0), v.Stride(1))
	}
	// Output:
	// Right 3 1
	// Left 1 2
}

func ExampleStride() {
	// Rows that begin at a multiple of 4.
	v, err := views.New[int]("v", []int{2, 3}, views.Stride{4, 1})
	fmt.Println(v, v.Layout(), err)

	_, err = views.New[int]("v", []int{2, 3}, views.Stride{2, 1})
	fmt.Println(err)
	// Output:
	// "v" [2 3] Stride[4 1] <nil>
	// views: "v" [2 3] has strides [2 1]; stride 2 of dimension 0 must exceed 2, which smaller strides reach
}

func ExampleDeepCopy() {
	a := views.Must(views.Of2("a", []int{1, 2, 3, 4, 5, 6}, 2, 3))
	b := views.Must(views.New2[int]("b", 3, 2))
	err := views.DeepCopy(b, a.Transpose())
	fmt.Println(b.Row(0), b.Row(1), b.Row(2), err)

	fmt.Println(views.DeepCopy(b, a))
	square := views.Must(views.New2[int]("square", 2, 2))
	fmt.Println(views.DeepCopy(square, square.Transpose()))
	// Output:
	// [1 4] [2 5] [3 6] <nil>
	// views: DeepCopy of "a" [2 3] to "b" [3 2], expected equal extents
	// views: DeepCopy of "square" [2 2] to "square" [2 2], which have elements in common
}

func ExampleOverlap() {
	a := views.Must(views.Of2("a", []int{1, 2, 3, 4, 5, 6}, 3, 2))
	left := views.Must(a.Sub(views.All(), views.Range(0, 1)))
	right := views.Must(a.Sub(views.All(), views.Range(1, 2)))
	fmt.Println(views.Overlap(left, right), views.Overlap(left, a))
	// Output: false true
}

func ExampleFill() {
	a := views.Must(views.New2[int]("a", 2, 4))
	err := views.Fill(views.Must(a.Sub(views.All(), views.Range(1, 3))), 7)
	fmt.Println(a.Row(0), a.Row(1), err)
	// Output: [0 7 7 0] [0 7 7 0] <nil>
}

func ExampleFillFunc() {
	a := views.Must(views.New[int]("a", []int{2, 3}, views.Left))
	err := views.FillFunc(a, func(s policy.Span, x []int) {
		for k := range x {
			x[k] = 10 * (s.Begin + k)
		}
	})
	fmt.Println(a.At(0, 1), a.At(1, 0), err)
	// Output: 10 30 <nil>
}

func ExampleSource() {
	a := views.Must(views.Of2("a", []float64{1, 2, 3, 4, 5, 6}, 2, 3))
	column, err := a.Sub(views.All(), views.Index(1))
	if err != nil {
		log.Fatal(err)
	}
	var sum, largest float64
	err = exec.ParallelFold(views.Source(column), builtin.Sum(&sum), builtin.Max(&largest))
	fmt.Println(sum, largest, err)
	// Output: 7 5 <nil>
}
