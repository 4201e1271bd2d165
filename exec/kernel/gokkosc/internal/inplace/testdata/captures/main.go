// Captures is a program whose functors capture in all ways. It prints what they compute. The comment on the line of a
// functor says what it runs as, or why it is a closure.
package main

import (
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"strings"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/inplace/testdata/other"
	"github.com/gokkos/gokkos/policy"
)

const n = 100

var (
	scale  = 3.0
	limits = [3]float64{1, 2, 3}
	fixed  = [3]float64{5, 6, 7}
)

func main() {
	limit()
	for _, c := range []struct {
		name string
		run  func(x []float64)
	}{
		{"changed", changed}, {"arguments", arguments}, {"addressed", addressed}, {"loops", loops}, {"shadowed", shadowed},
		{"names", names}, {"packages", packages}, {"pointers", pointers}, {"nil", nils}, {"methods", methods},
		{"embedded", embedded}, {"aliased", aliased}, {"later", later}, {"stored", stored}, {"made", made},
		{"results", func(x []float64) { results(x) }}, {"nested", nested}, {"shared", shared}, {"generic", generic},
		{"local types", localTypes}, {"sums", sums}, {"conditions", conditions}, {"helpers", helpers}, {"structs", structs}, {"arrays", arrays}, {"pointed", pointed}, {"functions", functions}, {"elements", elements}, {"panics", panics}, {"literals", literals}, {"order", order},
		{"ragged", ragged}, {"linked", linked}, {"generics", generics}, {"accumulators", accumulators}, {"own arrays", ownArrays}, {"teams", teams}, {"moved memory", movedMemory}, {"complex numbers", complexNumbers}, {"asked loops", askedLoops}, {"made slices", madeSlices}, {"methods of parameters", methodsOfParameters}, {"held receivers", held}, {"bodies", bodies}, {"owned loops", ownedLoops}, {"declared functors", declaredFunctors}, {"owned rows", ownedRows},
	} {
		x := make([]float64, n)
		c.run(x)
		h := fnv.New64a()
		for _, v := range x {
			fmt.Fprintf(h, "%016x", math.Float64bits(v))
		}
		fmt.Printf("%s %016x\n", c.name, h.Sum64())
	}
}

func each(f func(i int)) { other.Each(n, f) }

// Fails runs a functor that panics.
func fails(f func(i int)) {
	defer func() { fmt.Println(recover().(*exec.Panic).Value) }()
	exec.Must(exec.ParallelFor(policy.Range(0, n).On(exec.Serial{}), f))
}

// A variable is assigned before a launch, and behind it.
func changed(x []float64) {
	a := 1.0
	each(func(i int) { x[i] = a }) // loops
	a = 2
	each(func(i int) { x[i] += a }) // loops
	var late []float64
	late = make([]float64, n)
	each(func(i int) { late[i] = x[i] + 1 }) // loops
	copy(x, late)
	w := [3]float64{1, 2, 3}
	w[1] = 9
	each(func(i int) { x[i] += w[i%3] }) // loops
	weights := [40]float64{3: 1, 7: 2}
	set := struct{ a, b [20]float64 }{a: [20]float64{2: 5}}
	each(func(i int) { x[i] += weights[i%40] + set.a[2] }) // loops
	p := point{1, 2}
	p.x = 8
	each(func(i int) { x[i] += p.x * p.y }) // loops
}

type point struct{ x, y float64 }

// Another argument of the launch changes what is captured.
func arguments(x []float64) {
	a := 1.0
	set := func(v float64) policy.RangePolicy {
		a = v
		return policy.Range(0, n)
	}
	exec.Must(exec.ParallelFor(set(7), func(i int) { x[i] += a })) // loops
	y := x
	grow := func() int {
		y = make([]float64, n)
		return n
	}
	exec.Must(exec.ParallelFor(policy.Range(0, grow()), func(i int) { y[i] = a })) // loops
	each(func(i int) { x[i] += y[i] })                                             // loops
}

