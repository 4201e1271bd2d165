package correct

import (
	"math"
	"sort"
	"sync/atomic"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/atomics"
)

type mesh struct {
	nx, ny, nz int
	e, p, q    []float64
	nodelist   [][8]int
	vel        [][3]float64
	start      []int
}

type csr struct {
	rows, cols []int
	vals       []float64
}

func (a *csr) mul(y, x []float64) error {
	return exec.ParallelFor(policy.Range(0, len(a.rows)-1), func(i int) {
		sum := 0.0
		for k := a.rows[i]; k < a.rows[i+1]; k++ {
			sum += a.vals[k] * x[a.cols[k]]
		}
		y[i] = sum
	})
}

func (m *mesh) gather(out []float64) error {
	return exec.ParallelFor(policy.Range(0, len(m.nodelist)), func(e int) {
		var local [8][3]float64
		for k, n := range m.nodelist[e] {
			local[k] = m.vel[n]
		}
		s := 0.0
		for k := range local {
			for d := range 3 {
				s += local[k][d]
			}
		}
		m.e[e] = s
		m.p[e], m.q[e] = s/2, s/3
		if s > 0 {
			m.p[e] = 0
		} else if s < -1 {
			m.q[e] = 0
		}
		out[e] = math.Sqrt(s)
	})
}

func (m *mesh) scatter(force []float64, corners []int) error {
	return exec.ParallelFor(policy.Range(0, len(m.nodelist)), func(n int) {
		first, count := m.start[n], m.start[n+1]-m.start[n]
		fx := 0.0
		for k := range count {
			fx += force[corners[first+k]]
		}
		m.vel[n][0] += fx
		m.vel[n] = [3]float64{fx, 0, 0}
		v := &m.vel[n]
		v[2] = 3
	})
}

func idx(i, j, k, nx, ny int) int { return (k*ny+j)*nx + i }

func (m *mesh) stencil(u, w []float64) error {
	nx, ny, nz := m.nx, m.ny, m.nz
	exec.Must(exec.ParallelFor(policy.MDRange3([3]int{1, 1, 1}, [3]int{nx - 1, ny - 1, nz - 1}), func(t policy.Index3) {
		i, j, k := t.I, t.J, t.K
		w[idx(i, j, k, nx, ny)] = u[idx(i-1, j, k, nx, ny)] + u[idx(i+1, j, k, nx, ny)]
	}))
	exec.Must(exec.ParallelFor(policy.Range(0, nx*ny*nz), func(c int) {
		i := c % nx
		j := c / nx % ny
		k := c / (nx * ny)
		if i == 0 || j == 0 || k == 0 {
			w[c] = 0
			return
		}
		w[idx(i, j, k, nx, ny)] = u[c]
	}))
	for color := range 2 {
		exec.Must(exec.ParallelFor(policy.Range(0, nx*ny), func(c int) {
			i, j := c%nx, c/nx
			if (i+j)%2 == color {
				u[c] = (u[c-1] + u[c+1]) / 2
			}
		}))
	}
	return exec.ParallelFor(policy.Range(0, ny), func(j int) {
		row := w[j*nx : (j+1)*nx]
		for i := 1; i < nx-1; i++ {
			row[i] = u[j*nx+i]
		}
		u[j*nx] = u[j*nx+nx-2]
		u[(j+1)*nx-1] = u[j*nx+1]
	})
}

func sorting(rows [][]int, keys []string) error {
	return exec.ParallelFor(policy.Range(0, len(rows)), func(i int) {
		sort.Ints(rows[i])
		buf := make([]int, 0, 8)
		for _, v := range rows[i] {
			if v > 3 {
				buf = append(buf, v)
			}
		}
		copy(rows[i], buf)
		rows[i] = rows[i][:len(buf)]
		m := map[string]int{}
		m[keys[i]]++
		s := &struct{ n int }{}
		s.n++
		func() { s.n++ }()
	})
}

