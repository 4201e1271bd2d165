// Package wrong has kernels with mistakes.
package wrong

import (
	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/algorithms"
)

type stats struct{ n int }

var global int

func shared(x []float64, m map[int]int) error {
	sum, s, p := 0.0, stats{}, &stats{}
	var found []int
	row, k := make([]float64, 9), 0
	return exec.ParallelFor(policy.Range(0, 9), func(i int) {
		sum += x[i]  // want `a functor writes sum, which items share`
		s.n++        // want `a functor writes s, which items share`
		p.n = i      // want `a functor writes p, which items share`
		global = i   // want `a functor writes global, which items share`
		m[i] = 1     // want `a functor writes to the map m`
		delete(m, i) // want `a functor writes to the map m`
		clear(m)     // want `a functor writes to the map m`
		if x[i] > 3 {
			found = append(found, i) // want `a functor writes found, which items share`
		}
		copy(row, x)          // want `a functor writes all of row by copy, which items share`
		clear(row[:])         // want `a functor writes all of row by clear, which items share`
		for k = range x[:i] { // want `a functor writes k, which items share`
			x[i] += x[k]
		}
	})
}

// The functor may stand elsewhere.
func elsewhere(x []float64) {
	total := 0.0
	add := func(i int) {
		total += x[i] // want `a functor writes total, which items share`
	}
	p := policy.Range(0, 9)
	exec.Must(exec.ParallelFor(p, add))
	exec.Must(exec.ParallelFor(policy.Range(0, 90), add)) // once is enough
	exec.Must(exec.ParallelFor(p, count))
	exec.Must(exec.ParallelFor(p, (&counter{}).at))
	exec.Must(exec.ParallelFor(p, summing(x, &total)))
	exec.Must(exec.ParallelFor(p, generic[float64]))
}

func count(i int) {
	global++ // want `a functor writes global, which items share`
}

func generic[T any](i int) {
	global-- // want `a functor writes global, which items share`
}

type counter struct{ n int }

func (c *counter) at(i int) {
	c.n++ // want `a functor writes c, which items share`
}

func summing(x []float64, sum *float64) func(i int) {
	return func(i int) {
		*sum += x[i] // want `a functor writes sum, which items share`
	}
}

func algorithm(v views.View1[float64]) error {
	n := 0
	views.Must(algorithms.CountIf(v, func(x float64) bool {
		n++ // want `a functor writes n, which items share`
		return x > 0
	}))
	return views.FillFunc(v, func(s policy.Span, x []float64) {
		n = len(x) // want `a functor writes n, which items share`
	})
}

func ignored(v views.View1[float64]) {
	exec.ParallelFor(policy.Range(0, 9), func(i int) {})                              // want `the error of ParallelFor is ignored`
	defer exec.ParallelFor(policy.Range(0, 9), func(i int) {})                        // want `the error of ParallelFor is ignored`
	go views.Fill(v, 1)                                                               // want `the error of Fill is ignored`
	exec.ParallelFold(exec.Slice(policy.Range(0, 0), []int{}), builtin.Sum(new(int))) // want `the error of ParallelFold is ignored`
}

func accumulators(x, y []float64) {
	var total, last float64
	var kept *float64
	places, all := make([]*float64, 9), []*float64{}
	ways := make(chan *float64, 9)
	exec.Must(exec.ParallelReduce(policy.Range(0, 9), func(i int, acc *float64) {
		*acc += x[i]
		kept = acc             // want `a functor writes kept` `a functor keeps the accumulator acc in kept`
		places[i] = acc        // want `a functor keeps the accumulator acc in places`
		all = append(all, acc) // want `a functor writes all` `a functor keeps the accumulator acc in all`
		ways <- acc            // want `a functor uses a channel` `a functor sends the accumulator acc away`
		y[i] = *acc            // want `a functor uses the accumulator acc as data`
		last = 2 * *acc        // want `a functor writes last` `a functor uses the accumulator acc as data`
	}, builtin.Sum(&total)))
	exec.Must(exec.ParallelReduce(policy.Range(0, 9), func(i int, acc *float64) {
		*acc = x[i] // want `a functor assigns to the accumulator acc`
	}, builtin.Sum(&total)))
	exec.Must(exec.ParallelScan(policy.Range(0, 9), func(i int, acc *float64, final bool) { // want `does not ask whether the pass is final`
		*acc += x[i]
		y[i] = *acc
	}, builtin.Sum(&total)))
	exec.Must(exec.ParallelScan(policy.Range(0, 9), func(i int, acc *float64, _ bool) { // want `does not ask whether the pass is final`
		y[i]++
	}, builtin.Sum(&total)))
	_, _ = kept, last
}

