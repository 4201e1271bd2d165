package laws

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"

	"github.com/gokkos/gokkos/internal/goexit"
	"github.com/gokkos/gokkos/internal/modified"
)

// A Sampler keeps some operands of the joins of one reduction, and checks the laws of its reducer on
// these. They are joined again as they were, left and right: of an ordered reducer nothing else is
// defined.
type Sampler struct {
	reducer any
	ordered bool
	flat    bool // values refer to nothing
	told    bool // two values that look different are so: they are flat, or slices of what is
	joins   []join
	triples []triple
	seen    int // joins that were offered
}

// join is operands, and what they became where that is known.
type join struct{ a, b, sum reflect.Value }

// triple is three operands that follow one another.
type triple struct{ a, b, c reflect.Value }

const (
	maxJoins    = 6       // that are kept
	maxTriples  = 4       // that are kept
	maxSeen     = 256     // that are looked at
	maxElements = 1 << 12 // of a value that is sampled
)

const module = "github.com/gokkos/gokkos/"

// NewSampler returns a sampler for a reducer, which has the methods of reducers.Reducer.
func NewSampler(reducer any, ordered bool) *Sampler {
	return &Sampler{reducer: reducer, ordered: ordered}
}

// Offer shows the operands of a join that comes next, pointers to them.
func (s *Sampler) Offer(dst, src any) {
	if s.seen++; s.seen > maxSeen || len(s.joins) == maxJoins && len(s.triples) == maxTriples {
		return
	}
	a, b := reflect.ValueOf(dst).Elem(), reflect.ValueOf(src).Elem()
	if s.seen == 1 {
		s.flat = isFlat(a.Type())
		s.told = s.flat || a.Kind() == reflect.Slice && isFlat(a.Type().Elem())
	}
	if !s.told || elements(a)+elements(b) > 2*maxElements {
		return
	}
	if len(s.triples) < maxTriples {
		for k := range s.joins {
			if j := &s.joins[k]; s.sum(j) && (Comparison{}).Same(j.sum, a) {
				s.triples = append(s.triples, triple{j.a, j.b, Cloned(b)})
				break
			}
		}
	}
	if len(s.joins) < maxJoins {
		s.joins = append(s.joins, join{a: Cloned(a), b: Cloned(b)})
	}
}

// OfferLanes is Offer for lanes of a leaf, which leave room for joins of leaves.
func (s *Sampler) OfferLanes(dst, src any) {
	if len(s.joins) < maxJoins/2 {
		s.Offer(dst, src)
	}
}

// sum makes the sum of operands known. It reports whether it is.
func (s *Sampler) sum(j *join) (ok bool) {
	if j.sum.IsValid() {
		return true
	}
	defer func() {
		if !ok {
			_ = recover() // the launch has the panic
		}
	}()
	j.sum = s.join(j.a, j.b)
	return true
}

// isFlat reports whether values of a type refer to nothing. What others are is known to their reducer:
// lists in another order may be the same set.
func isFlat(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return isFlat(t.Elem())
	case reflect.Struct:
		if t.PkgPath() == module+"builtin" && !exports(t) { // equal values may look different
			return false
		}
		for f := range t.Fields() {
			if !isFlat(f.Type) {
				return false
			}
		}
		return true
	}
	return t.Kind() <= reflect.Complex128 || t.Kind() == reflect.String
}

// elements returns how many parts a value has.
func elements(v reflect.Value) (n int) {
	switch v.Kind() {
	case reflect.Slice, reflect.Array:
		if v.Len() == 0 {
			return 1
		}
		return v.Len() * elements(v.Index(0))
	case reflect.Struct:
		for k := range v.NumField() {
			n += elements(v.Field(k))
		}
		return n
	}
	return 1
}

// A Broken law is one that a reducer does not keep.
type Broken struct {
	Reducer  string   // its type
	Law      string   // such as "a + b is not b + a"
	Values   []string // such as "a = 1"
	Function string   // Join, where that is known
	File     string
	Line     int
}

// Check returns the laws that do not hold on what was kept, each once.
func (s *Sampler) Check() (found []Broken) {
	broken := func(law string, values ...value) {
		for _, b := range found {
			if b.Law == law {
				return
			}
		}
		b := Broken{Reducer: fmt.Sprintf("%T", s.reducer), Law: law}
		for _, v := range values {
			b.Values = append(b.Values, v.String())
		}
		b.Function, b.File, b.Line = joinOf(s.reducer)
		found = append(found, b)
	}
	for _, j := range s.joins {
		s.checkIdentity(j.a, broken)
		s.checkIdentity(j.b, broken)
		s.checkOrder(j.a, j.b, broken)
	}
	for _, t := range s.triples {
		s.checkGroups(t, broken)
	}
	return found
}

