package team_test

import (
	"fmt"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
)

func ExampleFor() {
	x := make([]int, 10)
	err := exec.ParallelFor(policy.Team(1, 4).On(exec.Serial{}), func(m *team.Member) {
		team.For(team.ThreadRange(m, len(x)), func(i int) { x[i] = 10*i + m.Rank() })
	})
	fmt.Println(x, err)
	// Output: [0 11 22 33 40 51 62 73 80 91] <nil>
}

// The loop is the functor's own. The compiler inlines it.
func ExampleRange_All() {
	x := make([]int, 10)
	err := exec.ParallelFor(policy.Team(1, 4).On(exec.Serial{}), func(m *team.Member) {
		for i := range team.ThreadRange(m, len(x)).All() {
			x[i] = 10*i + m.Rank()
		}
	})
	fmt.Println(x, err)
	// Output: [0 11 22 33 40 51 62 73 80 91] <nil>
}

// The product of a matrix and a vector, a team to a row. Each member adds up its share of the
// row in a variable of its own.
func ExampleShares() {
	a := [][]float64{{1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}}
	x := []float64{1, 0, -1, 0, 1}
	y := make([]float64, len(a))
	err := exec.ParallelFor(policy.Team(len(a), 2).On(exec.Serial{}), func(m *team.Member) {
		row := a[m.LeagueRank()]
		var dot float64
		team.Reduce(team.Shares(team.ThreadRange(m, len(row))), func(r team.Range[int], acc *float64) {
			sum := *acc
			for j := range r.All() {
				sum += float64(row[j] * x[j])
			}
			*acc = sum
		}, builtin.Sum(&dot))
		team.Single(m, func() { y[m.LeagueRank()] = dot })
	})
	fmt.Println(y, err)
	// Output: [3 8] <nil>
}

// The same, a member to a row: its vector lanes add up what is in the row.
func ExampleReduceLanes() {
	a := [][]float64{{1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}, {11, 12, 13, 14, 15}}
	x := []float64{1, 0, -1, 0, 1}
	y := make([]float64, len(a))
	err := exec.ParallelFor(policy.Team(1, 2).Vector(4).On(exec.Serial{}), func(m *team.Member) {
		for i := range team.ThreadRange(m, len(a)).All() {
			team.ReduceLanes(team.VectorRange(m, len(x)), func(l team.Lanes[float64]) {
				for j, acc := range l.Items() {
					*acc += float64(a[i][j] * x[j])
				}
			}, builtin.Sum(&y[i]))
		}
	})
	fmt.Println(y, err)
	// Output: [3 8 13] <nil>
}

// Item i goes to lane i mod 4 here.
func ExampleLanes_Items() {
	err := exec.ParallelFor(policy.Team(1, 1).Vector(4).On(exec.Serial{}), func(m *team.Member) {
		var text string
		team.ReduceLanes(team.VectorRange(m, 6), func(l team.Lanes[int]) {
			for i, acc := range l.Items() {
				text += fmt.Sprintf("(%d %d)", i, *acc)
				*acc += 10 * i
			}
		}, builtin.Sum(new(int)))
		fmt.Println(text)
	})
	fmt.Println(err)
	// Output:
	// (0 0)(1 0)(2 0)(3 0)(4 0)(5 10)
	// <nil>
}

// The sums of the rows of a matrix, a team to a row.
func ExampleReduce() {
	a := [][]float64{{1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}}
	sums := make([]float64, len(a))
	err := exec.ParallelFor(policy.Team(len(a), 4).On(exec.Serial{}), func(m *team.Member) {
		row := a[m.LeagueRank()]
		var sum float64
		team.Reduce(team.ThreadRange(m, len(row)), func(j int, acc *float64) { *acc += row[j] }, builtin.Sum(&sum))
		team.Single(m, func() { sums[m.LeagueRank()] = sum }) // every member has it
	})
	fmt.Println(sums, err)
	// Output: [15 40] <nil>
}

func ExampleReduce2() {
	x := []int{3, -1, 4, -1, 5}
	err := exec.ParallelFor(policy.Team(1, 2).On(exec.Serial{}), func(m *team.Member) {
		var sum, high int
		team.Reduce2(team.ThreadRange(m, len(x)), func(i int, a, b *int) {
			*a += x[i]
			*b = max(*b, x[i])
		}, builtin.Sum(&sum), builtin.Max(&high))
		fmt.Println(m.Rank(), sum, high)
	})
	fmt.Println(err)
	// Output:
	// 0 10 5
	// 1 10 5
	// <nil>
}

func ExampleReduce3() {
	x := []int{3, -1, 4, -1, 5}
	err := exec.ParallelFor(policy.Team(1, 1).On(exec.Serial{}), func(m *team.Member) {
		var sum, high int
		var positive bool
		team.Reduce3(team.ThreadRange(m, len(x)), func(i int, a, b *int, c *bool) {
			*a += x[i]
			*b = max(*b, x[i])
			*c = *c && x[i] > 0
		}, builtin.Sum(&sum), builtin.Max(&high), builtin.LAnd(&positive))
		fmt.Println(sum, high, positive)
	})
	fmt.Println(err)
	// Output:
	// 10 5 false
	// <nil>
}

func ExampleReduce4() {
	x := []int{3, -1, 4, -1, 5}
	err := exec.ParallelFor(policy.Team(1, 1).On(exec.Serial{}), func(m *team.Member) {
		var sum, product, low, high int
		team.Reduce4(team.ThreadRange(m, len(x)), func(i int, a, b, c, d *int) {
			*a += x[i]
			*b *= x[i]
			*c = min(*c, x[i])
			*d = max(*d, x[i])
		}, builtin.Sum(&sum), builtin.Prod(&product), builtin.Min(&low), builtin.Max(&high))
		fmt.Println(sum, product, low, high)
	})
	fmt.Println(err)
	// Output:
	// 10 60 -1 5
	// <nil>
}

