package gokkos_test

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/algorithms"
	"github.com/gokkos/gokkos/views/atomics"
)

// What to write instead of the parts of Kokkos that are not here: docs/features.md.

// Sums by key: sorted keys, of which each stays once, with the sum of its values.
func Example_sumsByKey() {
	keys := views.Must(views.Of("keys", []int{7, 3, 7, 1, 3, 7}, []int{6}))
	values := views.Must(views.Of("values", []float64{1, 2, 4, 8, 16, 32}, []int{6}))
	sums := views.Must(views.New[float64]("sums", []int{6}))
	kept := views.Must(views.New[int]("kept", []int{6}))
	exec.Must(algorithms.SortByKey(keys, values))
	n, err := algorithms.ReduceByKey(kept, sums, keys, values, builtin.Sum)
	fmt.Println(err)
	for i := range n {
		fmt.Println(kept.At(i), sums.At(i))
	}
	// Output:
	// <nil>
	// 1 8
	// 3 18
	// 7 37
}

// Tasks: goroutines, which may launch.
func Example_tasks() {
	var fibonacci func(n int) int
	fibonacci = func(n int) int {
		if n < 2 {
			return n
		}
		var a, b int
		var tasks sync.WaitGroup
		tasks.Go(func() { a = fibonacci(n - 1) })
		tasks.Go(func() { b = fibonacci(n - 2) })
		tasks.Wait()
		return a + b
	}
	fmt.Println(fibonacci(15))
	// Output: 610
}

// DynamicView: a first pass counts what the second one appends, in the order of the items.
func Example_dynamicView() {
	var n int
	var squares []int
	p := policy.Range(0, 20)
	isSquare := func(i int) bool { return i == 0 || i == 1 || i == 4 || i == 9 || i == 16 }
	exec.Must(exec.ParallelReduce(p, func(i int, acc *int) {
		if isSquare(i) {
			*acc++
		}
	}, builtin.Sum(&n)))
	squares = make([]int, n)
	exec.Must(exec.ParallelScan(p, func(i int, at *int, final bool) {
		if !isSquare(i) {
			return
		}
		if final {
			squares[*at] = i
		}
		*at++
	}, builtin.Sum(&n)))
	fmt.Println(squares)
	// Output: [0 1 4 9 16]
}

// A team's scan into an offset of the league: one launch counts, a scan gives each team its first place, and another
// launch writes. What is written is in the order of the teams and their items, however they were run.
func Example_leagueOffsets() {
	const league, size, items = 3, 4, 8
	kept := func(rank, i int) bool { return (rank+i)%3 == 0 }
	first := views.Must(views.New1[int]("first", league))
	var total int
	places := func(m *team.Member, each func(i, place int)) (n int) {
		team.Scan(team.ThreadRange(m, items), func(i int, place *int, final bool) {
			if kept(m.LeagueRank(), i) {
				if final {
					each(i, *place)
				}
				*place++
			}
		}, builtin.Sum(&n))
		return n
	}
	p := policy.Team(league, size)
	exec.Must(exec.ParallelFor(p, func(m *team.Member) {
		n := places(m, func(int, int) {})
		team.Single(m, func() { first.Set(m.LeagueRank(), n) })
	}))
	exec.Must(algorithms.ExclusiveScan(first, first, builtin.Sum(&total)))
	found := make([]string, total)
	exec.Must(exec.ParallelFor(p, func(m *team.Member) {
		places(m, func(i, place int) { found[first.At(m.LeagueRank())+place] = fmt.Sprint(m.LeagueRank(), ".", i) })
	}))
	fmt.Println(found)
	// Output: [0.0 0.3 0.6 1.2 1.5 2.1 2.4 2.7]
}

// The same as Kokkos has it, in one launch: teams add to an offset in the order in which they come. So what is written
// has its place by chance, here that of the sort behind it.
func Example_teamScanOffset() {
	const league, size = 3, 4
	found, next := make([]int, league*size), 0
	exec.Must(exec.ParallelFor(policy.Team(league, size), func(m *team.Member) {
		n := m.Rank() % 2 // how much a member has
		sum := team.AllReduce(m, n, builtin.Sum)
		at := team.ExclusiveScan(m, n, builtin.Sum) + team.SingleValue(m, func() int { return atomics.FetchAdd(&next, sum) })
		if n > 0 {
			found[at] = m.LeagueRank()*size + m.Rank()
		}
	}))
	found = found[:next]
	slices.Sort(found)
	fmt.Println(found)
	// Output: [1 3 5 7 9 11]
}

// A launch beside others: a goroutine. It is done when the launch returns, so there are no
// fences.
func Example_async() {
	var sum int
	done := make(chan error)
	go func() {
		done <- exec.ParallelReduce(policy.Range(0, 1001), func(i int, acc *int) { *acc += i }, builtin.Sum(&sum))
	}()
	// other work
	fmt.Println(<-done, sum)
	// Output: <nil> 500500
}

// Timer: the package time. A launch is done when it returns, so there is nothing to wait for.
func Example_timer() {
	start := time.Now()
	exec.Must(exec.ParallelFor(policy.Range(0, 100), func(int) {}))
	fmt.Println(time.Since(start).Seconds() > 0)
	// Output: true
}