func nbody(pos, acc []([3]float64), n int) error {
	return exec.ParallelFor(policy.Range(0, n), func(i int) {
		var a [3]float64
		for j := range n {
			if i == j {
				continue
			}
			for d := range a {
				a[d] += pos[j][d] - pos[i][d]
			}
		}
		acc[i] = a
	})
}

func compact(x, y []float64, keep []bool) (int, error) {
	var next atomic.Int64
	n := 0
	err := exec.ParallelFor(policy.Range(0, len(x)), func(i int) {
		if keep[i] {
			y[next.Add(1)-1] = x[i]
			k := atomics.Add(&n, 1)
			y[k-1] = x[i]
		}
	})
	var total int
	exec.Must(exec.ParallelScan(policy.Range(0, len(x)), func(i int, acc *int, final bool) {
		if keep[i] {
			if final {
				y[*acc] = x[i]
			}
			*acc++
		}
	}, builtin.Sum(&total)))
	return int(next.Load()), err
}

func transpose(a, b views.View2[float64], n, tile int) error {
	exec.Must(exec.ParallelFor(policy.Range(0, n/tile*(n/tile)), func(t int) {
		ti, tj := t/(n/tile)*tile, t%(n/tile)*tile
		for i := ti; i < ti+tile; i++ {
			for j := tj; j < tj+tile; j++ {
				b.Set(j, i, a.At(i, j))
			}
		}
	}))
	return exec.ParallelFor(policy.Team(n, team.Auto), func(m *team.Member) {
		i := m.LeagueRank()
		team.For(team.ThreadRange(m, n), func(j int) { b.Set(j, i, a.At(i, j)) })
		sum := 0.0
		team.Reduce(team.ThreadRange(m, n), func(j int, acc *float64) { *acc += a.At(i, j) }, builtin.Sum(&sum))
		team.Single(m, func() { a.Set(i, 0, sum) })
		if m.Rank() == 0 {
			a.Set(i, 1, sum)
		}
		tmp := team.Scratch[float64](m, 0, n)
		team.For(team.TeamVectorRange(m, n), func(j int) { tmp[j] = a.At(i, j) })
		m.Barrier()
		team.For(team.TeamVectorRange(m, n), func(j int) { a.Set(i, j, tmp[n-1-j]) })
	})
}

// sumsOfSums has the index 0 in each of its functors.
func sumsOfSums(x, y []float64, rows int) (s float64) {
	exec.Must(exec.ParallelReduce(policy.Team(5, 4), func(m *team.Member, acc *float64) {
		var total float64
		team.Reduce(team.ThreadRange(m, rows), func(r int, outer *float64) {
			var row float64
			team.Reduce(team.VectorRange(m, rows), func(j int, inner *float64) { *inner += x[r+j] * y[j] }, builtin.Sum(&row))
			*outer += row
		}, builtin.Sum(&total))
		team.Single(m, func() { *acc += total })
	}, builtin.Sum(&s)))
	return s
}

type boxes struct {
	cells []cellT
	count atomic.Int32
}
type cellT struct {
	n    int
	list [4]int
	box  *[3]float64
}

func (c *cellT) push(i int) {
	if c.n < len(c.list) {
		c.list[c.n] = i
		c.n++
	}
}

func (s *boxes) step(dt float64, active []int) error {
	exec.Must(exec.ParallelFor(policy.Range(0, len(active)), func(a int) {
		i := active[a]
		c := &s.cells[i]
		c.push(a)
		c.box[0] += dt
		s.cells[i].list[a%4] = 3
		s.cells[i] = cellT{n: 1}
		s.count.Add(1)
	}))
	k := 4
	return exec.ParallelFor(policy.Range(0, len(s.cells)/k), func(b int) {
		lo, hi := b*k, min((b+1)*k, len(s.cells))
		for i := lo; i < hi; i++ {
			s.cells[i].n = b
		}
	})
}

