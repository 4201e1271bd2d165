package items

import (
	"reflect"

	"github.com/gokkos/gokkos/internal/reuse"
)

// Buffers are one slice per worker, of size elements, made when the worker first asks.
type Buffers[T any] struct {
	size int
	buf  [][]T
}

// Open sets the number of workers and the size of their buffers, and uses earlier buffers again.
func (b *Buffers[T]) Open(workers, size int) {
	b.size, b.buf = size, reuse.Resize(b.buf, workers)
}

// Release clears the buffers, which may refer to memory elsewhere.
func (b *Buffers[T]) Release() {
	b.buf = b.buf[:cap(b.buf)] // an earlier Open may have had more workers
	for w, buf := range b.buf {
		b.buf[w] = reuse.Wipe(buf)
	}
}

// Room returns the first n elements of a worker's buffer.
func (b *Buffers[T]) Room(worker, n int) []T {
	if cap(b.buf[worker]) < b.size {
		b.buf[worker] = make([]T, b.size)
	}
	return b.buf[worker][:n]
}

// Apart returns how many values of type T fill more than 128 bytes: with so many between them, two buffers
// share no cache line.
func Apart[T any]() int { return 128/max(int(reflect.TypeFor[T]().Size()), 1) + 1 }
