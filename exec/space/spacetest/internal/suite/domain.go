package suite

import (
	"fmt"
	"slices"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
)

// domain is a policy and what is known of it without asking it: which of the
// items 0 to n-1 an index stands for. For a box, item numbers here are those of
// a loop nest, whatever the policy's tiles are.
type domain[I any] struct {
	name   string
	n      int
	sorted bool // the policy's order is that of the item numbers
	on     func(s exec.Space) exec.Policy[I]
	items  func(i I) (begin, end int)
}

// sizes are extents around those at which leaves, lanes and blocks change, and
// some that are smaller than the number of workers. Leaves of 1024 items come with the last.
var sizes = []int{0, 1, 2, 3, 31, 32, 33, 64, 65, 100, 255, 256, 257, 1000, 4097, 65541}

// extent is a one-dimensional domain's place and chunk; 0 is the rule's own.
type extent struct{ begin, n, chunk int }

func (e extent) String() string {
	return fmt.Sprintf("%d items from %d, chunk %d", e.n, e.begin, e.chunk)
}

// extents combine every size with every chunk, except that large sizes come with
// the chunk of the rule only. Begins alternate.
func extents(begins ...int) (list []extent) {
	for _, n := range sizes {
		for _, chunk := range []int{0, 1, 3, 64} {
			if chunk == 0 || n <= 1000 {
				list = append(list, extent{begins[len(list)%len(begins)], n, chunk})
			}
		}
	}
	return list
}

func (e extent) ints(s exec.Space) policy.RangePolicy {
	p := policy.Range(e.begin, e.begin+e.n).On(s)
	if e.chunk > 0 {
		p = p.Chunk(e.chunk)
	}
	return p
}

func (e extent) spans(s exec.Space) policy.SpansPolicy {
	p := policy.Spans(e.begin, e.begin+e.n).On(s)
	if e.chunk > 0 {
		p = p.Chunk(e.chunk)
	}
	return p
}

func ranges() (list []domain[int]) {
	for _, e := range extents(0, -7, 1000) {
		list = append(list, domain[int]{
			name: "Range of " + e.String(), n: e.n, sorted: true,
			on:    func(s exec.Space) exec.Policy[int] { return e.ints(s) },
			items: func(i int) (int, int) { return i - e.begin, i - e.begin + 1 },
		})
	}
	return list
}

func spans() (list []domain[policy.Span]) {
	for _, e := range extents(0, -7, 1000) {
		list = append(list, domain[policy.Span]{
			name: "Spans of " + e.String(), n: e.n, sorted: true,
			on:    func(s exec.Space) exec.Policy[policy.Span] { return e.spans(s) },
			items: func(x policy.Span) (int, int) { return x.Begin - e.begin, x.End - e.begin },
		})
	}
	return list
}

// box2 is a box whose tiles may not divide it.
type box2 struct{ lower, upper, tile [2]int }

// ordered2 are boxes in every order, as whatever policy: the fourth box of each four has the
// fourth of the orders.
func ordered2[I any](what string, of func(b box2, p policy.MDRangePolicy[policy.Index2, [2]int], inner policy.Order) domain[I]) (list []domain[I]) {
	for _, b := range []box2{
		{[2]int{0, 0}, [2]int{0, 5}, [2]int{1, 1}},
		{[2]int{0, 0}, [2]int{1, 1}, [2]int{4, 4}},
		{[2]int{-3, 4}, [2]int{10, 21}, [2]int{5, 3}},
		{[2]int{0, 0}, [2]int{37, 41}, [2]int{7, 16}},
	} {
		for _, o := range append(slices.Clip(orders), [2]policy.Order{policy.Hilbert, policy.Right}, [2]policy.Order{policy.Hilbert, policy.Left}) {
			d := of(b, policy.MDRange2(b.lower, b.upper).Tile(b.tile).Iterate(o[0], o[1]), o[1])
			d.name = fmt.Sprintf("%s %v order %v", what, b, o)
			list = append(list, d)
		}
	}
	return list
}

func boxes2() []domain[policy.Index2] {
	return ordered2("MDRange2", func(b box2, p policy.MDRangePolicy[policy.Index2, [2]int], _ policy.Order) domain[policy.Index2] {
		rows, columns := b.upper[0]-b.lower[0], b.upper[1]-b.lower[1]
		return domain[policy.Index2]{
			n:  rows * columns,
			on: func(s exec.Space) exec.Policy[policy.Index2] { return p.On(s) },
			items: func(x policy.Index2) (int, int) {
				k := (x.I-b.lower[0])*columns + x.J - b.lower[1]
				return k, k + 1
			},
		}
	})
}

