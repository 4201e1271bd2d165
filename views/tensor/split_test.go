package tensor

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/views"
)

// Rows are cut into units that keep 16 workers busy as soon as they are worth several, and each row is
// in one of them.
func TestUnitsOfRows(t *testing.T) {
	for _, c := range []struct{ rows, items, least, most int }{
		{1, 100, 1, 1},
		{20, 800, 1, 1}, // fewer than leastUnit
		{21, 800, 4, 16},
		{316, 316, 64, 128},
		{1000, 1000, 64, manyUnits},
		{4096, 4096, manyUnits, manyUnits},
		{50_000, 10, 64, manyUnits},
		{1 << 12, 1 << 14, 1000, mostUnits},
	} {
		x := views.Must(views.New[int8]("x", []int{c.rows, c.items}))
		var s shape
		s.of(Over(x, 1).settings)
		p := s.split(1, manyUnits)
		require.Equal(t, 1, p.subtrees, "%+v", c)
		assert.GreaterOrEqual(t, p.units, c.least, "%+v", c)
		assert.LessOrEqual(t, p.units, c.most, "%+v", c)
		assert.Equal(t, (c.rows+p.each-1)/p.each, p.units, "%+v", c)
	}
}

// Units of few workers are larger: each is a claim, and has to find its memory.
func TestUnitsOfFewWorkers(t *testing.T) {
	x := views.Must(views.New[int8]("x", []int{316, 316}))
	for _, c := range []struct{ workers, least, most int }{{1, 2, 2}, {2, 16, 2 * manyOfSeveral}, {4, 32, 4 * manyOfSeveral}, {16, 64, 128}, {1000, 64, 128}} {
		call := newCall(Over(x, 1).On(exec.NewGoroutines(c.workers)), nil)
		units := call.split(1, call.many()).units
		assert.GreaterOrEqual(t, units, c.least, "%+v", c)
		assert.LessOrEqual(t, units, c.most, "%+v", c)
	}
}
