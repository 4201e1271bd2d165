// Package norm is the program of normalize, in the memory of any space.
package norm

import (
	"io"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// A norm is a normalization: the dimensions that mean and variance are taken over.
type norm struct {
	name string
	over []int
}

var norms = []norm{
	{"batch, over N H W", []int{0, 1, 2}},
	{"layer, over C", []int{3}},
	{"layer, over H W C", []int{1, 2, 3}},
}

// Run normalizes a tensor in all ways, and checks it.
func Run(w io.Writer, on exec.Space, lengths [4]int) (results []any, err error) {
	x, err := tensorOn(on, "x", lengths)
	if err != nil {
		return nil, err
	}
	if err := fill(on, x); err != nil {
		return nil, err
	}
	for _, n := range norms {
		s, err := newStatistics(x, n.over)
		if err != nil {
			return nil, err
		}
		y, err := tensorOn(on, "y", lengths)
		if err != nil {
			return nil, err
		}
		if err := s.compute(on); err != nil {
			return nil, err
		}
		if err := s.apply(on, y); err != nil {
			return nil, err
		}
		here, err := views.MirrorCopy(views.Host, y)
		if err != nil {
			return nil, err
		}
		if err := report(w, n, s, here); err != nil {
			return nil, err
		}
		memory, _ := here.Slice()
		results = append(results, memory)
	}
	return results, nil
}

// tensorOn returns a tensor of zeros in the memory of a space.
func tensorOn(on exec.Space, label string, lengths [4]int) (views.View4[float32], error) {
	return views.As4(views.NewIn[float32](views.MemoryOf(on), label, lengths[:]))
}

// fill makes elements with values around 1000 and a variance of 1.
func fill(on exec.Space, x views.View4[float32]) error {
	flat, err := views.As1(x.Reshape(x.Len()))
	if err != nil {
		return err
	}
	return exec.ParallelFor(policy.Range(0, flat.Len()).On(on), func(i int) {
		// The sum of three bytes that look random has variance 3·(256²-1)/12.
		h := (uint64(i) + 1) * 0x9e3779b97f4a7c15
		h ^= h >> 29
		h *= 0xbf58476d1ce4e5b9
		sum := float32(h>>56) + float32(h>>48&255) + float32(h>>40&255)
		flat.Set(i, 1000+(sum-382.5)/128)
	})
}
