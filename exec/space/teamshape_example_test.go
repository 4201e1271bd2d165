package space_test

import (
	"fmt"

	"github.com/gokkos/gokkos/exec/space"
)

func ExampleTeamShape_Valid() {
	shape := space.TeamShape{League: 2, Size: 12, Dims: [3]int{4, 3, 1}, Vector: 1, SubGroup: 4}
	fmt.Println(shape.Valid())
	shape.Dims[1] = 2
	fmt.Println(shape.Valid())
	// Output:
	// <nil>
	// dimensions 4 x 2 x 1 of a team of 12 members, expected lengths with that product
}

// Each team's and each member's scratch is rounded up, so that any type fits into it.
func ExampleScratchSize() {
	shape := space.TeamShape{Size: 4, Scratch: [2]space.ScratchSize{{Team: 100, Member: 24}}}
	fmt.Println(space.AlignScratch(100), space.AlignScratch(24), shape.Bytes(0))
	// Output: 112 32 240
}
