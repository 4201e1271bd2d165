package atomics_test

import (
	"math"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/gokkos/gokkos/views/atomics"
)

// Each operation by one worker, beside that of sync/atomic.
func BenchmarkAdd(b *testing.B) {
	var i64 int64
	var i32 int32
	var f64 float64
	var u8 uint8
	for _, c := range []struct {
		name string
		run  func(n int)
	}{
		{"int64/sync", func(n int) {
			for range n {
				atomic.AddInt64(&i64, 1)
			}
		}},
		{"int64/atomics", func(n int) {
			for range n {
				atomics.Add(&i64, 1)
			}
		}},
		{"int32/sync", func(n int) {
			for range n {
				atomic.AddInt32(&i32, 1)
			}
		}},
		{"int32/atomics", func(n int) {
			for range n {
				atomics.Add(&i32, 1)
			}
		}},
		{"float64/sync", func(n int) {
			p := (*uint64)(unsafe.Pointer(&f64))
			for range n {
				for {
					old := atomic.LoadUint64(p)
					if atomic.CompareAndSwapUint64(p, old, math.Float64bits(math.Float64frombits(old)+1)) {
						break
					}
				}
			}
		}},
		{"float64/atomics", func(n int) {
			for range n {
				atomics.Add(&f64, 1)
			}
		}},
		{"uint8/atomics", func(n int) {
			for range n {
				atomics.Add(&u8, 1)
			}
		}},
		{"int64/Load/sync", func(n int) {
			for range n {
				atomic.LoadInt64(&i64)
			}
		}},
		{"int64/Load/atomics", func(n int) {
			for range n {
				atomics.Load(&i64)
			}
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			c.run(b.N)
		})
	}
}
