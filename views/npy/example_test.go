package npy_test

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/npy"
)

func Example() {
	var file bytes.Buffer
	if err := npy.Write(&file, []int{2, 3}, []float32{1, 2, 3, 4, 5, 6}); err != nil {
		fmt.Println(err)
	}
	// Look at the header first, then read the data.
	h, err := npy.ReadHeader(&file)
	if err != nil {
		fmt.Println(err)
	}
	data, err := npy.ReadData[float32](&file, h)
	fmt.Println(h.Type, h.Shape, data, err)
	// Output: float32 [2 3] [1 2 3 4 5 6] <nil>
}

func ExampleRead() {
	var file bytes.Buffer
	if err := npy.Write(&file, []int{2}, []float64{0.5, 1.5}); err != nil {
		log.Fatal(err)
	}
	h, data, err := npy.Read[float64](&file)
	fmt.Println(h.Type, h.Shape, data, err)
	// Output: float64 [2] [0.5 1.5] <nil>
}

func ExampleReadFile() {
	_, _, err := npy.ReadFile[float32]("example_test.go")
	fmt.Println(err)
	// Output: example_test.go: npy: not an NPY file: it begins with "packag", expected "\x93NUMPY"
}

func ExampleWriteFile() {
	dir, err := os.MkdirTemp("", "npy")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "x.npy")
	if err := npy.WriteFile(path, []int{2, 2}, []float32{1, 2, 3, 4}); err != nil {
		log.Fatal(err)
	}
	h, data, err := npy.ReadFile[float32](path)
	fmt.Println(h.Shape, data, err)
	// Output: [2 2] [1 2 3 4] <nil>
}

func ExampleCreate() {
	dir, err := os.MkdirTemp("", "npy")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	f, err := npy.Create(filepath.Join(dir, "x.npy"))
	if err != nil {
		log.Fatal(err) // known before the data are computed
	}
	defer f.Close()
	if err := npy.Write(f, []int{1}, []float64{1}); err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Commit())
	// Output: <nil>
}

// The layout Left is Fortran order in the file.
func ExampleWriteView() {
	a := views.Must(views.Of("a", []int16{1, 2, 3, 4, 5, 6}, []int{2, 3}, views.Left))
	var file bytes.Buffer
	if err := npy.WriteView(&file, a); err != nil {
		log.Fatal(err)
	}
	b, err := npy.ReadView[int16]("b", &file)
	fmt.Println(b, b.Layout(), b.At(0, 1), err)
	// Output: "b" [2 3] Left 3 <nil>
}

func ExampleReadView() {
	var file bytes.Buffer
	if err := npy.Write(&file, []int{2, 3}, []float32{1, 2, 3, 4, 5, 6}); err != nil {
		log.Fatal(err)
	}
	b, err := views.As2(npy.ReadView[float32]("b", &file))
	fmt.Println(b.Row(1), err)
	// Output: [4 5 6] <nil>
}

func ExampleReadViewFile() {
	dir, err := os.MkdirTemp("", "npy")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "x.npy")
	a := views.Must(views.Of1("a", []bool{true, false}))
	if err := npy.WriteViewFile(path, a); err != nil {
		log.Fatal(err)
	}
	v, err := npy.ReadViewFile[bool](path)
	fmt.Println(v, v.At(0), v.At(1), err)
	// Output: "x.npy" [2] true false <nil>
}

func ExampleWriteViewFile() {
	err := npy.WriteViewFile(".", views.Must(views.New1[int8]("a", 2)))
	fmt.Println(err)
	// Output: write .: not a regular file
}

// A sum over a file that may be larger than the memory.
func ExampleMap() {
	dir, err := os.MkdirTemp("", "npy")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "x.npy")
	if err := npy.WriteFile(path, []int{2, 2}, []float64{1, 2, 3, 4}); err != nil {
		log.Fatal(err)
	}
	m, err := npy.Map[float64](path)
	if err != nil {
		log.Fatal(err)
	}
	defer m.Close()
	var sum float64
	err = exec.ParallelFold(views.Source(m.View()), builtin.Sum(&sum))
	fmt.Println(m.View(), sum, err)
	// Output: "x.npy" [2 2] 10 <nil>
}
