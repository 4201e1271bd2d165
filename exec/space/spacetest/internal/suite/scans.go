package suite

import (
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/gokkos/gokkos/exec"
)

// scanned is what a scan leaves behind, by item.
type scanned[A any] struct {
	before, after []A
	total         A
}

func scanEach[I any](t *report, s exec.Space, d domain[I]) {
	scanWith(t, s, d, maps) // exact, and sees every change of order
}

func scanWith[I, A any](t *report, s exec.Space, d domain[I], o op[A]) {
	if d.n > o.most {
		return
	}
	what := fmt.Sprintf("%s, scan of %s", d.name, o.name)
	same := func(a, b scanned[A]) bool {
		return o.same(a.total, b.total) && slices.EqualFunc(a.before, b.before, o.same) && slices.EqualFunc(a.after, b.after, o.same)
	}
	got := versus(t, s, what, same, func(s exec.Space) (scanned[A], error) {
		x := scanned[A]{before: make([]A, d.n), after: make([]A, d.n)}
		finals := make([]atomic.Int32, d.n)
		err := exec.ParallelScan(d.on(s), func(i I, acc *A, final bool) {
			for k, end := d.items(i); k < end; k++ {
				if !final {
					o.add(acc, k)
					continue
				}
				finals[k].Add(1)
				x.before[k] = *acc
				o.add(acc, k)
				x.after[k] = *acc
			}
		}, o.reducer(&x.total))
		if err == nil {
			once(t, what+", final", finals)
		}
		return x, err
	})
	if !d.sorted {
		return
	}
	if plain := o.plain(d.n); !o.right(got.total, plain, d.n) {
		t.fatalf("%s: total %.300s, but %.300s in a plain loop", what, fmt.Sprint(got.total), fmt.Sprint(plain))
	}
	if o.near != nil {
		return
	}
	acc := o.plain(0)
	for k := range d.n {
		before := acc
		o.add(&acc, k)
		if !o.same(got.before[k], before) || !o.same(got.after[k], acc) {
			t.fatalf("%s: item %d has %.100s before and %.100s after it, but %.100s and %.100s in a plain loop", what, k,
				fmt.Sprint(got.before[k]), fmt.Sprint(got.after[k]), fmt.Sprint(before), fmt.Sprint(acc))
		}
	}
}
