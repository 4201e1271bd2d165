package correct

import (
	"sync"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/views"
)

// A bound leaves one item.
func bounded(x []float64, n int, p policy.RangePolicy) error {
	var s [18]int // each condition has its own
	end := n - 1
	exec.Must(exec.ParallelFor(policy.Range(0, n), func(i int) {
		if i < 1 {
			s[0]++
		}
		if i <= 0 {
			s[1]++
		}
		if 1 > i {
			s[2]++
		}
		if i >= n-1 {
			s[3]++
		}
		if i > n-2 {
			s[4]++
		}
		if i >= end {
			s[5]++
		}
		if i >= len(x)-1 {
			s[6]++
		}
		if i+1 >= n {
			s[7]++
		}
		if !(i > 0) {
			s[8]++
		}
		isLast := n-i <= 1
		if isLast {
			s[9]++
		}
		if 3*i < 3 {
			s[10]++
		}
		if i > 0 {
			return
		}
		s[11]++
	}))
	exec.Must(exec.ParallelFor(policy.Range(3, 10), func(i int) {
		if i < 4 {
			s[12]++
		}
		if i > 8 {
			s[13]++
		}
	}))
	exec.Must(exec.ParallelFor(policy.MDRange2([2]int{0, 1}, [2]int{n, n}), func(t policy.Index2) {
		if t.I <= 0 && t.J < 2 {
			s[14]++
		}
		if t.I+t.J == 1 {
			s[15]++
		}
	}))
	exec.Must(exec.ParallelFor(policy.Team(9, 4), func(m *team.Member) {
		if m.LeagueRank() < 1 && m.Rank() >= m.Size()-1 {
			s[16]++
		}
	}))
	return exec.ParallelFor(p, func(i int) {
		if i >= n-1 {
			s[17]++
		}
	})
}

func kind(i int) int {
	if i == 4 {
		return 1
	}
	return 0
}

func linear(i, j, n int) int { return i*n + j }

type cell struct{ i, j int }

// All indices are fixed, whatever they are called.
func fixed(n int) error {
	var s [18]int // each condition has its own
	exec.Must(exec.ParallelFor(policy.MDRange2([2]int{}, [2]int{n, n}), func(t policy.Index2) {
		i, j := t.I, t.J
		if i == 0 && j == n-1 {
			s[0]++
		}
		if t == (policy.Index2{I: 1, J: 3}) {
			s[1]++
		}
		if i*n+j == 7 || false {
			s[2]++
		}
		if linear(i, j, n) == 7 {
			s[3] += linear(0, 0, n)
		}
		if c := (cell{i, j}); c.i == 3 && c.j == 4 {
			s[4]++
		}
		if i != 0 || j != 0 {
			return
		}
		s[5]++
	}))
	return exec.ParallelFor(policy.Range(0, n), func(i int) {
		if i+3 == n {
			s[6]++
		}
		if n-i == 3 {
			s[7]++
		}
		if i*3 == 6 {
			s[8]++
		}
		if i^5 == 0 {
			s[9]++
		}
		if i<<2 == 8 {
			s[10]++
		}
		if float64(i) == 3 {
			s[11]++
		}
		if i == n-i {
			s[12]++
		}
		if i/10 == 3 && i%10 == 4 {
			s[13]++
		}
		row, col := i/n, i%n
		if row == 0 && col == 0 {
			s[14]++
		}
		if kind(i) == 1 {
			s[15]++
		}
		count := 0
		if i == 3 {
			count++
		}
		if count == 1 {
			s[16]++
		}
		what := 0
		if i == 3 {
			what = 2
		}
		if what == 2 {
			s[17]++
		}
	})
}

// Spans, and the items in them.
func ofSpans(x []float64) error {
	n := 0
	return exec.ParallelFor(policy.Spans(0, 9), func(s policy.Span) {
		if s.Begin == 0 {
			n++
		}
		for i := range s.All() {
			if i == 3 {
				n++
			}
		}
		for i := s.Begin; i < s.End; i++ {
			if i == 3 {
				n++
			}
		}
	})
}

// Numbers that tell elements apart.
func unique(perm []int, cells []struct{ id int }, v views.View1[int]) error {
	at := 0
	_ = at
	return exec.ParallelFor(policy.Range(0, 9), func(i int) {
		if perm[i] == 0 {
			at = i
		}
		if cells[i].id == 7 {
			at = i
		}
		if v.At(i) == 3 {
			at = i
		}
	})
}

// A lock lets in one item at a time.
func locked(x []float64, g *exec.Goroutines, seen map[int]bool, t *table, e *embedded) error {
	var mu sync.Mutex
	var rw sync.RWMutex
	n := 0
	add := func(k int) {
		mu.Lock()
		defer mu.Unlock()
		n += k
	}
	err := exec.ParallelFor(policy.Range(0, 9).On(g), func(i int) {
		mu.Lock()
		n++
		mu.Unlock()
		rw.Lock()
		defer rw.Unlock()
		if x[i] > 3 {
			n++
			seen[i] = true
		}
		add(i)
	})
	if err != nil {
		return err
	}
	return exec.ParallelFor(policy.Range(0, 9).On(g), func(i int) {
		t.with(func() { n++ })
		t.lock()
		n++
		t.unlock()
		e.Lock()
		e.n++
		e.Unlock()
	})
}

// One member of one team writes.
func member(x []float64) error {
	n := 0
	exec.Must(exec.ParallelFor(policy.Team(9, 4), func(m *team.Member) {
		if m.LeagueRank() == 0 {
			team.Single(m, func() { n++ })
			team.For(team.ThreadRange(m, 9), func(k int) {
				if k == 3 {
					n++
				}
			})
		}
		best := 0
		_ = best
		team.For(team.VectorRange(m, 9), func(k int) {
			if k < 1 {
				best = k
			}
		})
	}))
	return exec.ParallelFor(policy.Team(9, 1), func(m *team.Member) {
		if m.LeagueRank() == 0 {
			n++
		}
	})
}

type table struct {
	mu           sync.Mutex
	bins         []int
	total, first int
}

func (t *table) lock() { t.mu.Lock() }

func (t *table) unlock() { t.mu.Unlock() }

func (t *table) with(f func()) {
	t.lock()
	defer t.unlock()
	f()
}

type embedded struct {
	sync.Mutex
	n int
}

func (t *table) put(i int) { t.bins[i]++ }

func (t *table) count() {
	t.mu.Lock()
	t.total++
	t.mu.Unlock()
}

func (t table) copied() { t.total++ }

func reset(p *int) { *p = 0 }

// Functions write what is the item's.
func byHelpers(t *table, v views.View2[float64], x []float64) error {
	return exec.ParallelFor(policy.Range(0, 9), func(i int) {
		t.put(i)
		t.count()
		t.copied()
		n := 3
		reset(&n)
		var own table
		own.total++
		own.copied()
		v.Set(i, 0, 3)
		*v.Ptr(0, i) = 3
		row := v.Row(i)
		row[0] = 1
		if i == 0 {
			v.Set(0, 0, x[i])
			t.first = 3
		}
	})
}
