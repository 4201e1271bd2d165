package suite

import (
	"math"
	"slices"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/kernel"
)

// A compiled is a functor with a loop, which leaves some items to the functor.
type compiled struct {
	f      func(i int)
	leaves func(i int) bool
}

func (k *compiled) at(i int) { k.f(i) }

func (k *compiled) Span(begin, end int) (next int) {
	for i := begin; i < end; i++ {
		if k.leaves(i) {
			return i
		}
		k.f(i)
	}
	return end
}

// A compiledReduce is a compiled with an accumulator.
type compiledReduce[A any] struct {
	f      func(i int, acc *A)
	leaves func(i int) bool
}

func (k *compiledReduce[A]) at(i int, acc *A) { k.f(i, acc) }

func (k *compiledReduce[A]) Span(begin, end, item int, a []A) (next int) {
	for i := begin; i < end; i++ {
		if k.leaves(i) {
			return i
		}
		k.f(i, &a[(item+i-begin)&(len(a)-1)])
	}
	return end
}

func init() {
	from := kernel.Source{Name: "suite.compiled", Version: kernel.Version}
	kernel.Attach(kernel.Go, from, func(k *compiled) func(int) { return k.at }, func(k *compiled) kernel.For { return k })
	kernel.Attach(kernel.Go, from, func(k *compiledReduce[float64]) func(int, *float64) { return k.at }, func(k *compiledReduce[float64]) kernel.Reduce[float64] { return k })
	kernel.Attach(kernel.Go, from, func(k *compiledReduce[int64]) func(int, *int64) { return k.at }, func(k *compiledReduce[int64]) kernel.Reduce[int64] { return k })
}

func compiledCases() []Case {
	return []Case{
		// Items that a loop leaves not run, or run twice.
		{"for/compiled", overAll(ranges(), forCompiled)},
		// Items of a loop in other lanes than those of the functor.
		{"reduce/compiled", overAll(ranges(), reduceCompiled)},
	}
}

// leaving are items that loops leave to the functor.
var leaving = map[string]func(i int) bool{
	"no item":      func(int) bool { return false },
	"each item":    func(int) bool { return true },
	"a few items":  func(i int) bool { return i%97 == 41 },
	"neighbours":   func(i int) bool { return i&64 != 0 },
	"uneven items": func(i int) bool { return i%3 == 1 },
}

func forCompiled(t *report, s exec.Space, d domain[int]) {
	for what, leaves := range leaving {
		visits := make([]int32, d.n)
		f := (&compiled{func(i int) {
			for k, end := d.items(i); k < end; k++ {
				visits[k]++
			}
		}, leaves}).at
		if err := exec.ParallelFor(d.on(s), f); err != nil {
			t.fatalf("%s: %v", d.name, err)
		}
		if k := slices.IndexFunc(visits, func(n int32) bool { return n != 1 }); k >= 0 {
			t.fatalf("%s: a loop that leaves %s: item %d of %d was visited %d times, expected once", d.name, what, k, len(visits), visits[k])
		}
	}
}

func reduceCompiled(t *report, s exec.Space, d domain[int]) {
	f := func(i int, acc *float64) {
		first, _ := d.items(i)
		*acc += 1 / float64(first+1)
	}
	var want float64
	if err := exec.ParallelReduce(d.on(exec.Serial{}), f, floats.reducer(&want)); err != nil {
		t.fatalf("%s: on Serial: %v", d.name, err)
	}
	for what, leaves := range leaving {
		var got float64
		err := exec.ParallelReduce(d.on(s), (&compiledReduce[float64]{f, leaves}).at, floats.reducer(&got))
		if err != nil || math.Float64bits(got) != math.Float64bits(want) {
			t.fatalf("%s: a loop that leaves %s: %v with error %v, but %v on Serial by the functor", d.name, what, got, err, want)
		}
	}
}
