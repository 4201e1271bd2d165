package device_test

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/reducers/concept"
)

// sums is a device that sums rows of int64, in whose tree the order does not matter, by code of its own.
type sums struct{ exec.Serial }

func (sums) Memory() device.Memory { return nil } // here that of the host

func (sums) FoldTensor(_ context.Context, t device.Tensor) ([][]byte, error) {
	if len(t.Columns) != 1 || t.Columns[0].Operation.Join != concept.OpSum {
		return nil, fmt.Errorf("it knows sums alone")
	}
	var column []byte
	for k := range t.Kept[0].Extent {
		var sum int64
		for i := range t.Walked[0].Extent {
			sum += t.X.([]int64)[k*t.Kept[0].Stride+i*t.Walked[0].Stride]
		}
		column = binary.NativeEndian.AppendUint64(column, uint64(sum))
	}
	return [][]byte{column}, nil
}

// A space is told of loops over the results, and over the values of one.
func ExampleTensorFolder() {
	var on device.TensorFolder = sums{}
	columns, err := on.FoldTensor(context.Background(), device.Tensor{
		X:       []int64{1, 2, 3, 10, 20, 30},
		Kept:    []device.Loop{{Extent: 2, Stride: 3}},
		Walked:  []device.Loop{{Extent: 3, Stride: 1}},
		Grid:    space.NewGrid(3, 0, false),
		Columns: []device.Result{{Operation: concept.Operation{Join: concept.OpSum}, Layout: "int64/8"}},
	})
	for column := columns[0]; len(column) > 0; column = column[8:] {
		fmt.Println(binary.NativeEndian.Uint64(column))
	}
	fmt.Println(err)
	// Output:
	// 6
	// 60
	// <nil>
}
