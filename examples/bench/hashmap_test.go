package main

import (
	"testing"

	"github.com/puzpuzpuz/xsync/v4"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views/hashmap"
)

// Time per insert of a million keys, each twice, and per find, of maps that goroutines share.
func BenchmarkHashmap(b *testing.B) {
	const n = 1 << 20
	key := func(i int) int { return (i % n) * 0x9E3779B1 }
	each := func(b *testing.B, calls int, clear func(), f func(i int)) {
		for b.Loop() {
			clear()
			exec.Must(exec.ParallelFor(policy.Range(0, calls), f))
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(calls), "ns/call")
	}
	b.Run("insert/hashmap", func(b *testing.B) {
		m, err := hashmap.New[int, int](n)
		exec.Must(err)
		each(b, 2*n, m.Clear, func(i int) { m.Insert(i, key(i), i) })
	})
	b.Run("insert/xsync", func(b *testing.B) {
		m := xsync.NewMap[int, int](xsync.WithPresize(n))
		each(b, 2*n, m.Clear, func(i int) { m.LoadOrStore(key(i), i) })
	})
	m, err := hashmap.New[int, int](n)
	exec.Must(err)
	x := xsync.NewMap[int, int](xsync.WithPresize(n))
	for i := range n {
		m.Insert(i, key(i), i)
		x.Store(key(i), i)
	}
	b.Run("find/hashmap", func(b *testing.B) {
		each(b, n, func() {}, func(i int) {
			if v, ok := m.Find(key(i)); !ok || v != i {
				panic(i)
			}
		})
	})
	b.Run("find/xsync", func(b *testing.B) {
		each(b, n, func() {}, func(i int) {
			if v, ok := x.Load(key(i)); !ok || v != i {
				panic(i)
			}
		})
	})
}
