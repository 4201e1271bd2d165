package main

import (
	"math"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/atomics"
	"github.com/gokkos/gokkos/views/random"
	"github.com/gokkos/gokkos/views/scatter"
)

const cutoff = 2.5

// A list has the neighbours of each atom.
type list struct {
	starts []int
	near   []int32
}

func (l *list) of(i int) []int32 { return l.near[l.starts[i]:l.starts[i+1]] }

// A liquid is atoms, their forces, and their neighbours: in half each pair is once, in full twice.
type liquid struct {
	on         exec.Space
	n          int
	x, f       views.View2[float64] // n x 3
	half, full list
}

// newLiquid moves the atoms of a cubic crystal out of their places, at random.
func newLiquid(on exec.Space, side int) (*liquid, error) {
	l := &liquid{on: on, n: side * side * side}
	for _, v := range []*views.View2[float64]{&l.x, &l.f} {
		var err error
		if *v, err = views.New2[float64]("atoms", l.n, 3); err != nil {
			return nil, err
		}
	}
	width, pool := math.Cbrt(1/.8442), random.New(9)
	for i := range l.n {
		g := pool.At(i)
		for d, k := range [3]int{i / (side * side), i / side % side, i % side} {
			l.x.Set(i, d, width*(float64(k)+float64(.1*g.Float64())))
		}
	}
	l.half.starts, l.full.starts = []int{0}, []int{0}
	for i := range l.n {
		for j := range l.n {
			if _, square := between(l.x.Row(i), l.x.Row(j)); j == i || square >= cutoff*cutoff {
				continue
			}
			l.full.near = append(l.full.near, int32(j))
			if j > i {
				l.half.near = append(l.half.near, int32(j))
			}
		}
		l.half.starts, l.full.starts = append(l.half.starts, len(l.half.near)), append(l.full.starts, len(l.full.near))
	}
	return l, nil
}

func (l *liquid) pairs() int { return len(l.half.near) }

func (l *liquid) steps() []step {
	form := func(f func() error) func() ([]float64, error) {
		return func() ([]float64, error) {
			all, _ := l.f.Slice()
			clear(all)
			err := f()
			return all, err
		}
	}
	return []step{{"literal: half list, atomics", form(l.atomics)}, {"half list, a scatter", form(l.scatter)}, {"full list, nothing shared", form(l.gather)}}
}

// atomics adds forces as ScatterView with atomics does. The order of additions is that of time, and so are the bits.
func (l *liquid) atomics() error {
	x, f := l.x, l.f
	return exec.ParallelFor(policy.Range(0, l.n).On(l.on), func(i int) {
		for _, j := range l.half.of(i) {
			r, square := between(x.Row(i), x.Row(int(j)))
			force := pair(square)
			for d := range r {
				atomics.Add(f.Ptr(i, d), float64(force*r[d]))
				atomics.Sub(f.Ptr(int(j), d), float64(force*r[d]))
			}
		}
	})
}

// scatter has the same bits everywhere. Each leaf of the tree has a copy of the forces, and 512 atoms, which pay for it.
func (l *liquid) scatter() error {
	x, _ := l.x.Slice()
	return exec.ParallelReduce(policy.Spans(0, l.n).Chunk(512).On(l.on), func(s policy.Span, acc *scatter.Access[float64]) {
		f := acc.Cells()
		for i := range s.All() {
			a := x[3*i : 3*i+3]
			var u, v, w float64
			for _, j := range l.half.of(i) {
				b, to := x[3*j:3*j+3], f[3*j:3*j+3]
				du, dv, dw := a[0]-b[0], a[1]-b[1], a[2]-b[2]
				force := pair(float64(du*du) + float64(dv*dv) + float64(dw*dw))
				fu, fv, fw := float64(force*du), float64(force*dv), float64(force*dw)
				u, v, w = u+fu, v+fv, w+fw
				to[0], to[1], to[2] = to[0]-fu, to[1]-fv, to[2]-fw
			}
			to := f[3*i : 3*i+3]
			to[0], to[1], to[2] = to[0]+u, to[1]+v, to[2]+w
		}
	}, scatter.Sum(l.f))
}

// gather computes each pair twice, and shares nothing: an atom adds up its own force, in variables.
func (l *liquid) gather() error {
	x, _ := l.x.Slice()
	f := l.f
	return exec.ParallelFor(policy.Spans(0, l.n).On(l.on), func(s policy.Span) {
		for i := range s.All() {
			a := x[3*i : 3*i+3]
			var u, v, w float64
			for _, j := range l.full.of(i) {
				b := x[3*j : 3*j+3]
				du, dv, dw := a[0]-b[0], a[1]-b[1], a[2]-b[2]
				force := pair(float64(du*du) + float64(dv*dv) + float64(dw*dw))
				u, v, w = u+float64(force*du), v+float64(force*dv), w+float64(force*dw)
			}
			out := f.Row(i)
			out[0], out[1], out[2] = u, v, w
		}
	})
}

// between returns the way from y to x, and the square of its length.
func between(x, y []float64) (r [3]float64, square float64) {
	x, y = x[:3], y[:3]
	for d := range r {
		r[d] = x[d] - y[d]
		square += float64(r[d] * r[d])
	}
	return r, square
}

// pair returns the force of two atoms over their distance, by the square of that.
func pair(square float64) float64 {
	inverse := 1 / square
	six := float64(inverse * inverse * inverse)
	return float64(48 * six * (six - .5) * inverse)
}