// Members of different teams share what team.Single writes, lanes what their member has.
func nested(x []float64) error {
	total := 0.0
	return exec.ParallelFor(policy.Team(9, 4), func(m *team.Member) {
		team.Single(m, func() {
			total++ // want `a functor writes total, which items share`
		})
		sum := 0.0
		lanes := team.VectorRange(m, 9)
		team.For(lanes, func(i int) {
			sum += x[i] // want `a functor of vector lanes writes sum, which the lanes share`
		})
		team.For(team.TeamVectorRange(m, 9), func(i int) {
			sum += x[i] // want `a functor of vector lanes writes sum, which the lanes share`
		})
	})
}

func index(x []float64, rows, columns int32) error {
	return exec.ParallelFor(policy.Range(0, 9), func(i int) {
		x[int32(i)*columns+rows] = 1       // want `a product of 32-bit integers as an index overflows`
		x[int(uint32(i)*uint32(rows))] = 1 // want `a product of 32-bit integers as an index overflows` `a functor writes x, which items share: .* \(item 1 here and item 0 in line 140 both do\)`
	})
}

// All items but one, and all turns of a loop, are more than one.
func mostItems(x []float64, m map[int]int) error {
	n := 0
	return exec.ParallelFor(policy.Range(0, 9), func(i int) {
		if x[i] != 0 {
			n++      // want `a functor writes n, which items share`
			m[i] = 1 // want `a functor writes to the map m`
		}
		for k := 0; k != 9; k++ {
			n++ // want `a functor writes n, which items share`
		}
		if !(x[i] == 3) {
			n++ // want `a functor writes n, which items share`
		}
		switch i {
		case 0:
		default:
			n++ // want `a functor writes n, which items share`
		}
		if x[i] == 0 {
			return
		}
		n++ // want `a functor writes n, which items share`
	})
}

func held(sum *int) func(i int) {
	f := func(i int) {
		*sum += i // want `a functor writes sum, which items share`
	}
	return f
}

// What a caller gives is not known.
func given(p policy.RangePolicy, few bool) error {
	n := 0
	exec.Must(exec.ParallelFor(policy.Range(0, 9), held(&n)))
	if few {
		p = policy.Range(0, 1)
	}
	return exec.ParallelFor(p, func(i int) {
		n++ // want `a functor writes n, which items share`
	})
}

// All items whose elements have a value are more than one.
func chosenByData(x []float64, want float64) error {
	n, m := 0, 0
	return exec.ParallelFor(policy.Range(0, 9), func(i int) {
		if x[i] == want {
			n++ // want `a functor writes n, which items share`
		}
		here := x[i]
		if hit := here == want; hit {
			m++ // want `a functor writes m, which items share`
		}
		if x[i] != want {
			return
		}
		n = i // want `a functor writes n, which items share`
	})
}

// The same element for each item.
func oneElement(x, a []float64, k int, rows [][]float64) error {
	return exec.ParallelFor(policy.Range(0, 9), func(i int) {
		a[0]++               // want `a functor writes a, which items share`
		a[k] += x[i]         // want `a functor writes a, which items share`
		a[len(a)-1] = x[i]   // want `a functor writes a, which items share`
		rows[1][k] = 2       // want `a functor writes rows, which items share`
		copy(a[1:3], x)      // want `a functor writes all of a by copy, which items share`
		copy(rows[0], x[i:]) // want `a functor writes all of rows by copy, which items share`
	})
}

// Other names of what is around the functor.
func aliases(x, a []float64, s *stats, m map[int]int) error {
	n := 0
	return exec.ParallelFor(policy.Range(0, 9), func(i int) {
		p := &n
		*p += i // want `a functor writes n, which items share`
		q := p
		*q = i // want `a functor writes n, which items share`
		t := s
		t.n++ // want `a functor writes s, which items share`
		b := a
		b[0] = x[i] // want `a functor writes a, which items share`
		e := &a[3]
		*e = x[i] // want `a functor writes a, which items share`
		seen := m
		seen[i]++   // want `a functor writes to the map m`
		clear(b[:]) // want `a functor writes all of a by clear, which items share`
	})
}

// The passes of a scan join alike.
func scanned(x, y []float64) error {
	var total float64
	return exec.ParallelScan(policy.Range(0, 9), func(i int, acc *float64, final bool) {
		if final {
			y[i] = *acc
		}
		*acc = x[i] // want `a functor assigns to the accumulator acc`
	}, builtin.Sum(&total))
}
