package policy_test

import (
	"context"
	"fmt"
	"slices"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/algorithms"
)

func ExampleRange() {
	squares := make([]int, 6)
	err := exec.ParallelFor(policy.Range(1, 6), func(i int) { squares[i] = i * i })
	fmt.Println(squares, err)

	err = exec.ParallelFor(policy.Range(6, 1), func(i int) { squares[i] = 0 })
	fmt.Println(err)
	// Output:
	// [0 1 4 9 16 25] <nil>
	// policy: Range(6, 1) is reversed, expected begin <= end
}

func ExampleRangePolicy_On() {
	p := policy.Range(0, 3).Chunk(1).WithLabel("count")
	serial := p.On(exec.Serial{}) // p is as it was
	err := exec.ParallelFor(serial, func(i int) { fmt.Print(i, " ") })
	fmt.Println(p.Plan().Space, serial.Plan().Space.Name(), err)
	// Output: 0 1 2 <nil> serial <nil>
}

func ExampleSpans() {
	x := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	p := policy.Spans(0, len(x)).Chunk(4).On(exec.Serial{})
	err := exec.ParallelFor(p, func(s policy.Span) {
		sum := 0.0
		for _, v := range x[s.Begin:s.End] { // a plain loop, for the compiler to work on
			sum += v
		}
		fmt.Println(s.Begin, s.End, sum)
	})
	fmt.Println(err)
	// Output:
	// 0 4 10
	// 4 8 26
	// 8 10 19
	// <nil>
}

func ExampleSpan_All() {
	for i := range (policy.Span{Begin: 3, End: 6}).All() {
		fmt.Print(i, " ")
	}
	// Output: 3 4 5
}

func ExampleMDRange2() {
	const n, m = 2, 3
	var table [n][m]int
	err := exec.ParallelFor(policy.MDRange2([2]int{0, 0}, [2]int{n, m}), func(x policy.Index2) {
		table[x.I][x.J] = 10*x.I + x.J
	})
	fmt.Println(table, err)
	// Output: [[0 1 2] [10 11 12]] <nil>
}

// The inner points of a plane: a row of five points, then the next.
func ExampleMDRangePolicy_Rows() {
	a, b := [4][7]float64{{}, {1, 1, 1, 1, 1, 1, 1}}, [4][7]float64{}
	inner := policy.MDRange2([2]int{1, 1}, [2]int{3, 6})
	err := exec.ParallelFor(inner.Rows(), func(r policy.Row[policy.Index2]) {
		i := r.At.I
		above, here, below, to := a[i-1][:], a[i][:], a[i+1][:], b[i][:]
		for j := range r.All() {
			to[j] = above[j] + below[j] + here[j-1] + here[j+1] - 4*here[j]
		}
	})
	fmt.Println(b[1], b[2], err)
	// Output: [0 -2 -2 -2 -2 -2 0] [0 1 1 1 1 1 0] <nil>
}

// A row begins and ends where the leaf of the reduction tree does, too.
func ExampleRow() {
	p := policy.MDRange2([2]int{0, 0}, [2]int{2, 5}).Chunk(4).On(exec.Serial{})
	err := exec.ParallelFor(p.Rows(), func(r policy.Row[policy.Index2]) { fmt.Println(r.At, r.Begin, r.End) })
	fmt.Println(err)
	// Output:
	// {0 0} 0 4
	// {0 4} 4 5
	// {1 0} 0 3
	// {1 3} 3 5
	// <nil>
}

// A transposed copy in tiles, so that lines of the cache are read and written once.
func ExampleMDRangePolicy_Tiles() {
	a, b := [2][3]int{{1, 2, 3}, {4, 5, 6}}, [3][2]int{}
	err := exec.ParallelFor(policy.MDRange2([2]int{}, [2]int{2, 3}).Tiles([2]int{2, 2}), func(t policy.Tile[policy.Index2]) {
		for i := t.Lower.I; i < t.Upper.I; i++ {
			for j := t.Lower.J; j < t.Upper.J; j++ {
				b[j][i] = a[i][j]
			}
		}
	})
	fmt.Println(b, err)
	// Output: [[1 4] [2 5] [3 6]] <nil>
}

