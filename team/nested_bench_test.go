package team

import (
	"strconv"
	"testing"

	"github.com/gokkos/gokkos/builtin"
)

// short is the number of items of a nested range in the benchmarks.
const short = 4

func benchmarkTeams(b *testing.B, size int, body func(m *Member)) {
	b.Helper()
	b.ReportAllocs()
	b.ResetTimer()
	if err := runs(b, flat(b.N, size), Settings{}, body); err != nil {
		b.Fatal(err)
	}
}

func BenchmarkFor(b *testing.B) {
	x := make([]float64, short)
	b.Run("loop", func(b *testing.B) {
		body := func(i int) { x[i]++ }
		for range b.N {
			plainFor(short, body)
		}
	})
	b.Run("teams of one", func(b *testing.B) {
		benchmarkTeams(b, 1, func(m *Member) { For(ThreadRange(m, short), func(i int) { x[i]++ }) })
	})
	b.Run("empty teams of one", func(b *testing.B) {
		benchmarkTeams(b, 1, func(m *Member) {})
	})
	b.Run("2D, teams of one", func(b *testing.B) {
		benchmarkTeams(b, 1, func(m *Member) {
			For(ThreadRange2(m, 2, short/2), func(i Index2) { x[2*i.I+i.J]++ })
		})
	})
}

//go:noinline
func plainFor(n int, f func(int)) {
	for i := 0; i < n; i++ {
		f(i)
	}
}

func BenchmarkReduce(b *testing.B) {
	x := make([]float64, 1000)
	add := func(i int, acc *float64) { *acc += x[i] }
	for _, n := range []int{short, 1000} {
		b.Run("loop "+strconv.Itoa(n), func(b *testing.B) {
			for range b.N {
				sink = plainReduce(n, add)
			}
		})
		b.Run("teams of one "+strconv.Itoa(n), func(b *testing.B) {
			var sum float64
			benchmarkTeams(b, 1, func(m *Member) { Reduce(ThreadRange(m, n), add, builtin.Sum(&sum)) })
		})
		b.Run("teams of 8 "+strconv.Itoa(n), func(b *testing.B) {
			var sum float64
			benchmarkTeams(b, 8, func(m *Member) { Reduce(ThreadRange(m, n), add, builtin.Sum(&sum)) })
		})
	}
}

var sink float64

//go:noinline
func plainReduce(n int, f func(int, *float64)) float64 {
	acc := new(float64)
	for i := 0; i < n; i++ {
		f(i, acc)
	}
	return *acc
}
