package tree

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// written writes down each join.
type written struct{}

func (written) Init(x *string)        { *x = "e" }
func (written) Join(dst, src *string) { *dst = "(" + *dst + *src + ")" }

func joined(values ...string) string {
	for len(values) > 1 {
		values = append([]string{"(" + values[0] + values[1] + ")"}, values[2:]...)
	}
	return values[0]
}

// A rule is that of docs/determinism.md, top down.
type rule struct{ bare bool }

// half returns where the right half of the node begins.
func half(first, last int) int { return first + FloorPow2(last-first-1) }

func (r rule) sum(first, last, height int) string {
	if height == 0 {
		return strconv.Itoa(first)
	}
	middle := first + 1<<(height-1)
	if middle >= last {
		return joined("e", r.sum(first, last, height-1))
	}
	left, right := r.sum(first, middle, height-1), r.sum(middle, last, height-1)
	if r.bare {
		return joined(left, right)
	}
	return joined("e", left, right)
}

func (r rule) prefixes(first, last int, before string, all []string) {
	if last-first == 1 {
		all[first] = before
		return
	}
	middle := half(first, last)
	height := 0
	for 1<<height < middle-first {
		height++
	}
	r.prefixes(first, middle, before, all)
	r.prefixes(middle, last, joined("e", before, r.sum(first, middle, height)), all)
}

func TestSweepFollowsTheTree(t *testing.T) {
	for _, bare := range []bool{false, true} {
		r := rule{bare}
		for n := 1; n <= 70; n++ {
			s := Sweep[string]{R: written{}, Sums: make([]string, n), Prefix: make([]string, n), Bare: bare}
			for k := range s.Sums {
				s.Sums[k] = strconv.Itoa(k)
			}
			s.Prefix[0] = "before"
			s.Through(1, min(n, 5))
			for p := 5; p < n; p++ {
				s.Next(p)
			}
			want := make([]string, n)
			r.prefixes(0, n, "before", want)
			require.Equal(t, want, s.Prefix, "%d leaves, bare %v", n, bare)
			if bare {
				continue
			}
			height := 0
			for 1<<height < n {
				height++
			}
			s.Total()
			require.Equal(t, r.sum(0, n, height), s.Sums[0], "%d leaves", n)
		}
	}
}

// adds is the reducer that Add stands for.
type adds struct{}

func (adds) Init(x *float64)        { *x = 0 }
func (adds) Join(dst, src *float64) { *dst += *src }

// Add has the bits of the reducer's joins, wherever it begins and ends, with prefixes and without.
func TestAddFollowsTheTree(t *testing.T) {
	values := []float64{math.Copysign(0, -1), .1, -1e-300, 1e300, 3, -1e300, 1. / 3}
	for n := 1; n <= 70; n++ {
		for cut := 1; cut <= n; cut++ {
			want := Sweep[float64]{R: adds{}, Sums: make([]float64, n), Prefix: make([]float64, n)}
			for k := range want.Sums {
				want.Sums[k] = values[(k*k+n)%len(values)]
			}
			want.Prefix[0] = math.Copysign(0, -1)
			got := Sweep[float64]{R: adds{}, Run: Add[float64], Sums: slices.Clone(want.Sums), Prefix: slices.Clone(want.Prefix)}
			sums := Sweep[float64]{R: adds{}, Run: Add[float64], Sums: slices.Clone(want.Sums)}
			want.Through(1, n)
			want.Total()
			for _, s := range []*Sweep[float64]{&got, &sums} {
				s.Through(1, cut)
				s.Through(cut, n)
				s.Total()
				require.Equal(t, bitsOf(want.Sums), bitsOf(s.Sums), "%d leaves, %d first", n, cut)
			}
			require.Equal(t, bitsOf(want.Prefix), bitsOf(got.Prefix), "%d leaves, %d first", n, cut)
		}
	}
}

func bitsOf(x []float64) (b []uint64) {
	for _, v := range x {
		b = append(b, math.Float64bits(v))
	}
	return b
}

func TestSweepOfNothing(t *testing.T) {
	s := Sweep[string]{R: written{}}
	require.NotPanics(t, s.Total)
}

// What a sweep keeps is its slices.
func TestSweepForgetsTheReducer(t *testing.T) {
	s := Sweep[string]{R: written{}, Sums: []string{"a", "b"}, Prefix: make([]string, 2), Run: func(_, _ []string, _, _ int) {}}
	s.Next(1)
	s.Total()
	s.Release()
	require.Nil(t, s.R)
	require.Nil(t, s.Run)
	require.Zero(t, s.node)
}
