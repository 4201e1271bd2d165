package main

import (
	"math"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/atomics"
)

type particle struct {
	id       int32
	on       bool
	position vector
	velocity [2]point
	mass     float32
	_        int64
	charge   celsius
	kind     uint8
}

type celsius float64

func (p *particle) move(dt float64) {
	for k := range p.position {
		p.position[k] += float64(p.id) * dt
	}
	p.on = !p.on
}

func (p particle) energy() float64 { return float64(p.mass)*p.position[0] + float64(p.charge) }

func particles() []particle {
	list := make([]particle, n)
	for i := range list {
		list[i] = particle{id: int32(3 * i), position: vector{1, float64(i), 3}, mass: float32(i) / 3, charge: 2, kind: uint8(7 * i)}
		list[i].velocity[1].y = float64(i * i)
	}
	return list
}

// Elements are structs.
func structs(x []float64) {
	p := particles()
	each(func(i int) { x[i] = p[i].position[1] + float64(p[i].mass) + float64(p[i].kind) }) // loops
	each(func(i int) {                                                                      // loops
		p[i].id++
		p[i].velocity[0].x = p[i].velocity[1].y + x[i]
		p[i].kind += 250
	})
	each(func(i int) { p[i].move(.25) }) // loops
	each(func(i int) {                   // loops
		q := &p[i]
		q.charge *= 2
		v := &q.velocity[1]
		v.x, v.y = v.y, v.x
		k := i % 3
		q.position[k] += 5
		x[i] += p[i].energy() + q.position[(k+1)%3]
	})
	each(func(i int) { // loops
		for k, q := range p[i : i+1] {
			x[i] += q.position[k] + q.velocity[1].x
		}
	})
	old := particles()
	each(func(i int) { // loops
		old[i] = p[n-1-i]
		old[i].on = p[i].on && i > 3
	})
	each(func(i int) { // loops
		if old[i].on {
			x[i] += old[i].energy()
		}
		swap(&old[i].position[0], &old[i].position[2])
	})
	each(func(i int) { x[i] += old[i].position[0] }) // loops
	var none []particle
	fails(func(i int) { none[i].id = 1 }) // loops
	fails(func(i int) {                   // loops
		k := i - 2
		x[i] = p[i].position[k]
	})
	var sum float64
	exec.Must(exec.ParallelReduce(policy.Range(0, n), func(i int, acc *float64) { *acc += old[i].energy() }, builtin.Sum(&sum))) // loops
	x[0] = sum
}

func swap(a, b *float64) { *a, *b = *b, *a }

// Elements are arrays, and elements of views are structs.
func arrays(x []float64) {
	a := make([][3]float64, n)
	each(func(i int) { a[i] = [3]float64{1, float64(i), 2} }) // loops
	each(func(i int) {                                        // loops
		for k := range a[i] {
			a[i][k] *= 2
		}
		x[i] = a[i][i%3]
	})
	v := views.Must(views.New1[point]("points", n))
	each(func(i int) { v.Set(i, point{float64(i), 1}) })    // loops
	each(func(i int) { x[i] += v.At(i).x + v.At(n-1-i).y }) // loops
	each(func(i int) { v.Ptr(i).x += 3 })                   // loops
	each(func(i int) { x[i] -= v.At(i).x })                 // loops
	w := views.Must(views.New2[particle]("particles", 10, 10))
	exec.Must(exec.ParallelFor(policy.MDRange2([2]int{0, 0}, [2]int{10, 10}), func(at policy.Index2) { // loops
		q := w.Ptr(at.I, at.J)
		q.position[1] = float64(at.I - at.J)
		q.move(2)
	}))
	each(func(i int) { x[i] += w.At(i/10, i%10).position[1] }) // loops
}

// Pointers to variables of the functor, and to numbers.
func pointed(x []float64) {
	each(func(i int) { // loops
		var p particle
		q := &p
		q.id = int32(i)
		q.move(1)
		for k := range 3 {
			q.position[k] += float64(k)
			q.charge++
		}
		for range i % 5 {
			q.mass += 2
		}
		m := &q.position[1]
		*m += 2
		x[i] = p.energy() + p.position[1]
	})
	each(func(i int) { // loops
		e := &x[i]
		*e = 2 * *e
		swap(e, e)
		sum := &point{1, 2}
		sum.x += *e
		c := new(float64)
		*c += sum.x
		x[i] = *c
	})
	s := &struct{ total *float64 }{new(float64)}
	*s.total = 4
	each(func(i int) { x[i] += *s.total }) // loops
	list := []*point{{1, 2}, {3, 4}}
	each(func(i int) { x[i] += list[i%2].x }) // loops
}

// Pointers to elements that items store to.
func elements(x []float64) {
	for i := range x {
		x[i] = float64(i)
	}
	on := policy.Range(3, 4)
	e := &x[3]
	exec.Must(exec.ParallelFor(on, func(i int) { // loops
		x[i] = 50
		x[i+1] = *e
	}))
	p := particles()
	q := &p[3]
	exec.Must(exec.ParallelFor(on, func(i int) { // loops
		p[i].charge = 70
		x[i+2] = float64(q.charge)
		p[i].velocity[1].y = 90
		x[i+3] = q.velocity[1].y
	}))
	h := &struct{ at *point }{&p[3].velocity[0]}
	exec.Must(exec.ParallelFor(on, func(i int) { // loops
		v := &p[i].velocity[0]
		v.x = 30
		x[i+4] = h.at.x
	}))
}

// Functions of package math, and atomic operations on elements.
func functions(x []float64) {
	counts := make([]int64, 8)
	each(func(i int) { x[i] = math.Exp(float64(i)/50) + math.Log1p(float64(i)) }) // loops
	each(func(i int) { atomics.Add(&counts[i%8], int64(i)) })                     // loops
	v := views.Must(views.New1[int32]("v", 8))
	each(func(i int) { atomics.Max(v.Ptr(i*i%8), int32(i)) })               // loops
	each(func(i int) { x[i] += float64(counts[i%8]) + float64(v.At(i%8)) }) // loops
	p := particles()
	each(func(i int) { atomics.Add(&p[i%8].id, 1) }) // body: on what is no element
	x[0] += float64(p[3].id)
}
