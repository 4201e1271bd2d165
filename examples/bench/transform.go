package main

// A transform is a kernel that writes z.
type transform struct {
	over   func(n int) (begin, end int) // what the loop is over: items, or rows
	gokkos loops
	loop   func(s setup, begin, end int) // over part of that
	gonum  func(s setup)                 // nil if gonum has none
}

// loops are how gokkos writes z, by implementation: each is set up once, and returns the
// launch that is measured.
type loops map[string]func(s setup) (launch func() error)

// implementations are the launches, the loop as a whole and shared out by the peers, and
// gonum.
func (t transform) implementations() implementations {
	m := implementations{
		"loop": func(s setup) implementation {
			begin, end := t.over(s.n)
			return intoZ(func() { t.loop(s, begin, end) })
		},
	}
	for name, by := range sharers {
		m[name] = func(s setup) implementation {
			first, last := t.over(s.n)
			return intoZ(func() {
				by(last-first, s.workers, func(_, begin, end int) { t.loop(s, first+begin, first+end) })
			})
		}
	}
	if t.gonum != nil {
		m["gonum"] = func(s setup) implementation {
			return intoZ(func() { t.gonum(s) })
		}
	}
	for name, of := range t.gokkos {
		m[name] = func(s setup) implementation {
			launch := of(s)
			return intoZ(func() { must(launch()) })
		}
	}
	return m
}

// intoZ makes the implementation that calls run, which leaves its result in z.
func intoZ(run func()) implementation {
	return func() float64 {
		run()
		return 0
	}
}
