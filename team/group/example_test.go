package group_test

import (
	"fmt"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/team/group"
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

func ExampleAll() {
	fmt.Println(eight(func(m *team.Member, x int) bool { return group.All(m.SubGroup(), x > 0) }))
	// Output: [false false false false true true true true]
}

func ExampleAny() {
	fmt.Println(eight(func(m *team.Member, x int) bool { return group.Any(m.SubGroup(), x == 7) }))
	// Output: [true true true true false false false false]
}

func ExampleAllReduceFrom() {
	fmt.Println(eight(func(m *team.Member, x int) int { return group.AllReduceFrom(m, 1000, x, builtin.Sum) }))
	// Output: [1025 1025 1025 1025 1025 1025 1025 1025]
}

func ExampleExclusiveScanFrom() {
	fmt.Println(eight(func(m *team.Member, x int) int { return group.ExclusiveScanFrom(m, 5, x, builtin.Max) }))
	// Output: [5 5 5 7 7 7 7 7]
}

func ExampleInclusiveScan() {
	fmt.Println(eight(func(m *team.Member, x int) int { return group.InclusiveScan(m, x, builtin.Sum) }))
	// Output: [3 4 11 11 15 16 22 25]
}

// Strings are joined in the order of ranks.
func ExampleInclusiveScanFrom() {
	join := func(place *string) reducers.Modified[string] {
		return reducers.Ordered(reducers.New(place, func(dst, src *string) { *dst += *src }))
	}
	fmt.Println(eight(func(m *team.Member, x int) string {
		return group.InclusiveScanFrom(m.SubGroup(), ":", fmt.Sprint(x), join)
	}))
	// Output: [:3 :31 :317 :3170 :4 :41 :416 :4163]
}

func ExampleJointReduce() {
	x := []float64{0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5}
	fmt.Println(eight(func(m *team.Member, _ int) float64 { return group.JointReduce(m, x, builtin.Sum) }))
	// Output: [27.5 27.5 27.5 27.5 27.5 27.5 27.5 27.5]
}

func ExampleJointReduceFrom() {
	x := []int{4, 2, 8}
	fmt.Println(eight(func(m *team.Member, _ int) int { return group.JointReduceFrom(m, 3, x, builtin.Min) }))
	// Output: [2 2 2 2 2 2 2 2]
}

// joint has a team of eight work on a slice of ten together.
func joint(f func(m *team.Member, x []int)) {
	space := exec.NewGoroutines(1)
	defer func() { _ = space.Close() }()
	x := []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	if err := exec.ParallelFor(policy.Team(1, 8).On(space), func(m *team.Member) { f(m, x) }); err != nil {
		fmt.Println(err)
	}
	fmt.Println(x)
}

func ExampleJointExclusiveScan() {
	joint(func(m *team.Member, x []int) { group.JointExclusiveScan(m, x, x, builtin.Sum) })
	// Output: [0 1 3 6 10 15 21 28 36 45]
}

func ExampleJointExclusiveScanFrom() {
	joint(func(m *team.Member, x []int) { group.JointExclusiveScanFrom(m, 100, x, x, builtin.Sum) })
	// Output: [100 101 103 106 110 115 121 128 136 145]
}

func ExampleJointInclusiveScan() {
	joint(func(m *team.Member, x []int) { group.JointInclusiveScan(m, x, x[:5], builtin.Prod) })
	// Output: [1 2 6 24 120 6 7 8 9 10]
}

func ExampleJointInclusiveScanFrom() {
	joint(func(m *team.Member, x []int) { group.JointInclusiveScanFrom(m, 4, x, x, builtin.Max) })
	// Output: [4 4 4 4 5 6 7 8 9 10]
}

func ExampleJointAll() {
	fmt.Println(eight(func(m *team.Member, _ int) bool {
		return group.JointAll(m, p, func(x int) bool { return x < 7 })
	}))
	// Output: [false false false false false false false false]
}

func ExampleJointAny() {
	fmt.Println(eight(func(m *team.Member, _ int) bool {
		return group.JointAny(m, p, func(x int) bool { return x == 7 })
	}))
	// Output: [true true true true true true true true]
}

func ExampleShuffle() {
	fmt.Println(eight(func(m *team.Member, x int) int {
		sg := m.SubGroup()
		return group.Shuffle(sg, x, sg.Size()-1-sg.Rank())
	}))
	// Output: [0 7 1 3 3 6 1 4]
}

func ExampleShuffleUp() {
	fmt.Println(eight(func(m *team.Member, x int) int { return group.ShuffleUp(m.SubGroup(), x, 1) }))
	// Output: [3 3 1 7 4 4 1 6]
}

func ExampleShuffleDown() {
	fmt.Println(eight(func(m *team.Member, x int) int { return group.ShuffleDown(m.SubGroup(), x, 1) }))
	// Output: [1 7 0 0 1 6 3 3]
}

func ExampleShuffleXor() {
	fmt.Println(eight(func(m *team.Member, x int) int { return group.ShuffleXor(m.SubGroup(), x, 1) }))
	// Output: [1 3 0 7 1 4 3 6]
}
