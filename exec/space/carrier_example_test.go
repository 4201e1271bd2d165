package space_test

import (
	"fmt"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
)

// shared is a space that has two others run half of each launch.
type shared struct{ left, right exec.Space }

func (shared) Name() string     { return "shared" }
func (shared) Concurrency() int { return 1 }

func (s shared) Launch(g space.Grid, j space.Job) error {
	c, ok := j.(space.Carrier)
	if !ok {
		return s.left.Launch(g, j)
	}
	if _, err := c.AppendFingerprint(nil); err != nil { // the values have no form in bytes
		return s.left.Launch(g, j)
	}
	nodes, err := space.RunShare(g, c, s.left, 0, 2)
	if err != nil {
		return err
	}
	more, err := space.RunShare(g, c, s.right, 1, 2)
	if err != nil {
		return err
	}
	return space.Assemble(g, c, append(nodes, more...))
}

func ExampleCarrier() {
	two := exec.NewGoroutines(2)
	defer two.Close()
	sum := func(on exec.Space) (result float64) {
		exec.Must(exec.ParallelReduce(policy.Range(0, 1000).On(on), func(i int, acc *float64) {
			*acc += 1 / float64(i+1)
		}, builtin.Sum(&result)))
		return result
	}
	fmt.Println(sum(shared{exec.Serial{}, two}) == sum(exec.Serial{}))
	// Output: true
}

// The sum of ten numbers in ten leaves is one node.
func ExampleRunShare() {
	show := watcher{func(g space.Grid, j space.Job) {
		c := j.(space.Carrier)
		_, err := c.AppendFingerprint(nil)
		exec.Must(err)
		nodes, err := space.RunShare(g, c, exec.Serial{}, 0, 1)
		fmt.Println(len(nodes), nodes[0].First, nodes[0].Last, nodes[0].Data, err)
	}}
	var sum int64
	err := exec.ParallelReduce(policy.Range(0, 10).On(show), func(i int, acc *int64) { *acc += int64(i) }, builtin.Sum(&sum))
	fmt.Println(sum, err)
	// Output:
	// 1 0 10 [45 0 0 0 0 0 0 0] <nil>
	// 45 <nil>
}

func ExampleAssemble() {
	show := watcher{func(g space.Grid, j space.Job) {
		c := j.(space.Carrier)
		_, err := c.AppendFingerprint(nil)
		exec.Must(err)
		fmt.Println(space.Assemble(g, c, []space.Node{
			{First: 0, Last: 8, Data: []byte{100, 0, 0, 0, 0, 0, 0, 0}},
			{First: 8, Last: 10, Data: []byte{23, 0, 0, 0, 0, 0, 0, 0}},
		}))
		fmt.Println(c.AppendNode(nil, 0, 0, 10))
	}}
	var sum int64
	exec.Must(exec.ParallelReduce(policy.Range(0, 10).On(show), func(i int, acc *int64) { *acc += int64(i) }, builtin.Sum(&sum)))
	// Output:
	// <nil>
	// [123 0 0 0 0 0 0 0] <nil>
}

func ExamplePart() {
	g := space.NewGrid(10, 0, false)
	grid, _ := space.Part(g, nil, 8, 10)
	fmt.Printf("%+v\n", grid)
	// Output: {Items:2 Leaf:1 Leaves:2 Lanes:1}
}

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
