package reducertest

import (
	"reflect"

	"github.com/gokkos/gokkos/internal/laws"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/reducers"
)

func (c *checker[T]) checkSource() {
	for a, b := range pairs(c.samples) {
		dst, src := laws.Clone(a), laws.Clone(b)
		c.r.Join(&dst, &src)
		if !laws.Unchanged(src, b) {
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
		before := laws.Clone(second)
		src := laws.Clone(a)
		c.r.Join(&first, &src)
		if !laws.Unchanged(second, before) {
			c.fail("aliasing", "joining into one value made by Init changes another",
				value{"a", a}, value{"other before", before}, value{"other after", second})
		}

		dst, src := laws.Clone(a), laws.Clone(b)
		c.r.Join(&dst, &src)
		c.detached("Join", a, b, &dst, &src)
		dst, src = c.identity(), laws.Clone(b)
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
	before := laws.Clone(*src)
	for _, x := range spread(c.samples, 4) {
		more := laws.Clone(x)
		c.r.Join(dst, &more)
	}
	c.r.Init(dst)
	if !laws.Unchanged(*src, before) {
		c.fail("aliasing", "after "+what+", joining more into dst changes src", value{"dst before", a}, value{"src before", before}, value{"src after", *src})
	}
}

// checkPurity watches the reducer and all that it refers to, which includes
// result places of reducers inside.
func (c *checker[T]) checkPurity() {
	var reducer reducers.Reducer[T]
	var place *T
	watch := func(what string, operands ...value) {
		if !laws.Unchanged(c.place, place) {
			operands = append(operands, value{"result before", show(place)}, value{"result after", show(c.place)})
			c.fail("purity", what+" changes the result place", operands...)
		} else if !laws.Unchanged(c.r, reducer) {
			c.fail("purity", what+" changes the reducer, or a result place inside it", operands...)
		}
	}
	slots, initial := reduce.NewSlots(c.r), reduce.NewSlots[T](reducers.WithInitial(c.r))
	slots.Column.Open(1, 1, 1)
	few := spread(c.samples, maxTriples)
	for _, a := range few {
		*slots.At(0) = c.final(a)
		slots.Column.Store(0)
		reducer, place = laws.Clone(c.r), laws.Clone(c.place)
		for _, b := range few {
			dst, src := laws.Clone(a), laws.Clone(b)
			c.r.Join(&dst, &src)
			watch("Join", value{"a", a}, value{"b", b}, value{"a + b", dst})
			c.r.Final(&dst)
			watch("Final", value{"a", a}, value{"b", b}, value{"Final(a + b)", dst})
			initial.Column.Open(1, 1, 1)
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

// region is the memory from begin up to end.
type region struct{ begin, end uintptr }

// sharing reports whether *a and *b refer to the same memory somewhere.
func sharing[T any](a, b *T) bool {
	ra, rb := regions(reflect.ValueOf(a).Elem()), regions(reflect.ValueOf(b).Elem())
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
