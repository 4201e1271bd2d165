package pass

import (
	"math"
	"math/bits"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// deepest is the number of operations that most looks through.
const deepest = 8

// holds reports whether a check never stops an item because its index is below a constant limit. Such an
// index is masked, shifted, a remainder or made of small integers and of counters of loops.
func (s *simplify) holds(check *ir.Value) bool {
	limit := check.Args[1]
	return limit.Op == ir.Const && s.most(check.Args[0], deepest) < limit.Bits
}

// most returns a number that an integer, taken as one without a sign, is never above.
func (s *simplify) most(v *ir.Value, depth int) uint64 {
	all := uint64(math.MaxUint64)
	if v.Type == ir.I32 {
		all = math.MaxUint32
	}
	if v.Op == ir.Const {
		return v.Bits & all
	}
	if depth == 0 {
		return all
	}
	of := func(n int) uint64 { return s.most(v.Args[n], depth-1) }
	switch v.Op {
	case ir.And:
		return min(of(0), of(1))
	case ir.Or, ir.Xor:
		return 1<<bits.Len64(of(0)|of(1)) - 1
	case ir.Add:
		if x, y := of(0), of(1); x <= all-y {
			return x + y
		}
	case ir.Sub:
		if x := v.Args[0]; x.Op == ir.Const && x.Bits&all <= all/2 && of(1) <= x.Bits&all {
			return x.Bits & all
		}
	case ir.Mul:
		if high, low := bits.Mul64(of(0), of(1)); high == 0 && low <= all {
			return low
		}
	case ir.Shl:
		if n := v.Args[1]; n.Op == ir.Const && n.Bits < 63 && of(0) <= all>>n.Bits {
			return of(0) << n.Bits
		}
	case ir.Min, ir.Max:
		if x, y := of(0), of(1); v.Unsigned || max(x, y) <= all/2 {
			return map[ir.Op]uint64{ir.Min: min(x, y), ir.Max: max(x, y)}[v.Op]
		}
	case ir.Arg:
		if to := s.below[v]; to != nil {
			if n := s.most(to, depth-1); 0 < n && n <= all/2 {
				return n - 1
			}
		}
	case ir.Select:
		return max(of(1), of(2))
	case ir.Shr:
		if n := v.Args[1]; n.Op == ir.Const && (v.Unsigned || of(0) <= all/2) {
			return of(0) >> min(n.Bits, 63)
		}
	case ir.Rem:
		if y := v.Args[1]; y.Op == ir.Const && y.Int() > 0 && (v.Unsigned || of(0) <= all/2) {
			return min(of(0), y.Bits-1)
		}
	case ir.Conv:
		if x := v.Args[0]; x.Type.IsInt() && (of(0) <= math.MaxInt32 || v.Unsigned && x.Type == ir.I32) {
			return of(0)
		}
	case ir.Load:
		switch s.k.Mems[v.Index].Elem {
		case ir.U8:
			return math.MaxUint8
		case ir.U16:
			return math.MaxUint16
		}
	}
	return all
}
