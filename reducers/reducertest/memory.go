package reducertest

import (
	"reflect"

	"github.com/gokkos/gokkos/internal/laws"
)

func (c *checker) checkSource() {
	for a, b := range pairs(c.samples) {
		dst, src := laws.Cloned(a), laws.Cloned(b)
		c.joinInto(dst, src)
		if !laws.Unchanged(src, b) {
			c.fail("source", "Join changes *src", value{"dst before", a}, value{"src before", b}, value{"dst after", dst}, value{"src after", src})
		}
	}
}

func (c *checker) checkAliasing() {
	first, second := c.identity(), c.identity()
	if !c.shared && sharing(first, second) {
		c.fail("aliasing", "two values made by Init share memory", value{"first", first}, value{"second", second})
	}
	for a, b := range pairs(c.samples) {
		first, second := c.identity(), c.identity()
		before := laws.Cloned(second)
		src := laws.Cloned(a)
		c.joinInto(first, src)
		if !laws.Unchanged(second, before) {
			c.fail("aliasing", "joining into one value made by Init changes another",
				value{"a", a}, value{"other before", before}, value{"other after", second})
		}

		dst, src := laws.Cloned(a), laws.Cloned(b)
		c.joinInto(dst, src)
		c.detached("Join", a, b, dst, src)
		dst, src = c.identity(), laws.Cloned(b)
		c.joinInto(dst, src)
		c.detached("Join", before, b, dst, src)
	}
}

// detached checks that dst, into which src was joined, has nothing to do with
// it any more.
func (c *checker) detached(what string, a, b, dst, src reflect.Value) {
	if !c.shared && sharing(dst, src) {
		c.fail("aliasing", "after "+what+", dst and src share memory", value{"dst before", a}, value{"src", b}, value{"dst after", dst})
	}
	before := laws.Cloned(src)
	for _, x := range spread(c.samples, 4) {
		c.joinInto(dst, laws.Cloned(x))
	}
	c.init(at(dst))
	if !laws.Unchanged(src, before) {
		c.fail("aliasing", "after "+what+", joining more into dst changes src", value{"dst before", a}, value{"src before", before}, value{"src after", src})
	}
}

// checkPurity watches the reducer and all that it refers to, which includes
// result places of reducers inside.
func (c *checker) checkPurity() {
	var reducer, place reflect.Value
	watch := func(what string, operands ...value) {
		if !laws.Unchanged(c.place, place) {
			operands = append(operands, value{"result before", show(place)}, value{"result after", show(c.place)})
			c.fail("purity", what+" changes the result place", operands...)
		} else if !laws.Unchanged(c.reducer, reducer) {
			c.fail("purity", what+" changes the reducer, or a result place inside it", operands...)
		}
	}
	columns := c.columns()
	columns.plain.Open(1, 1, 1)
	few := spread(c.samples, maxTriples)
	for _, a := range few {
		columns.store(c.final(a))
		reducer, place = laws.Cloned(c.reducer), laws.Cloned(c.place)
		for _, b := range few {
			dst, src := laws.Cloned(a), laws.Cloned(b)
			c.joinInto(dst, src)
			watch("Join", value{"a", a}, value{"b", b}, value{"a + b", dst})
			c.hidden.final(at(dst))
			watch("Final", value{"a", a}, value{"b", b}, value{"Final(a + b)", dst})
			columns.load(dst)
			watch("Load", value{"loaded", dst})
			c.init(at(src))
			watch("Init", value{"e", src})
		}
	}
}

// show returns what a pointer refers to.
func show(p reflect.Value) any {
	if p.IsNil() {
		return nil
	}
	return p.Elem()
}

// region is the memory from begin up to end.
type region struct{ begin, end uintptr }

// sharing reports whether a and b refer to the same memory somewhere.
func sharing(a, b reflect.Value) bool {
	ra, rb := regions(a), regions(b)
	for x := range ra {
		for y := range rb {
			if x.begin < y.end && y.begin < x.end {
				return true
			}
		}
	}
	return false
}

// regions returns the memory that v refers to and that can be changed.
func regions(v reflect.Value) map[region]bool {
	found := map[region]bool{}
	var visit func(v reflect.Value)
	note := func(p uintptr, bytes uintptr) (first bool) {
		r := region{p, p + bytes}
		first = !found[r]
		if bytes > 0 {
			found[r] = true
		}
		return first
	}
	visit = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Array:
			for k := range v.Len() {
				visit(v.Index(k))
			}
		case reflect.Struct:
			for k := range v.NumField() {
				visit(v.Field(k))
			}
		case reflect.Slice:
			// The room behind the length counts too: an append would write it.
			if v.Cap() > 0 && note(v.Pointer(), uintptr(v.Cap())*v.Type().Elem().Size()) {
				for k := range v.Len() {
					visit(v.Index(k))
				}
			}
		case reflect.Map:
			if !v.IsNil() && note(v.Pointer(), 1) {
				for _, x := range v.Seq2() {
					visit(x)
				}
			}
		case reflect.Pointer:
			if !v.IsNil() && note(v.Pointer(), v.Type().Elem().Size()) {
				visit(v.Elem())
			}
		case reflect.Interface:
			if !v.IsNil() {
				visit(v.Elem())
			}
		}
	}
	visit(v)
	return found
}
