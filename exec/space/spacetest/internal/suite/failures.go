package suite

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

func failureCases() []Case {
	return []Case{
		// Another panic reported than the lowest, leaves below a panic left out,
		// a result written all the same, a lock kept.
		{"failure/panic", panics},
		// The same for a panic inside a functor that runs inside a functor.
		{"failure/nested", nestedPanic},
		// A worker lost with its goroutine, or waited for for ever.
		{"failure/goexit", goexits},
		// A launch that goes on when it was cancelled.
		{"failure/cancel", cancels},
		{"failure/cancel/compiled", cancelsCompiled},
		// The functor of an invalid launch called.
		{"failure/invalid", invalids},
	}
}

// caught returns the panic of a launch, or its error.
func caught(launch func() error) (p *exec.Panic, err error) {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case *exec.Panic:
			p = v
		default:
			panic(v)
		}
	}()
	return nil, launch()
}

func panics(t *report, s exec.Space) {
	for _, f := range faulty {
		r := kept()
		want, _ := caught(func() error { return f.run(exec.Serial{}, &r) })
		if want == nil {
			t.fatalf("%s: Serial did not panic", f.name)
		}
		for range 4 {
			r := kept()
			got, err := caught(func() error { return f.run(s, &r) })
			switch {
			case got == nil:
				t.fatalf("%s: returned %v, expected a panic: %v", f.name, err, want.Value)
			case got.Value != want.Value || got.Begin != want.Begin || got.End != want.End || got.Label != "kettle":
				t.fatalf("%s: panic %v in items [%d,%d) of %q, but %v in [%d,%d) on Serial", f.name,
					got.Value, got.Begin, got.End, got.Label, want.Value, want.Begin, want.End)
			case !bytes.Contains(got.Stack, []byte("suite.explode")):
				t.fatalf("%s: the stack does not show the function that panicked:\n%s", f.name, got.Stack)
			case !r.same(kept()):
				t.fatalf("%s: result places became %+v, expected their old content %+v", f.name, r, kept())
			}
			var b boom
			if !errors.As(got, &b) || b != got.Value || !errors.Is(got, b) {
				t.fatalf("%s: the panic does not wrap its value %v", f.name, got.Value)
			}
			usable(t, s, f.name)
		}
	}
}

// usable ends the case unless s still computes.
func usable(t *report, s exec.Space, after string) {
	for _, n := range []int{1, 100, 1000} {
		var sum int64
		err := exec.ParallelReduce(policy.Range(0, n).Chunk(1).On(s), func(i int, acc *int64) { *acc += int64(i) }, ints.reducer(&sum))
		if want := int64(n * (n - 1) / 2); err != nil || sum != want {
			t.fatalf("after %s: a sum of %d items is %d with error %v, expected %d", after, n, sum, err, want)
		}
	}
}

func nestedPanic(t *report, s exec.Space) {
	launch := func(s exec.Space) func() error {
		return func() error {
			return exec.ParallelFor(kettle(s, 40, 1), func(i int) {
				must(exec.ParallelFor(policy.Range(0, 40).Chunk(1).On(s), func(k int) {
					if i%13 == 12 && k%7 == 5 {
						explode(100*i + k)
					}
				}))
			})
		}
	}
	want, _ := caught(launch(exec.Serial{}))
	for range 10 {
		got, err := caught(launch(s))
		if got == nil {
			t.fatalf("returned %v, expected a panic", err)
		}
		var b, on boom
		if !errors.As(got, &b) || !errors.As(want, &on) || b != on || got.Begin != want.Begin || got.End != want.End {
			t.fatalf("panic %d in items [%d,%d), but %d in [%d,%d) on Serial", b, got.Begin, got.End, on, want.Begin, want.End)
		}
	}
	usable(t, s, "a nested panic")
}

// must is for launches in a functor that cannot fail.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// ends calls f on a new goroutine, waits until that ends, and reports whether f
// returned. It passes a panic of f on.
func ends(f func()) (returned bool) {
	done := make(chan any)
	go func() {
		defer func() { done <- recover() }()
		f()
		returned = true
	}()
	if v := <-done; v != nil {
		panic(v)
	}
	return returned
}

func goexits(t *report, s exec.Space) {
	for _, at := range []struct {
		name string
		from func(i int) bool
	}{
		{"the first item", func(i int) bool { return i == 0 }},
		{"an item", func(i int) bool { return i == 617 }},
		{"the last item", func(i int) bool { return i == 999 }},
		{"many items", func(i int) bool { return i%50 == 7 }},
	} {
		what := "runtime.Goexit at " + at.name
		for range 5 {
			var err error
			result := int64(-5)
			returned := ends(func() {
				err = exec.ParallelReduce(kettle(s, 1000, 1), func(i int, acc *int64) {
					if *acc++; at.from(i) {
						runtime.Goexit()
					}
				}, ints.reducer(&result))
			})
			if returned {
				t.fatalf("%s: the launch returned %v, expected its caller's goroutine to end", what, err)
			}
			if result != -5 {
				t.fatalf("%s: the result place became %d, expected its old content -5", what, result)
			}
			usable(t, s, what)
		}
	}
	nested := ends(func() {
		must(exec.ParallelFor(kettle(s, 40, 1), func(i int) {
			must(exec.ParallelFor(kettle(s, 40, 1), func(k int) {
				if i == 20 && k == 20 {
					runtime.Goexit()
				}
			}))
		}))
	})
	if nested {
		t.fatalf("runtime.Goexit in a nested launch: the outer launch returned")
	}
	usable(t, s, "runtime.Goexit in a nested launch")
}