func ExampleTile() {
	p := policy.MDRange2([2]int{0, 10}, [2]int{3, 15}).On(exec.Serial{})
	err := exec.ParallelFor(p.Tiles([2]int{2, 3}), func(t policy.Tile[policy.Index2]) { fmt.Println(t.Lower, t.Upper) })
	fmt.Println(err)
	// Output:
	// {0 10} {2 13}
	// {0 13} {2 15}
	// {2 10} {3 13}
	// {2 13} {3 15}
	// <nil>
}

// What loops over a policy's items see: here two parts of rows.
func ExampleMDRangePolicy_NextRuns() {
	var runs [4]policy.Run
	n, next := policy.MDRange2([2]int{}, [2]int{4, 5}).NextRuns(3, 8, runs[:])
	fmt.Println(runs[:n], next)
	// Output: [{[0 3 0 0 0 0] 1 2} {[1 0 0 0 0 0] 1 3}] 8
}

// The same rows as planes: a part of one, two whole ones, and a part.
func ExampleMDRangePolicy_NextPlanes() {
	var planes [4]policy.Plane
	n, next := policy.MDRange2([2]int{}, [2]int{4, 5}).NextPlanes(3, 16, planes[:])
	fmt.Println(planes[:n], next)
	// Output: [{{[0 3 0 0 0 0] 1 2} 0 1} {{[1 0 0 0 0 0] 1 5} 0 2} {{[3 0 0 0 0 0] 1 1} 0 1}] 16
}

func ExampleMDRange3() {
	// The inner points of a grid of 4 x 4 x 4.
	inner := policy.MDRange3([3]int{1, 1, 1}, [3]int{3, 3, 3}).On(exec.Serial{})
	err := exec.ParallelFor(inner, func(x policy.Index3) { fmt.Print(x.I, x.J, x.K, "; ") })
	fmt.Println(err)
	// Output: 1 1 1; 1 1 2; 1 2 1; 1 2 2; 2 1 1; 2 1 2; 2 2 1; 2 2 2; <nil>
}

func ExampleMDRangePolicy_Tile() {
	p := policy.MDRange3([3]int{0, 0, 0}, [3]int{1, 3, 4}).Tile([3]int{1, 2, 2})
	points := make([]policy.Index3, p.Plan().Items)
	p.Next(0, len(points), points)
	for tile := range slices.Chunk(points, 4) {
		fmt.Println(tile)
	}
	// Output:
	// [{0 0 0} {0 0 1} {0 1 0} {0 1 1}]
	// [{0 0 2} {0 0 3} {0 1 2} {0 1 3}]
	// [{0 2 0} {0 2 1} {0 2 2} {0 2 3}]
}

func ExampleMDRangePolicy_Iterate() {
	p := policy.MDRange3([3]int{0, 0, 0}, [3]int{1, 4, 4}).Tile([3]int{1, 2, 2})
	show := func(p policy.MDRangePolicy[policy.Index3, [3]int]) {
		var first [6]policy.Index3
		p.Next(0, 6, first[:])
		fmt.Println(first)
	}
	show(p.Iterate(policy.Right, policy.Right))
	show(p.Iterate(policy.Left, policy.Right)) // from tile to tile along the first dimension that there is
	show(p.Iterate(policy.Right, policy.Left)) // from point to point likewise
	// Output:
	// [{0 0 0} {0 0 1} {0 1 0} {0 1 1} {0 0 2} {0 0 3}]
	// [{0 0 0} {0 0 1} {0 1 0} {0 1 1} {0 2 0} {0 2 1}]
	// [{0 0 0} {0 1 0} {0 0 1} {0 1 1} {0 0 2} {0 1 2}]
}

// A quarter of the tiles along the curve is a quarter of the box.
func ExampleMDRangePolicy_Iterate_hilbert() {
	p := policy.MDRange2([2]int{0, 0}, [2]int{4, 4}).Iterate(policy.Hilbert, policy.Right).Tiles([2]int{1, 1})
	var order [4][4]int
	for k := range p.Plan().Items {
		var tile [1]policy.Tile[policy.Index2]
		p.Next(k, k+1, tile[:])
		order[tile[0].Lower.I][tile[0].Lower.J] = k
	}
	for _, row := range order {
		fmt.Printf("%2d\n", row)
	}
	// Output:
	// [ 0  1 14 15]
	// [ 3  2 13 12]
	// [ 4  7  8 11]
	// [ 5  6  9 10]
}

