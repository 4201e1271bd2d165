package moments

import (
	"fmt"
	"strings"
)

// dims are the dimensions that are reduced: N, H, W and C.
type dims [4]bool

// dimNames are the names of the dimensions in messages.
const dimNames = "nhwc"

// list returns the numbers of the reduced dimensions.
func (d dims) list() (list []int) {
	for k, reduced := range d {
		if reduced {
			list = append(list, k)
		}
	}
	return list
}

// kept returns the lengths that are left.
func (d dims) kept(lengths [4]int) []int {
	kept := []int{}
	for k, n := range lengths {
		if !d[k] {
			kept = append(kept, n)
		}
	}
	return kept
}

// adjacent reports whether the items of each reduction are next to each other.
func (d dims) adjacent(lengths [4]int) bool {
	for k, tail := len(d)-1, true; k >= 0; k-- {
		switch {
		case !d[k]:
			tail = tail && lengths[k] == 1 // what is reduced before it has gaps
		case !tail && lengths[k] > 1:
			return false
		}
	}
	return true
}

// real is what elements are.
type real interface{ float32 | float64 }

// nhwc is a tensor of shape (N, H, W, C) in C order: the items that belong to one n are
// next to each other.
type nhwc[T real] struct {
	lengths [4]int
	reduced dims
	data    []T
}

// reductions returns the number of reductions of each kind.
func (x nhwc[T]) reductions() int { return product(x.reduced.kept(x.lengths)) }

// items returns the number of items of each reduction.
func (x nhwc[T]) items() int { return len(x.data) / x.reductions() }

func product(lengths []int) int {
	p := 1
	for _, n := range lengths {
		p *= n
	}
	return p
}

// index returns the index of reduction k: numbers of the dimensions that are left, and 0
// for the others.
func (x nhwc[T]) index(k int) (index [4]int) {
	for d := len(index) - 1; d >= 0; d-- {
		if !x.reduced[d] {
			index[d] = k % x.lengths[d]
			k /= x.lengths[d]
		}
	}
	return index
}

// name returns the index of reduction k as "n=1 c=2", or "all".
func (x nhwc[T]) name(k int) string {
	var words []string
	for d, i := range x.index(k) {
		if !x.reduced[d] {
			words = append(words, fmt.Sprintf("%c=%d", dimNames[d], i))
		}
	}
	if words == nil {
		return "all"
	}
	return strings.Join(words, " ")
}

// block returns the items of reduction k. They are in buf, which has room for them, unless
// they are next to each other.
func (x nhwc[T]) block(k int, buf []T) []T {
	var ends, strides [4]int
	first, stride := 0, 1
	index := x.index(k)
	for d := 3; d >= 0; d-- {
		ends[d], strides[d] = index[d]+1, stride
		first += index[d] * stride
		if x.reduced[d] {
			ends[d] = x.lengths[d]
		}
		stride *= x.lengths[d]
	}
	if x.reduced.adjacent(x.lengths) {
		return x.data[first : first+x.items()]
	}
	buf = buf[:0]
	for n := index[0]; n < ends[0]; n++ {
		for h := index[1]; h < ends[1]; h++ {
			for w := index[2]; w < ends[2]; w++ {
				for c := index[3]; c < ends[3]; c++ {
					buf = append(buf, x.data[n*strides[0]+h*strides[1]+w*strides[2]+c*strides[3]])
				}
			}
		}
	}
	return buf
}
