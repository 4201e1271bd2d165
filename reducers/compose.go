package reducers

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/gokkos/gokkos/internal/goexit"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/reducers/concept"
)

// part is a reducer of one field of S.
type part[S any] interface {
	Reducer[S]
	// locate returns the address and the type of the field in s.
	locate(s *S) (uintptr, reflect.Type)
}

type field[S, F any] struct {
	at func(*S) *F
	r  Reducer[F]
}

// Field returns a reducer that looks after one field of the struct S with r and
// leaves the others alone:
//
//	reducers.Field(func(s *stats) *float64 { return &s.sum }, builtin.Sum(&total))
//
// The field's result goes to r's own result place; the Reference of a Field is
// nil. Every field of S must be owned by exactly one reducer; see [Compose]. Elements have no
// reducers of their own: [Slice] reduces those of a slice, and an array needs one for all.
func Field[S, F any](at func(*S) *F, r Reducer[F]) Reducer[S] { return field[S, F]{at, r} }

func (f field[S, F]) Init(val *S)      { f.r.Init(f.at(val)) }
func (f field[S, F]) Join(dst, src *S) { f.r.Join(f.at(dst), f.at(src)) }
func (f field[S, F]) Final(val *S)     { f.r.Final(f.at(val)) }
func (f field[S, F]) Reference() *S    { return nil }

func (f field[S, F]) Traits() concept.Traits[S] {
	if f.at == nil {
		return concept.Traits[S]{Err: errors.New("reducers: Field was given a nil field function")}
	}
	inner := concept.TraitsOf(f.r)
	if inner.Err != nil {
		return concept.Traits[S]{Err: inner.Err}
	}
	t := concept.Traits[S]{Ordered: inner.Ordered, Exact: inner.Exact, NoIdentity: inner.NoIdentity, Initial: inner.Initial, Once: inner.Once}
	t.Place = reduce.Place(f.r, &inner)
	t.Load = func(val *S) { reduce.Load(f.r, &inner, f.at(val)) }
	t.Store = func(val *S) { reduce.Store(f.r, &inner, f.at(val)) }
	return t
}

// Alone returns r, which is f or a modified f, as the only one of several reducers; package
// reduce asks for it.
func (field[S, F]) Alone(r any) any { return Compose(r.(Reducer[S])) }

func (f field[S, F]) withInitial() Reducer[S] { return field[S, F]{f.at, initial(f.r)} }

func (f field[S, F]) locate(s *S) (uintptr, reflect.Type) {
	return reflect.ValueOf(f.at(s)).Pointer(), reflect.TypeFor[F]()
}

// composite is one reducer of S made of reducers of its fields.
type composite[S any] struct {
	parts []Reducer[S]
	err   error
}

// Compose returns one reducer of S made of reducers of its fields, each made by
// [Field]. A field that no reducer owns, or that two own, is an error that
// names it, returned by the launch; so are two reducers with one result place.
// A single reducer of the whole of S is returned as it is.
func Compose[S any](r Reducer[S], more ...Reducer[S]) Reducer[S] {
	if len(more) == 0 && !isPart(r) {
		return r
	}
	parts := append([]Reducer[S]{r}, more...)
	c := &composite[S]{parts: parts}
	places := make([]any, len(parts))
	for k, p := range parts {
		t := concept.TraitsOf(p)
		c.err, places[k] = errors.Join(c.err, t.Err), t.Place
	}
	if c.err == nil {
		c.err = checkOwners(parts)
	}
	if c.err == nil {
		c.err = reduce.CheckPlaces(places)
	}
	return c
}

// asPart returns the reducer of a field that r is, whatever modifies it.
func asPart[S any](r Reducer[S]) (p part[S], ok bool) {
	if m, ok := r.(Modified[S]); ok {
		return asPart(m.Reducer)
	}
	p, ok = r.(part[S])
	return p, ok
}

func isPart[S any](r Reducer[S]) bool {
	_, ok := asPart(r)
	return ok
}

func (c *composite[S]) Init(val *S) {
	for _, p := range c.parts {
		p.Init(val)
	}
}

func (c *composite[S]) Join(dst, src *S) {
	for _, p := range c.parts {
		p.Join(dst, src)
	}
}

func (c *composite[S]) Final(val *S) {
	for _, p := range c.parts {
		p.Final(val)
	}
}

func (c *composite[S]) Reference() *S { return nil }

