package reducers

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"unsafe"

	"github.com/gokkos/gokkos/internal/goexit"
	"github.com/gokkos/gokkos/internal/modified"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/internal/typed"
	"github.com/gokkos/gokkos/reducers/concept"
)

// part is a reducer of one field of a struct.
type part interface {
	// locate returns the address and the type of the field in the struct that is there.
	locate(s unsafe.Pointer) (uintptr, reflect.Type)
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

func (f field[S, F]) locate(s unsafe.Pointer) (uintptr, reflect.Type) {
	return uintptr(unsafe.Pointer(f.at((*S)(s)))), reflect.TypeFor[F]()
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
	if _, ok := asPart(r); !ok && len(more) == 0 {
		return r
	}
	parts := make([]Reducer[S], 1+len(more))
	parts[0] = r
	copy(parts[1:], more)
	return &composite[S]{parts, checkMembers(membersOf(parts), reflect.TypeFor[S]())}
}

// asPart returns the reducer of a field that r is, whatever modifies it.
func asPart(r any) (p part, ok bool) {
	for inner, ok := modified.Within(r); ok; inner, ok = modified.Within(r) {
		r = inner
	}
	p, ok = r.(part)
	return p, ok
}

// member is one of several reducers of a struct, with the type of the struct hidden: what they
// have in common is compiled once.
type member struct {
	reducer any
	traits  concept.Traits[typed.Hidden]
}

func membersOf[S any](parts []Reducer[S]) []member {
	members := make([]member, len(parts))
	for k, p := range parts {
		t := concept.TraitsOf(p)
		members[k].reducer, members[k].traits = p, *hide(&t)
	}
	return members
}

// hide returns traits with the type of the values hidden.
func hide[S any](t *concept.Traits[S]) *concept.Traits[typed.Hidden] {
	return (*concept.Traits[typed.Hidden])(unsafe.Pointer(t))
}

// common returns the traits of several reducers of a struct as one, but Load.
func common(members []member) concept.Traits[typed.Hidden] {
	t := concept.Traits[typed.Hidden]{Exact: true}
	places := make([]any, len(members))
	for k := range members {
		of := &members[k].traits
		places[k] = of.Place
		t.Err = errors.Join(t.Err, of.Err)
		t.Ordered = t.Ordered || of.Ordered
		t.Exact = t.Exact && of.Exact
		t.NoIdentity = t.NoIdentity || of.NoIdentity
		t.Initial = t.Initial || of.Initial
		t.Once = t.Once || of.Once
	}
	t.Place = reduce.Parts{Kind: "part", First: 1, Places: places}
	t.Store = func(val *typed.Hidden) {
		for k := range members {
			members[k].traits.Store(val)
		}
	}
	return t
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

func (c *composite[S]) Traits() (t concept.Traits[S]) {
	if c.err != nil {
		t.Err = c.err
		return t
	}
	members := membersOf(c.parts)
	*hide(&t) = common(members)
	t.Load = func(val *S) {
		for k, p := range c.parts {
			if of := &members[k].traits; of.Initial {
				of.Load((*typed.Hidden)(unsafe.Pointer(val)))
			} else {
				p.Init(val)
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

// checkMembers returns why several reducers cannot be one of a struct of type t.
func checkMembers(members []member, t reflect.Type) error {
	all := common(members)
	if all.Err != nil {
		return all.Err
	}
	if err := checkOwners(members, t); err != nil {
		return err
	}
	return reduce.CheckPlaces(all.Place.(reduce.Parts).Places)
}

// owner is the part of a struct that one reducer looks after.
type owner struct{ begin, end uintptr }

// checkOwners returns an error unless every field of a struct of type t has exactly one owner.
func checkOwners(members []member, t reflect.Type) (err error) {
	returned := false
	defer func() {
		if returned {
			return
		}
		if value := recover(); value != nil || !goexit.Runs() {
			err = fmt.Errorf("reducers: a field function panicked on a zero %v, expected the address of a field, and Slice for elements: %v", t, value)
		}
	}()
	err = ownership(members, t)
	returned = true
	return err
}

func ownership(members []member, t reflect.Type) error {
	n := len(members)
	if t.Kind() != reflect.Struct {
		return fmt.Errorf("reducers: %d reducers were given for one accumulator of type %v, which is not a struct; give one reducer, such as Slice for a slice, or a struct with a field for each", n, t)
	}
	s := reflect.New(t).UnsafePointer()
	base := uintptr(s)
	var owners []owner
	for k, m := range members {
		p, ok := asPart(m.reducer)
		if !ok {
			return fmt.Errorf("reducers: reducer %d of %d is a %T, which is not made by Field; each of several reducers must own a field of %v", k+1, n, m.reducer, t)
		}
		at, field := p.locate(s)
		if at < base || at+field.Size() > base+t.Size() {
			return fmt.Errorf("reducers: the field function of reducer %d of %d returns no pointer into the %v it is given", k+1, n, t)
		}
		owners = append(owners, owner{at - base, at - base + field.Size()})
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
