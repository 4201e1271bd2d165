package team

import (
	"strconv"
	"testing"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/internal/teams"
)

// short is the number of items of a nested range in the benchmarks.
const short = 4

func benchmarkTeams(b *testing.B, size int, body func(m *Member)) {
	b.Helper()
	b.ReportAllocs()
	b.ResetTimer()
	if err := runs(b, flat(b.N, size), teams.Settings{}, body); err != nil {
		b.Fatal(err)
	}
}

func BenchmarkFor(b *testing.B) {
	for _, n := range []int{short, 1000} {
		x := make([]float64, n)
		b.Run("loop "+strconv.Itoa(n), func(b *testing.B) {
			for range b.N {
				for i := range n {
					x[i]++
				}
			}
		})
		b.Run("loop over a functor "+strconv.Itoa(n), func(b *testing.B) {
			body := func(i int) { x[i]++ }
			for range b.N {
				plainFor(n, body)
			}
		})
		b.Run("All, teams of one "+strconv.Itoa(n), func(b *testing.B) {
			benchmarkTeams(b, 1, func(m *Member) {
				for i := range ThreadRange(m, n).All() {
					x[i]++
				}
			})
		})
		b.Run("For, teams of one "+strconv.Itoa(n), func(b *testing.B) {
			benchmarkTeams(b, 1, func(m *Member) { For(ThreadRange(m, n), func(i int) { x[i]++ }) })
		})
		b.Run("2D, teams of one "+strconv.Itoa(n), func(b *testing.B) {
			benchmarkTeams(b, 1, func(m *Member) {
				For(ThreadRange2(m, 2, n/2), func(i Index2) { x[n/2*i.I+i.J]++ })
			})
		})
	}
	b.Run("empty teams of one", func(b *testing.B) {
		benchmarkTeams(b, 1, func(m *Member) {})
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

// BenchmarkSumOfRow is the sum of 1000 numbers by a team of one, in the forms that a functor
// can have, beside plain loops.
func BenchmarkSumOfRow(b *testing.B) {
	x := make([]float64, 1000)
	b.Run("loop", func(b *testing.B) {
		for range b.N {
			sum := 0.0
			for i := range len(x) {
				sum += x[i]
			}
			sink = sum
		}
	})
	b.Run("loop of 8 sums", func(b *testing.B) {
		for range b.N {
			var sum [8]float64
			for i := 0; i < len(x); i += 8 {
				for l, v := range x[i:][:8] {
					sum[l] += v
				}
			}
			sink = sum[0] + sum[1] + sum[2] + sum[3] + sum[4] + sum[5] + sum[6] + sum[7]
		}
	})
	b.Run("All", func(b *testing.B) {
		benchmarkTeams(b, 1, func(m *Member) {
			sum := 0.0
			for i := range ThreadRange(m, len(x)).All() {
				sum += x[i]
			}
			sink = AllReduce(m, sum, builtin.Sum)
		})
	})
	b.Run("Shares", func(b *testing.B) {
		benchmarkTeams(b, 1, func(m *Member) {
			Reduce(Shares(ThreadRange(m, len(x))), func(r Range[int], acc *float64) {
				sum := 0.0
				for i := range r.All() {
					sum += x[i]
				}
				*acc = sum
			}, builtin.Sum(&sink))
		})
	})
	for _, v := range []int{1, 8, 16, 32} {
		shape := flat(0, 1)
		shape.Vector = v
		b.Run("Reduce, vectors of "+strconv.Itoa(v), func(b *testing.B) {
			shape.League = b.N
			_ = runs(b, shape, teams.Settings{}, func(m *Member) {
				Reduce(VectorRange(m, len(x)), func(i int, acc *float64) { *acc += x[i] }, builtin.Sum(&sink))
			})
		})
		b.Run("ReduceLanes, vectors of "+strconv.Itoa(v), func(b *testing.B) {
			shape.League = b.N
			_ = runs(b, shape, teams.Settings{}, func(m *Member) {
				ReduceLanes(VectorRange(m, len(x)), func(l Lanes[float64]) {
					for i, acc := range l.Items() {
						*acc += x[i]
					}
				}, builtin.Sum(&sink))
			})
		})
	}
}

// BenchmarkRows sums up each of 32 rows of 27 numbers, in a team of one: a loop over rows, and in its body a loop over
// numbers. The compiler inlines the outermost of loops over functions, and none in its body.
func BenchmarkRows(b *testing.B) {
	const rows, n = 32, 27
	x, sums := make([]float64, rows*n), make([]float64, rows)
	shares := func(m *Member, i int) {
		Reduce(Shares(VectorRange(m, n)), func(r Range[int], acc *float64) {
			sum := *acc
			for k := range r.All() {
				sum += x[i*n+k]
			}
			*acc = sum
		}, builtin.Sum(&sums[i]))
	}
	for name, body := range map[string]func(m *Member){
		"plain loop in All": func(m *Member) {
			for i := range ThreadRange(m, rows).All() {
				sum := 0.0
				for k := range n {
					sum += x[i*n+k]
				}
				sums[i] = sum
			}
		},
		"All in All": func(m *Member) {
			for i := range ThreadRange(m, rows).All() {
				sum := 0.0
				for k := range VectorRange(m, n).All() {
					sum += x[i*n+k]
				}
				sums[i] = sum
			}
		},
		"Shares in a function in All": func(m *Member) {
			for i := range ThreadRange(m, rows).All() {
				shares(m, i)
			}
		},
		"Shares in For": func(m *Member) {
			For(ThreadRange(m, rows), func(i int) {
				Reduce(Shares(VectorRange(m, n)), func(r Range[int], acc *float64) {
					sum := *acc
					for k := range r.All() {
						sum += x[i*n+k]
					}
					*acc = sum
				}, builtin.Sum(&sums[i]))
			})
		},
		"Shares in All": func(m *Member) {
			for i := range ThreadRange(m, rows).All() {
				Reduce(Shares(VectorRange(m, n)), func(r Range[int], acc *float64) {
					sum := *acc
					for k := range r.All() {
						sum += x[i*n+k]
					}
					*acc = sum
				}, builtin.Sum(&sums[i]))
			}
		},
	} {
		b.Run(name, func(b *testing.B) {
			shape := flat(b.N, 1)
			shape.Vector = 8
			b.ReportAllocs()
			if err := runs(b, shape, teams.Settings{}, body); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rows/n, "ns/number")
		})
	}
}
