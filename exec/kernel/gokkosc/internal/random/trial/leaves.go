package trial

import (
	"fmt"
	"math/rand/v2"
	"reflect"

	"github.com/gokkos/gokkos/exec/kernel"
)

// A leafCase is a launch over several leaves in one call: Lanes are the lanes of all leaves.
type leafCase struct {
	Case
	leaf, lanes int // items and lanes of a leaf
}

// leafCases returns the launches of leaves that a kernel is tried with.
func leafCases(seed uint64) (cases []leafCase) {
	r := rand.New(rand.NewPCG(seed, 2))
	for n := range 5 {
		lanes := 2 << n
		leaf := max(lanes, 16) << r.IntN(3)
		leaves, begin := 1+r.IntN(4), r.IntN(4)
		items := leaf * leaves
		cases = append(cases, leafCase{Case{seed*16 + 8 + uint64(n), begin, begin + items, 0, lanes * leaves, items + r.IntN(12), 0}, leaf, lanes})
	}
	return cases
}

// item calls a functor for item i, with the lane of its leaf.
func (c leafCase) item(f, lanes reflect.Value, i int) {
	k := i - c.Begin
	f.Call([]reflect.Value{reflect.ValueOf(i), lanes.Index(k/c.leaf*c.lanes + k%c.leaf&(c.lanes-1)).Addr()})
}

// run runs a functor item by item from one on, up to one that panics.
func (c leafCase) run(f reflect.Value, params []any, lanes []reflect.Value, next int) (out string) {
	var message any
	func() {
		defer func() { message = recover() }()
		for ; next < c.End; next++ {
			c.item(f, lanes[0], next)
		}
	}()
	return Outcome(next, message, params, lanes)
}

// closure runs a functor item by item.
func (c leafCase) closure(constructor any) (out string) {
	f, params, lanes := c.make(constructor)
	return c.run(f, params, lanes, c.Begin)
}

// loop runs the leaves of a functor in one call, and the functor from the leaf on that this stops at. It is
// false if there is no such loop.
func (c leafCase) loop(constructor any) (out string, ok bool) {
	f, params, lanes := c.make(constructor)
	method, ok := leavesOf(f, lanes)
	if !ok {
		return "", false
	}
	next, wrong := c.call(method, lanes[0], reflect.Zero(lanes[0].Type()))
	if wrong != "" {
		return wrong, true
	}
	return c.run(f, params, lanes, next), true
}

// leavesOf returns a loop's method that runs leaves.
func leavesOf(f reflect.Value, lanes []reflect.Value) (method reflect.Value, ok bool) {
	loop := reflect.ValueOf(kernel.Of(f.Interface()))
	if !loop.IsValid() || len(lanes) != 1 {
		return method, false
	}
	method = loop.MethodByName("Leaves")
	return method, method.IsValid()
}

// call runs leaves in one call, and says if the returned numbers are wrong.
func (c leafCase) call(method, lanes, sums reflect.Value) (next int, wrong string) {
	in := []reflect.Value{reflect.ValueOf(c.Begin), reflect.ValueOf(c.End), reflect.ValueOf(c.leaf), reflect.ValueOf(c.lanes), lanes, sums}
	next = int(method.Call(in)[0].Int())
	if next < c.Begin || next > c.End || (next-c.Begin)%c.leaf != 0 {
		wrong = fmt.Sprintf("Leaves(%d, %d, %d, %d) = %d", c.Begin, c.End, c.leaf, c.lanes, next)
	}
	return next, wrong
}