// value is an operand or what came of it.
type value struct {
	name string
	of   reflect.Value
}

// maxText is how much of a value a finding tells, in bytes.
const maxText = 200

func (v value) String() (text string) {
	defer func() {
		if x := recover(); x != nil { // of a String method
			text = fmt.Sprintf("%s = a %v", v.name, v.of.Type())
		}
	}()
	text = fmt.Sprintf("%s = %+v", v.name, v.of.Interface())
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "") + " ..."
	}
	return text
}

type report = func(law string, values ...value)

func (s *Sampler) checkIdentity(a reflect.Value, broken report) {
	done := false
	defer panics("with the identity", &done, broken, value{"a", a})
	e := s.identity()
	if got := s.join(e, a); !s.same(got, a) {
		broken("e + a is not a, where e is what Init makes", value{"e", e}, value{"a", a}, value{"e + a", got})
	}
	if got := s.join(a, e); !s.same(got, a) {
		broken("a + e is not a, where e is what Init makes", value{"e", e}, value{"a", a}, value{"a + e", got})
	}
	done = true
}

func (s *Sampler) checkOrder(a, b reflect.Value, broken report) {
	done := false
	defer panics("of two values", &done, broken, value{"a", a}, value{"b", b})
	dst, src := Cloned(a), Cloned(b)
	s.callJoin(dst, src)
	if !(Comparison{}).Same(src, b) {
		broken("Join changes *src", value{"*src before", b}, value{"*src after", src})
	}
	if s.ordered || !s.flat { // lists are joined in the order of the items
		done = true
		return
	}
	if got := s.join(b, a); !s.same(dst, got, a, b) {
		broken("a + b is not b + a, and the reducer is not marked Ordered", value{"a", a}, value{"b", b}, value{"a + b", dst}, value{"b + a", got})
	}
	done = true
}

func (s *Sampler) checkGroups(t triple, broken report) {
	done := false
	defer panics("of three values", &done, broken, value{"a", t.a}, value{"b", t.b}, value{"c", t.c})
	ab, bc := s.join(t.a, t.b), s.join(t.b, t.c)
	left, right := s.join(ab, t.c), s.join(t.a, bc)
	overflowed := finite(t.a, t.b, t.c) && !finite(ab, bc, left, right) // in one of two orders, maybe
	if !overflowed && !s.same(left, right, t.a, t.b, t.c, ab, bc) {
		broken("(a + b) + c is not a + (b + c)", value{"a", t.a}, value{"b", t.b}, value{"c", t.c}, value{"(a + b) + c", left}, value{"a + (b + c)", right})
	}
	done = true
}

// panics reports a panic of the reducer, unless *done.
func panics(where string, done *bool, broken report, values ...value) {
	if *done {
		return
	}
	if x := recover(); x != nil || !goexit.Runs() {
		broken(fmt.Sprintf("Join %s panics: %v", where, x), values...)
	}
}

// same allows for more rounding than a few joins do: where no law holds, the first digits differ.
func (s *Sampler) same(a, b reflect.Value, involved ...reflect.Value) bool {
	c := Comparison{Near: true, ULPs: 1 << 12, Products: true, Public: true}
	return c.Same(a, b, involved...)
}

func (s *Sampler) identity() reflect.Value {
	j := s.joins[0].a
	e := reflect.New(j.Type())
	reflect.ValueOf(s.reducer).MethodByName("Init").Call([]reflect.Value{e})
	return e.Elem()
}

// join returns a + b, and leaves both as they are.
func (s *Sampler) join(a, b reflect.Value) reflect.Value {
	dst := Cloned(a)
	s.callJoin(dst, Cloned(b))
	return dst
}

func (s *Sampler) callJoin(dst, src reflect.Value) {
	reflect.ValueOf(s.reducer).MethodByName("Join").Call([]reflect.Value{dst.Addr(), src.Addr()})
}

// joinOf returns where the Join of a reducer is, or nothing where only the compiler knows.
func joinOf(reducer any) (function, file string, line int) {
	for {
		inner, ok := modified.Within(reducer)
		if !ok {
			break
		}
		reducer = inner
	}
	v := reflect.ValueOf(reducer)
	var pc uintptr
	if m, ok := v.Type().MethodByName("Join"); ok {
		pc = m.Func.Pointer()
	}
	if t := v.Type(); t.PkgPath() == module+"reducers" && strings.HasPrefix(t.Name(), "Func[") {
		pc = v.FieldByName("join").Pointer()
	}
	f := runtime.FuncForPC(pc)
	if f == nil {
		return "", "", 0
	}
	if file, line = f.FileLine(pc); strings.HasPrefix(file, "<") {
		return f.Name(), "", 0
	}
	return f.Name(), file, line
}
