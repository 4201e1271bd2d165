package exectest

import (
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

func patternCases() []testCase {
	return slices.Concat(
		policyCases("range", ranges()),
		policyCases("spans", spans()),
		policyCases("mdrange2", boxes2()),
		policyCases("mdrange3", boxes3()),
		policyCases("rows2", rows2()),
		policyCases("rows3", rows3()),
		policyCases("tiles2", tiles2()),
		[]testCase{
			// Partial results of one type taken for those of another.
			{"reduce/types", overRanges(reduceTypes)},
			{"scan/types", overRanges(scanTypes)},
			// Lanes of a span that are not those of a Range.
			{"reduce/lanes", reduceLanes},
			// Lanes of a row that are not those of the points of a box.
			{"reduce/rowlanes", reduceRowLanes},
			// A worker's buffer of values handed to another worker, or the wrong
			// index told to a reducer that keeps one.
			{"fold/map", foldMap(ranges())},
			{"fold/map2", foldMap(boxes2())},
			{"fold/map3", foldMap(boxes3())},
			{"fold/slice", foldSlice},
			{"fold/fill", foldFill},
		},
	)
}

// policyCases are the cases that every policy has.
func policyCases[I any](name string, domains []domain[I]) []testCase {
	over := func(check func(*report, exec.Space, domain[I])) func(*report, exec.Space) {
		return func(t *report, s exec.Space) {
			for _, d := range domains {
				check(t, s, d)
			}
		}
	}
	return []testCase{
		// An item left out, or visited by two workers.
		{"for/" + name, over(forEach[I])},
		// A sum that depends on who computed what: joins in another order, a slot
		// lost or joined twice.
		{"reduce/" + name, over(reduceEach[I])},
		// Several accumulators mixed up, or reduced in another tree than alone.
		{"reduceN/" + name, over(reduceSeveral[I])},
		// A prefix handed to the wrong leaf, the second pass before the first.
		{"scan/" + name, over(scanEach[I])},
	}
}

func forEach[I any](t *report, s exec.Space, d domain[I]) {
	visits := make([]atomic.Int32, d.n)
	err := exec.ParallelFor(d.on(s), func(i I) {
		for k, end := d.items(i); k < end; k++ {
			visits[k].Add(1)
		}
	})
	if err != nil {
		t.fatalf("%s: %v", d.name, err)
	}
	once(t, d.name, visits)
}

// once ends the case unless every item was counted once.
func once(t *report, what string, visits []atomic.Int32) {
	for k := range visits {
		if n := visits[k].Load(); n != 1 {
			t.fatalf("%s: item %d of %d was visited %d times, expected once", what, k, len(visits), n)
		}
	}
}

// versus runs a launch on the space and on Serial, and ends the case unless both
// give the same bits. It returns the result.
func versus[A any](t *report, s exec.Space, what string, same func(a, b A) bool, run func(exec.Space) (A, error)) A {
	want, err := run(exec.Serial{})
	if err != nil {
		t.fatalf("%s: on Serial: %v", what, err)
	}
	got, err := run(s)
	if err != nil {
		t.fatalf("%s: %v", what, err)
	}
	if !same(got, want) {
		t.fatalf("%s: %.300s, but %.300s on Serial", what, fmt.Sprint(got), fmt.Sprint(want))
	}
	return got
}

// reduce reduces a domain with one operation.
func reduce[I, A any](s exec.Space, d domain[I], o op[A]) (result A, err error) {
	err = exec.ParallelReduce(d.on(s), func(i I, acc *A) {
		for k, end := d.items(i); k < end; k++ {
			o.add(acc, k)
		}
	}, o.reducer(&result))
	return result, err
}

func reduceEach[I any](t *report, s exec.Space, d domain[I]) {
	reduceWith(t, s, d, ints)
	reduceWith(t, s, d, floats)
	reduceWith(t, s, d, maps)
	reduceWith(t, s, d, vectors)
}

func reduceWith[I, A any](t *report, s exec.Space, d domain[I], o op[A]) {
	if d.n > o.most {
		return
	}
	what := fmt.Sprintf("%s, sum of %s", d.name, o.name)
	got := versus(t, s, what, o.same, func(s exec.Space) (A, error) { return reduce(s, d, o) })
	if o.ordered && !d.sorted {
		return
	}
	if plain := o.plain(d.n); !o.right(got, plain, d.n) {
		t.fatalf("%s: %.300s, but %.300s in a plain loop", what, fmt.Sprint(got), fmt.Sprint(plain))
	}
}

// sums are the accumulators of several reducers.
type sums struct {
	ints     int64
	floats   float64
	floats32 float32
	maps     affine
}

func (a sums) same(b sums) bool {
	return ints.same(a.ints, b.ints) && floats.same(a.floats, b.floats) &&
		floats32.same(a.floats32, b.floats32) && maps.same(a.maps, b.maps)
}

// reduceSeveral is long: launches of two, three and four reducers differ in type.
func reduceSeveral[I any](t *report, s exec.Space, d domain[I]) {
	alone := sums{}
	var errs [4]error
	alone.ints, errs[0] = reduce(exec.Serial{}, d, ints)
	alone.floats, errs[1] = reduce(exec.Serial{}, d, floats)
	alone.floats32, errs[2] = reduce(exec.Serial{}, d, floats32)
	alone.maps, errs[3] = reduce(exec.Serial{}, d, maps)
	for _, err := range errs {
		if err != nil {
			t.fatalf("%s: on Serial: %v", d.name, err)
		}
	}
	each := func(i I, f func(k int)) {
		for k, end := d.items(i); k < end; k++ {
			f(k)
		}
	}
	for _, n := range []struct {
		name string
		want sums
		run  func(p exec.Policy[I], r *sums) error
	}{
		{"ParallelReduce2", sums{ints: alone.ints, maps: alone.maps}, func(p exec.Policy[I], r *sums) error {
			return exec.ParallelReduce2(p, func(i I, a *int64, b *affine) {
				each(i, func(k int) { ints.add(a, k); maps.add(b, k) })
			}, ints.reducer(&r.ints), maps.reducer(&r.maps))
		}},
		{"ParallelReduce3", sums{alone.ints, alone.floats, alone.floats32, affine{}}, func(p exec.Policy[I], r *sums) error {
			return exec.ParallelReduce3(p, func(i I, a *float64, b *float32, c *int64) {
				each(i, func(k int) { floats.add(a, k); floats32.add(b, k); ints.add(c, k) })
			}, floats.reducer(&r.floats), floats32.reducer(&r.floats32), ints.reducer(&r.ints))
		}},
		{"ParallelReduce4", alone, func(p exec.Policy[I], r *sums) error {
			return exec.ParallelReduce4(p, func(i I, a *affine, b *float64, c *float32, e *int64) {
				each(i, func(k int) { maps.add(a, k); floats.add(b, k); floats32.add(c, k); ints.add(e, k) })
			}, maps.reducer(&r.maps), floats.reducer(&r.floats), floats32.reducer(&r.floats32), ints.reducer(&r.ints))
		}},
	} {
		var got sums
		if err := n.run(d.on(s), &got); err != nil {
			t.fatalf("%s, %s: %v", d.name, n.name, err)
		}
		if !got.same(n.want) {
			t.fatalf("%s, %s: %+v, but alone on Serial %+v", d.name, n.name, got, n.want)
		}
	}
	fields := versus(t, s, d.name+", fields", sums.same, func(s exec.Space) (result sums, err error) {
		err = exec.ParallelReduce(d.on(s), func(i I, acc *sums) {
			each(i, func(k int) {
				ints.add(&acc.ints, k)
				floats.add(&acc.floats, k)
				floats32.add(&acc.floats32, k)
				maps.add(&acc.maps, k)
			})
		},
			reducers.Field(func(v *sums) *float64 { return &v.floats }, floats.reducer(&result.floats)),
			reducers.Field(func(v *sums) *int64 { return &v.ints }, ints.reducer(&result.ints)),
			reducers.Field(func(v *sums) *affine { return &v.maps }, maps.reducer(&result.maps)),
			reducers.Field(func(v *sums) *float32 { return &v.floats32 }, floats32.reducer(&result.floats32)))
		return result, err
	})
	if fields.ints != alone.ints || fields.maps != alone.maps {
		t.fatalf("%s, fields: %+v, but alone %+v", d.name, fields, alone)
	}
}

func reduceLanes(t *report, s exec.Space) {
	for _, e := range extents(0, -7, 1000) {
		what := fmt.Sprintf("lanes of %v", e)
		got := versus(t, s, what, floats.same, func(s exec.Space) (result float64, err error) {
			err = exec.ParallelReduceLanes(e.spans(s), func(l exec.Lanes[float64]) {
				for i, acc := range l.Items() {
					floats.add(acc, i-e.begin)
				}
			}, floats.reducer(&result))
			return result, err
		})
		if plain := floats.plain(e.n); !floats.right(got, plain, e.n) {
			t.fatalf("%s: %v, but %v in a plain loop", what, got, plain)
		}
	}
}

func reduceRowLanes(t *report, s exec.Space) {
	lanesOfRows(t, s, boxes2(), rows2(), func(x policy.Index2, inner policy.Order, at int) policy.Index2 {
		if inner == policy.Left {
			x.I = at
		} else {
			x.J = at
		}
		return x
	})
	lanesOfRows(t, s, boxes3(), rows3(), func(x policy.Index3, inner policy.Order, at int) policy.Index3 {
		if inner == policy.Left {
			x.I = at
		} else {
			x.K = at
		}
		return x
	})
}

// lanesOfRows reduces boxes point by point on Serial, and their rows in lanes on the space.
// to returns a point moved along the inner order's innermost dimension.
func lanesOfRows[I any](t *report, s exec.Space, points []domain[I], rows []domain[policy.Row[I]], to func(x I, inner policy.Order, at int) I) {
	for n, d := range rows {
		want, err := reduce(exec.Serial{}, points[n], floats)
		if err != nil {
			t.fatalf("%s: on Serial: %v", points[n].name, err)
		}
		var got float64
		err = exec.ParallelReduceLanes(d.on(s), func(r exec.RowLanes[I, float64]) {
			for at, acc := range r.Items() {
				k, _ := points[n].items(to(r.At, orders[n%len(orders)][1], at))
				floats.add(acc, k)
			}
		}, floats.reducer(&got))
		if err != nil || !floats.same(got, want) {
			t.fatalf("%s: %v with error %v, but %v over %s on Serial", d.name, got, err, want, points[n].name)
		}
	}
}

// scanned is what a scan leaves behind, by item.
type scanned[A any] struct {
	before, after []A
	total         A
}

func scanEach[I any](t *report, s exec.Space, d domain[I]) {
	scanWith(t, s, d, maps) // exact, and sees every change of order
	if d.n > 5000 {
		return
	}
	scanWith(t, s, d, floats)
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

// folded are the results of reducers of different types over the same values.
type folded struct {
	sum    int64
	float  float64
	maps   affine
	lowest located
}

type located struct {
	value int64
	index int
}

// fold reduces a source with all the reducers of folded.
func fold(source exec.Source[int64]) (r folded, err error) {
	lower := func(dst, src *located) {
		if src.value < dst.value || src.value == dst.value && src.index < dst.index {
			*dst = *src
		}
	}
	highest := reducers.Init(func(val *located) { *val = located{math.MaxInt64, math.MaxInt} })
	err = exec.ParallelFold(source,
		reducers.Folder[int64](reducers.New(&r.sum, ints.join)),
		reducers.Folding(floats.reducer(&r.float), func(acc *float64, _ int, x int64) { *acc += float64(x) * 1e-3 }),
		reducers.Folding(maps.reducer(&r.maps), func(acc *affine, _ int, x int64) {
			*acc = acc.then(affine{uint64(x) | 1, uint64(x)})
		}),
		reducers.Folding[located](reducers.New(&r.lowest, lower, highest), func(acc *located, i int, x int64) {
			lower(acc, &located{x, i})
		}))
	return r, err
}

// foldValue is the value of item k. Equal ones are far apart.
func foldValue(k int) int64 { return int64(noise(k)) >> 40 }

// foldCheck compares a fold with Serial and with a plain loop. The index of the
// first item is first.
func foldCheck(t *report, s exec.Space, what string, first, n int, sorted bool, source func(exec.Space) exec.Source[int64]) {
	same := func(a, b folded) bool {
		return sameReal(a.float, b.float) && a.sum == b.sum && a.maps == b.maps && a.lowest == b.lowest
	}
	got := versus(t, s, what, same, func(s exec.Space) (folded, error) { return fold(source(s)) })
	want := folded{maps: affine{1, 0}, lowest: located{math.MaxInt64, math.MaxInt}}
	for k := range n {
		x := foldValue(k)
		want.sum += x
		want.maps = want.maps.then(affine{uint64(x) | 1, uint64(x)})
		if x < want.lowest.value {
			want.lowest = located{x, first + k}
		}
	}
	if got.sum != want.sum || sorted && (got.maps != want.maps || got.lowest != want.lowest) {
		t.fatalf("%s: %+v, but %+v in a plain loop", what, got, want)
	}
}

func foldMap[I any](domains []domain[I]) func(*report, exec.Space) {
	return func(t *report, s exec.Space) {
		for _, d := range domains {
			first := 0
			if p, ok := any(d.on(s)).(policy.RangePolicy); ok && d.n > 0 {
				var index [1]int
				p.Next(0, 1, index[:])
				first = index[0]
			}
			foldCheck(t, s, "Map over "+d.name, first, d.n, d.sorted, func(s exec.Space) exec.Source[int64] {
				return exec.Map(d.on(s), func(i I) int64 {
					k, _ := d.items(i)
					return foldValue(k)
				})
			})
			visits := make([]atomic.Int32, d.n)
			var sum int64
			err := exec.ParallelFold(exec.Map(d.on(s), func(i I) int64 {
				k, _ := d.items(i)
				visits[k].Add(1)
				return 1
			}), reducers.Folder[int64](reducers.New(&sum, ints.join)))
			if err != nil || sum != int64(d.n) {
				t.fatalf("Map over %s: counted %d items and error %v, expected %d", d.name, sum, err, d.n)
			}
			once(t, "Map over "+d.name, visits)
		}
	}
}

func foldSlice(t *report, s exec.Space) {
	for _, e := range extents(0, 11) {
		x := make([]int64, e.begin+e.n+3)
		for k := range x {
			x[k] = foldValue(k - e.begin)
		}
		foldCheck(t, s, fmt.Sprintf("Slice over %v", e), e.begin, e.n, true, func(s exec.Space) exec.Source[int64] {
			return exec.Slice(e.ints(s), x)
		})
	}
}

func foldFill(t *report, s exec.Space) {
	for _, e := range extents(0, -7, 1000) {
		foldCheck(t, s, fmt.Sprintf("Fill over %v", e), e.begin, e.n, true, func(s exec.Space) exec.Source[int64] {
			return exec.Fill(e.ints(s), func(x policy.Span, dst []int64) {
				for k := range dst {
					dst[k] = foldValue(x.Begin - e.begin + k)
				}
			})
		})
	}
}
