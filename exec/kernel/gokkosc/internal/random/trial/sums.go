package trial

import (
	"fmt"
	"reflect"

	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/reducers/concept"
)

// sums runs the leaves of a functor in one call that joins their lanes, and the functor from the leaf on that
// this stops at. op is the operation of the joins, or none if there is no such loop.
func (c leafCase) sums(constructor any) (out string, op kernel.Op) {
	f, params, lanes := c.make(constructor)
	method, ok := leavesOf(f, lanes)
	if !ok {
		return "", ""
	}
	if op = kernel.Of(f.Interface()).(interface{ Joins() kernel.Op }).Joins(); op == "" {
		return "", ""
	}
	of, sums := c.roomOf(lanes[0])
	next, out := c.call(method, of, sums)
	if out == "" {
		out = c.joined(f, params, of, sums, op, next)
	}
	return out, op
}

// sumsOf is sums of a functor alone.
func (c leafCase) sumsOf(constructor any, op kernel.Op) (out string) {
	f, params, lanes := c.make(constructor)
	of, sums := c.roomOf(lanes[0])
	return c.joined(f, params, of, sums, op, c.Begin)
}

// roomOf returns the first values of the lanes of each leaf, and room for the sums of all leaves. Floats are
// of about one size, so that a sum says in which order it was made.
func (c leafCase) roomOf(all reflect.Value) (lanes, sums reflect.Value) {
	leaves := (c.End - c.Begin) / c.leaf
	lanes = all.Slice(0, c.lanes)
	for k := range c.lanes {
		if l := lanes.Index(k); l.CanFloat() {
			l.SetFloat(1 / float64(k+3))
		}
	}
	return lanes, reflect.MakeSlice(all.Type(), leaves, leaves)
}

// joined runs a functor item by item from a leaf on, up to an item that panics, and joins the lanes of each leaf.
func (c leafCase) joined(f reflect.Value, params []any, lanes, sums reflect.Value, op kernel.Op, next int) (out string) {
	var message any
	func() {
		defer func() { message = recover() }()
		for next < c.End {
			own := reflect.AppendSlice(reflect.Zero(lanes.Type()), lanes)
			for k := range c.leaf {
				f.Call([]reflect.Value{reflect.ValueOf(next), own.Index(k & (c.lanes - 1)).Addr()})
				next++
			}
			for h := c.lanes / 2; h > 0; h /= 2 {
				for l := range h {
					join(op, own.Index(l), own.Index(l+h))
				}
			}
			sums.Index((next-c.Begin)/c.leaf - 1).Set(own.Index(0))
		}
	}()
	return Outcome(next, message, params, []reflect.Value{lanes, sums})
}

// join joins a number into another one.
func join(op kernel.Op, dst, src reflect.Value) {
	switch {
	case dst.CanFloat():
		dst.SetFloat(joinedBy(op, dst.Float(), src.Float()))
	case dst.CanUint():
		dst.SetUint(bitsBy(op, dst.Uint(), src.Uint()))
	default:
		dst.SetInt(bitsBy(op, dst.Int(), src.Int()))
	}
}

func joinedBy[T int64 | uint64 | float64](op kernel.Op, x, y T) T {
	switch op {
	case concept.OpSum:
		return x + y
	case concept.OpProd:
		return x * y
	case concept.OpMin:
		return min(x, y)
	case concept.OpMax:
		return max(x, y)
	}
	panic(fmt.Sprintf("lanes are joined by %q", op))
}

func bitsBy[T int64 | uint64](op kernel.Op, x, y T) T {
	switch op {
	case concept.OpAnd:
		return x & y
	case concept.OpOr:
		return x | y
	case concept.OpXor:
		return x ^ y
	}
	return joinedBy(op, x, y)
}
