package team_test

import (
	"fmt"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
)

// p is what the eight members of the team in the examples bring.
var p = []int{3, 1, 7, 0, 4, 1, 6, 3}

// eight runs a team of eight, in sub-groups of four, and returns what members got.
func eight[T any](f func(m *team.Member, x int) T) []T {
	space := exec.NewGoroutines(1)
	defer func() { _ = space.Close() }()
	results := make([]T, len(p))
	err := exec.ParallelFor(policy.Team(1, len(p)).Dims(4, 2, 1).SubGroup(4).On(space), func(m *team.Member) {
		results[m.Rank()] = f(m, p[m.Rank()])
	})
	if err != nil {
		fmt.Println(err)
	}
	return results
}

func ExampleBroadcast() {
	fmt.Println(eight(func(m *team.Member, x int) int { return team.Broadcast(m, x, 2) }))
	fmt.Println(eight(func(m *team.Member, x int) int { return team.Broadcast(m, x, 2, 1) })) // x = 2, y = 1
	// Output:
	// [7 7 7 7 7 7 7 7]
	// [6 6 6 6 6 6 6 6]
}

func ExampleBroadcastFunc() {
	fmt.Println(eight(func(m *team.Member, x int) int {
		return team.BroadcastFunc(m.SubGroup(), func(x *int) { *x *= 100 }, x, 0)
	}))
	// Output: [300 300 300 300 400 400 400 400]
}

func ExampleAllReduce() {
	fmt.Println(eight(func(m *team.Member, x int) int { return team.AllReduce(m, x, builtin.Sum) }))
	fmt.Println(eight(func(m *team.Member, x int) int { return team.AllReduce(m.SubGroup(), x, builtin.Max) }))
	// Output:
	// [25 25 25 25 25 25 25 25]
	// [7 7 7 7 6 6 6 6]
}

func ExampleExclusiveScan() {
	fmt.Println(eight(func(m *team.Member, x int) int { return team.ExclusiveScan(m, x, builtin.Sum) }))
	// Output: [0 3 4 11 11 15 16 22]
}