func ExampleOrder_String() {
	fmt.Println(policy.Right, policy.Left, policy.Hilbert)
	// Output: Right Left Hilbert
}

func ExampleMDRangePolicy_String() {
	p := policy.MDRange2([2]int{0, 0}, [2]int{9, 20}).Tile([2]int{4, 4})
	fmt.Println(p)
	fmt.Println(p.Rows())
	fmt.Println(p.Tiles([2]int{2, 2}))
	// Output:
	// MDRange2 [0 0]+[9 20], tiles [4 4], Right, Right
	// MDRange2 [0 0]+[9 20], tiles [4 4], Right, Right.Rows
	// MDRange2 [0 0]+[9 20], tiles [2 2], Right, Right.Tiles
}

func ExampleMDRange4() {
	corners := 0
	p := policy.MDRange4([4]int{0, 0, 0, 0}, [4]int{2, 2, 2, 2}).On(exec.Serial{})
	err := exec.ParallelFor(p, func(at policy.Index4) { corners += at.I * at.J * at.K * at.L })
	fmt.Println(corners, err)
	// Output: 1 <nil>
}

func ExampleMDRange5() {
	var last policy.Index5
	p := policy.MDRange5([5]int{}, [5]int{1, 2, 3, 4, 5}).On(exec.Serial{})
	err := exec.ParallelFor(p, func(at policy.Index5) { last = at })
	fmt.Println(last, err)
	// Output: {0 1 2 3 4} <nil>
}

func ExampleMDRange6() {
	points := 0
	p := policy.MDRange6([6]int{-1, -1, -1, -1, -1, -1}, [6]int{1, 1, 1, 1, 1, 1}).On(exec.Serial{})
	err := exec.ParallelFor(p, func(policy.Index6) { points++ })
	fmt.Println(points, err)
	// Output: 64 <nil>
}

// Few, heavy items: every item is a leaf, for any worker to take.
func ExampleRangePolicy_Chunk() {
	sizes := []int{300, 100, 200}
	sums := make([]int, len(sizes))
	err := exec.ParallelFor(policy.Range(0, len(sizes)).Chunk(1), func(i int) {
		for k := range sizes[i] {
			sums[i] += k
		}
	})
	fmt.Println(sums, err)
	// Output: [44850 4950 19900] <nil>
}

func ExampleRangePolicy_WithContext() {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	err := exec.ParallelFor(policy.Range(0, 10).WithContext(ctx).WithLabel("relaxation"), func(int) {})
	fmt.Println(err)
	// Output: exec: launch of "relaxation" cancelled: context canceled
}

func ExampleOn() {
	on := policy.On(exec.Serial{})
	x := []float64{3, 1, 2}
	err := algorithms.Sort(views.Must(views.Of1("x", x)), on)
	fmt.Println(x, err)

	err = exec.ParallelFor(policy.Range(0, 3).With(on), func(i int) { x[i] *= 10 })
	fmt.Println(x, err)
	// Output:
	// [1 2 3] <nil>
	// [10 20 30] <nil>
}

func ExampleLaunch_WithContext() {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	v := views.Must(views.New1[int]("v", 3))
	fmt.Println(views.Fill(v, 7, policy.On(nil).WithContext(ctx)))
	fmt.Println(views.Fill(v, 7, policy.On(nil).WithContext(ctx).WithLabel("reset")))
	// Output:
	// exec: launch of "Fill of \"v\" [3]" cancelled: context canceled
	// exec: launch of "reset" cancelled: context canceled
}

// A function that launches has a label of its own, which its caller's replaces.
func ExampleLaunch_With() {
	caller := policy.On(exec.Serial{}).WithLabel("mine")
	here := policy.Launch{}.WithLabel("theirs").With(caller)
	fmt.Println(here == caller, here.On(nil).Space())
	// Output: true <nil>
}

