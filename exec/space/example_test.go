package space_test

import (
	"fmt"
	"os"
	"sync"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
)

// halves is a space that gives each half of the tree a goroutine. It keeps the engines of its
// teams.
type halves struct{ *space.Engines }

func (halves) Name() string     { return "halves" }
func (halves) Concurrency() int { return 2 }

func (halves) Launch(g space.Grid, j space.Job) error {
	if g.Leaves < 2 {
		space.Alone(g, j)
		return nil
	}
	j.Open(2, 2)
	middle := 1 // the right half begins at a power of two
	for 2*middle < g.Leaves {
		middle *= 2
	}
	var right bool
	var helper sync.WaitGroup
	helper.Go(func() { right = j.Run(1, middle, g.Leaves, 1) })
	left := j.Run(0, 0, middle, 0)
	helper.Wait()
	if left && right {
		j.Join(0, 1)
	}
	return nil
}

func ExampleSpace() {
	on := halves{new(space.Engines)}
	defer on.Close()
	var sum, same float64
	reduce := func(result *float64, p policy.RangePolicy) error {
		return exec.ParallelReduce(p, func(i int, acc *float64) { *acc += 1 / float64(i+1) }, builtin.Sum(result))
	}
	fmt.Println(reduce(&sum, policy.Range(0, 1000).On(on)), reduce(&same, policy.Range(0, 1000).On(exec.Serial{})), sum == same)
	// Output: <nil> <nil> true
}

func ExampleEngines() {
	on := halves{new(space.Engines)}
	defer on.Close() // ends the goroutines that members of teams ran on
	fmt.Println(exec.ParallelFor(policy.Team(2, 3).On(on), func(m *team.Member) { m.Barrier() }))
	// Output: <nil>
}

func ExampleHintsOf() {
	show := watcher{func(g space.Grid, j space.Job) { fmt.Println(space.HintsOf(j).SlotStride > 1) }}
	var sum float64
	err := exec.ParallelReduce(policy.Range(0, 1000).On(show), func(i int, acc *float64) { *acc++ }, builtin.Sum(&sum))
	fmt.Println(sum, err)
	// Output:
	// true
	// 1000 <nil>
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

func ExampleNewGrid() {
	fmt.Printf("%+v\n", space.NewGrid(1000, 0, false))
	// Output: {Items:1000 Leaf:32 Leaves:32 Lanes:4}
}

func ExampleTeamShape_Bytes() {
	var shape space.TeamShape = policy.Team(10, 3).Scratch(0, 100, 5).Plan().Team
	fmt.Println(shape.Bytes(0), shape.Bytes(1)) // each part is rounded up to 16 bytes
	// Output: 160 0
}

func init() {
	space.Register("halves", func(func(string) string) (space.Space, error) { return halves{new(space.Engines)}, nil })
}

// The package of a space registers it from init.
func ExampleRegister() {
	fmt.Println(space.Names()) // for GOKKOS_SPACE
	on, err := space.Open("halves", os.Getenv)
	fmt.Println(on.Name(), err)
	// Output:
	// [goroutines halves serial simgpu]
	// halves <nil>
}
