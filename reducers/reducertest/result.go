package reducertest

import (
	"reflect"

	"github.com/gokkos/gokkos/internal/laws"
)

func (c *checker) checkReference() {
	if p := c.reference(); p.Pointer() != c.place.Pointer() {
		c.fail("reference", "Reference does not return the same pointer each time", value{"first", c.place}, value{"later", p})
	}
}

func (c *checker) checkFinal() {
	for _, a := range c.samples {
		if first, second := c.final(a), c.final(a); !laws.Unchanged(first, second) {
			c.fail("final", "Final does different things to equal values",
				value{"a", a}, value{"first", first}, value{"second", second})
		}
	}
}

func (c *checker) checkInitial() {
	columns := c.columns()
	columns.plain.Open(1, 1, 1)
	store := func(val reflect.Value) { columns.store(laws.Cloned(val)) }
	load := func(used reflect.Value) reflect.Value {
		val := laws.Cloned(used)
		columns.load(val)
		return val
	}
	placed := !c.place.IsNil()
	for k, a := range c.samples {
		result := c.final(a)
		store(result)
		if placed && !c.traits.stores && !c.same(c.place.Elem(), result) {
			c.fail("initial value", "the result place does not hold what was stored", value{"stored", result}, value{"result", c.place.Elem()})
		}
		used := c.samples[(k+1)%len(c.samples)]
		fresh := c.zero()
		first, second := load(fresh), load(used)
		if !c.same(first, second) {
			c.fail("initial value", "what is loaded depends on what the value held before",
				value{"result", result}, value{"loaded into a new value", first}, value{"held before", used}, value{"loaded into it", second})
		}
		if placed && !c.traits.loads && !c.same(first, c.place.Elem()) {
			c.fail("initial value", "what is loaded is not the result, and there is no Load trait", value{"result", c.place.Elem()}, value{"loaded", first})
		}
		// A result counts as a partial result, unless Load undoes Final.
		store(first)
		plain := load(fresh)
		store(c.final(first))
		undone := load(fresh)
		if !c.same(plain, first) && !c.same(undone, first) {
			c.fail("initial value", "what is loaded, stored and loaded again is not the same",
				value{"result", result}, value{"loaded", first}, value{"again", plain}, value{"again, after Final", undone})
		}
	}
}
