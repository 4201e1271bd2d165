package ranks_test

import (
	"fmt"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/ranks"
	"github.com/gokkos/gokkos/policy"
)

// shared is a space that has two others run half of each launch.
type shared struct{ left, right exec.Space }

func (shared) Name() string     { return "shared" }
func (shared) Concurrency() int { return 1 }

func (s shared) Launch(g space.Grid, j space.Job) error {
	c, ok := j.(ranks.Carrier)
	if !ok {
		return s.left.Launch(g, j)
	}
	if _, err := c.AppendFingerprint(nil); err != nil { // the values have no form in bytes
		return s.left.Launch(g, j)
	}
	nodes, err := ranks.RunShare(g, c, s.left, 0, 2)
	if err != nil {
		return err
	}
	more, err := ranks.RunShare(g, c, s.right, 1, 2)
	if err != nil {
		return err
	}
	return ranks.Assemble(g, c, append(nodes, more...))
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
		c := j.(ranks.Carrier)
		_, err := c.AppendFingerprint(nil)
		exec.Must(err)
		nodes, err := ranks.RunShare(g, c, exec.Serial{}, 0, 1)
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
		c := j.(ranks.Carrier)
		_, err := c.AppendFingerprint(nil)
		exec.Must(err)
		fmt.Println(ranks.Assemble(g, c, []ranks.Node{
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
	grid, _ := ranks.Part(g, nil, 8, 10)
	fmt.Printf("%+v\n", grid)
	// Output: {Items:2 Leaf:1 Leaves:2 Lanes:1}
}

// watcher looks at a launch before it runs.
type watcher struct {
	look func(g space.Grid, j space.Job)
}

func (watcher) Name() string     { return "watcher" }
func (watcher) Concurrency() int { return 1 }
func (w watcher) Launch(g space.Grid, j space.Job) error {
	w.look(g, j)
	space.Alone(g, j)
	return nil
}
