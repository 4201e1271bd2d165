package wrong

import (
	"slices"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/algorithms"
	"github.com/gokkos/gokkos/views/bitset"
)

func isEven(i int) bool { return i%2 == 0 }

func parity(i int) int {
	rest := i % 2
	return rest
}

func divided(i, by int) (whole, rest int) { return i / by, i % by }

type point struct{ i, j int }

// Many items fulfil an equality of what is the same for several.
func fulfilledByMany(x []float64, n int, verbose bool, list []int) error {
	s := 0
	return exec.ParallelFor(policy.Range(0, n), func(i int) {
		if i%2 == 0 {
			s++ // want `a functor writes s, which items share`
		}
		if i&1 == 1 {
			s++ // want `a functor writes s, which items share`
		}
		if i/10 == 3 {
			s++ // want `a functor writes s, which items share`
		}
		if i>>2 == 3 {
			s++ // want `a functor writes s, which items share`
		}
		if verbose && i%100 == 0 {
			s++ // want `a functor writes s, which items share`
		}
		if i == i {
			s++ // want `a functor writes s, which items share`
		}
		if i-i == 0 || i*0 == 0 {
			s++ // want `a functor writes s, which items share`
		}
		if min(i, 3) == 3 {
			s++ // want `a functor writes s, which items share`
		}
		if isEven(i) {
			s++ // want `a functor writes s, which items share`
		}
		if parity(i) == 1 {
			s++ // want `a functor writes s, which items share`
		}
		if _, rest := divided(i, 7); rest == 0 {
			s++ // want `a functor writes s, which items share`
		}
		lane := i % 32
		if lane == 0 {
			s++ // want `a functor writes s, which items share`
		}
		hit := lane == 3
		if hit {
			s++ // want `a functor writes s, which items share`
		}
		switch i % 3 {
		case 0:
			s++ // want `a functor writes s, which items share`
		}
		if uint8(i) == 3 {
			s++ // want `a functor writes s, which items share`
		}
		positive := 0
		if x[i] > 0 {
			positive++
		}
		if positive == 1 {
			s++ // want `a functor writes s, which items share`
		}
		if slices.Contains(list, i) {
			s++ // want `a functor writes s, which items share`
		}
		k := i
		if x[i] > 3 {
			k = 0
		}
		if k == 0 {
			s++ // want `a functor writes s, which items share`
		}
		for j := range i {
			if j == 3 {
				s++ // want `a functor writes s, which items share`
			}
		}
		if i == 0 || i == 5 {
			s++ // want `a functor writes s, which items share`
		}
		switch i {
		case 0, 5:
			s++ // want `a functor writes s, which items share`
		}
		if i%2 != 0 {
			return
		}
		s = i // want `a functor writes s, which items share`
	})
}

// Bounds leave more than one item.
func bounded(x []float64, n int) error {
	s := 0
	exec.Must(exec.ParallelFor(policy.Range(1, n), func(i int) {
		if i < 3 {
			s++ // want `a functor writes s, which items share`
		}
		if i >= n-2 {
			s++ // want `a functor writes s, which items share`
		}
		if i > 0 {
			s++ // want `a functor writes s, which items share`
		}
		if 2*i < n {
			s++ // want `a functor writes s, which items share`
		}
	}))
	return exec.ParallelFor(policy.Range(0, n), func(i int) {
		if i <= 1 {
			s++ // want `a functor writes s, which items share`
		}
		if i < n-1 {
			s++ // want `a functor writes s, which items share`
		}
		if i >= len(x)-3 {
			s++ // want `a functor writes s, which items share`
		}
	})
}

// One index of two is a row.
func rows(mask views.View2[bool], u views.View2[float64]) error {
	n, last := 0, 0
	return exec.ParallelFor(policy.MDRange2([2]int{}, [2]int{9, 9}), func(t policy.Index2) {
		_ = last
		if t.I == 0 {
			n++ // want `a functor writes n, which items share`
		}
		i, j := t.I, t.J
		if j == 0 {
			n++ // want `a functor writes n, which items share`
		}
		if i < 1 {
			n++ // want `a functor writes n, which items share`
		}
		if i == j {
			n++ // want `a functor writes n, which items share`
		}
		if i+j == 3 {
			n++ // want `a functor writes n, which items share`
		}
		p := point{i, j}
		if p.i == 0 {
			n++ // want `a functor writes n, which items share`
		}
		if mask.At(i, j) {
			n++ // want `a functor writes n, which items share`
		}
		if u.At(i, j) == 0 {
			n++      // want `a functor writes n, which items share`
			last = i // want `a functor writes last, which items share`
		}
	})
}