// The address of what is captured is elsewhere.
func addressed(x []float64) {
	a := 1.0
	p := &a
	*p = 5
	each(func(i int) { x[i] += a }) // loops
	v := vector{1, 2, 3}
	v.double()
	each(func(i int) { x[i] += v[1] })    // loops
	u := vector{1, 2, 3}                  // nothing but a method changes it
	later := func(i int) { x[i] += u[0] } // loops
	u.double()
	each(later)
	s := v[:]
	s[2] = 11
	each(func(i int) { x[i] += v[2] }) // loops
}

type vector [3]float64

func (v *vector) double() {
	for k := range v {
		v[k] *= 2
	}
}

func loops(x []float64) {
	for step := 0; step < 3; step++ {
		each(func(i int) { x[i] += float64(step) }) // loops
	}
	for k, w := range []float64{1, 2, 3} {
		each(func(i int) { x[i] += w * float64(k) }) // loops
	}
	var functors []func(i int)
	for k := range 3 {
		functors = append(functors, func(i int) { x[i] = 2*x[i] + float64(k) }) // loops
	}
	for _, f := range functors {
		each(f)
	}
}

func shadowed(x []float64) {
	scale := 10.0
	each(func(i int) { x[i] += scale + global() }) // loops
	{
		x := x[10:]
		exec.Must(exec.ParallelFor(policy.Range(0, len(x)), func(i int) { x[i] -= scale })) // loops
	}
	each(func(i int) { scale := float64(i); x[i] += scale }) // loops
}

func global() float64 { return scale }

// Names that generated code has, too.
func names(Span []float64) {
	k, f, at, i, begin, end, kernel, math, views, policy_, unsafe, left := 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0
	each(func(n int) { Span[n] = k + f + at + i + begin + end + kernel + math + views + policy_ + unsafe + left }) // loops
	len, float64, functor_main_1_1, Runs, kernelMaker := 1.0, 2.0, 3.0, 4.0, 5.0
	each(func(i int) { Span[i] += len + float64 + functor_main_1_1 + Runs + kernelMaker }) // loops
}

func packages(x []float64) {
	scale = 4
	each(func(i int) { x[i] = scale * other.Factor }) // loops
	other.Factor = 6
	limits[1] = 20
	other.Table[2] = 30
	each(func(i int) { x[i] += other.Factor + limits[i%3] + fixed[i%3] + other.Table[2] }) // loops
	each(other.Set(x))
	other.Lined(x)
	other.Named(x)
	g := other.NewGrid(n)
	each(func(i int) { g.Values[i] = x[i] + 1 })                // loops
	each(func(i int) { x[i] = g.Values[i] * g.Hidden() })       // body: field hidden of other.Grid, which only its own package sees
	each(func(i int) { x[i] += sink + float64(len(messages)) }) // body: a kernel cannot have type map[string]int
}

var (
	sink     float64
	messages = map[string]int{"a": 1}
)

type solver struct {
	x, y []float64
	w    [4]float64
	dt   float64
	next *solver
	point
}

func (s *solver) cell(i int) float64      { return s.x[i] * s.w[1] }
func (s solver) scaled(i int) float64     { return s.dt * s.x[i] }
func (s *solver) step(i int)              { s.y[i] += s.cell(i) + s.scaled(i) }
func (s solver) copied(i int)             { s.y[i] += s.dt }
func (s *solver) each(f func(i int))      { exec.Must(exec.ParallelFor(policy.Range(0, len(s.x)), f)) }
func (s *solver) add(i int, acc *float64) { *acc += s.y[i] }

func newSolver(x []float64) *solver {
	s := &solver{x: x, y: make([]float64, n), dt: .5}
	s.w[1] = 2
	s.next = s
	return s
}

