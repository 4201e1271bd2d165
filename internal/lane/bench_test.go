package lane

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSteadyStateAllocatesNothing(t *testing.T) {
	e := engine(t)
	body := func(l *Lane) {
		for range 3 {
			barrier(l)
			groupBarrier(l, 16)
			sum(l, l.All(), 1)
		}
	}
	for _, b := range []Block{{Lanes: 1}, {Lanes: 100}, {Lanes: 100, Schedule: 4}} {
		var allocs float64
		require.NoError(t, e.Do(func() {
			allocs = testing.AllocsPerRun(5, func() { _ = e.Run(b, body) })
		}))
		assert.Zero(t, allocs, "%+v", b)
	}
	f := func() {}
	assert.Zero(t, testing.AllocsPerRun(5, func() { _ = e.Do(f) }))
}

// per reports the time of one of n things that every iteration does.
func per(b *testing.B, n int, unit string) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), unit)
}

func bench(b *testing.B, block Block, body func(*Lane)) {
	e := engine(b)
	b.ReportAllocs()
	require.NoError(b, e.Do(func() {
		_ = e.Run(block, body)
		for b.Loop() {
			_ = e.Run(block, body)
		}
	}))
}

func BenchmarkLane(b *testing.B) {
	for _, lanes := range []int{1, 32, 256, 1024} {
		b.Run(fmt.Sprint(lanes), func(b *testing.B) {
			bench(b, Block{Lanes: lanes}, func(*Lane) {})
			per(b, lanes, "ns/lane")
		})
	}
}

func BenchmarkBarrier(b *testing.B) {
	const barriers = 20
	for _, lanes := range []int{1, 32, 256, 1024} {
		b.Run(fmt.Sprint(lanes), func(b *testing.B) {
			bench(b, Block{Lanes: lanes}, func(l *Lane) {
				for range barriers {
					barrier(l)
				}
			})
			per(b, lanes*barriers, "ns/lane/barrier")
		})
	}
}

func BenchmarkSum(b *testing.B) {
	const sums = 20
	for _, size := range []int{32, 256} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			bench(b, Block{Lanes: 256}, func(l *Lane) {
				g := l.Group(size)
				for range sums {
					sum(l, g, 1)
				}
			})
			per(b, 256*sums, "ns/lane/sum")
		})
	}
}

func BenchmarkDo(b *testing.B) {
	e := engine(b)
	b.ReportAllocs()
	for b.Loop() {
		_ = e.Do(func() {})
	}
}
