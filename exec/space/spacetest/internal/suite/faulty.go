package suite

import (
	"fmt"
	"slices"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

// boom is the value of panics in this suite: an error, to be found by errors.As.
type boom int

func (b boom) Error() string { return fmt.Sprintf("boom %d", int(b)) }

// explode panics. Its name is looked for in the stack.
func explode(k int) { panic(boom(k)) }

// places are the result places of a launch that fails.
type places struct {
	count  int64
	float  float64
	vector []int64
}

// kept is what places hold before, and must hold after.
func kept() places { return places{-5, 2.5, []int64{8, 9}} }

func (p places) same(q places) bool {
	return p.count == q.count && p.float == q.float && slices.Equal(p.vector, q.vector)
}

// counter reduces the number of items, with trouble where it says.
type counter struct {
	reducers.Base[int64]
	join, final func(dst int64)
}

func (c counter) Join(dst, src *int64) {
	if *dst += *src; c.join != nil {
		c.join(*dst)
	}
}

func (c counter) Final(val *int64) {
	if c.final != nil {
		c.final(*val)
	}
}

// faulty are launches of which each panics, under the label "kettle". Several
// panic at more than one place, in one item per leaf.
var faulty = []struct {
	name string
	run  func(s exec.Space, r *places) error
}{
	{"first item", panicsAt(1000, 1, func(i int) bool { return i == 0 })},
	{"last item", panicsAt(1000, 1, func(i int) bool { return i == 999 })},
	{"one item", panicsAt(100003, 64, func(i int) bool { return i == 61700 })},
	{"several items", panicsAt(1000, 1, func(i int) bool { return i%97 == 41 })},
	{"several items of long leaves", panicsAt(5000, 64, func(i int) bool { return i%997 == 500 })},
	{"all items", panicsAt(300, 1, func(i int) bool { return true })},
	{"a span", func(s exec.Space, r *places) error {
		return exec.ParallelFor(policy.Spans(0, 1000).Chunk(8).On(s).WithLabel("kettle"), func(x policy.Span) {
			if x.Begin%56 == 48 {
				explode(x.Begin)
			}
		})
	}},
	{"reduce", func(s exec.Space, r *places) error {
		return exec.ParallelReduce(kettle(s, 1000, 1), func(i int, acc *int64) {
			if i%300 == 299 {
				explode(i)
			}
		}, reducers.WithInitial[int64](counter{Base: reducers.Into(&r.count)}))
	}},
	{"reduce2", func(s exec.Space, r *places) error {
		return exec.ParallelReduce2(kettle(s, 1000, 4), func(i int, a *int64, b *float64) {
			if *a, *b = *a+1, *b+1; i%300 == 120 {
				explode(i)
			}
		}, counter{Base: reducers.Into(&r.count)}, floats.reducer(&r.float))
	}},
	{"a compiled functor", func(s exec.Space, r *places) error {
		at := func(i int) bool { return i%997 == 500 }
		return exec.ParallelFor(kettle(s, 5000, 64), (&compiled{func(i int) {
			if at(i) {
				explode(i)
			}
		}, at}).at)
	}},
	{"a compiled functor with an accumulator", func(s exec.Space, r *places) error {
		at := func(i int) bool { return i%300 == 299 }
		return exec.ParallelReduce(kettle(s, 1000, 4), (&compiledReduce[int64]{func(i int, acc *int64) {
			if *acc++; at(i) {
				explode(i)
			}
		}, at}).at, reducers.WithInitial[int64](counter{Base: reducers.Into(&r.count)}))
	}},
	{"contribution to a scan", func(s exec.Space, r *places) error {
		return exec.ParallelScan(kettle(s, 1000, 1), func(i int, acc *int64, final bool) {
			if i%201 == 200 && !final {
				explode(i)
			}
		}, counter{Base: reducers.Into(&r.count)})
	}},
	{"result of a scan", func(s exec.Space, r *places) error {
		return exec.ParallelScan(kettle(s, 1000, 1), func(i int, acc *int64, final bool) {
			if *acc++; i%201 == 200 && final {
				explode(i)
			}
		}, counter{Base: reducers.Into(&r.count)})
	}},
	{"source of a fold", func(s exec.Space, r *places) error {
		return exec.ParallelFold(exec.Map(kettle(s, 1000, 1), func(i int) int64 {
			if i%350 == 349 {
				explode(i)
			}
			return 1
		}), reducers.Folder[int64](reducers.New(&r.count, ints.join)))
	}},
	{"a fold", func(s exec.Space, r *places) error {
		return exec.ParallelFold(exec.Map(kettle(s, 1000, 1), func(i int) int64 { return int64(i) }),
			reducers.Folder[int64](reducers.New(&r.count, ints.join)),
			reducers.Folding(floats.reducer(&r.float), func(_ *float64, i int, _ int64) {
				if i%350 == 349 {
					explode(i)
				}
			}))
	}},
	{"Join at the leaves", countFaulty(1000, counter{join: func(n int64) {
		if n == 2 {
			explode(2)
		}
	}})},
	{"Join inside the tree", countFaulty(1000, counter{join: func(n int64) {
		if n == 128 {
			explode(128)
		}
	}})},
	{"Join at the root", countFaulty(1000, counter{join: func(n int64) {
		if n == 1000 {
			explode(1000)
		}
	}})},
	{"Join and an item", func(s exec.Space, r *places) error {
		return exec.ParallelReduce(kettle(s, 1000, 1), func(i int, acc *int64) {
			if *acc++; i == 400 {
				explode(i)
			}
		}, reducers.Reducer[int64](counter{Base: reducers.Into(&r.count), join: func(n int64) {
			if n == 256 {
				explode(256)
			}
		}}))
	}},
	{"Join of a scan", func(s exec.Space, r *places) error {
		return exec.ParallelScan(kettle(s, 1000, 1), func(_ int, acc *int64, _ bool) { *acc++ },
			counter{Base: reducers.Into(&r.count), join: func(n int64) {
				if n == 64 {
					explode(64)
				}
			}})
	}},
	{"Init", func(s exec.Space, r *places) error {
		return exec.ParallelReduce(kettle(s, 1000, 1), func(int, *int64) {}, reducers.Reducer[int64](
			reducers.New(&r.count, ints.join, reducers.Init(func(*int64) { explode(0) }))))
	}},
	{"Init of a reference type", func(s exec.Space, r *places) error {
		return exec.ParallelReduce(kettle(s, 1000, 1), func(int, *[]int64) {}, reducers.Reducer[[]int64](
			reducers.New(&r.vector, vectors.join, reducers.Init(func(*[]int64) { explode(0) }))))
	}},
	{"Final", countFaulty(1000, counter{final: func(n int64) { explode(int(n)) }})},
	{"Final of an empty launch", countFaulty(0, counter{final: func(n int64) { explode(int(n)) }})},
	{"the second Final", func(s exec.Space, r *places) error {
		return exec.ParallelReduce2(kettle(s, 1000, 1), func(_ int, a *float64, b *int64) { *a++; *b++ },
			floats.reducer(&r.float), counter{Base: reducers.Into(&r.count), final: func(n int64) { explode(int(n)) }})
	}},
}

func kettle(s exec.Space, n, chunk int) policy.RangePolicy {
	return policy.Range(0, n).Chunk(chunk).On(s).WithLabel("kettle")
}

func panicsAt(n, chunk int, at func(i int) bool) func(exec.Space, *places) error {
	return func(s exec.Space, _ *places) error {
		return exec.ParallelFor(kettle(s, n, chunk), func(i int) {
			if at(i) {
				explode(i)
			}
		})
	}
}

// countFaulty counts n items, one per leaf, with a faulty counter.
func countFaulty(n int, c counter) func(exec.Space, *places) error {
	return func(s exec.Space, r *places) error {
		c := c
		c.Base = reducers.Into(&r.count)
		return exec.ParallelReduce(kettle(s, n, 1), func(_ int, acc *int64) { *acc++ }, reducers.Reducer[int64](c))
	}
}
