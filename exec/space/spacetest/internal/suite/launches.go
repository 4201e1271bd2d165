package suite

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

func launchCases() []Case {
	return []Case{
		// Nothing launched for no items, so that the result is not written.
		{"launch/empty", empty},
		// Final left out, or applied by every worker.
		{"launch/final", final},
		// A nested launch that waits for a worker that is busy above it.
		{"launch/nested", nested},
		// What belongs to one launch kept in the space.
		{"launch/concurrent", concurrent},
		// All of it at once.
		{"launch/hammer", hammer},
		// A goroutine for each launch that does not end with it.
		{"launch/leaks", leaks},
	}
}

// finals returns a reducer that adds and whose Final doubles the sum and counts
// its calls. The identity is 100 to tell it from nothing.
func finals(result *int64, calls *atomic.Int32) reducers.Func[int64] {
	return reducers.New(result, func(dst, src *int64) { *dst += *src - 100 },
		reducers.Init(func(val *int64) { *val = 100 }),
		reducers.Final(func(val *int64) {
			calls.Add(1)
			*val *= 2
		}))
}

// launchesWith are launches over n items that reduce into r, each item adding 1.
var launchesWith = []struct {
	name string
	run  func(s exec.Space, n int, r reducers.Reducer[int64]) error
}{
	{"ParallelReduce over Range", func(s exec.Space, n int, r reducers.Reducer[int64]) error {
		return exec.ParallelReduce(policy.Range(0, n).On(s), func(_ int, acc *int64) { *acc++ }, r)
	}},
	{"ParallelReduce over Spans", func(s exec.Space, n int, r reducers.Reducer[int64]) error {
		return exec.ParallelReduce(policy.Spans(0, n).On(s), func(x policy.Span, acc *int64) { *acc += int64(x.Len()) }, r)
	}},
	{"ParallelReduce over MDRange2", func(s exec.Space, n int, r reducers.Reducer[int64]) error {
		return exec.ParallelReduce(policy.MDRange2([2]int{0, 0}, [2]int{1, n}).On(s), func(_ policy.Index2, acc *int64) { *acc++ }, r)
	}},
	{"ParallelReduceLanes", func(s exec.Space, n int, r reducers.Reducer[int64]) error {
		return exec.ParallelReduceLanes(policy.Spans(0, n).On(s), func(l exec.Lanes[int64]) {
			for _, acc := range l.Items() {
				*acc++
			}
		}, r)
	}},
	{"ParallelReduce2", func(s exec.Space, n int, r reducers.Reducer[int64]) error {
		var other float64
		return exec.ParallelReduce2(policy.Range(0, n).On(s), func(_ int, _ *float64, acc *int64) { *acc++ }, floats.reducer(&other), r)
	}},
	{"ParallelReduce of fields", func(s exec.Space, n int, r reducers.Reducer[int64]) error {
		type pair struct {
			other float64
			count int64
		}
		var other float64
		return exec.ParallelReduce(policy.Range(0, n).On(s), func(_ int, acc *pair) { acc.count++ },
			reducers.Field(func(v *pair) *float64 { return &v.other }, floats.reducer(&other)),
			reducers.Field(func(v *pair) *int64 { return &v.count }, r))
	}},
	{"ParallelScan", func(s exec.Space, n int, r reducers.Reducer[int64]) error {
		return exec.ParallelScan(policy.Range(0, n).On(s), func(_ int, acc *int64, _ bool) { *acc++ }, r)
	}},
	{"ParallelFold", func(s exec.Space, n int, r reducers.Reducer[int64]) error {
		return exec.ParallelFold(exec.Map(policy.Range(0, n).On(s), func(int) int64 { return 1 }),
			reducers.Folding(r, func(acc *int64, _ int, x int64) { *acc += x }))
	}},
}

