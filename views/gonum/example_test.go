package gonum_test

import (
	"fmt"
	"log"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/gonum"
)

// Gonum multiplies, and a kernel goes on with the product where it is.
func Example() {
	a := mat.NewDense(2, 2, []float64{1, 2, 3, 4})
	b := mat.NewDense(2, 2, []float64{0, 1, -1, 0})
	product := views.Must(views.New2[float64]("product", 2, 2))
	c, err := gonum.Dense(product)
	if err != nil {
		log.Fatal(err)
	}
	c.Mul(a, b)
	err = exec.ParallelFor(policy.Range(0, 2), func(i int) {
		row := product.Row(i)
		for j := range row {
			row[j] = max(row[j], 0)
		}
	})
	fmt.Println(mat.Formatted(c), err)
	// Output:
	// ⎡0  1⎤
	// ⎣0  3⎦ <nil>
}

func ExampleOfDense() {
	a := mat.NewDense(3, 3, []float64{1, 2, 3, 4, 5, 6, 7, 8, 9})
	corner, err := gonum.OfDense("corner", a.Slice(1, 3, 1, 3).(*mat.Dense))
	if err != nil {
		log.Fatal(err)
	}
	if err := views.Fill(corner, 0); err != nil {
		log.Fatal(err)
	}
	fmt.Println(mat.Formatted(a))
	// Output:
	// ⎡1  2  3⎤
	// ⎢4  0  0⎥
	// ⎣7  0  0⎦
}

func ExampleOfGeneral() {
	g := blas64.General{Rows: 2, Cols: 2, Stride: 3, Data: []float64{1, 2, 0, 3, 4}}
	v, err := gonum.OfGeneral("g", g)
	fmt.Println(v.Row(0), v.Row(1), err)
	// Output: [1 2] [3 4] <nil>
}

func ExampleOfVecDense() {
	a := mat.NewDense(2, 2, []float64{1, 2, 3, 4})
	v, err := gonum.OfVecDense("column", a.ColView(1).(*mat.VecDense))
	fmt.Println(v, v.At(0), v.At(1), err)
	// Output: "column" [2] 2 4 <nil>
}

func ExampleOfVector() {
	v, err := gonum.OfVector("x", blas64.Vector{N: 2, Inc: 2, Data: []float64{1, 0, 3}})
	fmt.Println(v.At(0), v.At(1), err)
	// Output: 1 3 <nil>
}

func ExampleDense() {
	v := views.Must(views.Of2("v", []float64{2, 1, 1, 1}, 2, 2))
	m, err := gonum.Dense(v)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.3f\n", mat.Det(m))
	// Output: 1.000
}

func ExampleGeneral() {
	a, err := gonum.General(views.Must(views.Of2("a", []float64{1, 2, 3, 4}, 2, 2)))
	if err != nil {
		log.Fatal(err)
	}
	x := blas64.Vector{N: 2, Inc: 1, Data: []float64{1, 1}}
	y := blas64.Vector{N: 2, Inc: 1, Data: make([]float64, 2)}
	blas64.Gemv(blas.NoTrans, 1, a, x, 0, y)
	fmt.Println(y.Data)
	// Output: [3 7]
}

func ExampleVecDense() {
	a := views.Must(views.Of2("a", []float64{1, 2, 3, 4}, 2, 2))
	column, err := gonum.VecDense(views.Must(a.Sub(views.All(), views.Index(1))))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(mat.Sum(column))
	// Output: 6
}

func ExampleVector() {
	a := views.Must(views.Of2("a", []float64{1, 2, 3, 4}, 2, 2))
	diagonal := views.Must(views.Must(a.Reshape(4)).Sub(views.All().By(3)))
	x, err := gonum.Vector(diagonal)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(blas64.Asum(x))
	// Output: 5
}
