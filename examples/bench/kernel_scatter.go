package main

import (
	"fmt"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/atomics"
	"github.com/gokkos/gokkos/views/scatter"
)

// addTo adds each x[k] to the element cell[k] of z.
func addTo(z, x []float64, cell []int32) {
	x = x[:len(cell)]
	for k, i := range cell {
		z[i] += x[k]
	}
}

// scatterKernel adds each item to one of some cells, a random one.
func scatterKernel(name string, cells int) kernel {
	each := func(s setup, f func(cell []int32, x, z []float64) implementation) implementation {
		return f(s.cellsOf(s.n, cells), s.x[:s.n], s.z[:cells])
	}
	k := kernel{
		name: name, bytes: 12, sizes: []int{4e6}, writes: "z",
		room:  func(n int) int { return max(n, cells) },
		shape: func(n int) string { return count(n) + " to " + count(cells) },
	}
	k.make = implementations{
		"gokkos-index": func(s setup) implementation {
			return each(s, func(cell []int32, x, z []float64) implementation {
				p, on, v := s.items(), policy.On(s.space), views.Must(views.Of1("z", z))
				return intoZ(func() {
					must(exec.ParallelReduce(p, func(k int, acc *scatter.Access[float64]) {
						acc.Combine1(int(cell[k]), x[k])
					}, scatter.Sum(v, on)))
				})
			})
		},
		"gokkos-span": func(s setup) implementation {
			return each(s, func(cell []int32, x, z []float64) implementation {
				chunk := max(2*cells, min(s.n/16, 4*cells)) // a leaf pays for its copy of the cells
				p, on, v := s.spans().Chunk(chunk), policy.On(s.space), views.Must(views.Of1("z", z))
				return intoZ(func() {
					must(exec.ParallelReduce(p, func(p policy.Span, acc *scatter.Access[float64]) {
						addTo(acc.Cells(), x[p.Begin:p.End], cell[p.Begin:p.End])
					}, scatter.Sum(v, on)))
				})
			})
		},
		unordered: func(s setup) implementation {
			return each(s, func(cell []int32, x, z []float64) implementation {
				p := s.items()
				return intoZ(func() {
					must(exec.ParallelFor(p, func(k int) { atomics.Add(&z[cell[k]], x[k]) }))
				})
			})
		},
		plain: func(s setup) implementation {
			return each(s, func(cell []int32, x, z []float64) implementation {
				return intoZ(func() { addTo(z, x, cell) })
			})
		},
	}
	for name, by := range sharers {
		k.make[name] = func(s setup) implementation {
			return each(s, func(cell []int32, x, z []float64) implementation {
				add := copies(by, s, z, s.n)
				return intoZ(func() { add(func(z []float64, begin, end int) { addTo(z, x[begin:end], cell[begin:end]) }) })
			})
		}
	}
	return k
}

// copies returns a function that shares out n items to workers who add to a copy of z each,
// and then adds these to z.
func copies(by sharer, s setup, z []float64, n int) func(part func(z []float64, begin, end int)) {
	all := make([][]float64, s.workers)
	for w := range all {
		all[w] = make([]float64, len(z))
	}
	return func(part func(z []float64, begin, end int)) {
		by(n, s.workers, func(w, begin, end int) {
			clear(all[w])
			part(all[w], begin, end)
		})
		by(len(z), s.workers, func(_, begin, end int) {
			z := z[begin:end]
			for _, c := range all {
				for i, v := range c[begin:end] {
					z[i] += v
				}
			}
		})
	}
}

const (
	neighbours = 32 // of a particle, as an average
	lanes      = 8  // particles whose x, y and z lie together, as Cabana keeps them
)