func pointers(x []float64) {
	s := newSolver(x)
	s.each(func(i int) { s.x[i] = float64(i) })                         // loops
	s.each(func(i int) { s.y[i] += s.cell(i) + s.next.next.scaled(i) }) // loops
	t := *s
	t.dt = 3
	t.each(func(i int) { t.x[i] += t.y[i] + t.dt + s.dt }) // loops
	q := &s
	(*q).each(func(i int) { (*q).x[i]++ }) // loops
	s.each(func(i int) { s.next.dt++ })    // body: the functor assigns to what (*s).next points to; items share it
	s.dt = .5
}

// A pointer that is nil fails where the closure does, and not before.
func nils(x []float64) {
	var s *solver
	exec.Must(exec.ParallelFor(policy.Range(0, 0), func(i int) { s.x[i] = 1 })) // loops
	each(func(i int) {                                                          // loops
		if x[i] > 0 {
			x[i] = s.dt
		}
	})
	each(func(i int) { // loops
		if s != nil {
			x[i] = s.dt
		} else {
			x[i] = 2
		}
	})
	var list []float64
	each(func(i int) { // loops
		if list == nil {
			x[i]++
		}
	})
	fails(func(i int) { x[i] = s.x[i] }) // loops
}

func methods(x []float64) {
	s := newSolver(x)
	s.each(s.step) // loops
	value := *s
	step := value.copied // loops
	value.dt = 100
	s.each(step)
	held := s.next.copied // loops
	s.dt = 50
	s.each(held)
	s.each(value.step) // loops
	copy(x, s.y)
	var total float64
	exec.Must(exec.ParallelReduce(policy.Range(0, n), s.add, builtin.Sum(&total))) // loops
	x[0] = total
	s.each(newSolver(x).step) // loops
}

type outer struct {
	*solver
	inner
}

type inner struct{ gain float64 }

func (v *inner) times(a float64) float64 { return a * v.gain }
func (v inner) plus(a float64) float64   { return a + v.gain }

func embedded(x []float64) {
	o := outer{newSolver(x), inner{3}}
	each(func(i int) { o.x[i] = o.times(float64(i)) + o.plus(o.dt) + o.point.x }) // loops
	o.gain = 4
	each(func(i int) { o.solver.x[i] += o.inner.plus(1) }) // loops
	each(o.step)                                           // loops
}

// Arrays and slices of them.
func aliased(x []float64) {
	var grid [n]float64
	g := grid[:]
	each(func(i int) { // loops
		g[i] = float64(i)
		x[i] = grid[i]
		if i == 3 {
			x[i] += grid[3]
		}
	})
	s := &struct{ w [n]float64 }{}
	w := s.w[:]
	each(func(i int) { // loops
		w[i] = float64(i)
		x[i] += s.w[i] + 1
	})
	p := &grid
	each(func(i int) { // loops
		p[i]++
		x[i] += p[i]
	})
	var own [n]float64
	each(func(i int) { own[i] = x[i] + 1 }) // loops
	each(func(i int) {                      // loops
		x[i] = own[i] + own[3]*own[len(own)-1-i/n]
	})
}

// A functor runs later than it is made.
func later(x []float64) {
	a := 1.0
	add := func(i int) { x[i] += a } // loops
	a = 2
	each(add)
	a = 3
	each(add)
	source := exec.Map(policy.Range(0, n), func(i int) float64 { return x[i] * a }) // loops
	a = 5
	var sum float64
	exec.Must(exec.ParallelFold(source, builtin.Sum(&sum)))
	x[0] = sum
	y := x[:50]
	set := func(i int) { y[i] = 4 } // loops
	y = x[50:]
	exec.Must(exec.ParallelFor(policy.Range(0, 50), set))
	set = func(i int) { y[i]++ } // loops
	exec.Must(exec.ParallelFor(policy.Range(0, 50), set))
}

type kernels struct {
	set  func(i int)
	list map[string]func(i int)
}

