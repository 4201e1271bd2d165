package reduce_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gokkos/gokkos/internal/reduce"
)

// shared reports whether two reducers with these result places are an error.
func shared(p, q any) bool { return reduce.CheckPlaces([]any{p, q}) != nil }

func TestCheckPlaces(t *testing.T) {
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
		assert.Equal(t, c.want, shared(c.p, c.q), "%T %T", c.p, c.q)
		assert.Equal(t, c.want, shared(c.q, c.p), "%T %T", c.q, c.p)
	}
	assert.NoError(t, reduce.CheckPlaces(nil))
	assert.NoError(t, reduce.CheckPlaces([]any{&x}))
}

// The message says which of many reducers they are, in whatever order their memory is.
func TestCheckPlacesOfMany(t *testing.T) {
	var x [20]int
	for _, c := range []struct {
		places []any
		want   string
	}{
		{[]any{&x[3], &x[2], &x[1], &x[2]}, "reducers: reducers 2 and 4 have the same result place"},
		{[]any{&x[1], nil, x[1:1], &x[1]}, "reducers 1 and 4 have"},
		{[]any{x[4:], &x[3], x[2:3], x[:2], &x[19]}, "reducers 1 and 5 have"},
		{[]any{x[15:16], &x[18], &x[12], &x[11], &x[17], x[10:], &x[1]}, "reducers"},
		{[]any{x[:4], &x[9], x[5:9], &x[11], x[18:], x[12:17], &x[10], x[4:5], &x[17]}, ""},
	} {
		err := reduce.CheckPlaces(c.places)
		if c.want == "" {
			assert.NoError(t, err)
		} else {
			assert.ErrorContains(t, err, c.want)
		}
	}
}
