package trial

import (
	"fmt"
	"reflect"

	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/interp"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// A case of a functor of a scan is one pass over one leaf, or over four leaves that take turns. The loop
// counts calls in place of integers.

// turning is the number of leaves that take turns.
const turning = 4

// scans reports whether a functor is a functor of scans.
func scans(f reflect.Type) bool { return f.NumIn() == 3 && f.In(2).Kind() == reflect.Bool }

// Final reports whether the pass of a scan is the last one.
func (c Case) Final() bool { return c.Item&1 == 1 }

// turns returns the number of leaves of a scan, and the number of integers of each leaf.
func (c Case) turns() (leaves, rounds int) {
	if c.Item&2 == 0 || c.End-c.Begin < turning {
		return 1, c.End - c.Begin
	}
	return turning, (c.End - c.Begin) / turning
}

// turn returns the integer of a call, and its leaf.
func (c Case) turn(call int) (i, leaf int) {
	leaves, rounds := c.turns()
	leaf = call % leaves
	return c.Begin + leaf*rounds + call/leaves, leaf
}

// calls returns the number of calls that a case makes.
func (c Case) calls() int {
	leaves, rounds := c.turns()
	n := leaves * rounds
	if c.Most > 0 {
		n = min(n, c.Most-1)
	}
	return max(n, 0)
}

// scan calls the functor of a scan, or its loop, and then the functor if the loop stops.
func (c Case) scan(f reflect.Value, params []any, lanes reflect.Value, loop reflect.Value) (out string, next int) {
	lanes = lanes.Slice(0, turning)
	leaves, rounds := c.turns()
	var message any
	func() {
		defer func() { message = recover() }()
		for next < c.calls() {
			if loop.IsValid() && next%leaves == 0 {
				left := rounds - next/leaves
				done := loop.Call([]reflect.Value{reflect.ValueOf(c.Begin + next/leaves), reflect.ValueOf(left), reflect.ValueOf(rounds), lanes.Slice(0, leaves), reflect.ValueOf(c.Final())})[0].Int()
				if done < 0 || int(done) > left*leaves {
					panic(fmt.Sprintf("Scan of %d rounds of %d = %d", left, leaves, done))
				}
				if next += int(done); next == c.calls() {
					return
				}
			}
			i, leaf := c.turn(next)
			f.Call([]reflect.Value{reflect.ValueOf(i), lanes.Index(leaf).Addr(), reflect.ValueOf(c.Final())})
			next++
		}
	}()
	return Outcome(next, message, params, []reflect.Value{lanes}), next
}

// loopOfScan returns the loop of a functor of a scan.
func loopOfScan(f reflect.Value) (loop reflect.Value, ok bool) {
	found := kernel.Of(f.Interface())
	if found == nil {
		return reflect.Value{}, false
	}
	return reflect.ValueOf(found).MethodByName("Scan"), true
}

// interpretScan is Interpret for a scan.
func (c Case) interpretScan(k *ir.Kernel, args *interp.Args, bits interp.Lanes) (next int) {
	for ; next < c.calls(); next++ {
		i, leaf := c.turn(next)
		var own interp.Lanes
		for n := range bits {
			own = append(own, bits[n][leaf:leaf+1])
		}
		if interp.Span(k, args, i, i+1, 0, own) == i {
			break
		}
	}
	return next
}
