package policy_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/gokkos/gokkos/policy"
)

func TestRangeAndSpansBounds(t *testing.T) {
	for _, tc := range []struct {
		name       string
		begin, end int
		items      int
		err        string // after the name of the policy
	}{
		{"empty", 0, 0, 0, ""},
		{"empty elsewhere", -7, -7, 0, ""},
		{"one", 4, 5, 1, ""},
		{"negative", -10, -3, 7, ""},
		{"across zero", -3, 3, 6, ""},
		{"as long as can be", 0, math.MaxInt, math.MaxInt, ""},
		{"as long as can be, from the lowest", math.MinInt, -1, math.MaxInt, ""},
		{"empty at the lowest", math.MinInt, math.MinInt, 0, ""},
		{"empty at the highest", math.MaxInt, math.MaxInt, 0, ""},
		{"reversed", 1, 0, 0, "(1, 0) is reversed, expected begin <= end"},
		{"reversed by so much that the length wraps", math.MaxInt, math.MinInt, 0, "is reversed"},
		{"one too long", -1, math.MaxInt, 0, "has more items than an int can count"},
		{"one too long, from the lowest", math.MinInt, 0, 0, "has more items than an int can count"},
		{"twice too long", math.MinInt, math.MaxInt, 0, "has more items than an int can count"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for name, p := range map[string]planner{"Range": policy.Range(tc.begin, tc.end), "Spans": policy.Spans(tc.begin, tc.end)} {
				plan := p.Plan()
				if tc.err != "" {
					assert.ErrorContains(t, plan.Err, "policy: "+name+"(")
					assert.ErrorContains(t, plan.Err, tc.err)
					assert.Zero(t, plan.Items)
					continue
				}
				assert.NoError(t, plan.Err)
				assert.Equal(t, tc.items, plan.Items)
			}
		})
	}
}

// A walk over any part of a range, in blocks of any length, sees begin+k as
// item k.
func TestRangeNext(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lower := rapid.OneOf(rapid.IntRange(-50, 50), rapid.Just(math.MinInt), rapid.Just(math.MaxInt-100)).Draw(t, "lower")
		n := rapid.IntRange(0, 100).Draw(t, "n")
		p := policy.Range(lower, lower+n)
		begin := rapid.IntRange(0, n).Draw(t, "begin")
		end := rapid.IntRange(begin, n).Draw(t, "end")
		var got []int
		for at := begin; at < end; {
			dst := make([]int, rapid.IntRange(1, 30).Draw(t, "len"))
			k, next := p.Next(at, end, dst)
			assert.Equal(t, min(len(dst), end-at), k)
			assert.Equal(t, at+k, next)
			assert.Zero(t, slices.Max(append(slices.Clone(dst[k:]), 0)), "nothing is written behind")
			got = append(got, dst[:k]...)
			at = next
		}
		assert.Len(t, got, end-begin)
		for k, i := range got {
			assert.Equal(t, lower+begin+k, i)
		}
	})
	k, next := policy.Range(3, 9).Next(2, 2, make([]int, 4))
	assert.Zero(t, k)
	assert.Equal(t, 2, next)
	k, next = policy.Range(3, 9).Next(2, 6, nil)
	assert.Zero(t, k)
	assert.Equal(t, 2, next)
}

func TestSpansNext(t *testing.T) {
	dst := make([]policy.Span, 3)
	n, next := policy.Spans(-5, 20).Next(4, 11, dst)
	assert.Equal(t, 1, n)
	assert.Equal(t, 11, next)
	assert.Equal(t, []policy.Span{{Begin: -1, End: 6}, {}, {}}, dst)
}

func TestSpan(t *testing.T) {
	for _, s := range []policy.Span{{}, {3, 3}, {-2, 3}, {7, 8}, {math.MaxInt - 2, math.MaxInt}, {math.MinInt, math.MinInt + 2}} {
		all := slices.Collect(s.All())
		assert.Len(t, all, s.Len())
		for k, i := range all {
			assert.Equal(t, s.Begin+k, i)
		}
	}
	var seen []int
	for i := range (policy.Span{Begin: 2, End: 9}).All() {
		seen = append(seen, i)
		if i == 4 {
			break
		}
	}
	assert.Equal(t, []int{2, 3, 4}, seen)
}
