package mpi_test

import (
	"fmt"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/mpi"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// Each of four ranks has a quarter of 8·8 points, and computes from those around it.
func ExampleNewTiledArray() {
	err := mpi.Local(4, func(c *mpi.Comm) error {
		tiles := policy.MDRange2([2]int{}, [2]int{8, 8}).Iterate(policy.Hilbert, policy.Right).Chunk(1).On(mpi.On(c, exec.Serial{})).Tiles([2]int{2, 2})
		u, err := mpi.NewTiledArray[float64](tiles, "u", nil, 1)
		if err != nil {
			return err
		}
		x, lower := views.Must(views.As2(u.Local(), nil)), u.Lower()
		if err := exec.ParallelFor(tiles, func(t policy.Tile[policy.Index2]) {
			for i := t.Lower.I; i < t.Upper.I; i++ {
				for j := t.Lower.J; j < t.Upper.J; j++ {
					x.Set(i-lower.I, j-lower.J, float64(i*j))
				}
			}
		}); err != nil {
			return err
		}
		if err := u.Exchange(); err != nil {
			return err
		}
		var sum float64 // of what lies to the right
		err = exec.ParallelReduce(tiles, func(t policy.Tile[policy.Index2], acc *float64) {
			for i := t.Lower.I; i < t.Upper.I; i++ {
				for j := t.Lower.J; j < min(t.Upper.J, 7); j++ {
					*acc += x.At(i-lower.I, j+1-lower.J)
				}
			}
		}, builtin.Sum(&sum))
		if c.Rank() == 2 {
			fmt.Println(u.Extents(), u.Local().Extents(), u.Lower(), sum)
		}
		return err
	})
	fmt.Println(err)
	// Output:
	// [8 8] [5 5] {3 3} 784
	// <nil>
}

// Tiles inside are computed while the halo is on the way.
func ExampleTiledArray_Begin() {
	err := mpi.Local(2, func(c *mpi.Comm) error {
		tiles := policy.MDRange2([2]int{}, [2]int{4, 8}).Iterate(policy.Hilbert, policy.Right).Chunk(1).On(mpi.On(c, exec.Serial{})).Tiles([2]int{1, 1})
		u, err := mpi.NewTiledArray[int32](tiles, "u", nil, 1)
		if err != nil {
			return err
		}
		inside, border := u.Tiles()
		e, err := u.Begin()
		if err != nil {
			return err
		}
		// What only needs the tiles inside, here.
		if err := e.Wait(); err != nil {
			return err
		}
		// And the others.
		if c.Rank() == 0 {
			fmt.Println(len(inside), "inside,", len(border), "at the border")
		}
		return nil
	})
	fmt.Println(err)
	// Output:
	// 12 inside, 4 at the border
	// <nil>
}

func ExampleTiledArray_Gather() {
	err := mpi.Local(2, func(c *mpi.Comm) error {
		tiles := policy.MDRange2([2]int{}, [2]int{2, 4}).Chunk(1).On(mpi.On(c, exec.Serial{})).Tiles([2]int{1, 2})
		u, err := mpi.NewTiledArray[int32](tiles, "u", nil, 0)
		if err != nil {
			return err
		}
		if err := views.Fill(u.Local(), int32(c.Rank()+1)); err != nil {
			return err
		}
		if c.Rank() > 0 {
			return u.Gather(nil, 0)
		}
		whole := views.Must(views.New2[int32]("whole", 2, 4))
		if err := u.Gather(whole, 0); err != nil {
			return err
		}
		fmt.Println(whole.Row(0), whole.Row(1))
		return nil
	})
	fmt.Println(err)
	// Output:
	// [1 1 1 1] [2 2 2 2]
	// <nil>
}

func ExampleTiledArray_Scatter() {
	err := mpi.Local(2, func(c *mpi.Comm) error {
		tiles := policy.MDRange2([2]int{}, [2]int{2, 4}).Chunk(1).On(mpi.On(c, exec.Serial{})).Tiles([2]int{1, 2})
		u, err := mpi.NewTiledArray[int32](tiles, "u", nil, 0)
		if err != nil {
			return err
		}
		if c.Rank() > 0 {
			err := u.Scatter(nil, 0)
			x, _ := u.Local().Slice()
			fmt.Println(u.Lower(), x)
			return err
		}
		return u.Scatter(views.Must(views.Of2("whole", []int32{1, 2, 3, 4, 5, 6, 7, 8}, 2, 4)), 0)
	})
	fmt.Println(err)
	// Output:
	// {1 0} [5 6 7 8]
	// <nil>
}
