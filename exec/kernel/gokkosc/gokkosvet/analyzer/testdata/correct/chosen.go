package correct

import (
	"sync/atomic"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/views/atomics"
	"github.com/gokkos/gokkos/views/bitset"
)

type part struct {
	first, last bool
	at          int
}

func partOf(i, n int) part { return part{i == 0, i == n-1, i} }

func isFirst(i int) bool { return i == 0 }

func decode(i int, first *bool) { *first = i == 0 }

func (p *part) set(i int) { p.first = i == 0 }

func claim(c *atomic.Bool) bool { return c.CompareAndSwap(false, true) }

// One item is chosen, by whatever comes from its index.
func chosen(x []float64, want int, verbose bool, pick func() bool) error {
	var n [14]int // each condition has its own
	return exec.ParallelFor(policy.Range(0, 9), func(i int) {
		if verbose && i == want {
			n[0]++
		}
		p := partOf(i, 9)
		if p.first {
			n[1]++
		}
		var first bool
		decode(i, &first)
		if first {
			n[2]++
		}
		var q part
		q.set(i)
		if q.first {
			n[3]++
		}
		if q.at == 3 {
			n[4]++
		}
		if isFirst(i) {
			n[5]++
		}
		only := false
		if i == 3 {
			only = true
		}
		if only {
			n[6]++
		}
		found := false
		for j := range 9 {
			if j == i*9 {
				found = true
			}
		}
		if found {
			n[7]++
		}
		last := i == 8
		switch last {
		case true:
			n[8]++
		}
		switch {
		case !last:
		default:
			n[9]++
		}
		add := func(now bool) {
			if now {
				n[10]++
			}
		}
		add(last)
		if pick() { // nobody knows
			n[11]++
		}
		for j := i; j == 4; j++ {
			n[12]++
		}
		if verbose {
			if !last {
				return
			}
			n[13]++
		}
	})
}

// One item is chosen by who comes first.
func claimed(x []float64, bits *bitset.Bits) error {
	var n [7]int // each condition has its own
	done := 0
	var once atomic.Bool
	var left atomic.Int64
	return exec.ParallelFor(policy.Range(0, 9), func(i int) {
		if once.CompareAndSwap(false, true) {
			n[0]++
		}
		if won := once.CompareAndSwap(false, true); won {
			n[1]++
		}
		if claim(&once) {
			n[2]++
		}
		mine := claim(&once)
		if mine {
			n[3]++
		}
		if left.Add(-1) == 0 {
			n[4]++
		}
		ticket := atomics.Add(&done, 1)
		if ticket == 9 {
			n[5]++
		}
		if bits.Set(3) {
			n[6]++
		}
	})
}

// One lane is chosen.
func chosenLanes(x []float64) error {
	return exec.ParallelFor(policy.Team(9, 4), func(m *team.Member) {
		row, end := 0.0, 0.0
		team.For(team.VectorRange(m, 10), func(k int) {
			if k == 0 {
				row = x[k]
			}
			last := k == 9
			if last {
				end += x[k]
			}
		})
		x[m.LeagueRank()*m.Size()+m.Rank()] = row + end
	})
}
