package wrong

import (
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/views"
)

func flagOf(i, n int) bool {
	if i == 0 {
		return true
	}
	if i == n-1 {
		return true
	}
	return false
}

func isOdd(i int) bool { return i&1 == 1 }

type chooser struct{ picks func(i int) bool }

func level1(i int) bool { return level2(i) }
func level2(i int) bool { return level3(i) }
func level3(i int) bool { return i%2 == 0 }

// Two items fulfil these conditions, however they are written.
func conditions(n int) error {
	s := 0
	predicates := []func(int) bool{isOdd}
	named := map[string]func(int) bool{"odd": isOdd}
	c := chooser{isOdd}
	return exec.ParallelFor(policy.Range(0, n), func(i int) {
		for j := range n {
			if i == j {
				s++ // want `a functor writes s, which items share: use a reducer or package atomics \(item 0 and item 1 both do\)`
			}
		}
		e := false
		if i == 0 {
			e = true
		}
		if i == n-1 {
			e = true
		}
		if e {
			s++ // want `a functor writes s`
		}
		if flagOf(i, n) {
			s++ // want `a functor writes s`
		}
		if i%2 == 0 && i/10 == 3 {
			s++ // want `a functor writes s`
		}
		w := i
		if i >= n/2 {
			w = i - n/2
		}
		if w == 1 {
			s++ // want `a functor writes s`
		}
		p := &point{i % 2, 0}
		if p.i == 0 {
			s++ // want `a functor writes s`
		}
		idx := [2]int{i % 4, i / 4}
		if idx[0] == 1 {
			s++ // want `a functor writes s`
		}
		slot := idx[:]
		if slot[1] == 1 {
			s++ // want `a functor writes s`
		}
		if predicates[0](i) {
			s++ // want `a functor writes s`
		}
		if named["odd"](i) {
			s++ // want `a functor writes s`
		}
		if c.picks(i) {
			s++ // want `a functor writes s`
		}
		if level1(i) {
			s++ // want `a functor writes s`
		}
		if i >= 3 && i <= 4 {
			s++ // want `a functor writes s`
		}
		if i*i <= 1 {
			s++ // want `a functor writes s`
		}
		k := i
		for k > 1 {
			k -= 2
		}
		if k == 0 {
			s++ // want `a functor writes s`
		}
		switch d := i - 3; {
		case d*d == 1:
			s++ // want `a functor writes s`
		}
	})
}

// Pairs of indices are fulfilled by several points.
func points(n int) error {
	s := 0
	return exec.ParallelFor(policy.MDRange2([2]int{}, [2]int{n, n}), func(t policy.Index2) {
		if t.I+2*t.J == 4 {
			s++ // want `a functor writes s, which items share: use a reducer or package atomics \(item \[0, 2\] and item \[2, 1\] both do\)`
		}
		if t.I*t.J == 0 {
			s++ // want `a functor writes s`
		}
		if t.I^t.J == 1 {
			s++ // want `a functor writes s`
		}
	})
}

// Several items have the same place.
func places(x, y, hist []float64, perm []int, n int, v views.View2[float64], u views.View3[float64]) error {
	sp := []*float64{&x[0]}
	return exec.ParallelFor(policy.Range(0, n), func(i int) {
		w := i
		if i >= n/2 {
			w = i - n/2
		}
		y[w]++              // want `a functor writes y`
		hist[i%8]++         // want `a functor writes hist`
		y[i/2] = 1          // want `a functor writes y`
		y[i&^1] += 1        // want `a functor writes y`
		y[max(i, 3)] = 1    // want `a functor writes y`
		hist[perm[i]%8]++   // want `a functor writes hist`
		v.Set(i%4, 0, x[i]) // want `a functor writes v`
		u.Set(1, i/2, 0, 1) // want `a functor writes u`
		*v.Ptr(i/2, 1) = 1  // want `a functor writes v`
		v.Row(i % 3)[2] = 1 // want `a functor writes v`
		*sp[0] = x[i]       // want `a functor writes sp`
		for k := range hist {
			hist[k]++ // want `a functor writes hist`
		}
		for k := range 3 {
			y[i+k] = 1 // want `a functor writes y`
		}
		copy(y[i:i+2], x) // want `a functor writes all of y by copy`
		row := y[i:]
		row[1] = 1
		clear(row) // want `a functor writes all of y by clear`
	})
}

