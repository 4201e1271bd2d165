package tree

import (
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
	for how := range 3 {
		bare := how == 1
		r := rule{bare}
		for n := 1; n <= 70; n++ {
			s := Sweep[string]{R: written{}, Sums: make([]string, n), Prefix: make([]string, n), Bare: bare}
			if how == 2 {
				s.Pair = func(dst, a, b *string) { *dst = joined("e", *a, *b) }
			}
			for k := range s.Sums {
				s.Sums[k] = strconv.Itoa(k)
			}
			s.Prefix[0] = "before"
			for p := 1; p < n; p++ {
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

func TestSweepOfNothing(t *testing.T) {
	s := Sweep[string]{R: written{}}
	require.NotPanics(t, s.Total)
}

// What a sweep keeps is its slices.
func TestSweepForgetsTheReducer(t *testing.T) {
	s := Sweep[string]{R: written{}, Sums: []string{"a", "b"}, Prefix: make([]string, 2)}
	s.Next(1)
	s.Total()
	s.Release()
	require.Nil(t, s.R)
	require.Zero(t, s.node)
}