func (c *composite[S]) Traits() concept.Traits[S] {
	t := concept.Traits[S]{Err: c.err}
	if c.err != nil {
		return t
	}
	t.Exact = true
	traits, places := make([]concept.Traits[S], len(c.parts)), make([]any, len(c.parts))
	for k, p := range c.parts {
		pt := concept.TraitsOf(p)
		traits[k], places[k] = pt, pt.Place
		t.Err = errors.Join(t.Err, pt.Err)
		t.Ordered = t.Ordered || pt.Ordered
		t.Exact = t.Exact && pt.Exact
		t.NoIdentity = t.NoIdentity || pt.NoIdentity
		t.Initial = t.Initial || pt.Initial
		t.Once = t.Once || pt.Once
	}
	t.Place = reduce.Parts{Kind: "part", First: 1, Places: places}
	t.Store = func(val *S) {
		for _, pt := range traits {
			pt.Store(val)
		}
	}
	t.Load = func(val *S) {
		for k, pt := range traits {
			if pt.Initial {
				pt.Load(val)
			} else {
				c.parts[k].Init(val)
			}
		}
	}
	return t
}

func (c *composite[S]) withInitial() Reducer[S] {
	parts := make([]Reducer[S], len(c.parts))
	for k, p := range c.parts {
		parts[k] = WithInitial(p)
	}
	return Compose(parts[0], parts[1:]...)
}

// owner is the part of a struct that one reducer looks after.
type owner struct{ begin, end uintptr }

// checkOwners returns an error unless every field of S has exactly one owner.
func checkOwners[S any](parts []Reducer[S]) error {
	var s S
	return checkOwnership(reflect.ValueOf(&s).Elem(), len(parts), func(k int) (claim, bool) {
		p, ok := asPart(parts[k])
		if !ok {
			return claim{reducer: parts[k]}, false
		}
		at, t := p.locate(&s)
		return claim{parts[k], at, t.Size()}, true
	})
}

// claim is what one of several reducers of a struct looks after.
type claim struct {
	reducer any
	at      uintptr
	size    uintptr
}

// checkOwnership does the work of checkOwners; claimOf returns the k-th of n claims,
// and whether its reducer is made by Field. It is apart, because it is compiled once
// and checkOwners for every type.
func checkOwnership(s reflect.Value, n int, claimOf func(k int) (claim, bool)) (err error) {
	returned := false
	defer func() {
		if returned {
			return
		}
		if value := recover(); value != nil || !goexit.Runs() {
			err = fmt.Errorf("reducers: a field function panicked on a zero %v, expected the address of a field, and Slice for elements: %v", s.Type(), value)
		}
	}()
	err = ownership(s, n, claimOf)
	returned = true
	return err
}

func ownership(s reflect.Value, n int, claimOf func(k int) (claim, bool)) error {
	t := s.Type()
	if t.Kind() != reflect.Struct {
		return fmt.Errorf("reducers: %d reducers were given for one accumulator of type %v, which is not a struct; give one reducer, such as Slice for a slice, or a struct with a field for each", n, t)
	}
	base := s.Addr().Pointer()
	var owners []owner
	for k := range n {
		c, ok := claimOf(k)
		if !ok {
			return fmt.Errorf("reducers: reducer %d of %d is a %T, which is not made by Field; each of several reducers must own a field of %v", k+1, n, c.reducer, t)
		}
		if c.at < base || c.at+c.size > base+t.Size() {
			return fmt.Errorf("reducers: the field function of reducer %d of %d returns no pointer into the %v it is given", k+1, n, t)
		}
		owners = append(owners, owner{c.at - base, c.at - base + c.size})
	}
	var faults []string
	checkFields(t, t.Name(), 0, owners, &faults)
	if len(faults) > 0 {
		return fmt.Errorf("reducers: %s", strings.Join(faults, "; "))
	}
	return nil
}

// checkFields walks the fields of the struct type t at offset base and notes
// those that have not exactly one owner.
func checkFields(t reflect.Type, path string, base uintptr, owners []owner, faults *[]string) {
	for f := range t.Fields() {
		if f.Name == "_" || f.Type.Size() == 0 {
			continue
		}
		begin, end := base+f.Offset, base+f.Offset+f.Type.Size()
		whole, within := 0, 0
		for _, o := range owners {
			switch {
			case o.begin <= begin && end <= o.end:
				whole++
			case o.begin < end && begin < o.end:
				within++
			}
		}
		name := path + "." + f.Name
		switch {
		case whole == 0 && within > 0 && f.Type.Kind() == reflect.Struct:
			checkFields(f.Type, name, begin, owners, faults)
		case whole == 0 && within > 0 && f.Type.Kind() == reflect.Array:
			*faults = append(*faults, fmt.Sprintf("reducers own parts of field %s, expected one for all of the %v; Slice reduces a []%v element by element", name, f.Type, f.Type.Elem()))
		case whole == 0:
			*faults = append(*faults, fmt.Sprintf("no reducer owns field %s", name))
		case whole+within > 1:
			*faults = append(*faults, fmt.Sprintf("%d reducers own field %s", whole+within, name))
		}
	}
}
