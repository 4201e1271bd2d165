package reducers_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
)

// shared reports whether two reducers with these result places are an error.
func shared(p, q any) bool { return reduce.CheckPlaces([]any{p, q}) != nil }

// placed stores where its Reference does not tell.
type placed struct {
	reducers.Base[int]
	at []int
}

func (placed) Join(dst, src *int) { *dst += *src }

func (p placed) Traits() concept.Traits[int] {
	return concept.Traits[int]{Place: p.at, Store: func(val *int) { p.at[0] = *val }}
}

func TestPlaceTrait(t *testing.T) {
	x := []int{1, 2, 3}
	r := placed{at: x[:2]}
	for _, r := range []reducers.Reducer[int]{r, reducers.WithInitial(r), reducers.Ordered(r)} {
		assert.Equal(t, any(x[:2]), reduce.NewSlots(r).Column.Place())
		err := exec.ParallelReduce2(policy.Range(0, 4), func(int, *int, *int) { t.Error("ran") }, r, sum(&x[1]))
		assert.ErrorContains(t, err, "reducers 1 and 2 have the same result place")
	}
	type pair struct{ a, b int }
	a := func(s *pair) *int { return &s.a }
	b := func(s *pair) *int { return &s.b }
	both := reducers.Compose(reducers.Field(a, r), reducers.Field(b, sum(&x[2])))
	assert.True(t, shared(reduce.NewSlots(both).Column.Place(), &x[0]))
	assert.True(t, shared(reduce.NewSlots(both).Column.Place(), &x[2]))
	assert.False(t, shared(reduce.NewSlots(both).Column.Place(), new(int)))
	rejects(t, "reducers 1 and 2 have the same result place", reducers.Field(a, r), reducers.Field(b, sum(&x[0])))
	require.NoError(t, exec.ParallelReduce2(policy.Range(0, 4), func(_ int, a, b *int) { *a++; *b++ }, reducers.Reducer[int](r), sum(&x[2])))
	assert.Equal(t, []int{4, 2, 4}, x)
}
