package mtx_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/gokkos/gokkos/views/mtx"
)

const file = `%%MatrixMarket matrix coordinate real symmetric
% the lower half
3 3 5
1 1 4
2 1 -1
2 2 4
3 2 -1
3 3 4
`

func ExampleRead() {
	m, err := mtx.Read(strings.NewReader(file))
	if err != nil {
		fmt.Println(err)
		return
	}
	for k := range m.Len() {
		fmt.Println(m.Row(k))
	}
	fmt.Println(m.Times(1, []float64{1, 2, 3}))
	_, err = mtx.Read(strings.NewReader(strings.Replace(file, "2 2 4", "2 4 2", 1)))
	fmt.Println(err)
	// Output:
	// [0 1] [4 -1]
	// [0 1 2] [-1 4 -1]
	// [1 2] [-1 4]
	// 4
	// mtx: line 6, column 3: the column is "4", expected 1 to 3
}

func ExampleNewReader() {
	r, err := mtx.NewReader(strings.NewReader(file))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Header.Rows, r.Header.Symmetry)
	m, err := r.Rows(2, 3)
	fmt.Println(m.Len(), m.First, m.Values, err)
	// Output:
	// 3 symmetric
	// 1 2 [-1 4] <nil>
}

func ExampleMatrix_Times() {
	m := &mtx.Matrix{Rows: 1, Columns: 3, Starts: []int{0, 2}, Column: []int{0, 2}, Values: []float64{2, 3}}
	fmt.Println(m.Times(0, []float64{1, 10, 100}))
	// Output: 302
}

func ExampleMatrix_Row() {
	m := &mtx.Matrix{Rows: 1, Columns: 3, Starts: []int{0, 2}, Column: []int{0, 2}, Values: []float64{2, 3}}
	fmt.Println(m.Row(0))
	fmt.Println(m.Len())
	// Output:
	// [0 2] [2 3]
	// 1
}

func ExampleWrite() {
	m := &mtx.Matrix{Rows: 2, Columns: 3, Starts: []int{0, 2, 2}, Column: []int{0, 2}, Values: []float64{2, 1e-300}}
	fmt.Println(mtx.Write(os.Stdout, m))
	// Output:
	// %%MatrixMarket matrix coordinate real general
	// 2 3 2
	// 1 1 2
	// 1 3 1e-300
	// <nil>
}
