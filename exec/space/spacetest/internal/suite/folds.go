package suite

import (
	"fmt"
	"math"
	"sync/atomic"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

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