func butterfly(x []complex128, n int) error {
	for size := 2; size <= n; size *= 2 {
		half := size / 2
		if err := exec.ParallelFor(policy.Range(0, n/2), func(t int) {
			g, k := t/half, t%half
			i := g*size + k
			a, b := x[i], x[i+half]
			x[i], x[i+half] = a+b, a-b
		}); err != nil {
			return err
		}
	}
	for s := n / 2; s > 0; s /= 2 {
		exec.Must(exec.ParallelFor(policy.Range(0, s), func(i int) { x[i] += x[i+s] }))
	}
	return exec.ParallelFor(policy.Range(0, n), func(i int) {
		for j := i; j < n; j += n {
			x[j] = 1
		}
	})
}

func matmul(a, b, c []float64, n, m, k int) error {
	exec.Must(exec.ParallelFor(policy.MDRange2([2]int{0, 0}, [2]int{n, m}).Tile([2]int{8, 8}), func(t policy.Index2) {
		s := 0.0
		for l := range k {
			s += a[t.I*k+l] * b[l*m+t.J]
		}
		c[t.I*m+t.J] = s
	}))
	return exec.ParallelFor(policy.MDRange2([2]int{}, [2]int{n, m}).Rows(), func(r policy.Row[policy.Index2]) {
		for j := range r.All() {
			c[r.At.I*m+j] = 0
		}
		row := c[r.At.I*m:]
		for j := r.Begin; j < r.End; j++ {
			row[j] += 1
		}
	})
}

func wave(u [3][]float64, step, n int) error {
	prev, cur, next := u[step%3], u[(step+1)%3], u[(step+2)%3]
	grid := make([][]float64, n)
	for i := range grid {
		grid[i] = make([]float64, n)
	}
	return exec.ParallelFor(policy.Range(1, n-1), func(i int) {
		next[i] = 2*cur[i] - prev[i]
		for j := 1; j < n-1; j++ {
			grid[i][j] = next[i]
		}
		p := &grid[i][0]
		*p = 1
	})
}

func bits(words []uint64, flags []bool, n int) error {
	exec.Must(exec.ParallelFor(policy.Range(0, (n+63)/64), func(w int) {
		var b uint64
		for k := range 64 {
			if i := w*64 + k; i < n && flags[i] {
				b |= 1 << k
			}
		}
		words[w] = b
		for i := w * 64; i < min(n, w*64+64); i++ {
			flags[i] = false
		}
	}))
	exec.Must(exec.ParallelFor(policy.Range(0, n), func(i int) {
		switch {
		case i == 0:
			words[0] = 1
		case i == n-1:
			words[n-1] = 2
		default:
			words[i] = 3
		}
		l, r := 2*i+1, 2*i+2
		flags[l], flags[r] = true, true
	}))
	exec.Must(exec.ParallelFor(policy.Range(0, n), func(i int) { words[n-i] = 2 }))
	exec.Must(exec.ParallelFor(policy.Range(0, n), func(i int) { words[i<<1|1] = 2 }))
	exec.Must(exec.ParallelFor(policy.Range(0, n), func(i int) { words[(i+3)%n] = 1 }))
	return exec.ParallelFor(policy.Range(0, n), func(i int) { words[i^5] = 1 })
}

// What an accumulator refers to is the item's in each pass.
func counted(y []int, n int) error {
	var r map[int]int
	exec.Must(exec.ParallelScan(policy.Range(0, n), func(i int, acc *map[int]int, final bool) {
		if *acc == nil {
			*acc = map[int]int{}
		}
		if (*acc)[i%13]++; final {
			y[i] = (*acc)[i%13]
		}
	}, reducers.New(&r, func(d, s *map[int]int) {})))
	var sums []int
	return exec.ParallelReduce(policy.Range(0, n), func(i int, acc *[]int) {
		if len(*acc) == 0 {
			*acc = make([]int, 2)
		}
		(*acc)[i%2] += i
	}, reducers.New(&sums, func(d, s *[]int) {}))
}
