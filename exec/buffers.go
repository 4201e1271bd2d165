package exec

// buffers hold up to size elements each, one for each worker that asks.
type buffers[T any] struct {
	size int
	buf  [][]T
}

func newBuffers[T any](workers, size int) buffers[T] {
	return buffers[T]{size, make([][]T, workers)}
}

// room returns a worker's buffer with the given length.
func (b buffers[T]) room(worker, n int) []T {
	if b.buf[worker] == nil {
		b.buf[worker] = make([]T, b.size)
	}
	return b.buf[worker][:n]
}
