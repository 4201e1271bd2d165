package main

import (
	"fmt"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// overBoxes computes the means of neighbours three times: a functor for each point, for each row, and for each
// tile. The last two own their inner loops and are several times as fast. All store the same.
func overBoxes(on exec.Space) ([]any, error) {
	a, _, _, err := problem()
	if err != nil {
		return nil, err
	}
	inner := policy.MDRange2([2]int{1, 1}, [2]int{n - 1, m - 1}).On(on)
	var sums [3]float64
	for k := range sums {
		b, err := views.New2[float64]("b", n, m)
		if err != nil {
			return nil, err
		}
		switch k {
		case 0:
			err = exec.ParallelFor(inner, func(at policy.Index2) {
				i, j := at.I, at.J
				b.Set(i, j, (a.At(i-1, j)+a.At(i+1, j)+a.At(i, j-1)+a.At(i, j+1))/4)
			})
		case 1:
			err = exec.ParallelFor(inner.Rows(), func(r policy.Row[policy.Index2]) {
				means(a, b, r.At.I, r.Begin, r.End)
			})
		case 2:
			err = exec.ParallelFor(inner.Tiles([2]int{32, 32}), func(t policy.Tile[policy.Index2]) {
				for i := t.Lower.I; i < t.Upper.I; i++ {
					means(a, b, i, t.Lower.J, t.Upper.J)
				}
			})
		}
		if err != nil {
			return nil, err
		}
		if err := exec.ParallelFold(views.Source(b, policy.On(on)), builtin.Sum(&sums[k])); err != nil {
			return nil, err
		}
	}
	if sums[1] != sums[0] || sums[2] != sums[0] {
		return nil, fmt.Errorf("sums %v, expected three times the same", sums)
	}
	return []any{sums[0]}, nil
}

// means sets a part of a row of b to the means of neighbours in a.
func means(a, b views.View2[float64], i, begin, end int) {
	up, row, down := a.Row(i - 1)[begin:end], a.Row(i)[begin-1:end+1], a.Row(i + 1)[begin:end]
	for k, out := 0, b.Row(i)[begin:end]; k < len(out); k++ {
		out[k] = (up[k] + down[k] + row[k] + row[k+2]) / 4
	}
}

// layouts stores A by columns. A view of a layout that is no View2 has strides, and the functor stays as it is: what
// changes is which loop is the fast one, which the inner order of the policy says.
func layouts(on exec.Space) ([]any, error) {
	a, _, _, err := problem()
	if err != nil {
		return nil, err
	}
	left, err := views.AsStrided2(views.New[float64]("left", []int{n, m}, views.Left))
	if err != nil {
		return nil, err
	}
	if err := views.DeepCopy(left, a, policy.On(on)); err != nil {
		return nil, err
	}
	var norm [2]float64
	all := policy.MDRange2([2]int{}, [2]int{n, m}).On(on)
	if err := exec.ParallelReduce(all, func(at policy.Index2, acc *float64) { *acc = max(*acc, a.At(at.I, at.J)) }, builtin.Max(&norm[0])); err != nil {
		return nil, err
	}
	columns := all.Iterate(policy.Left, policy.Left)
	err = exec.ParallelReduce(columns, func(at policy.Index2, acc *float64) { *acc = max(*acc, left.At(at.I, at.J)) }, builtin.Max(&norm[1]))
	return []any{norm[0], norm[1], a.Stride(0), left.Stride(0)}, err
}

// mirrors keeps A where the space computes. On a CPU that is where it is; the memory of a device is closed to the
// host, so content goes there and back by copies between mirrors.
func mirrors(on exec.Space) ([]any, error) {
	h, _, _, err := problem()
	if err != nil {
		return nil, err
	}
	d, err := views.MirrorCopy(views.MemoryOf(on), h)
	if err != nil {
		return nil, err
	}
	all := policy.MDRange2([2]int{}, [2]int{n, m}).On(on)
	if err := exec.ParallelFor(all, func(at policy.Index2) { d.Set(at.I, at.J, 2*d.At(at.I, at.J)) }); err != nil {
		return nil, err
	}
	if err := views.DeepCopy(h, d); err != nil {
		return nil, err
	}
	return []any{h.At(0, 0), h.At(n-1, m-1)}, nil
}

// subviews takes a column and a block of A, which share its memory.
func subviews(on exec.Space) ([]any, error) {
	a, _, _, err := problem()
	if err != nil {
		return nil, err
	}
	column, err := a.Sub(views.All(), views.Index(2))
	if err != nil {
		return nil, err
	}
	block, err := a.Sub(views.Range(10, 20), views.Range(0, 5))
	if err != nil {
		return nil, err
	}
	if err := views.Fill(column, 3, policy.On(on)); err != nil {
		return nil, err
	}
	var sum float64
	err = exec.ParallelFold(views.Source(block, policy.On(on)), builtin.Sum(&sum))
	return []any{column.Stride(0), block.Len(), sum}, err
}
