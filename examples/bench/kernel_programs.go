package main

import (
	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/examples/bench/compiled"
	streams "github.com/gokkos/gokkos/views/random"
)

// What programs compute, as kernels: the prices of options, the forces between bodies and between atoms, and a number by
// chance.

var market = compiled.Market{Strike: 100, Rate: .05, Volatility: .2}

// optionsKernel prices options by Black and Scholes.
var optionsKernel = kernel{
	name: "options", bytes: 24, sizes: []int{1e4}, writes: "z", exact: true,
	make: transform{
		gokkos: written(items, func(s setup) func(int) { return compiled.OptionsClosure(market, s.x, s.y, s.z) }, func(s setup) func(int) { return compiled.Options(market, s.x, s.y, s.z) }),
		over:   items,
		loop: func(s setup, begin, end int) {
			for i := begin; i < end; i++ {
				s.z[i] = market.Call(float64(100*s.x[i])+100, s.y[i]+1.5)
			}
		},
	}.implementations(),
}

// bodies are the masses and the places of edge(n) bodies, each of which has an item for each.
func bodies(s setup) (mass, x, y, z, a []float64) {
	m := edge(s.n)
	return s.masses(m), s.x[:m], s.y[:m], s.x[m : 2*m], s.z
}

// masses returns those of m bodies.
func (d *data) masses(m int) []float64 {
	if len(d.mass) != m {
		d.mass = array[float64](m)
		for i := range d.mass {
			d.mass[i] = uniform(uint64(i)) + 1
		}
	}
	return d.mass
}

// nbodyKernel sets z to the accelerations of bodies by one another.
var nbodyKernel = kernel{
	name: "nbody", bytes: 0, sizes: []int{tinySquare}, shape: squareShape, writes: "z", exact: true,
	room: func(n int) int { return max(n, 3*edge(n)) },
	make: transform{
		gokkos: written(edges, func(s setup) func(int) { return compiled.AttractionClosure(bodies(s)) }, func(s setup) func(int) { return compiled.Attraction(bodies(s)) }),
		over:   edges,
		loop: func(s setup, begin, end int) {
			mass, x, y, z, a := bodies(s)
			n := len(mass)
			for i := begin; i < end; i++ {
				px, py, pz, ax, ay, az := x[i], y[i], z[i], 0., 0., 0.
				for k, m := range mass {
					ax, ay, az = compiled.Pull(m, x[k]-px, y[k]-py, z[k]-pz, ax, ay, az)
				}
				a[i], a[n+i], a[2*n+i] = ax, ay, az
			}
		},
	}.implementations(),
}

// edges are as many items as a square has rows.
func edges(n int) (begin, end int) { return 0, edge(n) }

// An atoms has the places and the neighbours of atoms that are about the points of a lattice.
type atoms struct {
	first, list []int32
	x, y, z     []float64
}

// atomsOf returns as many atoms as the cube that n items fill has points.
func (d *data) atomsOf(n int) *atoms {
	m := edge3(n)
	if len(d.atoms.x) == m*m*m {
		return &d.atoms
	}
	var a atoms
	for i := range m {
		for j := range m {
			for k := range m {
				n := (i*m+j)*m + k
				a.x = append(a.x, float64(i)+float64(.3*d.x[n]))
				a.y = append(a.y, float64(j)+float64(.3*d.y[n]))
				a.z = append(a.z, float64(k)+float64(.3*d.x[m*m*m-1-n]))
				a.first = append(a.first, int32(len(a.list)))
				a.list = appendNeighbours(a.list, i, j, k, m)
			}
		}
	}
	a.first = append(a.first, int32(len(a.list)))
	d.atoms = a
	return &d.atoms
}

// appendNeighbours appends the numbers of the atoms that are up to two points from that at (i, j, k), in a lattice of m
// points in each dimension.
func appendNeighbours(list []int32, i, j, k, m int) []int32 {
	for p := max(i-2, 0); p <= min(i+2, m-1); p++ {
		for q := max(j-2, 0); q <= min(j+2, m-1); q++ {
			for r := max(k-2, 0); r <= min(k+2, m-1); r++ {
				if d := (p-i)*(p-i) + (q-j)*(q-j) + (r-k)*(r-k); d > 0 && d <= 4 {
					list = append(list, int32((p*m+q)*m+r))
				}
			}
		}
	}
	return list
}

// lennardJonesKernel sets z to the forces on atoms by their neighbours, up to 32, of which some are beyond the cutoff.
var lennardJonesKernel = kernel{
	name: "lennardjones", bytes: 0, sizes: []int{8000}, shape: cubeShape, writes: "z", exact: true,
	room: func(n int) int { return 3 * n },
	make: transform{
		gokkos: written(points3, func(s setup) func(int) {
			a := s.atomsOf(s.n)
			return compiled.ForcesClosure(a.first, a.list, a.x, a.y, a.z, s.z)
		}, func(s setup) func(int) {
			a := s.atomsOf(s.n)
			return compiled.Forces(a.first, a.list, a.x, a.y, a.z, s.z)
		}),
		over: points3,
		loop: lennardJones,
	}.implementations(),
}

func points3(n int) (begin, end int) {
	m := edge3(n)
	return 0, m * m * m
}

func lennardJones(s setup, begin, end int) {
	a := s.atomsOf(s.n)
	n := len(a.x)
	for i := begin; i < end; i++ {
		px, py, pz, fx, fy, fz := a.x[i], a.y[i], a.z[i], 0., 0., 0.
		for _, j := range a.list[a.first[i]:a.first[i+1]] {
			fx, fy, fz = compiled.Push(px-a.x[j], py-a.y[j], pz-a.z[j], fx, fy, fz)
		}
		s.z[i], s.z[n+i], s.z[2*n+i] = fx, fy, fz
	}
}

// piKernel counts random points of a square that are in the circle, two for each item.
var piKernel = kernel{
	name: "pi", bytes: 0, sizes: []int{medium},
	make: reduction[int]{
		gokkos: functors[int, int]{
			reducer: builtin.Sum[int],
			index:   func(setup) func(int, *int) { return compiled.InsideClosure(streams.New(1)) },
			kernel:  func(setup) func(int, *int) { return compiled.Inside(streams.New(1)) },
		}.launches(),
		loop: func(_ setup, begin, end int) (n int) {
			pool := streams.New(1)
			for i := begin; i < end; i++ {
				g := pool.At(i)
				for range 2 {
					if x, y := g.Float64(), g.Float64(); float64(x*x)+float64(y*y) < 1 {
						n++
					}
				}
			}
			return n
		},
		join:  func(a, b int) int { return a + b },
		value: func(n int) float64 { return float64(n) },
	}.implementations(),
}
