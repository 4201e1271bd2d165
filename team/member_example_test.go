package team_test

import (
	"errors"
	"fmt"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
)

func ExampleMember() {
	err := exec.ParallelFor(policy.Team(2, 3).On(exec.Serial{}), func(m *team.Member) {
		fmt.Printf("member %d of %d, team %d of %d\n", m.Rank(), m.Size(), m.LeagueRank(), m.LeagueSize())
	})
	fmt.Println(err)
	// Output:
	// member 0 of 3, team 0 of 2
	// member 1 of 3, team 0 of 2
	// member 2 of 3, team 0 of 2
	// member 0 of 3, team 1 of 2
	// member 1 of 3, team 1 of 2
	// member 2 of 3, team 1 of 2
	// <nil>
}

// Each member reads what its neighbour has written.
func ExampleMember_Barrier() {
	x, y := make([]int, 5), make([]int, 5)
	err := exec.ParallelFor(policy.Team(1, 5).On(exec.Serial{}), func(m *team.Member) {
		x[m.Rank()] = 10 * m.Rank()
		m.Barrier()
		y[m.Rank()] = x[(m.Rank()+1)%5]
	})
	fmt.Println(y, err)
	// Output: [10 20 30 40 0] <nil>
}

func ExampleMember_LocalID() {
	err := exec.ParallelFor(policy.Team(1, 6).Dims(3, 2, 1).On(exec.Serial{}), func(m *team.Member) {
		x, y, _ := m.LocalID()
		fmt.Print(x, ",", y, " ")
	})
	fmt.Println(err)
	// Output: 0,0 1,0 2,0 0,1 1,1 2,1 <nil>
}

func ExampleMember_SubGroup() {
	var places [5]string
	err := exec.ParallelFor(policy.Team(1, 5).SubGroup(2).On(exec.Serial{}), func(m *team.Member) {
		sg := m.SubGroup()
		sum := team.AllReduce(sg, m.Rank(), builtin.Sum)
		places[m.Rank()] = fmt.Sprintf("%d of %d in sub-group %d of %d, sum %d", sg.Rank(), sg.Size(), sg.ID(), sg.Count(), sum)
	})
	for _, p := range places {
		fmt.Println(p)
	}
	fmt.Println(err)
	// Output:
	// 0 of 2 in sub-group 0 of 3, sum 1
	// 1 of 2 in sub-group 0 of 3, sum 1
	// 0 of 2 in sub-group 1 of 3, sum 5
	// 1 of 2 in sub-group 1 of 3, sum 5
	// 0 of 1 in sub-group 2 of 3, sum 4
	// <nil>
}

// A function over any group: a team as well as a sub-group of it.
func ExampleGroup() {
	mean := func(g team.Group, x float64) float64 {
		return team.AllReduce(g, x, builtin.Sum) / float64(g.Size())
	}
	err := exec.ParallelFor(policy.Team(1, 4).SubGroup(2).On(exec.Serial{}), func(m *team.Member) {
		x := float64(m.Rank())
		all, half := mean(m, x), mean(m.SubGroup(), x)
		fmt.Print(all, " ", half, "; ")
	})
	fmt.Println(err)
	// Output: 1.5 0.5; 1.5 0.5; 1.5 2.5; 1.5 2.5; <nil>
}

func ExampleSingle() {
	err := exec.ParallelFor(policy.Team(3, 4).On(exec.Serial{}), func(m *team.Member) {
		team.Single(m, func() { fmt.Println("team", m.LeagueRank()) })
	})
	fmt.Println(err)
	// Output:
	// team 0
	// team 1
	// team 2
	// <nil>
}

// Teams draw work, one item at a time, whose number all members get.
func ExampleSingleValue() {
	next, takers := 0, make([]int, 5)
	err := exec.ParallelFor(policy.Team(2, 3).On(exec.Serial{}), func(m *team.Member) {
		for {
			item := team.SingleValue(m, func() int { next++; return next - 1 })
			if item >= len(takers) {
				return
			}
			sum := team.AllReduce(m, 1, builtin.Sum)
			team.Single(m, func() { takers[item] = sum })
		}
	})
	fmt.Println(takers, err)
	// Output: [3 3 3 3 3] <nil>
}

// The members of a team reverse a piece of a slice through memory that they share.
func ExampleScratch() {
	x := []int{0, 1, 2, 3, 4, 5, 6, 7}
	const size = 4
	p := policy.Team(len(x)/size, size).Scratch(0, size*8, 0).On(exec.Serial{})
	err := exec.ParallelFor(p, func(m *team.Member) {
		piece := x[m.LeagueRank()*size:]
		shared := team.Scratch[int](m, 0, size)
		shared[m.Rank()] = piece[m.Rank()]
		m.Barrier()
		piece[m.Rank()] = shared[size-1-m.Rank()]
	})
	fmt.Println(x, err)
	// Output: [3 2 1 0 7 6 5 4] <nil>
}

// Two requests, each of which begins at a multiple of 16 bytes.
func ExampleScratchBytes() {
	const n = 3
	bytes := team.ScratchBytes[int32](n) + team.ScratchBytes[float64](n)
	err := exec.ParallelFor(policy.Team(1, n).Scratch(0, bytes, 0).On(exec.Serial{}), func(m *team.Member) {
		counts, sums := team.Scratch[int32](m, 0, n), team.Scratch[float64](m, 0, n)
		counts[m.Rank()], sums[m.Rank()] = 1, 2.5
	})
	fmt.Println(bytes, err)
	// Output: 48 <nil>
}

// Every member counts in memory of its own.
func ExampleMemberScratch() {
	x := []int{0, 1, 2, 2, 1, 0, 0, 2}
	counts := make([][3]int, 2)
	p := policy.Team(1, len(counts)).Scratch(1, 0, 3*8).On(exec.Serial{})
	err := exec.ParallelFor(p, func(m *team.Member) {
		mine := team.MemberScratch[int](m, 1, 3)
		clear(mine) // its content is undefined
		team.For(team.ThreadRange(m, len(x)), func(i int) { mine[x[i]]++ })
		copy(counts[m.Rank()][:], mine)
	})
	fmt.Println(counts, err)
	// Output: [[2 1 1] [1 1 2]] <nil>
}

func ExampleErrDivergence() {
	err := exec.ParallelFor(policy.Team(10, 8).On(exec.Serial{}), func(m *team.Member) {
		if m.Rank() > 0 {
			m.Barrier() //gokkosvet:ignore a divergence to be found
		}
	})
	fmt.Println(errors.Is(err, team.ErrDivergence))
	// Output: true
}
