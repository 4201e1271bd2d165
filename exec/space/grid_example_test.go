package space_test

import (
	"fmt"

	"github.com/gokkos/gokkos/exec/space"
)

func ExampleGrid_Share() {
	g := space.NewGrid(1000, 0, false)
	for k := range 3 {
		fmt.Println(g.Share(k, 3))
	}
	// Output:
	// 0 10
	// 10 21
	// 21 32
}

func ExampleGrid_Nodes() {
	g := space.NewGrid(1000, 0, false)
	for first, last := range g.Nodes(10, 21) {
		fmt.Println(first, last)
	}
	// Output:
	// 10 12
	// 12 16
	// 16 20
	// 20 21
}
