package suite

import (
	"fmt"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

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
	reduceWith(t, s, d, floats)
	reduceWith(t, s, d, maps)
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
	for _, n := range []struct {
		name string
		want sums
		run  func(p exec.Policy[I], r *sums) error
	}{
		{"ParallelReduce2", sums{ints: alone.ints, maps: alone.maps}, func(p exec.Policy[I], r *sums) error {
			return exec.ParallelReduce2(p, func(i I, a *int64, b *affine) {
				for k, end := d.items(i); k < end; k++ {
					ints.add(a, k)
					maps.add(b, k)
				}
			}, ints.reducer(&r.ints), maps.reducer(&r.maps))
		}},
		{"ParallelReduce3", sums{alone.ints, alone.floats, alone.floats32, affine{}}, func(p exec.Policy[I], r *sums) error {
			return exec.ParallelReduce3(p, func(i I, a *float64, b *float32, c *int64) {
				for k, end := d.items(i); k < end; k++ {
					floats.add(a, k)
					floats32.add(b, k)
					ints.add(c, k)
				}
			}, floats.reducer(&r.floats), floats32.reducer(&r.floats32), ints.reducer(&r.ints))
		}},
		{"ParallelReduce4", alone, func(p exec.Policy[I], r *sums) error {
			return exec.ParallelReduce4(p, func(i I, a *affine, b *float64, c *float32, e *int64) {
				for k, end := d.items(i); k < end; k++ {
					maps.add(a, k)
					floats.add(b, k)
					floats32.add(c, k)
					ints.add(e, k)
				}
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
	reduceFields(t, s, d, alone)
}

// reduceFields checks several reducers over the fields of one struct.
func reduceFields[I any](t *report, s exec.Space, d domain[I], alone sums) {
	fields := versus(t, s, d.name+", fields", sums.same, func(s exec.Space) (result sums, err error) {
		err = exec.ParallelReduce(d.on(s), func(i I, acc *sums) {
			for k, end := d.items(i); k < end; k++ {
				ints.add(&acc.ints, k)
				floats.add(&acc.floats, k)
				floats32.add(&acc.floats32, k)
				maps.add(&acc.maps, k)
			}
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
	lanesOfRows(t, s, boxes2(), rows2(), func(x *policy.Index2) (first, last *int) { return &x.I, &x.J })
	lanesOfRows(t, s, boxes3(), rows3(), func(x *policy.Index3) (first, last *int) { return &x.I, &x.K })
}

// lanesOfRows reduces boxes point by point on Serial, and their rows in lanes on the space.
// ends returns the first and the last coordinate of a point.
func lanesOfRows[I any](t *report, s exec.Space, points []domain[I], rows []domain[policy.Row[I]], ends func(x *I) (first, last *int)) {
	for n, d := range rows {
		want, err := reduce(exec.Serial{}, points[n], floats)
		if err != nil {
			t.fatalf("%s: on Serial: %v", points[n].name, err)
		}
		var got float64
		err = exec.ParallelReduceLanes(d.on(s), func(r exec.RowLanes[I, float64]) {
			x := r.At
			along, last := ends(&x)
			if orders[n%len(orders)][1] == policy.Right {
				along = last
			}
			for at, acc := range r.Items() {
				*along = at
				k, _ := points[n].items(x)
				floats.add(acc, k)
			}
		}, floats.reducer(&got))
		if err != nil || !floats.same(got, want) {
			t.fatalf("%s: %v with error %v, but %v over %s on Serial", d.name, got, err, want, points[n].name)
		}
	}
}
