package algorithms

import (
	"github.com/gokkos/gokkos/policy"
)

// insertion is the length of the runs that an insertion sort makes for the merges to begin
// with.
const insertion = 12

// A merger sorts by comparing, and keeps the order of what compares as equal. Blocks of x
// are sorted one by one, and then runs of blocks are merged, pair by pair. Each block of
// the merged runs is a piece of work: where its elements come from is found by bisection
// [Odeh et al., Merge Path, 2012].
type merger[T any] struct {
	c            *call
	x, spare     []T
	compare      func(a, b T) int
	leaf, blocks int
	split        []int // how many elements of the left run come before each block
}

// mergeSort returns n elements in order, which load writes.
func mergeSort[T any](c *call, n int, load func(s policy.Span, dst []T), compare func(a, b T) int) []T {
	if c.err != nil {
		return nil
	}
	m := &merger[T]{c: c, x: memoryOf[T](c, n), spare: memoryOf[T](c, n), compare: compare}
	m.leaf, m.blocks = leafOf(n, max(512, n/256))
	m.split = make([]int, m.blocks)
	c.blocks(n, m.leaf, func(_ int, s policy.Span) {
		x := m.x[s.Begin:s.End]
		c.pieces(s, func(s policy.Span) { load(s, m.x[s.Begin:s.End]) })
		m.sortBlock(x, m.spare[s.Begin:s.End])
	})
	for width := m.leaf; width < n && c.err == nil; width *= 2 {
		m.round(width)
	}
	return m.x
}

// round merges the runs of that width.
func (m *merger[T]) round(width int) {
	m.c.blocks(len(m.x), m.leaf, func(block int, s policy.Span) {
		left, right, d := m.runs(s.Begin, width)
		m.split[block] = bisect(left, right, d, m.compare)
	})
	m.steady(width)
	m.c.blocks(len(m.x), m.leaf, func(block int, s policy.Span) {
		left, right, d := m.runs(s.Begin, width)
		i, end := m.split[block], len(left)
		if next := d + s.Len(); next < len(left)+len(right) {
			end = m.split[block+1]
		}
		left, right = left[i:end], right[d-i:][:s.Len()-(end-i)]
		m.merge(m.spare[s.Begin:s.End], left, right)
	})
	m.x, m.spare = m.spare, m.x
}

// runs returns the two runs that item i will be merged from, and its place in the result.
func (m *merger[T]) runs(i, width int) (left, right []T, d int) {
	begin := i / width &^ 1 * width
	x := m.x[begin:]
	middle := min(width, len(x))
	return x[:middle], x[middle:min(middle+width, len(x))], i - begin
}

// steady makes the splits those of a merge, which they are unless compare contradicts
// itself: so no element is lost.
func (m *merger[T]) steady(width int) {
	for k := 1; k < m.blocks; k++ {
		if k*m.leaf%(2*width) != 0 {
			m.split[k] = min(max(m.split[k], m.split[k-1]), m.split[k-1]+m.leaf)
		}
	}
}

// bisect returns how many of the first d merged elements come from the left run.
func bisect[T any](left, right []T, d int, compare func(a, b T) int) int {
	lo, hi := max(0, d-len(right)), min(d, len(left))
	for lo < hi {
		i := int(uint(lo+hi) / 2)
		if compare(right[d-1-i], left[i]) < 0 {
			hi = i
		} else {
			lo = i + 1
		}
	}
	return lo
}

// merge merges the two runs into dst, which is as long as both. Of equal elements, those of
// the left run come first.
func (m *merger[T]) merge(dst, left, right []T) {
	if len(left) == 0 || len(right) == 0 || m.compare(right[0], left[len(left)-1]) >= 0 {
		copy(dst[copy(dst, left):], right)
		return
	}
	i, j := 0, 0
	for i < len(left) && j < len(right) {
		if m.c.stopped() {
			return
		}
		for end := i + j + pieceItems; i < len(left) && j < len(right) && i+j < end; {
			x, y := &left[i], &right[j]
			n := bit(m.compare(*y, *x) < 0) // no branch: which one it is, is not predictable
			if n != 0 {
				x = y
			}
			dst[i+j] = *x
			j += n
			i += 1 - n
		}
	}
	copy(dst[i+j:], left[i:])
	copy(dst[i+j:], right[j:])
}

// sortBlock sorts x on one worker, with the help of as much memory.
func (m *merger[T]) sortBlock(x, spare []T) {
	n := len(x)
	for begin := 0; begin < n; begin += insertion {
		if begin%(insertion*64) == 0 && m.c.stopped() {
			return
		}
		m.insert(x[begin:min(begin+insertion, n)])
	}
	from, to := x, spare
	for width := insertion; width < n; width *= 2 {
		for begin := 0; begin < n; begin += 2 * width {
			middle, end := min(begin+width, n), min(begin+2*width, n)
			m.merge(to[begin:end], from[begin:middle], from[middle:end])
			if m.c.heard.Load() {
				return
			}
		}
		from, to = to, from
	}
	if n > 0 && &from[0] != &x[0] {
		copy(x, from)
	}
}

// insert sorts a short run.
func (m *merger[T]) insert(run []T) {
	for i := 1; i < len(run); i++ {
		v := run[i]
		j := i
		for ; j > 0 && m.compare(v, run[j-1]) < 0; j-- {
			run[j] = run[j-1]
		}
		run[j] = v
	}
}
