package main

import (
	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

// A histogram is an accumulator of many numbers.
type histogram struct {
	counts [40]int
	sums   [8]float64
	most   float64
}

type joinHistograms struct{ reducers.Base[histogram] }

func (joinHistograms) Join(dst, src *histogram) {
	for k := range dst.counts {
		dst.counts[k] += src.counts[k]
	}
	for k := range dst.sums {
		dst.sums[k] += src.sums[k]
	}
	dst.most = max(dst.most, src.most)
}

func (h *histogram) add(k int, v float64) {
	h.counts[k%40]++
	h.sums[k%8] += v
	if v > h.most {
		h.most = v
	}
}

// Accumulators that are slices, or that stay in memory.
func accumulators(x []float64) {
	for i := range x {
		x[i] = float64(i * i % 37)
	}
	var last []float64
	bins := make([]float64, 12)
	on := policy.Range(0, n)
	exec.Must(exec.ParallelReduce(on, func(i int, acc *[]float64) { (*acc)[i%12] += x[i] }, reducers.Slice(&bins, builtin.Sum[float64]))) // loops
	exec.Must(exec.ParallelReduce(on, func(i int, acc *[]float64) {                                                                       // loops
		a := *acc
		for k := range a {
			a[k] = max(a[k], x[i]*float64(k))
		}
	}, reducers.Slice(&bins, builtin.Max[float64])))
	exec.Must(exec.ParallelReduce(on, func(i int, acc *[]float64) { // body: the functor assigns to a slice that is an accumulator
		*acc = x[i:]
	}, reducers.New(&last, func(dst, src *[]float64) {})))
	var total float64
	counts := make([]int32, 5)
	exec.Must(exec.ParallelReduce2(on, func(i int, acc *[]int32, sum *float64) { // loops
		(*acc)[i%5]++
		*sum += x[i]
	}, reducers.Slice(&counts, builtin.Sum[int32]), builtin.Sum(&total)))
	var h histogram
	exec.Must(exec.ParallelReduce(on, func(i int, acc *histogram) { acc.add(i*i, x[i]) }, joinHistograms{reducers.Into(&h)})) // loops
	exec.Must(exec.ParallelReduce(policy.MDRange2([2]int{0, 0}, [2]int{10, 10}), func(at policy.Index2, acc *histogram) {     // loops
		acc.counts[at.I] += at.J
		acc.sums[at.J%8] += x[at.I]
	}, joinHistograms{reducers.Into(&h)}))
	var wide [20]float64
	exec.Must(exec.ParallelReduce(on, func(i int, acc *[20]float64) { acc[i%20] += x[i] }, reducers.New(&wide, func(dst, src *[20]float64) { // loops
		for k := range dst {
			dst[k] += src[k]
		}
	})))
	var ten [10]float64
	exec.Must(exec.ParallelReduce(on, func(i int, acc *[10]float64) { acc[int(x[i])%10] += x[i] }, reducers.New(&ten, func(dst, src *[10]float64) { // loops
		for k := range dst {
			dst[k] += src[k]
		}
	})))
	var few [3]float64
	exec.Must(exec.ParallelReduce(on, func(i int, acc *[3]float64) { // loops
		for k := range acc {
			acc[k] += x[i] * float64(k)
		}
	}, reducers.New(&few, func(dst, src *[3]float64) {
		for k := range dst {
			dst[k] += src[k]
		}
	})))
	copy(x, bins)
	copy(x[20:], wide[:])
	copy(x[40:], ten[:])
	copy(x[50:], h.sums[:])
	copy(x[60:], few[:])
	x[70], x[71], x[72] = total, float64(counts[2]), h.most
	for k, c := range h.counts[:20] {
		x[80+k] = float64(c)
	}
}
