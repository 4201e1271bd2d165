package main

import (
	"math"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/atomics"
	"github.com/gokkos/gokkos/views/random"
	"github.com/gokkos/gokkos/views/scatter"
)

// severalReducers computes sum, largest value and its place in one pass, with an accumulator each. A fold does the
// like for reducers that all take the same values, in vector instructions.
func severalReducers(on exec.Space) ([]any, error) {
	x, p := numbers(10_000), policy.Range(0, 10_000).On(on)
	var sum float64
	var top builtin.ValLoc[float64, int]
	if err := exec.ParallelReduce2(p, func(i int, sum *float64, top *builtin.ValLoc[float64, int]) {
		*sum += x[i]
		top.Max(x[i], i)
	}, builtin.Sum(&sum), builtin.MaxLoc(&top)); err != nil {
		return nil, err
	}
	var squares, low float64
	err := exec.ParallelFold(exec.Slice(p, x), builtin.SumSq(&squares), builtin.Min(&low))
	return []any{sum, top.Val, top.Loc, squares, low}, err
}

// A box is what holds points of a line: empty if Lower > Upper.
type box struct{ Lower, Upper float64 }

// around is a reducer of one's own. Embedding reducers.Base gives it a result place; Init is there as the identity
// is not the zero value.
type around struct{ reducers.Base[box] }

func (around) Init(b *box) { *b = box{math.Inf(1), math.Inf(-1)} }

func (around) Join(dst, src *box) {
	dst.Lower, dst.Upper = min(dst.Lower, src.Lower), max(dst.Upper, src.Upper)
}

// ownReducer joins boxes. The result of no items is the identity.
func ownReducer(on exec.Space) ([]any, error) {
	x := numbers(10_000)
	var b box
	err := exec.ParallelReduce(policy.Range(0, len(x)).On(on), func(i int, acc *box) {
		acc.Lower, acc.Upper = min(acc.Lower, x[i]), max(acc.Upper, x[i])
	}, around{reducers.Into(&b)})
	return []any{b}, err
}

// scans keeps the numbers above a limit, in their order: the prefix sum of what is kept says where it goes. The
// functor runs twice for some items, and stores in the final pass only.
func scans(on exec.Space) ([]any, error) {
	x := numbers(10_000)
	kept := make([]float64, len(x))
	var count int
	err := exec.ParallelScan(policy.Range(0, len(x)).On(on), func(i int, at *int, final bool) {
		if x[i] < 2.5 {
			return
		}
		if final {
			kept[*at] = x[i]
		}
		*at++
	}, builtin.Sum(&count))
	return []any{count, kept[0], kept[max(count-1, 0)]}, err
}

// contributions makes histograms, whose cells several items meet in. Integers may be added by atomics: their sum does
// not depend on who comes first. That of floats does, so they go through a scatter, which joins them along the tree.
func contributions(on exec.Space) ([]any, error) {
	x, p := numbers(10_000), policy.Range(0, 10_000).On(on)
	cell := func(i int) int { return min(max(int(x[i]+4), 0), 7) }
	counts := make([]int, 8)
	if err := exec.ParallelFor(p, func(i int) { atomics.Add(&counts[cell(i)], 1) }); err != nil {
		return nil, err
	}
	sums, err := views.New1[float64]("sums", 8)
	if err != nil {
		return nil, err
	}
	err = exec.ParallelReduce(p, func(i int, acc *scatter.Access[float64]) { acc.Combine1(cell(i), x[i]) }, scatter.Sum(sums))
	return []any{counts, sums.At(3), sums.At(7)}, err
}

// numbers returns normal random numbers. Each has its own stream, whoever draws it.
func numbers(n int) []float64 {
	x, pool := make([]float64, n), random.New(5)
	for i := range x {
		g := pool.At(i)
		x[i] = g.Normal()
	}
	return x
}
