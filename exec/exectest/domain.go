package exectest

import (
	"fmt"

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
// some that are smaller than the number of workers.
var sizes = []int{0, 1, 2, 3, 31, 32, 33, 64, 65, 100, 255, 256, 257, 1000, 4097, 100003}

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

// boxes2 have tiles that do not divide them, in every order.
func boxes2() (list []domain[policy.Index2]) {
	type box struct{ lower, upper, tile [2]int }
	for _, b := range []box{
		{[2]int{0, 0}, [2]int{0, 5}, [2]int{1, 1}},
		{[2]int{0, 0}, [2]int{1, 1}, [2]int{4, 4}},
		{[2]int{-3, 4}, [2]int{10, 21}, [2]int{5, 3}},
		{[2]int{0, 0}, [2]int{37, 41}, [2]int{7, 16}},
	} {
		for _, o := range orders {
			p := policy.MDRange2(b.lower, b.upper).Tile(b.tile).Iterate(o[0], o[1])
			rows, columns := b.upper[0]-b.lower[0], b.upper[1]-b.lower[1]
			list = append(list, domain[policy.Index2]{
				name: fmt.Sprintf("MDRange2 %v order %v", b, o), n: rows * columns,
				on: func(s exec.Space) exec.Policy[policy.Index2] { return p.On(s) },
				items: func(x policy.Index2) (int, int) {
					k := (x.I-b.lower[0])*columns + x.J - b.lower[1]
					return k, k + 1
				},
			})
		}
	}
	return list
}

func boxes3() (list []domain[policy.Index3]) {
	lower, upper := [3]int{-1, 0, 2}, [3]int{8, 11, 9}
	for _, tile := range [][3]int{{2, 3, 4}, {9, 11, 7}, {1, 1, 5}} {
		for _, o := range orders {
			p := policy.MDRange3(lower, upper).Tile(tile).Iterate(o[0], o[1]).Chunk(16)
			list = append(list, domain[policy.Index3]{
				name: fmt.Sprintf("MDRange3 %v to %v, tile %v order %v", lower, upper, tile, o), n: 9 * 11 * 7,
				on: func(s exec.Space) exec.Policy[policy.Index3] { return p.On(s) },
				items: func(x policy.Index3) (int, int) {
					k := ((x.I+1)*11+x.J)*7 + x.K - 2
					return k, k + 1
				},
			})
		}
	}
	return list
}

var orders = [][2]policy.Order{
	{policy.Right, policy.Right}, {policy.Right, policy.Left},
	{policy.Left, policy.Right}, {policy.Left, policy.Left},
}
