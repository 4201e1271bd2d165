package reducertest

import (
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/reducers"
)

func (c *checker[T]) checkSource() {
	for a, b := range pairs(c.samples) {
		dst, src := clone(a), clone(b)
		c.r.Join(&dst, &src)
		if !unchanged(src, b) {
			c.fail("source", "Join changes *src", value{"dst before", a}, value{"src before", b}, value{"dst after", dst}, value{"src after", src})
		}
	}
}

func (c *checker[T]) checkAliasing() {
	first, second := c.identity(), c.identity()
	if !c.shared && sharing(&first, &second) {
		c.fail("aliasing", "two values made by Init share memory", value{"first", first}, value{"second", second})
	}
	for a, b := range pairs(c.samples) {
		first, second := c.identity(), c.identity()
		before := clone(second)
		src := clone(a)
		c.r.Join(&first, &src)
		if !unchanged(second, before) {
			c.fail("aliasing", "joining into one value made by Init changes another",
				value{"a", a}, value{"other before", before}, value{"other after", second})
		}

		dst, src := clone(a), clone(b)
		c.r.Join(&dst, &src)
		c.detached("Join", a, b, &dst, &src)
		dst, src = c.identity(), clone(b)
		c.r.Join(&dst, &src)
		c.detached("Join", before, b, &dst, &src)
	}
}

// detached checks that dst, into which src was joined, has nothing to do with
// it any more.
func (c *checker[T]) detached(what string, a, b T, dst, src *T) {
	if !c.shared && sharing(dst, src) {
		c.fail("aliasing", "after "+what+", dst and src share memory", value{"dst before", a}, value{"src", b}, value{"dst after", *dst})
	}
	before := clone(*src)
	for _, x := range spread(c.samples, 4) {
		more := clone(x)
		c.r.Join(dst, &more)
	}
	c.r.Init(dst)
	if !unchanged(*src, before) {
		c.fail("aliasing", "after "+what+", joining more into dst changes src", value{"dst before", a}, value{"src before", before}, value{"src after", *src})
	}
}

// checkPurity watches the reducer and all that it refers to, which includes
// result places of reducers inside.
func (c *checker[T]) checkPurity() {
	var reducer reducers.Reducer[T]
	var place *T
	watch := func(what string, operands ...value) {
		if !unchanged(c.place, place) {
			operands = append(operands, value{"result before", show(place)}, value{"result after", show(c.place)})
			c.fail("purity", what+" changes the result place", operands...)
		} else if !unchanged(c.r, reducer) {
			c.fail("purity", what+" changes the reducer, or a result place inside it", operands...)
		}
	}
	slots, initial := reduce.NewSlots(c.r), reduce.NewSlots[T](reducers.WithInitial(c.r))
	slots.Open(1, 1, 1)
	few := spread(c.samples, maxTriples)
	for _, a := range few {
		*slots.At(0) = c.final(a)
		slots.Store(0)
		reducer, place = clone(c.r), clone(c.place)
		for _, b := range few {
			dst, src := clone(a), clone(b)
			c.r.Join(&dst, &src)
			watch("Join", value{"a", a}, value{"b", b}, value{"a + b", dst})
			c.r.Final(&dst)
			watch("Final", value{"a", a}, value{"b", b}, value{"Final(a + b)", dst})
			initial.Open(1, 1, 1)
			initial.Seed(&dst)
			watch("Load", value{"loaded", dst})
			c.r.Init(&src)
			watch("Init", value{"e", src})
		}
	}
}

func show[T any](p *T) any {
	if p == nil {
		return nil
	}
	return *p
}