func each(n int, f func(i int)) error { return exec.ParallelFor(policy.Range(0, n), f) }

type solver struct{ n int }

func (s *solver) each(f func(i int)) { exec.Must(each(s.n, f)) }

// A function of the package launches what it is given.
func wrapped(n int, s *solver) error {
	sum := 0
	s.each(func(i int) {
		sum += i // want `a functor writes sum`
	})
	func() {
		exec.Must(each(n, func(i int) {
			sum -= i // want `a functor writes sum`
		}))
	}()
	return each(n, func(i int) {
		if i%2 == 0 {
			sum += i // want `a functor writes sum`
		}
	})
}

// Lanes of one member are several.
func lanesOfOne(x []float64) error {
	n := 0
	return exec.ParallelFor(policy.Team(9, 4), func(m *team.Member) {
		if m.LeagueRank() == 0 && m.Rank() == 0 {
			team.For(team.VectorRange(m, 10), func(k int) {
				n++ // want `a functor of vector lanes writes n, which the lanes share`
			})
		}
		if m.LeagueRank() == 0 {
			for k := range team.ThreadRange(m, 10).All() {
				x[k/2] = 1 // want `a functor writes x`
			}
		}
	})
}

type kernel struct{ body func(i int) }

func (k kernel) run(n int) error { return exec.ParallelFor(policy.Range(0, n), k.body) }

func over[P exec.Policy[int]](p P, f func(i int)) { exec.Must(exec.ParallelFor(p, f)) }

func later(n int, f func(i int)) error {
	run := func() error { return exec.ParallelFor(policy.Range(0, n), f) }
	return run()
}

func eachOf(n int, f func(i int)) {
	exec.Must(exec.ParallelFor(policy.Range(0, n), func(i int) { f(i) }))
}

func with(n int, f func(x []float64, i int)) func(s exec.Space) error {
	return func(s exec.Space) error {
		x := make([]float64, n)
		return exec.ParallelFor(policy.Range(0, n).On(s), func(i int) { f(x, i) })
	}
}

var shared3 = with(9, func(x []float64, i int) {
	x[i] = 1
	x[i/3]++ // want `a functor writes x`
})

// Functors go to their launches by many ways.
func ways(n int, x []float64, reset func()) error {
	sum := 0
	local := func(f func(i int)) { exec.Must(exec.ParallelFor(policy.Range(0, n), f)) }
	local(func(i int) {
		sum++ // want `a functor writes sum`
	})
	over(policy.Range(0, n), func(i int) {
		sum++ // want `a functor writes sum`
	})
	eachOf(n, func(i int) {
		sum++ // want `a functor writes sum`
	})
	exec.Must(later(n, func(i int) {
		sum++ // want `a functor writes sum`
	}))
	exec.Must(kernel{func(i int) {
		sum++ // want `a functor writes sum`
	}}.run(n))
	functors := map[string]func(i int){"count": func(i int) {
		sum++ // want `a functor writes sum`
	}}
	exec.Must(exec.ParallelFor(policy.Range(0, n), functors["count"]))
	defer exec.Must(exec.ParallelFor(policy.Range(0, n), func(i int) {
		sum++ // want `a functor writes sum`
	}))
	for _, f := range []func(i int){func(i int) {
		sum++ // want `a functor writes sum`
	}} {
		exec.Must(exec.ParallelFor(policy.Range(0, n), f))
	}
	go func() {
		exec.Must(exec.ParallelFor(policy.Range(0, n), func(i int) {
			sum++ // want `a functor writes sum`
		}))
	}()
	switch {
	case n > 1000:
		if n == 77777 {
			exec.Must(exec.ParallelFor(policy.Range(0, n), func(i int) {
				sum++ // want `a functor writes sum`
			}))
		}
	}
	return nil
}
