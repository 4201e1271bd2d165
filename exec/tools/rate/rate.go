// Package rate says how fast a benchmark is, beside what the machine allows for:
//
//	func BenchmarkAxpy(b *testing.B) {
//		for b.Loop() {
//			err := exec.ParallelFor(policy.Range(0, n), axpy(2, x, y))
//			...
//		}
//		rate.Report(b, nil, n, 3*8*n) // it reads x and y, and writes y
//	}
//
// go test -bench then prints ns/item, GB/s, and in %read how much of the rate that is at which all workers of
// the space read an array of as many bytes. A kernel that moves its bytes once is done near 100: the limit is
// that of the cache where so many bytes fit, or of memory. One that writes comes to more where it is cores, and not
// memory, that limit how fast they read.
package rate

import (
	"sync"
	"testing"
	"time"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// Report adds the metrics of a benchmark whose rounds take so many items on a space, and move so many bytes.
// It comes last. A nil space is the default one. Without items there is no ns/item, without bytes neither GB/s nor %read.
func Report(b *testing.B, on exec.Space, items, bytes int) {
	b.Helper()
	b.StopTimer()
	nanoseconds := float64(b.Elapsed()) / float64(b.N)
	if items > 0 {
		b.ReportMetric(nanoseconds/float64(items), "ns/item")
	}
	if bytes <= 0 {
		return
	}
	b.ReportMetric(float64(bytes)/nanoseconds, "GB/s")
	limit, err := limitOf(on, bytes)
	if err != nil {
		b.Fatal("rate: the space reads nothing: ", err)
	}
	b.ReportMetric(100*float64(bytes)/nanoseconds/limit, "%read")
}

// limits are those that are known, as benchmarks come back with more rounds.
var limits sync.Map

type reads struct {
	space          string
	workers, bytes int
}

func limitOf(on exec.Space, bytes int) (limit float64, err error) {
	if on == nil {
		if on, err = exec.Default(); err != nil {
			return 0, err
		}
	}
	of := reads{on.Name(), on.Concurrency(), bytes}
	if known, ok := limits.Load(of); ok {
		return known.(float64), nil
	}
	if limit, err = Read(on, bytes); err == nil {
		limits.Store(of, limit)
	}
	return limit, err
}

// Read returns how many bytes in a nanosecond, which are GB/s, the workers of a space read of an array of so many
// bytes: the best of what a sum of float64 does for a hundredth of a second and five times at least. An
// array below 8 bytes is taken for one of 8.
func Read(on exec.Space, bytes int) (float64, error) {
	const (
		enough = 10 * time.Millisecond
		rounds = 5
	)
	v, err := views.New1[float64]("rate", max(bytes/8, 1)) // in pages as all views
	if err != nil {
		return 0, err
	}
	x := v.Row()
	items := policy.Range(0, len(x)).On(on).WithLabel("rate.Read")
	err = exec.ParallelFor(items, func(i int) { x[i] = 1 }) // pages lie near who reads them
	best := 0.
	begin := time.Now()
	for n := 0; err == nil && (n < rounds || time.Since(begin) < enough); n++ {
		var sum float64
		before := time.Now()
		err = exec.ParallelFold(exec.Slice(items, x), builtin.Sum(&sum))
		best = max(best, 8*float64(len(x))/float64(max(time.Since(before), 1)))
	}
	return best, err
}
