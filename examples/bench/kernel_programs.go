package main

import (
	"math"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/kernel/kmath"
	streams "github.com/gokkos/gokkos/views/random"
)

// What programs compute, as kernels: the prices of options, the forces between bodies and between atoms, and a number by
// chance.

// A market is what all options have in common.
type market struct{ strike, rate, volatility float64 }

var theMarket = market{strike: 100, rate: .05, volatility: .2}

// call is the price of a European call option by Black and Scholes.
func (m market) call(spot, years float64) float64 {
	s := float64(m.volatility * math.Sqrt(years))
	drift := m.rate + float64(.5*float64(m.volatility*m.volatility))
	d := (kmath.Log(spot/m.strike) + float64(drift*years)) / s
	return float64(spot*phi(d)) - float64(float64(m.strike*kmath.Exp(-float64(m.rate*years)))*phi(d-s))
}

// phi is the normal distribution function, with an error below 7.5e-8.
//
// Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.2.17.
func phi(x float64) float64 {
	t := 1 / (1 + float64(.2316419*math.Abs(x)))
	p := float64((float64((float64((float64((float64(1.330274429*t)-1.821255978)*t)+1.781477937)*t)-.356563782)*t) + .319381530) * t)
	tail := float64(float64(.3989422804014327*kmath.Exp(-float64(.5*float64(x*x)))) * p)
	if x < 0 {
		return tail
	}
	return 1 - tail
}

// optionsKernel prices options by Black and Scholes.
var optionsKernel = kernel{
	name: "options", bytes: 24, sizes: []int{1e4}, writes: "z", exact: true,
	make: transform{
		gokkos: loops{
			"gokkos-index": func(s setup) func() error {
				p, m, x, y, z := s.items(), theMarket, s.x, s.y, s.z
				return func() error {
					return exec.ParallelFor(p, func(i int) {
						z[i] = m.call(100*x[i]+100, y[i]+1.5)
					})
				}
			},
		},
		over: items,
		loop: func(s setup, begin, end int) {
			for i := begin; i < end; i++ {
				s.z[i] = theMarket.call(float64(100*s.x[i])+100, s.y[i]+1.5)
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
		gokkos: loops{
			"gokkos-index": func(s setup) func() error {
				p := s.over(edges)
				mass, x, y, z, a := bodies(s)
				return func() error {
					return exec.ParallelFor(p, func(i int) {
						ax, ay, az := 0., 0., 0.
						for k := range mass {
							ax, ay, az = pull(mass[k], x[k]-x[i], y[k]-y[i], z[k]-z[i], ax, ay, az)
						}
						n := len(mass)
						a[i], a[n+i], a[2*n+i] = ax, ay, az
					})
				}
			},
		},
		over: edges,
		loop: func(s setup, begin, end int) {
			mass, x, y, z, a := bodies(s)
			n := len(mass)
			for i := begin; i < end; i++ {
				px, py, pz, ax, ay, az := x[i], y[i], z[i], 0., 0., 0.
				for k, m := range mass {
					ax, ay, az = pull(m, x[k]-px, y[k]-py, z[k]-pz, ax, ay, az)
				}
				a[i], a[n+i], a[2*n+i] = ax, ay, az
			}
		},
	}.implementations(),
}

// softening is added to the squares of distances of bodies.
const softening = 1e-3

// pull adds to a the attraction of a body at a distance d.
func pull(mass, dx, dy, dz, ax, ay, az float64) (x, y, z float64) {
	r2 := float64(dx*dx) + float64(dy*dy) + float64(dz*dz) + softening
	w := mass / float64(r2*math.Sqrt(r2))
	return ax + float64(w*dx), ay + float64(w*dy), az + float64(w*dz)
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
		gokkos: loops{
			"gokkos-index": func(s setup) func() error {
				p, a, f := s.over(points3), s.atomsOf(s.n), s.z
				return func() error {
					return exec.ParallelFor(p, func(i int) {
						n, fx, fy, fz := len(a.x), 0., 0., 0.
						for k := a.first[i]; k < a.first[i+1]; k++ {
							j := a.list[k]
							fx, fy, fz = push(a.x[i]-a.x[j], a.y[i]-a.y[j], a.z[i]-a.z[j], fx, fy, fz)
						}
						f[i], f[n+i], f[2*n+i] = fx, fy, fz
					})
				}
			},
		},
		over: points3,
		loop: lennardJones,
	}.implementations(),
}

// cutoff is the square of the distance from which on atoms have no force on each other.
const cutoff = 3.2

// push adds to f the force of Lennard and Jones of an atom at a distance d that is nearer than the cutoff.
func push(dx, dy, dz, fx, fy, fz float64) (x, y, z float64) {
	r2 := float64(dx*dx) + float64(dy*dy) + float64(dz*dz)
	if r2 >= cutoff {
		return fx, fy, fz
	}
	s := 1 / r2
	s3 := float64(float64(s*s) * s)
	w := float64(float64(float64(24*s)*s3) * (float64(2*s3) - 1))
	return fx + float64(w*dx), fy + float64(w*dy), fz + float64(w*dz)
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
			fx, fy, fz = push(px-a.x[j], py-a.y[j], pz-a.z[j], fx, fy, fz)
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
			index: func(setup) func(int, *int) {
				pool := streams.New(1)
				return func(i int, n *int) {
					g := pool.At(i)
					for range 2 {
						if x, y := g.Float64(), g.Float64(); x*x+y*y < 1 {
							*n++
						}
					}
				}
			},
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