// Functors are in fields, slices and maps.
func stored(x []float64) {
	k := kernels{set: func(i int) { x[i] = 3 }} // loops
	each(k.set)
	k.list = map[string]func(i int){"a": func(i int) { x[i]++ }} // loops
	each(k.list["a"])
	k.list["b"] = func(i int) { x[i] *= 2 } // loops
	each(k.list["b"])
	for _, run := range []struct {
		name string
		f    func(i int)
	}{{"c", func(i int) { x[i] -= 7 }}} { // loops
		each(run.f)
	}
	array := [...]func(i int){func(i int) { x[i] += 11 }} // loops
	each(array[0])
}

// Functors are results.
func made(x []float64) {
	each(filled(x, 3))
	f, g := both(x)
	each(f)
	each(g)
	h := func(a float64) func(i int) { return func(i int) { x[i] += a } } // loops
	each(h(2))
}

func filled(x []float64, v float64) func(i int) {
	v++
	return func(i int) { x[i] = v } // loops
}

func both(x []float64) (f, g func(i int)) {
	f = func(i int) { x[i]++ }          // loops
	return f, func(i int) { x[i] *= 3 } // loops
}

// A result of the function is captured.
func results(x []float64) (sum float64) {
	sum = 2
	each(func(i int) { x[i] = sum })                     // loops
	defer func() { each(func(i int) { x[i] += sum }) }() // loops
	return 40
}

// A functor launches.
func nested(x []float64) {
	exec.Must(exec.ParallelFor(policy.Range(0, 10), func(k int) { // closure: the functor calls github.com/gokkos/gokkos/exec.Must: it may launch
		exec.Must(exec.ParallelFor(policy.Range(10*k, 10*k+10), func(i int) { x[i] = float64(k) })) // loops
	}))
	other.Both(n, func(i int) { x[i]++ }, func(i int) { x[i] *= 2 }) // loops loops
}

// Items would share what is assigned.
func shared(x []float64) {
	var sum float64
	exec.Must(exec.ParallelFor(policy.Range(0, n).On(exec.Serial{}), func(i int) { sum += float64(i) })) // body: the functor assigns to sum, which it captures; items share it
	exec.Must(exec.ParallelFor(policy.Range(0, n).On(exec.Serial{}), func(i int) { scale += 1 }))        // body: the functor assigns to scale, which it captures; items share it
	x[0], x[1] = sum, scale
}

func generic(x []float64) { addTo(x, 3) }

func addTo[T number](x []T, a T) {
	each(func(i int) { x[i] += a }) // loops loops loops
}

func localTypes(x []float64) {
	type pair struct{ a, b float64 }
	p := pair{1, 2}
	each(func(i int) { x[i] = p.a + p.b }) // loops
	q := &p
	each(func(i int) { x[i] += q.a }) // body: the type pair of q is declared in a function; declare it outside of the function
	const c = 4
	each(func(i int) { x[i] += c }) // loops
	other.Clip(x, 10)
	each(func(i int) { // loops
		type own struct{ a float64 }
		x[i] += own{3}.a
	})
}

func sums(x []float64) {
	each(func(i int) { x[i] = 1 / float64(i+1) }) // loops
	a, b := 2.0, 0.0
	var sum, product, most float64
	exec.Must(exec.ParallelReduce(policy.Range(0, n), func(i int, acc *float64) { *acc += a*x[i] + b }, builtin.Sum(&sum))) // loops
	exec.Must(exec.ParallelReduce2(policy.MDRange2([2]int{0, 0}, [2]int{10, 10}), func(at policy.Index2, acc, m *float64) { // loops
		*acc += x[10*at.I+at.J] * b
		*m = max(*m, x[at.J])
	}, builtin.Sum(&product), builtin.Max(&most)))
	x[0], x[1], x[2] = sum, product, most
	y := make([]float64, n)
	exec.Must(other.Axpy(a, x, y))
	copy(x, y)
}

func conditions(x []float64) {
	verbose := false
	each(func(i int) { // loops
		if verbose {
			panic("verbose")
		}
		x[i] = 1
	})
	var f func(a float64) float64
	each(func(i int) { // body: a kernel cannot have functions that are not known when it is compiled
		if f != nil {
			x[i] = f(x[i])
		}
	})
}

