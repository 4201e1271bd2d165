package crs

import (
	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// A counting is a stable sort of edges by their rows. The edges are cut into parts, each of which counts its edges by
// row; a scan over the rows tells each part where its first edge of a row belongs, and the parts put theirs there.
type counting struct {
	rows  int
	from  []int
	parts int
	next  views.View2[int] // by part and row: first how many edges, then where the next one goes
}

const (
	maxParts  = 64
	leastPart = 1 << 14 // edges, below which a part is not worth a launch's while
)

// newCounting cuts the edges so that the counts of all parts take no more memory than the edges, or one part.
func newCounting(rows int, from []int) (c counting, err error) {
	c = counting{rows: rows, from: from, parts: min(max(len(from)/max(rows, leastPart), 1), maxParts)}
	c.next, err = views.New2[int]("counts", c.parts, rows)
	return c, err
}

// part returns the edges of a part: begin to end-1.
func (c *counting) part(p int) (begin, end int) {
	whole, rest := len(c.from)/c.parts, len(c.from)%c.parts
	begin = p*whole + min(p, rest)
	if end = begin + whole; p < rest {
		end++
	}
	return begin, end
}

// sort writes where rows start, and what the edges lead to by row.
func (c *counting) sort(starts, entries, to []int, on []policy.Launch) error {
	err := exec.ParallelFor(items(c.parts, "count", on).Chunk(1), func(p int) {
		begin, end := c.part(p)
		counts := c.next.Row(p)
		for _, row := range c.from[begin:end] {
			counts[row]++
		}
	})
	if err != nil {
		return err
	}
	var total int
	err = exec.ParallelScan(items(c.rows, "start rows", on), func(row int, acc *int, final bool) {
		for p := range c.parts {
			n := c.next.At(p, row)
			if final {
				c.next.Set(p, row, *acc)
			}
			*acc += n
		}
		if final {
			starts[row+1] = *acc
		}
	}, builtin.Sum(&total))
	if err != nil {
		return err
	}
	return exec.ParallelFor(items(c.parts, "place", on).Chunk(1), func(p int) {
		begin, end := c.part(p)
		next := c.next.Row(p)
		for k, row := range c.from[begin:end] {
			entries[next[row]] = to[begin+k]
			next[row]++
		}
	})
}