func ExampleTeam() {
	var members [2][3]string
	err := exec.ParallelFor(policy.Team(2, 3), func(m *team.Member) {
		members[m.LeagueRank()][m.Rank()] = fmt.Sprint(m.LeagueRank(), "/", m.Rank())
	})
	fmt.Println(members, err)

	err = exec.ParallelFor(policy.Team(2, 0), func(*team.Member) {})
	fmt.Println(err)
	// Output:
	// [[0/0 0/1 0/2] [1/0 1/1 1/2]] <nil>
	// policy: Team: 0 members, expected 1 to 65536, or team.Auto
}

// The tiles of a matrix, a team to a tile, a member to a point.
func ExampleTeamPolicy_Dims() {
	var a [4][6]int
	p := policy.Team(4, 6).Dims(3, 2, 1)
	err := exec.ParallelFor(p, func(m *team.Member) {
		x, y, _ := m.LocalID()
		a[m.LeagueRank()/2*2+y][m.LeagueRank()%2*3+x] = m.Rank()
	})
	fmt.Println(a, err)
	// Output: [[0 1 2 0 1 2] [3 4 5 3 4 5] [0 1 2 0 1 2] [3 4 5 3 4 5]] <nil>
}

func ExampleTeamPolicy_Vector() {
	a := [][]float64{{1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}}
	sums := make([]float64, len(a))
	err := exec.ParallelFor(policy.Team(len(a), 1).Vector(4), func(m *team.Member) {
		row := a[m.LeagueRank()]
		team.Reduce(team.VectorRange(m, len(row)), func(j int, acc *float64) { *acc += row[j] }, builtin.Sum(&sums[m.LeagueRank()]))
	})
	fmt.Println(sums, err)
	// Output: [15 40] <nil>
}

func ExampleTeamPolicy_SubGroup() {
	var ids [6]int
	err := exec.ParallelFor(policy.Team(1, 6).SubGroup(4).On(exec.Serial{}), func(m *team.Member) { ids[m.Rank()] = m.SubGroup().ID() })
	fmt.Println(ids, err)
	// Output: [0 0 0 0 1 1] <nil>
}

// 4 values of 8 bytes that a team shares, and one of each member.
func ExampleTeamPolicy_Scratch() {
	var sums [3]int
	p := policy.Team(len(sums), 4).Scratch(0, 4*8, 8)
	err := exec.ParallelFor(p, func(m *team.Member) {
		shared, mine := team.Scratch[int](m, 0, 4), team.MemberScratch[int](m, 0, 1)
		mine[0] = 10*m.LeagueRank() + m.Rank()
		shared[m.Rank()] = mine[0]
		m.Barrier()
		team.Single(m, func() {
			for _, x := range shared {
				sums[m.LeagueRank()] += x
			}
		})
	})
	fmt.Println(sums, err)
	// Output: [6 46 86] <nil>
}

// SYCL's item: a functor that asks for its place in the range.
func ExampleItemsPolicy() {
	p := policy.MDRange2([2]int{10, 20}, [2]int{12, 23}).On(exec.Serial{})
	err := exec.ParallelFor(p.Items(), func(item policy.Item[policy.Index2]) {
		fmt.Println(item.Index, item.Linear(), item.Extents())
	})
	fmt.Println(err)
	// Output:
	// {10 20} 0 {2 3}
	// {10 21} 1 {2 3}
	// {10 22} 2 {2 3}
	// {11 20} 3 {2 3}
	// {11 21} 4 {2 3}
	// {11 22} 5 {2 3}
	// <nil>
}

func ExampleBoxOf() {
	box, ok := policy.BoxOf(policy.MDRange2([2]int{1, 2}, [2]int{9, 8}).Tile([2]int{4, 4}))
	fmt.Println(box.Lower, box.Extent, box.Tile, ok)
	box, ok = policy.BoxOf(policy.Range(10, 15))
	fmt.Println(box.Lower, box.Extent, ok)
	_, ok = policy.BoxOf(policy.Team(2, 32))
	fmt.Println(ok)
	// Output:
	// [1 2] [8 6] [4 4] true
	// [10] [5] true
	// false
}