// finished checks the launches over n items, without and with an initial value.
func finished(t *report, s exec.Space, n int) {
	for _, l := range launchesWith {
		for _, initial := range []bool{false, true} {
			var calls atomic.Int32
			result := int64(1007)
			var r reducers.Reducer[int64] = finals(&result, &calls)
			want := int64(2 * (100 + n))
			if initial {
				r = reducers.WithInitial(r)
				want = int64(2 * (1007 + n))
			}
			err := l.run(s, n, r)
			if err != nil || result != want || calls.Load() != 1 {
				t.fatalf("%s, %d items, initial value %t: result %d, %d calls of Final, error %v; expected %d and one call",
					l.name, n, initial, result, calls.Load(), err, want)
			}
		}
	}
}

func empty(t *report, s exec.Space) {
	finished(t, s, 0)
	for _, err := range []error{
		exec.ParallelFor(policy.Range(7, 7).On(s), func(i int) { t.errorf("index %d of an empty range", i) }),
		exec.ParallelFor(policy.Spans(0, 0).On(s), func(x policy.Span) { t.errorf("span %v of an empty range", x) }),
		exec.ParallelFor(policy.MDRange2([2]int{0, 0}, [2]int{3, 0}).On(s), func(x policy.Index2) { t.errorf("point %v of an empty box", x) }),
	} {
		if err != nil {
			t.errorf("an empty ParallelFor returned %v", err)
		}
	}
}

func final(t *report, s exec.Space) {
	for _, n := range []int{1, 2, 33, 1000, 5000} {
		finished(t, s, n)
	}
}

// tree is a sum in whose functor another sum runs, depth levels deep.
func tree(s exec.Space, depth, n, seed int) (sum float64, err error) {
	err = exec.ParallelReduce(policy.Range(0, n).Chunk(1).On(s), func(i int, acc *float64) {
		if depth == 1 {
			*acc += real64(seed*n + i)
			return
		}
		below, err := tree(s, depth-1, n, seed*n+i)
		must(err)
		*acc += below
	}, floats.reducer(&sum))
	return sum, err
}

func nested(t *report, s exec.Space) {
	for _, shape := range []struct{ depth, n int }{{2, 1}, {2, 2}, {2, 70}, {3, 3}, {3, 12}, {5, 3}} {
		what := fmt.Sprintf("%d levels of %d items", shape.depth, shape.n)
		versus(t, s, what, sameReal, func(s exec.Space) (float64, error) { return tree(s, shape.depth, shape.n, 0) })
	}
	// More workers inside than outside, and the other way round.
	for _, shape := range []struct{ outer, inner int }{{2, 300}, {300, 2}} {
		visits := make([]atomic.Int32, shape.outer*shape.inner)
		err := exec.ParallelFor(policy.Range(0, shape.outer).Chunk(1).On(s), func(i int) {
			must(exec.ParallelFor(policy.Range(0, shape.inner).Chunk(1).On(s), func(k int) { visits[i*shape.inner+k].Add(1) }))
		})
		if err != nil {
			t.fatalf("%v", err)
		}
		once(t, fmt.Sprintf("%d launches in a launch", shape.outer), visits)
	}
}

// callers runs f on several goroutines at once, waits for them, and notes what
// went wrong. A panic must not leave these goroutines, which nobody guards.
func callers(t *report, n int, f func(caller int) error) {
	var all sync.WaitGroup
	for c := range n {
		all.Add(1)
		go func() {
			defer all.Done()
			err := errors.New("its goroutine was ended")
			defer func() {
				if v := recover(); v != nil {
					err = fmt.Errorf("panic: %v", v)
				}
				if err != nil {
					t.errorf("caller %d: %v", c, err)
				}
			}()
			err = f(c)
		}()
	}
	all.Wait()
}

// shared is one launch of many: it returns what is wrong with its result.
type shared func(s exec.Space, seed int) error

// seeded sums n values from a seed on.
func seeded(s exec.Space, seed, n int) (sum float64, err error) {
	err = exec.ParallelReduce(policy.Range(seed, seed+n).Chunk(4).On(s), func(i int, acc *float64) { *acc += real64(i) }, floats.reducer(&sum))
	return sum, err
}

