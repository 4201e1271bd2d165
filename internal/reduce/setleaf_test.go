package reduce_test

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/reducers"
)

// A leaf is set by its value, by its lanes, or by the members of its teams, which are joined as their launch joins them.
func TestSetLeaf(t *testing.T) {
	bytes := func(values ...int64) (data []byte) {
		for _, x := range values {
			data, _ = binary.Append(data, binary.NativeEndian, x)
		}
		return data
	}
	for _, c := range []struct {
		what           string
		items, members int
		data           []byte
		want           int64
		err            string
	}{
		{"a value", 5, 1, bytes(7), 7, ""},
		{"a value of teams", 5, 3, bytes(7), 7, ""},
		{"four lanes", 9, 1, bytes(1, 2, 3, 4), 3*(3*1+3) + 3*2 + 4, ""},
		{"three lanes, of as many items", 3, 1, bytes(1, 2, 3), 3*(3*1+3) + 2, ""},
		{"two teams of three", 2, 3, bytes(1, 2, 3, 4, 5, 6), 3*(3*(3*1+2)+3) + 3*(3*4+5) + 6, ""},
		{"a lane too few", 9, 1, bytes(1, 2, 3), 0, "reducers: lane 3 of 4 of a leaf: reducers: a partial result of type int64: 0 bytes are left, expected 8"},
		{"a lane too many", 3, 1, bytes(1, 2, 3, 4), 0, "reducers: 32 bytes were given for a leaf of 3 items in 3 lanes, expected 24"},
		{"a member too few", 2, 3, bytes(1, 2, 3, 4, 5), 0, "reducers: member 2 of 3 of team 1 of a leaf: reducers: a partial result of type int64: 0 bytes are left, expected 8"},
		{"a member too many", 1, 3, bytes(1, 2, 3, 4), 0, "reducers: 32 bytes were given for a leaf of 1 items in 1 lanes, expected 24"},
	} {
		s := reduce.NewSlots(reducers.New(new(int64), func(dst, src *int64) { *dst = 3**dst + *src }))
		_, err := s.Column.Layout()
		require.NoError(t, err)
		s.Column.Open(1, 2, 4)
		err = reduce.SetLeaf([]*reduce.Column{&s.Column}, 0, 1, c.items, c.members, c.data)
		if c.err != "" {
			assert.EqualError(t, err, c.err, c.what)
		} else {
			require.NoError(t, err, c.what)
		}
		assert.Equal(t, c.want, *s.At(1), c.what)
	}
}
