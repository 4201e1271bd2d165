package main

import (
	"math"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/random"
	"github.com/gokkos/gokkos/views/scatter"
)

const (
	density = .8442
	warm    = 1.44 // the temperature of the start
	cutoff  = 2.5
	skin    = .3 // what lists reach beyond the cut-off
)

// atoms are positions, velocities and forces in a periodic cube.
type atoms struct {
	neighbours
	space     exec.Space
	all       policy.RangePolicy
	n         int
	side      float64
	x, v, f   views.View2[float64] // n x 3
	potential float64
	virial    float64
	lists     int
	listed    views.View2[float64] // positions when the list was made
}

// newAtoms returns a crystal of cubes with four atoms each, and velocities at random.
func newAtoms(on exec.Space, cells int) (*atoms, error) {
	n := 4 * cells * cells * cells
	a := &atoms{space: on, n: n, all: policy.Range(0, n).On(on), side: math.Cbrt(float64(n) / density)}
	for _, v := range []*views.View2[float64]{&a.x, &a.v, &a.f, &a.listed} {
		var err error
		if *v, err = views.New2[float64]("atoms", n, 3); err != nil {
			return nil, err
		}
	}
	width := a.side / float64(cells)
	base := [4][3]float64{{0, 0, 0}, {.5, .5, 0}, {.5, 0, .5}, {0, .5, .5}}
	pool := random.New(3)
	if err := exec.ParallelFor(a.all.WithLabel("crystal"), func(i int) {
		cell, g := i/4, pool.At(i)
		at := [3]int{cell / (cells * cells), cell / cells % cells, cell % cells}
		for d := range 3 {
			a.x.Set(i, d, width*(float64(at[d])+base[i%4][d]))
			a.v.Set(i, d, g.Normal())
		}
	}); err != nil {
		return nil, err
	}
	return a, a.settle()
}

// settle takes the motion of the whole from the velocities, and scales them to the temperature.
func (a *atoms) settle() error {
	var sum [3]float64
	if err := exec.ParallelReduce3(a.all, func(i int, x, y, z *float64) {
		v := a.v.Row(i)
		*x, *y, *z = *x+v[0], *y+v[1], *z+v[2]
	}, builtin.Sum(&sum[0]), builtin.Sum(&sum[1]), builtin.Sum(&sum[2])); err != nil {
		return err
	}
	if err := exec.ParallelFor(a.all, func(i int) {
		for d := range 3 {
			a.v.Set(i, d, a.v.At(i, d)-sum[d]/float64(a.n))
		}
	}); err != nil {
		return err
	}
	now, err := a.temperature()
	if err != nil {
		return err
	}
	factor := math.Sqrt(warm / now)
	return exec.ParallelFor(a.all, func(i int) {
		for d := range 3 {
			a.v.Set(i, d, factor*a.v.At(i, d))
		}
	})
}

// temperature returns that of the velocities. The motion of the whole is no temperature.
func (a *atoms) temperature() (float64, error) {
	v, _ := a.v.Slice()
	var squares float64
	err := exec.ParallelFold(exec.Slice(policy.Range(0, len(v)).With(a.on()), v), builtin.SumSq(&squares))
	return squares / float64(3*(a.n-1)), err
}

// on returns where the launches run.
func (a *atoms) on() policy.Launch { return policy.On(a.space) }

// step is a step of velocity Verlet.
func (a *atoms) step(dt float64) error {
	if err := exec.ParallelFor(a.all.WithLabel("move"), func(i int) {
		x, v, f := a.x.Row(i), a.v.Row(i), a.f.Row(i)
		for d := range x {
			v[d] += float64(.5 * dt * f[d])
			x[d] += float64(dt * v[d])
		}
	}); err != nil {
		return err
	}
	if err := a.forces(); err != nil {
		return err
	}
	return exec.ParallelFor(a.all.WithLabel("velocities"), func(i int) {
		v, f := a.v.Row(i), a.f.Row(i)
		for d := range v {
			v[d] += float64(.5 * dt * f[d])
		}
	})
}

// forces computes the forces of all pairs, their potential and their virial in one pass, with a list that reaches far
// enough.
func (a *atoms) forces() error {
	if err := a.renew(); err != nil {
		return err
	}
	if err := views.Fill(a.f, 0, a.on()); err != nil {
		return err
	}
	return exec.ParallelReduce3(a.all.WithLabel("forces"), func(i int, acc *scatter.Access[float64], potential, virial *float64) {
		x, f := a.x.Row(i), acc.Cells()
		var u, v, w float64
		for _, j := range a.of(i) {
			r := a.between(x, a.x.Row(int(j)))
			square := float64(r[0]*r[0]) + float64(r[1]*r[1]) + float64(r[2]*r[2])
			if square >= cutoff*cutoff {
				continue
			}
			force, energy := pair(square)
			*potential += energy
			*virial += float64(force * square)
			fu, fv, fw := float64(force*r[0]), float64(force*r[1]), float64(force*r[2])
			u, v, w = u+fu, v+fv, w+fw
			to := f[3*j : 3*j+3]
			to[0], to[1], to[2] = to[0]-fu, to[1]-fv, to[2]-fw
		}
		to := f[3*i : 3*i+3]
		to[0], to[1], to[2] = to[0]+u, to[1]+v, to[2]+w
	}, scatter.Sum(a.f, a.on()), builtin.Sum(&a.potential), builtin.Sum(&a.virial))
}

// pair returns force over distance and the energy of two atoms at the square of their distance.
func pair(square float64) (force, energy float64) {
	inverse := 1 / square
	six := float64(inverse * inverse * inverse)
	return float64(48 * six * (six - .5) * inverse), float64(4 * six * (six - 1))
}

// between returns the shortest way from y to x. Atoms are less than a side outside of the cube.
func (a *atoms) between(x, y []float64) (r [3]float64) {
	for d := range r {
		t := x[d] - y[d]
		if t > .5*a.side {
			t -= a.side
		} else if t < -.5*a.side {
			t += a.side
		}
		r[d] = t
	}
	return r
}

// A state is what is printed. Energies are per atom.
type state struct{ temperature, pressure, potential, total float64 }

func (a *atoms) state() (state, error) {
	t, err := a.temperature()
	n := float64(a.n)
	kinetic, volume := float64(1.5*t*(n-1)/n), a.side*a.side*a.side
	return state{t, (float64(n*t) + a.virial/3) / volume, a.potential / n, kinetic + a.potential/n}, err
}