func sharedSum(s exec.Space, seed int) error {
	n := 1 + seed*37%900
	want, _ := seeded(exec.Serial{}, seed, n)
	if got, err := seeded(s, seed, n); err != nil || !sameReal(got, want) {
		return fmt.Errorf("sum of %d items is %v with error %v, but %v on Serial", n, got, err, want)
	}
	return nil
}

func sharedScan(s exec.Space, seed int) error {
	n := 1 + seed*53%700
	last, total := affine{}, affine{}
	err := exec.ParallelScan(policy.Range(0, n).Chunk(2).On(s), func(i int, acc *affine, done bool) {
		if maps.add(acc, i); done && i == n-1 {
			last = *acc
		}
	}, maps.reducer(&total))
	if want := maps.plain(n); err != nil || last != want || total != want {
		return fmt.Errorf("scan of %d items ends with %v and total %v, error %v, expected %v", n, last, total, err, want)
	}
	return nil
}

func sharedNest(s exec.Space, seed int) error {
	want, _ := tree(exec.Serial{}, 2, 9, seed)
	if got, err := tree(s, 2, 9, seed); err != nil || !sameReal(got, want) {
		return fmt.Errorf("nested sum is %v with error %v, but %v on Serial", got, err, want)
	}
	return nil
}

func sharedPanic(s exec.Space, seed int) error {
	at := seed % 90
	p, err := caught(func() error {
		return exec.ParallelFor(policy.Range(0, 300).Chunk(1).On(s), func(i int) {
			if i%90 == at {
				explode(i)
			}
		})
	})
	if p == nil || p.Value != boom(at) {
		return fmt.Errorf("panic %v and error %v, expected the panic at item %d", p, err, at)
	}
	return nil
}

func sharedCancel(s exec.Space, seed int) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	err := exec.ParallelFor(policy.Range(0, 300).Chunk(1).On(s).WithContext(ctx), func(i int) { cancel() })
	if !errors.Is(err, context.Canceled) {
		return fmt.Errorf("a cancelled launch returned %v", err)
	}
	return nil
}

func sharedExit(s exec.Space, seed int) error {
	if ends(func() {
		must(exec.ParallelFor(policy.Range(0, 300).Chunk(1).On(s), func(i int) {
			if i == seed%300 {
				runtime.Goexit()
			}
		}))
	}) {
		return errors.New("a launch returned after runtime.Goexit")
	}
	return nil
}

func concurrent(t *report, s exec.Space) {
	callers(t, 8, func(c int) error {
		for k := range 20 {
			if err := sharedSum(s, 100*c+k); err != nil {
				return err
			}
		}
		return nil
	})
}

// everything is one of each kind of launch.
var everything = []shared{sharedSum, sharedScan, sharedNest, sharedPanic, sharedCancel, sharedExit}

func hammer(t *report, s exec.Space) {
	callers(t, 6, func(c int) error {
		for k := range 48 {
			if err := everything[(c+k)%len(everything)](s, 100*c+k); err != nil {
				return err
			}
		}
		return nil
	})
	usable(t, s, "a hammer")
}

// leaks launches in rounds. Standing helpers, even a pool of them that grows for
// a while, are no leak; what grows with every round is.
func leaks(t *report, s exec.Space) {
	const rounds = 5
	before := settled(0)
	for range rounds {
		for k := range 10 {
			for _, launch := range everything {
				if err := launch(s, k); err != nil {
					t.fatalf("%v", err)
				}
			}
		}
		after := settled(before)
		if after <= before {
			return
		}
		before = after
	}
	t.fatalf("each of %d rounds of launches left goroutines behind, %d are running now", rounds, before)
}

// settled returns the number of goroutines, when it is at most enough or has not
// fallen for a while.
func settled(enough int) int {
	n := runtime.NumGoroutine()
	for still := 0; n > enough && still < 20; still++ {
		time.Sleep(2 * time.Millisecond)
		if now := runtime.NumGoroutine(); now < n {
			n, still = now, 0
		}
	}
	return n
}
