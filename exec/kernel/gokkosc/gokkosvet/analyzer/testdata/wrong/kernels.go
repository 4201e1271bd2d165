package wrong

import (
	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/views"
)

type mesh struct {
	nx, ny   int
	e, p, q  []float64
	nodelist [][8]int
	vel      [][3]float64
}

func idx(i, j, k, nx, ny int) int { return (k*ny+j)*nx + i }

func (m *mesh) scatterBad(force []float64) error {
	return exec.ParallelFor(policy.Range(0, len(m.nodelist)), func(e int) {
		m.nx++                    // want `a functor writes m`
		m.e[0] += force[e]        // want `a functor writes m`
		m.vel[e/8][0] += force[e] // want `a functor writes m`
		for k := range m.p {
			m.p[k] += 1 // want `a functor writes m`
		}
		m.q[e/m.nx] += 1 // want `a functor writes m`
	})
}

func (m *mesh) stencilBad(u, w []float64) error {
	nx, ny := m.nx, m.ny
	exec.Must(exec.ParallelFor(policy.MDRange2([2]int{}, [2]int{ny, nx}), func(t policy.Index2) {
		w[t.I] += u[t.I*nx+t.J] // want `a functor writes w`
		w[t.J*3] = 1            // want `a functor writes w`
		u[t.I*nx+t.J+1] = 0
		u[t.I*nx+t.J/2] = 0 // want `a functor writes u`
		w[t.I+t.J] = 3      // want `a functor writes w`
		if u[t.I] > 0 && t.J == 2 {
			w[t.J] = 1 // want `a functor writes w`
		}
	}))
	return exec.ParallelFor(policy.MDRange3([3]int{}, [3]int{nx, ny, 4}), func(t policy.Index3) {
		w[idx(t.I, t.J, 0, nx, ny)] = 1 // want `a functor writes w`
	})
}

func teamBad(y, x []float64, n int) error {
	total := 0.0
	return exec.ParallelFor(policy.Team(n, team.Auto), func(m *team.Member) {
		sum := 0.0
		team.Reduce(team.ThreadRange(m, n), func(j int, acc *float64) { *acc += x[j] }, builtin.Sum(&sum))
		y[m.LeagueRank()] = sum // want `a functor writes y`
		team.For(team.ThreadRange(m, n), func(j int) {
			y[j] += x[j]  // want `a functor writes y`
			total += x[j] // want `a functor writes total`
		})
		team.Single(m, func() { y[0] = sum })                                  // want `a functor writes y`
		team.For(team.VectorRange(m, n), func(j int) { sum = max(sum, x[j]) }) // want `a functor of vector lanes writes sum`
	})
}

type acc struct{ sum, n float64 }

func (a *acc) add(x float64) { a.sum += x; a.n++ }

func objects(x []float64, v views.View1[float64], as []*acc) error {
	a := &acc{}
	first := as[0]
	var list []acc
	hist := [8]int{}
	best, bestAt := 0.0, 0
	return exec.ParallelFor(policy.Range(0, len(x)), func(i int) {
		a.add(x[i])     // want `a functor writes a`
		first.add(x[i]) // want `a functor writes first`
		as[i].add(x[i])
		as[i%3].add(x[i])          // want `a functor writes as`
		list = append(list, acc{}) // want `a functor writes list`
		hist[int(x[i])&7]++        // want `a functor writes hist`
		v.Set(i/2, v.At(i))        // want `a functor writes v`
		if x[i] > best {
			best = x[i] // want `a functor writes best`
			bestAt = i  // want `a functor writes bestAt`
		}
		_ = bestAt
	})
}

func spansBad(x []float64) error {
	s, parts := 0.0, make([]float64, 4)
	return exec.ParallelFor(policy.Spans(0, len(x)), func(p policy.Span) {
		local := 0.0
		for i := range p.All() {
			local += x[i]
		}
		s += local                // want `a functor writes s`
		parts[p.Begin%4] += local // want `a functor writes parts`
	})
}
