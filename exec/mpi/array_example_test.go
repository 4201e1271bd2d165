package mpi_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/mpi"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/npy"
)

// rowsOf are four rows, of which two ranks have two each.
func rowsOf(c *mpi.Comm) policy.RangePolicy {
	return policy.Range(0, 4).On(mpi.On(c, exec.Serial{}))
}

func ExampleNewArray() {
	exec.Must(mpi.Local(2, func(c *mpi.Comm) error {
		rows := rowsOf(c)
		a, err := mpi.NewArray[float64](rows, "a", []int{3}, 0)
		if err != nil {
			return err
		}
		local := views.Must(views.As2(a.Local(), nil))
		err = exec.ParallelFor(rows, func(i int) { local.Set(i-a.First(), 1, float64(10*i)) })
		if err != nil {
			return err
		}
		var sum float64
		err = exec.ParallelReduce(rows, func(i int, acc *float64) { *acc += local.At(i-a.First(), 1) }, builtin.Sum(&sum))
		if c.Rank() == 1 {
			fmt.Println(sum, local.Row(0))
		}
		return err
	}))
	// Output: 60 [0 20 0]
}

func ExampleArray_Exchange() {
	exec.Must(mpi.Local(2, func(c *mpi.Comm) error {
		a, err := mpi.NewArray[int](rowsOf(c), "a", nil, 1)
		if err != nil {
			return err
		}
		exec.Must(views.Fill(a.Own(), c.Rank()+1))
		err = a.Exchange()
		if c.Rank() == 0 {
			fmt.Println(a.Local().Slice())
		}
		return err
	}))
	// Output: [1 1 2] true
}

func ExampleArray_Begin() {
	exec.Must(mpi.Local(2, func(c *mpi.Comm) error {
		a, err := mpi.NewArray[int](rowsOf(c), "a", nil, 1)
		if err != nil {
			return err
		}
		exec.Must(views.Fill(a.Own(), 7))
		halo, err := a.Begin()
		if err != nil {
			return err
		}
		// What needs the rank's own rows only is computed here.
		err = halo.Wait()
		if c.Rank() == 1 {
			fmt.Println(a.Local().Slice())
		}
		return err
	}))
	// Output: [7 7 7] true
}

func ExampleExchange_Wait() { ExampleArray_Begin() }

func ExampleArray_Gather() {
	exec.Must(mpi.Local(2, func(c *mpi.Comm) error {
		a, err := mpi.NewArray[int](rowsOf(c), "a", nil, 0)
		if err != nil {
			return err
		}
		exec.Must(views.Fill(a.Own(), c.Rank()))
		if c.Rank() != 0 {
			return a.Gather(nil, 0)
		}
		whole := views.Must(views.New1[int]("whole", 4))
		err = a.Gather(whole, 0)
		fmt.Println(whole.Row())
		return err
	}))
	// Output: [0 0 1 1]
}

func ExampleArray_Scatter() {
	exec.Must(mpi.Local(2, func(c *mpi.Comm) error {
		a, err := mpi.NewArray[int](rowsOf(c), "a", nil, 0)
		if err != nil {
			return err
		}
		if c.Rank() == 0 {
			return a.Scatter(views.Must(views.Of1("whole", []int{1, 2, 3, 4})), 0)
		}
		err = a.Scatter(nil, 0)
		fmt.Println(a.Own().Slice())
		return err
	}))
	// Output: [3 4] true
}

func ExampleWriteNPY() {
	path := filepath.Join(os.TempDir(), fmt.Sprint("gokkos-example-", os.Getpid(), ".npy"))
	defer os.Remove(path)
	exec.Must(mpi.Local(2, func(c *mpi.Comm) error {
		a, err := mpi.NewArray[int64](rowsOf(c), "a", nil, 0)
		if err != nil {
			return err
		}
		exec.Must(views.Fill(a.Own(), int64(c.Rank())))
		return mpi.WriteNPY(path, a)
	}))
	fmt.Println(views.Must(npy.ReadViewFile[int64](path)).Slice())
	// Output: [0 0 1 1] true
}

func ExampleReadNPY() {
	path := filepath.Join(os.TempDir(), fmt.Sprint("gokkos-example-", os.Getpid(), ".npy"))
	defer os.Remove(path)
	exec.Must(npy.WriteFile(path, []int{4}, []float64{1, 2, 3, 4}))
	exec.Must(mpi.Local(2, func(c *mpi.Comm) error {
		a, err := mpi.NewArray[float64](rowsOf(c), "a", nil, 0)
		if err != nil {
			return err
		}
		err = mpi.ReadNPY(path, a)
		if c.Rank() == 1 {
			fmt.Println(a.Own().Slice())
		}
		return err
	}))
	// Output: [3 4] true
}

func ExampleArray_Rows() {
	exec.Must(mpi.Local(2, func(c *mpi.Comm) error {
		a, err := mpi.NewArray[int](rowsOf(c), "a", []int{5}, 1)
		if c.Rank() == 1 {
			begin, end := a.Rows()
			fmt.Println("rows", begin, "to", end-1, "of", a.Extents(), "and a halo from row", a.First(), "on")
			fmt.Println(a.Local(), a.Own())
		}
		return err
	}))
	// Output:
	// rows 2 to 3 of [4 5] and a halo from row 1 on
	// "a" [3 5] "a" [2 5]
}

func ExampleArray_Extents() { ExampleArray_Rows() }

func ExampleArray_First() { ExampleArray_Rows() }

func ExampleArray_Local() { ExampleArray_Rows() }

func ExampleArray_Own() { ExampleArray_Rows() }

// Tiles are written and read as rows are.
func ExampleAnyArray() {
	path := filepath.Join(os.TempDir(), fmt.Sprint("gokkos-tiles-", os.Getpid(), ".npy"))
	defer os.Remove(path)
	exec.Must(mpi.Local(2, func(c *mpi.Comm) error {
		tiles := policy.MDRange2([2]int{}, [2]int{2, 4}).Chunk(1).On(mpi.On(c, exec.Serial{})).Tiles([2]int{2, 2})
		a, err := mpi.NewTiledArray[int64](tiles, "a", nil, 0)
		if err != nil {
			return err
		}
		exec.Must(views.Fill(a.Local(), int64(c.Rank())))
		return mpi.WriteNPY(path, a)
	}))
	fmt.Println(views.Must(npy.ReadViewFile[int64](path)).Slice())
	// Output: [0 0 1 1 0 0 1 1] true
}
