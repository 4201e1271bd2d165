package ir_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// Coordinates and bounds of runs are only in kernels that have runs.
func TestVerifyIndex(t *testing.T) {
	point, row := ir.Index{Rank: 2, Dim: 1}, ir.Index{Rank: 2, Dim: 1, Row: true}
	for _, c := range []struct {
		index ir.Index
		op    ir.Op
		n     int
		says  string
	}{
		{point, ir.Coord, 0, ""},
		{point, ir.Coord, 1, "expected one of the 2 coordinates of a point, and not that along the run"},
		{point, ir.Coord, 2, "expected one of the 2 coordinates"},
		{point, ir.Stop, 0, "stands in a kernel whose items are no rows"},
		{point, ir.Item, 0, ""},
		{row, ir.Coord, 1, ""},
		{row, ir.Coord, -1, "expected one of the 2 coordinates"},
		{row, ir.Stop, 0, ""},
		{row, ir.Item, 0, "stands in a kernel of rows, which are items as a whole"},
		{ir.Index{}, ir.Coord, 0, "expected one of the 0 coordinates"},
		{ir.Index{Rank: 2, Dim: 2}, ir.Item, 0, "has indices of 2 coordinates in runs along 2, expected one of them"},
		{ir.Index{Dim: 1}, ir.Item, 0, "has indices of 0 coordinates in runs along 1"},
		{ir.Index{Row: true}, ir.Item, 0, "stands in a kernel of rows, which are items as a whole"},
	} {
		k := &ir.Kernel{Index: c.index, Setup: &ir.Block{}, Body: &ir.Block{}}
		v := k.NewValue(c.op, ir.I64)
		v.Index = c.n
		if c.op == ir.Item {
			v.Index = 0
			k.Body.Values = append(k.Body.Values, v)
		} else {
			k.Setup.Values = append(k.Setup.Values, v)
		}
		if err := k.Verify(); c.says == "" {
			assert.NoError(t, err, "%+v", c)
		} else {
			assert.ErrorContains(t, err, c.says, "%+v", c)
		}
	}
}
