package items

import (
	"reflect"

	"github.com/gokkos/gokkos/internal/reuse"
)

// Buffers hold up to size elements each, one for each worker that asks.
type Buffers[T any] struct {
	size int
	buf  [][]T
}

// Open makes ready for that many workers. Buffers of before are used again.
func (b *Buffers[T]) Open(workers, size int) {
	b.size, b.buf = size, reuse.Resize(b.buf, workers)
}

// Release clears the buffers, which may refer to memory elsewhere.
func (b *Buffers[T]) Release() {
	b.buf = b.buf[:cap(b.buf)] // a part of the launch may have had more
	for w, buf := range b.buf {
		b.buf[w] = reuse.Wipe(buf)
	}
}

// Room returns a worker's buffer with the given length.
func (b *Buffers[T]) Room(worker, n int) []T {
	if cap(b.buf[worker]) < b.size {
		b.buf[worker] = make([]T, b.size)
	}
	return b.buf[worker][:n]
}

// Apart returns how many values keep the first ones of two buffers in different lines of
// the cache.
func Apart[T any]() int { return 128/max(int(reflect.TypeFor[T]().Size()), 1) + 1 }
