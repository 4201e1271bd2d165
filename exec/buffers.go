package exec

import "reflect"

// buffers hold up to size elements each, one for each worker that asks.
type buffers[T any] struct {
	size int
	buf  [][]T
}

// open makes ready for that many workers. Buffers of before are used again.
func (b *buffers[T]) open(workers, size int) {
	b.size, b.buf = size, resize(b.buf, workers)
}

// release clears the buffers, which may refer to memory elsewhere.
func (b *buffers[T]) release() {
	for w, buf := range b.buf {
		b.buf[w] = wipe(buf)
	}
}

// room returns a worker's buffer with the given length.
func (b *buffers[T]) room(worker, n int) []T {
	if cap(b.buf[worker]) < b.size {
		b.buf[worker] = make([]T, b.size)
	}
	return b.buf[worker][:n]
}

// apart returns how many values keep the first ones of two buffers in different lines of
// the cache.
func apart[T any]() int { return 128/max(int(reflect.TypeFor[T]().Size()), 1) + 1 }

// maxKeptBytes is how much memory of a kind is kept from one launch to the next.
const maxKeptBytes = 1 << 17

// wipe clears x and returns it, or nil if it is too large to be kept.
func wipe[T any](x []T) []T {
	if cap(x)*int(reflect.TypeFor[T]().Size()) > maxKeptBytes {
		return nil
	}
	clear(x)
	return x
}

// resize returns x with the given length, and what it has of its elements.
func resize[T any](x []T, n int) []T {
	if cap(x) < n {
		return append(x[:cap(x)], make([]T, n-cap(x))...)
	}
	return x[:n]
}
