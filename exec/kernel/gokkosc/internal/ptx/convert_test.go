package ptx_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ptx"
)

// An integer that was shifted or masked to 32 bits becomes a float as one of these, and no other one does.
func TestShortIntegers(t *testing.T) {
	for _, c := range []struct {
		op     ir.Op
		with   uint64
		of, as bool // without signs: the shift, and the conversion
		short  bool
	}{
		{op: ir.Shr, with: 32, short: true}, {op: ir.Shr, with: 52, short: true}, {op: ir.Shr, with: 63, of: true, as: true, short: true},
		{op: ir.Shr, with: 31}, {op: ir.Shr, with: 31, of: true, as: true}, {op: ir.Shr, with: 32, of: true, as: true, short: true},
		{op: ir.Shr, with: 32, of: true}, {op: ir.Shr, with: 33, of: true, short: true}, {op: ir.Shr, with: 40, as: true}, {op: ir.Shr, with: 64, short: true},
		{op: ir.And, with: math.MaxInt32, short: true}, {op: ir.And, with: math.MaxInt32, as: true, short: true},
		{op: ir.And, with: math.MaxUint32}, {op: ir.And, with: math.MaxUint32, as: true, short: true}, {op: ir.And, with: 1 << 32, as: true},
		{op: ir.Or, with: 1},
	} {
		k := operation(ir.Conv, ir.F64, c.as, []ir.Type{ir.I64}, nil)
		v := k.Body.Values[2]
		n := k.NewValue(ir.Const, ir.I64)
		n.Bits = c.with
		x := k.NewValue(c.op, ir.I64, v.Args[0], n)
		x.Unsigned = c.of
		v.Args = []*ir.Value{x}
		k.Body.Values = slices.Insert(k.Body.Values, 2, n, x)
		require.NoError(t, k.Verify())
		check(t, k, shape{ir.F64, []ir.Type{ir.I64}}, nil)
		code, err := ptx.Compile(k, "short")
		require.NoError(t, err)
		assert.Equal(t, c.short, strings.Contains(code.Text, "cvt.rn.f64.s32") || strings.Contains(code.Text, "cvt.rn.f64.u32"), "%+v", c)
	}
}