func cancels(t *report, s exec.Space) {
	cause := errors.New("the kettle is dry")
	for _, before := range []bool{true, false} {
		for range 5 {
			ctx, cancel := context.WithCancelCause(context.Background())
			if before {
				cancel(cause)
			}
			var ran atomic.Int64
			var once sync.Once
			r := kept()
			// Nobody gets past the first item before the launch is cancelled.
			const items = 4096
			err := exec.ParallelReduce2(kettle(s, items, 1).WithContext(ctx), func(_ int, a *int64, b *float64) {
				once.Do(func() { cancel(cause) }) //gokkosvet:ignore it cancels the launch
				ran.Add(1)
			}, counter{Base: reducers.Into(&r.count)}, floats.reducer(&r.float))
			cancel(nil)
			switch n := ran.Load(); {
			case !errors.Is(err, cause):
				t.fatalf("cancelled, before the launch %t: returned %v, expected an error that wraps the cause", before, err)
			case !r.same(kept()):
				t.fatalf("cancelled, before the launch %t: result places became %+v, expected their old content %+v", before, r, kept())
			case before && n > 0:
				t.fatalf("cancelled before the launch: %d items were run", n)
			case n > items/2:
				t.fatalf("cancelled at the first item: %d of %d items were run", n, items)
			}
			usable(t, s, "a cancelled launch")
		}
	}
}

// cancelsCompiled is cancels for items that run in loops.
func cancelsCompiled(t *report, s exec.Space) {
	cause := errors.New("the kettle is dry")
	for range 5 {
		ctx, cancel := context.WithCancelCause(context.Background())
		var ran atomic.Int64
		var once sync.Once
		r := kept()
		const items = 4096
		f := (&compiledReduce[int64]{func(_ int, a *int64) {
			once.Do(func() { cancel(cause) })
			ran.Add(1)
		}, leaving["a few items"]}).at
		err := exec.ParallelReduce(kettle(s, items, 64).WithContext(ctx), f, counter{Base: reducers.Into(&r.count)})
		cancel(nil)
		switch n := ran.Load(); {
		case !errors.Is(err, cause):
			t.fatalf("cancelled: returned %v, expected an error that wraps the cause", err)
		case !r.same(kept()):
			t.fatalf("cancelled: result places became %+v, expected their old content %+v", r, kept())
		case n > items/2:
			t.fatalf("cancelled at the first item: %d of %d items were run", n, items)
		}
		usable(t, s, "a cancelled launch")
	}
}

func invalids(t *report, s exec.Space) {
	var called atomic.Bool
	f := func(int) { called.Store(true) }
	acc := func(int, *int64) { called.Store(true) }
	r := kept()
	for _, bad := range []struct {
		name string
		err  error
	}{
		{"a reversed range", exec.ParallelFor(policy.Range(5, 3).On(s), f)},
		{"a chunk of -1", exec.ParallelFor(policy.Range(0, 3).Chunk(-1).On(s), f)},
		{"a tile of 0", exec.ParallelFor(policy.MDRange2([2]int{}, [2]int{2, 2}).Tile([2]int{0, 1}).On(s), func(policy.Index2) { called.Store(true) })},
		{"a nil functor", exec.ParallelFor[int](policy.Range(0, 3).On(s), nil)},
		{"a nil reducer", exec.ParallelReduce(policy.Range(0, 3).On(s), acc, reducers.Reducer[int64](nil))},
		{"a nil join", exec.ParallelReduce(policy.Range(0, 3).On(s), acc, reducers.Reducer[int64](reducers.New[int64](&r.count, nil)))},
		{"one result place twice", exec.ParallelReduce2(policy.Range(0, 3).On(s), func(int, *int64, *int64) { called.Store(true) }, ints.reducer(&r.count), ints.reducer(&r.count))},
		{"a short slice", exec.ParallelFold(exec.Slice(policy.Range(0, 3).On(s), []int64{1, 2}), reducers.Folder[int64](reducers.New(&r.count, ints.join)))},
	} {
		if bad.err == nil {
			t.errorf("%s: no error", bad.name)
		}
	}
	if called.Load() {
		t.errorf("the functor of an invalid launch was called")
	}
	if !r.same(kept()) {
		t.errorf("result places became %+v, expected their old content %+v", r, kept())
	}
	usable(t, s, "invalid launches")
}
