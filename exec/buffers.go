package exec

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
	for _, buf := range b.buf {
		clear(buf)
	}
}

// room returns a worker's buffer with the given length.
func (b *buffers[T]) room(worker, n int) []T {
	if cap(b.buf[worker]) < b.size {
		b.buf[worker] = make([]T, b.size)
	}
	return b.buf[worker][:n]
}

// resize returns x with the given length, and what it has of its elements.
func resize[T any](x []T, n int) []T {
	if cap(x) < n {
		return append(x[:cap(x)], make([]T, n-cap(x))...)
	}
	return x[:n]
}
