package tensor

// A worker has what one unit at a time is done with.
type worker[T any] struct {
	call    *call[T] // whose methods are none of a worker: those of embedded types are compiled again
	reader  reader[T]
	walkers []walker[T]
	rows    []rowWalker[T] // instead of walkers
	node    int            // leaves that are reduced in one call, a power of two, or 0
	memory  direct[T]      // what is read if the elements of a result are neighbours, or nil
	buf     []T            // elements of a piece, result by result
	row     []T            // elements side by side
}

// reduce reduces a subtree of the results of a block.
func (w *worker[T]) reduce(b block, subtree int) {
	first := subtree * w.call.part.leaves
	leaves := min(w.call.part.leaves, w.call.grid.Leaves-first)
	begin := first * w.call.grid.Leaf
	end := min(begin+leaves*w.call.grid.Leaf, w.call.items)
	switch {
	case w.call.side:
		w.besides(b, begin, end)
	case w.node > 0:
		leaves = (leaves-1)/w.node + 1
		w.inNodes(b, begin, end)
	default:
		w.along(b, begin, end)
	}
	for _, x := range w.walkers {
		for j := range b.n {
			x.leave(j, b.number+j*b.b, subtree, leaves)
		}
	}
}

// along reads elements begin to end of each result of a block, one result after the other.
func (w *worker[T]) along(b block, begin, end int) {
	for j := range b.n {
		for k := begin; k < end; k += pieceItems {
			w.join(j, begin, k, w.piece(b.place+j*b.a, k, min(k+pieceItems, end)))
		}
	}
}

// inNodes is along with several leaves at a time.
func (w *worker[T]) inNodes(b block, begin, end int) {
	for j := range b.n {
		n, length := 0, w.node*w.call.grid.Leaf
		for k := begin; k < end; k += length {
			x := w.piece(b.place+j*b.a, k, min(k+length, end))
			for _, y := range w.walkers {
				y.node(j, n, k, x, w.call.grid.Leaf)
			}
			n++
		}
	}
}

// join joins the elements x of result j, of which x[0] is number k, and those of the unit
// begin with begin. Pieces and leaves are powers of two in length.
func (w *worker[T]) join(j, begin, k int, x []T) {
	for leaf := (k - begin) / w.call.grid.Leaf; len(x) > 0; leaf++ {
		from := begin + leaf*w.call.grid.Leaf
		to := min(from+w.call.grid.Leaf, w.call.items)
		n := min(to-k, len(x))
		for _, y := range w.walkers {
			if k == from {
				y.begin(j, to-from)
			}
			y.add(j, k, x[:n])
			if k+n == to {
				y.end(j, leaf, to-from)
			}
		}
		x, k = x[n:], k+n
	}
}

// piece returns elements begin to end of the result whose first element is at a place.
func (w *worker[T]) piece(place, begin, end int) []T {
	if w.memory != nil {
		return w.memory[place+begin : place+end]
	}
	_, stride, _ := w.call.inner.Inner()
	if w.buf == nil {
		w.buf = make([]T, min(pieceItems, w.call.items))
	}
	buf := w.buf
	r := w.call.inner.Rows(begin, end)
	for r.Next() {
		x := w.reader.read(place+r.A, stride, r.N, buf)
		if r.N == end-begin {
			return x
		}
		copy(buf, x)
		buf = buf[r.N:]
	}
	return w.buf[:end-begin]
}

// besides reads elements begin to end of each result of a block, all the results at a time.
func (w *worker[T]) besides(b block, begin, end int) {
	if w.buf == nil {
		w.buf, w.row = make([]T, w.call.part.width*sideItems), make([]T, w.call.part.width)
	}
	_, stride, _ := w.call.inner.Inner()
	for piece := begin; piece < end; piece += sideItems {
		k, next := 0, min(piece+sideItems, end)
		r := w.call.inner.Rows(piece, next)
		for r.Next() {
			place := b.place + r.A
			for range r.N {
				for j, v := range w.reader.read(place, b.a, b.n, w.row) {
					w.buf[j*sideItems+k] = v
				}
				place += stride
				k++
			}
		}
		for j := range b.n {
			w.join(j, begin, piece, w.buf[j*sideItems:][:k])
		}
	}
}

// reduceRows is reduce with elements side by side.
func (w *worker[T]) reduceRows(b block, subtree int) {
	first := subtree * w.call.part.leaves
	leaves := min(w.call.part.leaves, w.call.grid.Leaves-first)
	for leaf := range leaves {
		begin := (first + leaf) * w.call.grid.Leaf
		end := min(begin+w.call.grid.Leaf, w.call.items)
		for _, x := range w.rows {
			x.begin(b.n, begin, end-begin)
		}
		k := 0
		r := w.call.inner.Rows(begin, end)
		for r.Next() {
			w.joinRows(b, b.place+r.A, k, r.N)
			k += r.N
		}
		for _, x := range w.rows {
			x.end(leaf, end-begin)
		}
	}
	for _, x := range w.rows {
		x.leave(b, subtree, leaves)
	}
}

// joinRows joins n rows from a place on, of which the first is element k of a leaf. Rows
// of one lane are joined together, if they are in memory as they are.
func (w *worker[T]) joinRows(b block, place, k, n int) {
	_, stride, _ := w.call.inner.Inner()
	memory, direct := w.reader.(direct[T])
	if !direct || b.a != 1 && b.n > 1 || !w.all(rowWalker[T].plain) {
		if w.row == nil {
			w.row = make([]T, w.call.part.width)
		}
		for r := range n {
			x := w.reader.read(place+r*stride, b.a, b.n, w.row)
			for _, y := range w.rows {
				y.add(k+r, 1, x, 0, 1)
			}
		}
		return
	}
	step, most := w.call.grid.Lanes, rowsAtOnce
	if w.all(rowWalker[T].anyOrder) {
		step, most = 1, rowsInAnyOrder
	}
	for begin := 0; begin < n; begin += step * most {
		some := min(n-begin, step*most)
		for l := range min(step, some) {
			rows := (some-l-1)/step + 1
			x := memory[place+(begin+l)*stride:]
			for _, y := range w.rows {
				y.add(k+begin+l, step, x, step*stride, rows)
			}
		}
	}
}

// all reports whether something holds for all reductions.
func (w *worker[T]) all(holds func(y rowWalker[T]) bool) bool {
	for _, y := range w.rows {
		if !holds(y) {
			return false
		}
	}
	return true
}
