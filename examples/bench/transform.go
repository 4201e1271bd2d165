package main

// A transform is a kernel that writes z.
type transform struct {
	over   func(n int) (begin, end int) // what the loop is over: items, or rows
	gokkos loops
	loop   func(s setup, begin, end int) // over part of that
	gonum  func(s setup)                 // nil if gonum has none
	result func(s setup) float64         // an element of z, or a few
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
			return t.of(s, func() { t.loop(s, begin, end) })
		},
	}
	for name, by := range sharers {
		m[name] = func(s setup) implementation {
			first, last := t.over(s.n)
			return t.of(s, func() {
				by(last-first, s.workers, func(_, begin, end int) { t.loop(s, first+begin, first+end) })
			})
		}
	}
	if t.gonum != nil {
		m["gonum"] = func(s setup) implementation {
			return t.of(s, func() { t.gonum(s) })
		}
	}
	for name, of := range t.gokkos {
		m[name] = func(s setup) implementation {
			launch := of(s)
			return t.of(s, func() { must(launch()) })
		}
	}
	return m
}

// of makes the implementation that calls run. It finds nothing in z that another one wrote.
func (t transform) of(s setup, run func()) implementation {
	clear(s.z)
	return func() float64 {
		run()
		return t.result(s)
	}
}
