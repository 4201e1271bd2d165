package reducertest

import (
	"github.com/gokkos/gokkos/internal/laws"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/reducers"
)

func (c *checker[T]) checkReference() {
	if p := c.r.Reference(); p != c.place {
		c.fail("reference", "Reference does not return the same pointer each time", value{"first", c.place}, value{"later", p})
	}
}

func (c *checker[T]) checkFinal() {
	for _, a := range c.samples {
		if first, second := c.final(a), c.final(a); !laws.Unchanged(first, second) {
			c.fail("final", "Final does different things to equal values",
				value{"a", a}, value{"first", first}, value{"second", second})
		}
	}
}

func (c *checker[T]) checkInitial() {
	slots, initial := reduce.NewSlots(c.r), reduce.NewSlots[T](reducers.WithInitial(c.r))
	slots.Column.Open(1, 1, 1)
	store := func(val T) {
		*slots.At(0) = laws.Clone(val)
		slots.Column.Store(0)
	}
	load := func(used T) T {
		val := laws.Clone(used)
		initial.Column.Open(1, 1, 1) // loads
		initial.Seed(&val)
		return val
	}
	for k, a := range c.samples {
		result := c.final(a)
		store(result)
		if c.place != nil && c.traits.Store == nil && !c.same(*c.place, result) {
			c.fail("initial value", "the result place does not hold what was stored", value{"stored", result}, value{"result", *c.place})
		}
		used := c.samples[(k+1)%len(c.samples)]
		var fresh T
		first, second := load(fresh), load(used)
		if !c.same(first, second) {
			c.fail("initial value", "what is loaded depends on what the value held before",
				value{"result", result}, value{"loaded into a new value", first}, value{"held before", used}, value{"loaded into it", second})
		}
		if c.place != nil && c.traits.Load == nil && !c.same(first, *c.place) {
			c.fail("initial value", "what is loaded is not the result, and there is no Load trait", value{"result", *c.place}, value{"loaded", first})
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