// Functors call functions that are values.
func helpers(x []float64) {
	a := 2.0
	square := func(v float64) float64 { return v * v * a }
	each(func(i int) { x[i] = square(float64(i)) }) // loops
	a = 3
	each(func(i int) { x[i] += square(x[i]) + apply(func(v float64) float64 { return v / a }, 4) }) // loops
	each(func(i int) {                                                                              // loops
		sum, most := 0.0, math.Inf(-1)
		add := func(v float64) {
			sum += v
			if v > most {
				most = v
			}
		}
		for k := range i % 7 {
			add(float64(k * i))
		}
		around(i, func(j int) bool {
			if j < 0 {
				return false
			}
			add(float64(j))
			return true
		})
		x[i] = sum + most
	})
	each(func(i int) { // loops
		last := func(v []float64) (head []float64, tail float64) {
			k := min(i, len(v)-1)
			return v[:k], v[k]
		}
		head, tail := last(x[i : i+1])
		x[i] = tail + float64(len(head))
	})
	f := math.Sqrt
	each(func(i int) { x[i] = f(x[i] * x[i]) }) // loops
	each(func(i int) {                          // loops
		k := 0
		next := func() int { k++; return k }
		x[i] = float64(next()) + float64(next())
	})
}

func apply(f func(v float64) float64, v float64) float64 { return f(v) + f(v+1) }

func around(i int, f func(j int) bool) {
	for d := -2; d <= 2; d++ {
		if !f(i + d) {
			continue
		}
		if i+d > 50 {
			return
		}
	}
}

func panics(x []float64) {
	short := x[:50]
	fails(func(i int) { short[i] = 1 }) // loops
	fails(func(i int) {                 // loops
		x[i]++
		if i == 70 {
			panic("seventy")
		}
	})
}

// Literals that are not functors of a launch stay as they are.
func literals(x []float64) {
	f := func(i int) { x[i] = 7 }
	for i := range n {
		f(i)
	}
	exec.Must(exec.ParallelFor(policy.Range(0, n), (func(i int) { x[i]++ }))) // loops
}

func set(p *float64, v float64) float64 { *p = v; return v }

func next(p *int) int { *p++; return *p }

// A call changes a variable, and its statement has the variable, too: which comes first is the compiler's choice.
func order(x []float64) {
	each(func(i int) { // loops
		a, k := float64(i), i%2
		v := set(&a, a+5)
		w := [4]float64{1, 2, 3, 4}
		k = next(&k) + next(&k)
		w[k%4] = v
		for j, v := range w { // of a copy
			w[3] = 7
			x[i] += v * float64(j)
		}
		for _, v := range &w {
			w[3] = 9
			x[i] += v
		}
		p := &w
		for j := range 40 {
			p[j%4]++
		}
		for j, v := range p {
			p[(j+1)%4] += a
			x[i] += v
		}
	})
	each(func(i int) { a := 1.0; x[i] += a + set(&a, 5) })                                // body: a call changes a in an expression that has it, too
	each(func(i int) { a := 1.0; p := &a; x[i] += *p * set(p, 5) })                       // body: a call changes a in an expression that has it, too
	each(func(i int) { p := &point{1, 2}; x[i] += p.x + set(&p.x, 5) })                   // body: a call changes a variable in an expression that has it, too
	each(func(i int) { w, k := [4]float64{}, 0; w[k] = float64(next(&k)); x[i] += w[0] }) // body: a call changes k in an expression that has it, too
	each(func(i int) { k := i; k += next(&k); x[i] += float64(k) })                       // body: a call changes k in an expression that has it, too
}

// limit sets the level of loops that the environment names.
func limit() {
	for level := kernel.Closure; level <= kernel.AVX512; level++ {
		if strings.EqualFold(os.Getenv("CAPTURES_LEVEL"), level.String()) {
			kernel.Limit(level)
		}
	}
}