// rows2 are the boxes of boxes2. Items are numbered along the rows.
func rows2() []domain[policy.Row[policy.Index2]] {
	return ordered2("rows of MDRange2", func(b box2, p policy.MDRangePolicy[policy.Index2, [2]int], inner policy.Order) domain[policy.Row[policy.Index2]] {
		rows, columns := b.upper[0]-b.lower[0], b.upper[1]-b.lower[1]
		return domain[policy.Row[policy.Index2]]{
			n:  rows * columns,
			on: func(s exec.Space) exec.Policy[policy.Row[policy.Index2]] { return p.On(s).Rows() },
			items: func(r policy.Row[policy.Index2]) (int, int) {
				k := (r.At.I-b.lower[0])*columns + r.At.J - b.lower[1]
				if inner == policy.Left {
					k = (r.At.J-b.lower[1])*rows + r.At.I - b.lower[0]
				}
				return k, k + r.Len()
			},
		}
	})
}

// tiles2 are the tiles of boxes2. Items are tiles, numbered row by row.
func tiles2() []domain[policy.Tile[policy.Index2]] {
	return ordered2("tiles of MDRange2", func(b box2, p policy.MDRangePolicy[policy.Index2, [2]int], _ policy.Order) domain[policy.Tile[policy.Index2]] {
		rows, columns := b.upper[0]-b.lower[0], b.upper[1]-b.lower[1]
		across := (columns + b.tile[1] - 1) / b.tile[1]
		return domain[policy.Tile[policy.Index2]]{
			n:  (rows + b.tile[0] - 1) / b.tile[0] * across,
			on: func(s exec.Space) exec.Policy[policy.Tile[policy.Index2]] { return p.On(s).Tiles(b.tile) },
			items: func(x policy.Tile[policy.Index2]) (int, int) {
				k := (x.Lower.I-b.lower[0])/b.tile[0]*across + (x.Lower.J-b.lower[1])/b.tile[1]
				return k, k + 1
			},
		}
	})
}

// ordered3 are boxes of 9 x 11 x 7 points in every order, as ordered2.
func ordered3[I any](what string, of func(p policy.MDRangePolicy[policy.Index3, [3]int], inner policy.Order) domain[I]) (list []domain[I]) {
	for _, tile := range [][3]int{{2, 3, 4}, {9, 11, 7}, {1, 1, 5}} {
		for _, o := range orders {
			d := of(policy.MDRange3(lower3, upper3).Tile(tile).Iterate(o[0], o[1]).Chunk(16), o[1])
			d.name, d.n = fmt.Sprintf("%s %v to %v, tile %v order %v", what, lower3, upper3, tile, o), 9*11*7
			list = append(list, d)
		}
	}
	return list
}

var lower3, upper3 = [3]int{-1, 0, 2}, [3]int{8, 11, 9}

func boxes3() []domain[policy.Index3] {
	return ordered3("MDRange3", func(p policy.MDRangePolicy[policy.Index3, [3]int], _ policy.Order) domain[policy.Index3] {
		return domain[policy.Index3]{
			on: func(s exec.Space) exec.Policy[policy.Index3] { return p.On(s) },
			items: func(x policy.Index3) (int, int) {
				k := ((x.I+1)*11+x.J)*7 + x.K - 2
				return k, k + 1
			},
		}
	})
}

// rows3 are the boxes of boxes3. Items are numbered along the rows.
func rows3() []domain[policy.Row[policy.Index3]] {
	return ordered3("rows of MDRange3", func(p policy.MDRangePolicy[policy.Index3, [3]int], inner policy.Order) domain[policy.Row[policy.Index3]] {
		return domain[policy.Row[policy.Index3]]{
			on: func(s exec.Space) exec.Policy[policy.Row[policy.Index3]] { return p.On(s).Rows() },
			items: func(r policy.Row[policy.Index3]) (int, int) {
				k := ((r.At.I+1)*11+r.At.J)*7 + r.At.K - 2
				if inner == policy.Left {
					k = ((r.At.K-2)*11+r.At.J)*9 + r.At.I + 1
				}
				return k, k + r.Len()
			},
		}
	})
}

var orders = [][2]policy.Order{
	{policy.Right, policy.Right}, {policy.Right, policy.Left},
	{policy.Left, policy.Right}, {policy.Left, policy.Left},
}
