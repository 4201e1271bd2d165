package wrong

import (
	"sync/atomic"

	"example.com/kernels/claims"
	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
)

func teams9(m *team.Member) bool { return m.LeagueSize() == 9 }

func sizeOf(m *team.Member) int { return m.Size() }

// Sizes are the same for all members and lanes.
func sizes(x []float64) error {
	n := 0
	return exec.ParallelFor(policy.Team(9, 4), func(m *team.Member) {
		if m.LeagueSize() == 9 {
			n++ // want `a functor writes n, which items share`
		}
		if m.Size() == 4 || m.VectorLength() == 2 {
			n++ // want `a functor writes n, which items share`
		}
		if a, _, _ := m.LocalSize(); a == 4 {
			n++ // want `a functor writes n, which items share`
		}
		if m.SubGroup().Count() == 1 || m.SubGroup().MaxSize() == 32 {
			n++ // want `a functor writes n, which items share`
		}
		if m.Rank() == 0 || m.SubGroup().Rank() == 0 { // of each team
			n++ // want `a functor writes n, which items share`
		}
		if a, _, _ := m.LocalID(); a == 0 {
			n++ // want `a functor writes n, which items share`
		}
		size := m.Size()
		if size == 4 {
			n++ // want `a functor writes n, which items share`
		}
		if teams9(m) {
			n++ // want `a functor writes n, which items share`
		}
		if sizeOf(m) == 4 {
			n++ // want `a functor writes n, which items share`
		}
		small := m.LeagueSize() == 3
		if small {
			n++ // want `a functor writes n, which items share`
		}
		row := 0.0
		team.For(team.VectorRange(m, 10), func(k int) {
			if m.VectorLength() == 1 {
				row += x[k] // want `a functor of vector lanes writes row, which the lanes share`
			}
		})
	})
}

func isNumber0(i int) bool { return i == 0 }

// What one item of all is chosen by does not choose the others, and a choice of two needs both.
func others(x []float64, verbose bool, done *atomic.Bool, mode string, o claims.Owner) error {
	n := 0
	var once atomic.Bool
	return exec.ParallelFor(policy.Range(0, 9), func(i int) {
		if verbose || i == 0 {
			n++ // want `a functor writes n, which items share`
		}
		if !(verbose && i == 0) {
			n++ // want `a functor writes n, which items share`
		}
		if !once.CompareAndSwap(false, true) {
			n++ // want `a functor writes n, which items share`
		}
		if done.Load() {
			n++ // want `a functor writes n, which items share`
		}
		if !isNumber0(i) {
			n++ // want `a functor writes n, which items share`
		}
		if claims.Loud(mode) || o.Verbose {
			n++ // want `a functor writes n, which items share`
		}
		positive := false
		if x[i] > 0 {
			positive = true
		}
		if positive {
			n++ // want `a functor writes n, which items share`
		}
		found := i == 3
		found = found || verbose
		if found {
			n++ // want `a functor writes n, which items share`
		}
		first := i == 0
		switch first {
		case false:
			n++ // want `a functor writes n, which items share`
		}
		switch i {
		case 3:
			return
		default:
		}
		n++ // want `a functor writes n, which items share`
	})
}

// The pass of a scan is the same for all items.
func passes(x []float64) error {
	n, total := 0, 0.0
	return exec.ParallelScan(policy.Range(0, 9), func(i int, acc *float64, final bool) {
		*acc += x[i]
		if final {
			n++ // want `a functor writes n, which items share`
		}
	}, builtin.Sum(&total))
}

func even(i int) bool { return i == 0 || even(i-2) }

func depth(i int) int { return 1 + depth(i/2) }

func oneOf(i int) bool { return otherOf(i) }

func otherOf(i int) bool { return oneOf(i) }

type octree struct {
	n    int
	kids [8]*octree
}

func (o *octree) hit(i int) bool {
	return o.n == i || o.kids[0].hit(i) || o.kids[1].hit(i) || o.kids[2].hit(i) || o.kids[3].hit(i) ||
		o.kids[4].hit(i) || o.kids[5].hit(i) || o.kids[6].hit(i) || o.kids[7].hit(i)
}

// Functions that call themselves are looked at once.
func recursive(o *octree) error {
	n := 0
	return exec.ParallelFor(policy.Range(0, 9), func(i int) {
		if even(i) {
			n++ // want `a functor writes n, which items share`
		}
		if depth(i) == 3 {
			n++ // want `a functor writes n, which items share`
		}
		if oneOf(i) {
			n++ // want `a functor writes n, which items share`
		}
		if o.hit(i) {
			n++ // want `a functor writes n, which items share`
		}
	})
}