// forcesKernel adds the forces of pairs of particles, each pair once: three numbers to one of
// them, and their opposites to the other. An item is a pair. Forces lie as in a view of blocks
// of particles, directions and lanes.
var forcesKernel = kernel{
	name: "forces", sizes: []int{640e3}, writes: "z",
	room:  func(n int) int { return max(n, 3*lanes) },
	shape: func(n int) string { return fmt.Sprintf("%s pairs of %s", count(n), count(n/neighbours)) },
	make: implementations{
		"gokkos-index": func(s setup) implementation {
			f := newForces(s)
			p, on, v := policy.Range(0, f.particles).Chunk(f.leaf()).On(s.space), policy.On(s.space), f.view(s.z)
			return intoZ(func() {
				must(exec.ParallelReduce(p, func(i int, acc *scatter.Access[float64]) {
					f.loop(acc.Cells(), i, i+1)
				}, scatter.Sum(v, on)))
			})
		},
		"gokkos-span": func(s setup) implementation {
			f := newForces(s)
			p, on, v := policy.Spans(0, f.particles).Chunk(f.leaf()).On(s.space), policy.On(s.space), f.view(s.z)
			return intoZ(func() {
				must(exec.ParallelReduce(p, func(p policy.Span, acc *scatter.Access[float64]) {
					f.loop(acc.Cells(), p.Begin, p.End)
				}, scatter.Sum(v, on)))
			})
		},
		plain: func(s setup) implementation {
			f := newForces(s)
			return intoZ(func() { f.loop(s.z, 0, f.particles) })
		},
		"errgroup": func(s setup) implementation { return forcesBy(byErrgroup, s) },
		"conc":     func(s setup) implementation { return forcesBy(byConc, s) },
	},
}

// forces are the particles, and which of them are near each other.
type forces struct {
	particles int
	x         []float64 // three numbers for each
	near      []int32   // neighbours for each
}

func newForces(s setup) forces {
	f := forces{particles: s.n / neighbours, x: s.x}
	f.near = make([]int32, f.particles*neighbours)
	for k := range f.near {
		f.near[k] = int32((k/neighbours + 1 + int(random(uint64(k))%500)) % f.particles)
	}
	return f
}

// leaf returns how many particles share a copy of the cells: enough for some copies to cost little beside the pairs.
func (f *forces) leaf() int { return max(f.particles/16, 512) }

// view returns the forces by blocks, lanes and directions.
func (f *forces) view(z []float64) views.View[float64] {
	blocks := (f.particles + lanes - 1) / lanes
	v := views.Must(views.Of("forces", z[:blocks*3*lanes], []int{blocks, 3, lanes}))
	return views.Must(v.Permute(0, 2, 1))
}

// nearOf returns the particles near a particle.
func (f *forces) nearOf(i int) []int32 { return f.near[i*neighbours:][:neighbours] }

// at returns where a particle is.
func (f *forces) at(i int) *[3]float64 { return (*[3]float64)(f.x[3*i:]) }

// force returns the force of a pair of particles.
func force(a, b *[3]float64) (x, y, z float64) {
	x, y, z = a[0]-b[0], a[1]-b[1], a[2]-b[2]
	scale := 1 / (.01 + float64(x*x) + float64(y*y) + float64(z*z))
	return float64(x * scale), float64(y * scale), float64(z * scale)
}

// cellsOf returns the block of cells that has the force of a particle, and its lane.
func cellsOf(cells []float64, i int) (block *[3 * lanes]float64, lane uint) {
	return (*[3 * lanes]float64)(cells[uint(i)/lanes*(3*lanes):]), uint(i) % lanes
}

// loop adds the forces of the pairs of some particles.
func (f *forces) loop(to []float64, begin, end int) {
	for i := begin; i < end; i++ {
		at := *f.at(i)
		var sx, sy, sz float64
		for _, j := range f.nearOf(i) {
			x, y, z := force(&at, f.at(int(j)))
			sx, sy, sz = sx+x, sy+y, sz+z
			block, lane := cellsOf(to, int(j))
			block[lane] -= x
			block[lane+lanes] -= y
			block[lane+2*lanes] -= z
		}
		block, lane := cellsOf(to, i)
		block[lane] += sx
		block[lane+lanes] += sy
		block[lane+2*lanes] += sz
	}
}

func forcesBy(by sharer, s setup) implementation {
	f := newForces(s)
	blocks := (f.particles + lanes - 1) / lanes
	add := copies(by, s, s.z[:blocks*3*lanes], f.particles)
	return intoZ(func() { add(f.loop) })
}
