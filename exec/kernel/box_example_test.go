package kernel_test

import (
	"fmt"

	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/policy"
)

// The parameters of a box of 3 by 4 points: one tile, the last dimension fastest.
func ExampleText_Index() {
	text := kernel.Text{Rank: 2}
	box, _ := policy.BoxOf(policy.MDRange2([2]int{10, 20}, [2]int{13, 24}))
	p, err := text.Index(&box)
	fmt.Println("mode, left, across, begin:", p[:4])
	fmt.Println("lower:", p[4:6])
	fmt.Println("extent, tile, below:", p[6:9], p[9:12])
	fmt.Println("item 11 is in row", 11*p[13]>>p[14], "of", p[12], err)
	// Output:
	// mode, left, across, begin: [0 0 0 0]
	// lower: [10 20]
	// extent, tile, below: [3 3 4] [4 4 1]
	// item 11 is in row 2 of 4 <nil>
}

// Rows in one memory may depend on each other.
func ExampleCall_ByPoints() {
	text := kernel.Text{Rows: &kernel.Rows{Points: "axpy_points", Apart: [][2]int{{0, 1}}}}
	call := kernel.Call{Text: &text, Memories: []kernel.CallMemory{{Bytes: 8}, {Bytes: 8}}}
	fmt.Println(call.ByPoints())
	// Output: false
}

// Blocks run parts of eight rows: a row of 600 points is five parts, and items 100 to 6099 are in eleven rows.
func ExampleText_PlainBlocks() {
	text := kernel.Text{Rank: 2, Plain: "relax_plain"}
	box, _ := policy.BoxOf(policy.MDRange2([2]int{}, [2]int{40, 600}).Tile([2]int{40, 600}))
	p, err := text.Index(&box)
	call := kernel.Call{Text: &text}
	fmt.Println(call.IsPlain(p), text.PlainBlocks(p, 100, 6100), "blocks of", kernel.PlainThreads, err)
	// Output: true 10 blocks of 256 <nil>
}
