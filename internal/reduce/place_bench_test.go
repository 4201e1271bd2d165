package reduce_test

import (
	"fmt"
	"testing"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

// A launch over nothing with a Slice of n elements: what is done for each element, besides
// making its identity and storing it.
func BenchmarkSlicePlaces(b *testing.B) {
	p := policy.Range(0, 0).On(exec.Serial{})
	row := func(result *[]int) reducers.Reducer[[]int] { return reducers.Slice(result, sum) }
	for _, n := range []int{1, 1000, 1000000} {
		ints, rows := make([]int, n), make([][]int, n)
		for k := range rows {
			rows[k] = make([]int, 1)
		}
		b.Run(fmt.Sprint("ints ", n), func(b *testing.B) {
			r := reducers.Slice(&ints, sum)
			b.ReportAllocs()
			for b.Loop() {
				_ = exec.ParallelReduce(p, func(int, *[]int) {}, r)
			}
		})
		b.Run(fmt.Sprint("rows ", n), func(b *testing.B) {
			r := reducers.Slice(&rows, row)
			b.ReportAllocs()
			for b.Loop() {
				_ = exec.ParallelReduce(p, func(int, *[][]int) {}, r)
			}
		})
	}
}
