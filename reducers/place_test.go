package reducers_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

func TestOverlap(t *testing.T) {
	var x [8]int32
	var s struct {
		a, b int32
		c    string
	}
	var none []int32
	for _, c := range []struct {
		p, q any
		want bool
	}{
		{&x[1], &x[1], true},
		{&x[1], &x[2], false},
		{&x, &x[7], true},
		{x[2:5], &x[4], true},
		{x[2:5], &x[5], false},
		{x[2:5], x[4:8], true},
		{x[2:5], x[5:8], false},
		{x[:], x[3:4], true},
		{x[2:2], x[:], false},
		{none, x[:], false},
		{none, none, false},
		{&s, &s.c, true},
		{&s.a, &s.b, false},
		{&s.a, &s.c, false},
		{nil, &x, false},
		{7, &x, false},
	} {
		assert.Equal(t, c.want, reducers.Overlap(c.p, c.q), "%T %T", c.p, c.q)
		assert.Equal(t, c.want, reducers.Overlap(c.q, c.p), "%T %T", c.q, c.p)
	}
}

// placed stores where its Reference does not tell.
type placed struct {
	reducers.Base[int]
	at []int
}

func (placed) Join(dst, src *int) { *dst += *src }

func (p placed) Traits() reducers.Traits[int] {
	return reducers.Traits[int]{Place: p.at, Store: func(val *int) { p.at[0] = *val }}
}

func TestPlaceTrait(t *testing.T) {
	x := []int{1, 2, 3}
	r := placed{at: x[:2]}
	for _, r := range []reducers.Reducer[int]{r, reducers.WithInitial(r), reducers.Ordered(r)} {
		assert.Equal(t, []any{x[:2]}, reducers.NewSlots(r).AppendPlaces(nil))
		err := exec.ParallelReduce2(policy.Range(0, 4), func(int, *int, *int) { t.Error("ran") }, r, sum(&x[1]))
		assert.ErrorContains(t, err, "two reducers of one launch have the same result place")
	}
	type pair struct{ a, b int }
	a := func(s *pair) *int { return &s.a }
	b := func(s *pair) *int { return &s.b }
	both := reducers.Compose(reducers.Field(a, r), reducers.Field(b, sum(&x[2])))
	assert.Equal(t, []any{x[:2], &x[2]}, reducers.NewSlots(both).AppendPlaces(nil))
	rejects(t, "reducers 1 and 2 of 2 have the same result place", reducers.Field(a, r), reducers.Field(b, sum(&x[0])))
	require.NoError(t, exec.ParallelReduce2(policy.Range(0, 4), func(_ int, a, b *int) { *a++; *b++ }, reducers.Reducer[int](r), sum(&x[2])))
	assert.Equal(t, []int{4, 2, 4}, x)
}