// All members of a team have its rank in the league.
func members(x []float64) error {
	n := 0
	exec.Must(exec.ParallelFor(policy.Team(9, 4), func(m *team.Member) {
		if m.LeagueRank() == 0 {
			n++ // want `a functor writes n, which items share`
		}
		if m.Rank() == 0 {
			n++ // want `a functor writes n, which items share`
		}
		league := m.LeagueRank()
		if team.AllReduce(m, 1, builtin.Sum[int]) == 4 {
			n++ // want `a functor writes n, which items share`
		}
		if league == 3 {
			team.For(team.ThreadRange(m, 9), func(k int) {
				n++ // want `a functor writes n, which items share`
			})
			team.For(team.VectorRange(m, 9), func(k int) {
				if k == 0 {
					n++ // want `a functor writes n, which items share`
				}
			})
		}
	}))
	return exec.ParallelFor(policy.Team(9, 4), func(m *team.Member) {
		best := 3
		team.For(team.VectorRange(m, 9), func(k int) {
			if best == 3 {
				best = 4 // want `a functor of vector lanes writes best, which the lanes share`
			}
			if best == 4 {
				best = k // want `a functor of vector lanes writes best, which the lanes share`
			}
			increase(&best, k) // want `a functor of vector lanes writes best, which the lanes share`
			if k%4 == 0 {
				best = 5 // want `a functor of vector lanes writes best, which the lanes share`
			}
		})
	})
}

// An element is of one item only where no two are equal, and then the item only stores.
func elements(ids []int, x []float64, v views.View1[int], s *sums, set *bitset.Bits, all []sums, p policy.RangePolicy) error {
	zeros, at := 0, 0
	_ = at
	exec.Must(exec.ParallelFor(p, func(i int) {
		if s.empty(i) {
			zeros++ // want `a functor writes zeros, which items share`
		}
		if set.Test(i) {
			zeros++ // want `a functor writes zeros, which items share`
		}
		if all[i].all == 3 {
			at = i // want `a functor writes at, which items share`
		}
		if one := all[i]; one.all == 3 {
			at = i // want `a functor writes at, which items share`
		}
		if i >= len(x) {
			zeros++ // want `a functor writes zeros, which items share`
		}
	}))
	exec.Must(exec.ParallelFor(policy.Range(0, 9), func(i int) {
		if ids[i] == 0 {
			zeros++           // want `a functor writes zeros, which items share`
			zeros += i        // want `a functor writes zeros, which items share`
			zeros = zeros + 1 // want `a functor writes zeros, which items share`
		}
		if x[i] == 0 {
			at = i // want `a functor writes at, which items share`
		}
		if i == 3 || ids[i] == 7 {
			at = i // want `a functor writes at, which items share`
		}
	}))
	return algorithms.ForEach(v, func(i int, x *int) {
		if *x == 3 {
			zeros++ // want `a functor writes zeros, which items share`
		}
	})
}

type sums struct {
	n    int
	all  float64
	bins []int
}

func (s *sums) add(x float64) { s.all += x }

func (s *sums) twice(x float64) {
	s.add(x)
	t := s
	t.n = 2
}

func (s *sums) first(i int, x float64) {
	if i == 0 {
		s.add(x)
	}
}

func (s sums) store(x int) { s.bins[0] = x }

func (s *sums) push(b int) { s.bins = append(s.bins, b) }

func store(x []float64, k int, v float64) { x[k] = v }

func addTo(sum *float64, x float64) { *sum += x }

func increase(n *int, k int) { *n += k }

func (s *sums) empty(k int) bool { return s.bins[k] == 0 }

func tally() { global++ }

// Functions of the package write for their callers.
func helpers(x []float64, v views.View1[float64], a sums, b *sums) error {
	total := 0.0
	add := func(x float64) { total += x }
	return exec.ParallelFor(policy.Range(0, 9), func(i int) {
		a.add(x[i])   // want `a functor writes a, which items share`
		b.twice(x[i]) // want `a functor writes b, which items share`
		b.first(3*i, x[i])
		b.first(i%2, x[i])  // want `a functor writes b, which items share`
		a.store(i)          // want `a functor writes a, which items share`
		b.push(i)           // want `a functor writes b, which items share`
		addTo(&total, x[i]) // want `a functor writes total, which items share`
		add(x[i])           // want `a functor writes total, which items share`
		tally()             // want `a functor writes global, which items share`
		store(x, 0, x[i])   // want `a functor writes x, which items share`
		v.Set(0, x[i])      // want `a functor writes v, which items share`
		*v.Ptr(3) = x[i]    // want `a functor writes v, which items share`
		row := v.Row()
		row[2] = x[i] // want `a functor writes v, which items share`
	})
}

func ends() (int, int) { return 0, 9 }

func corners() (lower, upper [2]int) { return [2]int{}, [2]int{9, 9} }

type table map[int]int

func (t table) at(i int) int { return t[i] }

// Bounds may be the results of one call, a value an element of a map, and the size of a team the space's choice.
func ofBoundsThatNobodySees(x []float64) error {
	s := 0
	if err := exec.ParallelFor(policy.Range(ends()), func(i int) {
		if i%2 == 0 {
			s++ // want `a functor writes s, which items share`
		}
		t := table{0: i}
		if f := t.at; f == nil || f(0) >= 0 {
			s++ // want `a functor writes s, which items share`
		}
	}); err != nil {
		return err
	}
	if err := exec.ParallelFor(policy.MDRange2(corners()), func(t policy.Index2) {
		if t.I == 0 {
			s++ // want `a functor writes s, which items share`
		}
	}); err != nil {
		return err
	}
	return exec.ParallelFor(policy.Team(9, team.Auto), func(m *team.Member) {
		if m.LeagueRank() == 0 {
			s++ // want `a functor writes s, which items share`
		}
	})
}