// The offsets of groups of different lengths, which are exclusive prefix sums.
func ExampleScan() {
	lengths := []int{3, 1, 4, 1, 5, 9}
	offsets := make([]int, len(lengths))
	err := exec.ParallelFor(policy.Team(1, 4).On(exec.Serial{}), func(m *team.Member) {
		var total int
		team.Scan(team.ThreadRange(m, len(lengths)), func(i int, acc *int, final bool) {
			if final {
				offsets[i] = *acc
			}
			*acc += lengths[i]
		}, builtin.Sum(&total))
		team.Single(m, func() { fmt.Println("total", total) })
	})
	fmt.Println(offsets, err)
	// Output:
	// total 23
	// [0 3 4 8 9 14] <nil>
}

func ExampleThreadRange() {
	taker := make([]int, 8)
	err := exec.ParallelFor(policy.Team(1, 3).On(exec.Serial{}), func(m *team.Member) {
		team.For(team.ThreadRange(m, len(taker)), func(i int) { taker[i] = m.Rank() })
	})
	fmt.Println(taker, err)
	// Output: [0 1 2 0 1 2 0 1] <nil>
}

func ExampleThreadRange2() {
	var taker [2][3]int
	err := exec.ParallelFor(policy.Team(1, 2).On(exec.Serial{}), func(m *team.Member) {
		team.For(team.ThreadRange2(m, 2, 3), func(at policy.Index2) { taker[at.I][at.J] = m.Rank() })
	})
	fmt.Println(taker, err)
	// Output: [[0 1 0] [1 0 1]] <nil>
}

func ExampleThreadRange3() {
	var taker [2][2][3]int
	err := exec.ParallelFor(policy.Team(1, 5).On(exec.Serial{}), func(m *team.Member) {
		team.For(team.ThreadRange3(m, 2, 2, 3), func(at policy.Index3) { taker[at.I][at.J][at.K] = m.Rank() })
	})
	fmt.Println(taker, err)
	// Output: [[[0 1 2] [3 4 0]] [[1 2 3] [4 0 1]]] <nil>
}

// Members take the rows of a matrix, and their vector lanes what is in a row.
func ExampleVectorRange() {
	a := [][]int{{1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}, {11, 12, 13, 14, 15}}
	sums := make([]int, len(a))
	err := exec.ParallelFor(policy.Team(1, 2).Vector(4).On(exec.Serial{}), func(m *team.Member) {
		team.For(team.ThreadRange(m, len(a)), func(i int) {
			team.Reduce(team.VectorRange(m, len(a[i])), func(j int, acc *int) { *acc += a[i][j] }, builtin.Sum(&sums[i]))
		})
	})
	fmt.Println(sums, err)
	// Output: [15 40 65] <nil>
}

func ExampleVectorRange2() {
	err := exec.ParallelFor(policy.Team(1, 1).On(exec.Serial{}), func(m *team.Member) {
		var trace int
		team.Reduce(team.VectorRange2(m, 4, 4), func(at policy.Index2, acc *int) {
			if at.I == at.J {
				*acc += at.I
			}
		}, builtin.Sum(&trace))
		fmt.Println(trace)
	})
	fmt.Println(err)
	// Output:
	// 6
	// <nil>
}

func ExampleVectorRange3() {
	err := exec.ParallelFor(policy.Team(1, 1).On(exec.Serial{}), func(m *team.Member) {
		team.For(team.VectorRange3(m, 1, 2, 3), func(at policy.Index3) { fmt.Print(at, " ") })
	})
	fmt.Println(err)
	// Output: {0 0 0} {0 0 1} {0 0 2} {0 1 0} {0 1 1} {0 1 2} <nil>
}

// Items are dealt in blocks of one to each vector lane.
func ExampleTeamVectorRange() {
	taker := make([]int, 10)
	err := exec.ParallelFor(policy.Team(1, 2).Vector(2).On(exec.Serial{}), func(m *team.Member) {
		team.For(team.TeamVectorRange(m, len(taker)), func(i int) { taker[i] = m.Rank() })
	})
	fmt.Println(taker, err)
	// Output: [0 0 1 1 0 0 1 1 0 0] <nil>
}

func ExampleTeamVectorRange2() {
	var taker [2][4]int
	err := exec.ParallelFor(policy.Team(1, 2).Vector(2).On(exec.Serial{}), func(m *team.Member) {
		team.For(team.TeamVectorRange2(m, 2, 4), func(at policy.Index2) { taker[at.I][at.J] = m.Rank() })
	})
	fmt.Println(taker, err)
	// Output: [[0 0 1 1] [0 0 1 1]] <nil>
}

func ExampleTeamVectorRange3() {
	err := exec.ParallelFor(policy.Team(1, 3).Vector(2).On(exec.Serial{}), func(m *team.Member) {
		var far builtin.ValLoc[int, policy.Index3]
		team.Reduce(team.TeamVectorRange3(m, 2, 3, 4), func(at policy.Index3, acc *builtin.ValLoc[int, policy.Index3]) {
			acc.Max(at.I*at.J*at.K, at)
		}, builtin.MaxLoc(&far))
		team.Single(m, func() { fmt.Println(far.Val, far.Loc) })
	})
	fmt.Println(err)
	// Output:
	// 6 {1 2 3}
	// <nil>
}
