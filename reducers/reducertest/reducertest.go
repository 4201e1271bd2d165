// Package reducertest checks that a reducer keeps the laws which the patterns
// rely on. It is for authors of reducers:
//
//	func TestLongest(t *testing.T) {
//		var result string
//		r := longest{reducers.Into(&result)}
//		reducertest.Check(t, r, []string{"", "a", "bb", "cc"})
//	}
//
// Samples are possible partial results: what an accumulator may hold after some
// items were joined into it. Take few but different ones, among them the odd
// ones: both zeros, infinities, NaN, ties, the longest, the empty. With rapid or
// a fuzz test, let these make the samples.
//
// # Laws
//
// Below, e is what Init makes, a, b and c are samples, and "+" is Join.
//
//   - reference: Reference returns the same non-nil pointer each time. It may be
//     nil if the reducer has a Store trait.
//   - left identity: e + a = a.
//   - right identity: a + e = a.
//   - associativity: (a + b) + c = a + (b + c).
//   - commutativity: a + b = b + a, unless the reducer is marked Ordered.
//   - exactness: in whatever order samples are joined, Final gives the same bits, if
//     the reducer is marked Exact. A choice of random orders is tried.
//   - source: Join leaves *src as it is.
//   - lanes: JoinLanes, if the reducer has one, gives the bits of Join.
//   - aliasing: after Join, dst and src share no memory, and joining more into
//     dst does not change src. Two values made by Init share no memory.
//   - init: Init gives the identity, whatever the value held before.
//   - final: Final does the same to equal values.
//   - initial value: what is loaded for [reducers.WithInitial] stands for the
//     result, replaces all of the value it is loaded into, and shares no memory
//     with the result place; loading again what was stored gives it again.
//   - form: if partial results can leave the process, see [concept.FormOf], a comes back
//     from its bytes as a value that joins, and ends in Final, with the bits of a. Its bytes
//     follow what is in the buffer, and what follows them is returned. Reading keeps none of
//     the memory it reads, and fewer bytes than those of a value are an error.
//   - purity: Init, Join, Final and loading change neither the reducer nor the
//     result place.
//
// # Equality
//
// Values are equal if they have the same bits, except that any NaN equals any
// NaN and nil equals empty. Slices, maps, pointers, structs (exported fields or
// not) are followed; functions are not compared. [ULPs] and [Equal] relax the
// laws that say "="; what must stay as it is must keep its bits in any case.
package reducertest

import (
	"fmt"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"unsafe"

	"github.com/gokkos/gokkos/internal/laws"
	"github.com/gokkos/gokkos/reducers"
)

// TB is what [Check] needs of a [testing.TB].
type TB interface {
	Helper()
	Errorf(format string, args ...any)
}

type config struct {
	comparison laws.Comparison
	given      any // by Equal: a func(a, b T) bool
	shared     bool
}

// An Option changes how [Check] works.
type Option func(*config)

// ULPs lets floating-point numbers, also inside structs, slices and the like,
// differ by n units in the last place of the largest number involved: of the
// results and the operands, at the same place inside the value. A sum with
// cancellation cannot promise more.
func ULPs(n int) Option {
	return func(c *config) { c.comparison = laws.Comparison{Near: true, ULPs: float64(n)} }
}

// Equal decides with a function of your own whether two values are equal. T must
// be the type that the reducer reduces. The function must not change a and b.
func Equal[T any](equal func(a, b T) bool) Option {
	return func(c *config) { c.given = equal }
}

// SharesMemory allows partial results to share memory that no method of the
// reducer ever changes, such as pointers into a read-only table. That joining
// more into dst does not change src is checked all the same.
func SharesMemory() Option { return func(c *config) { c.shared = true } }

const (
	maxPairs   = 64 // samples that are paired with each other
	maxTriples = 16 // samples of which all triples are joined
)

// Check reports every law that r does not keep on the samples, each law at most
// once, with the operands and what came of them. The identity is one more
// sample. Of more than 64 samples, an evenly spaced choice is tried in pairs;
// of more than 16, in triples.
//
// The samples are left as they are. The result place of r is written.
func Check[T any](t TB, r reducers.Reducer[T], samples []T, options ...Option) {
	t.Helper()
	c := checker{hidden: hide(r), name: fmt.Sprintf("%T", r), failed: map[string]bool{}}
	for _, option := range options {
		option(&c.config)
	}
	if c.given != nil {
		equal, ok := c.given.(func(a, b T) bool)
		if !ok {
			t.Errorf("reducertest: Equal was given a %T for a reducer of %v", c.given, c.of)
			return
		}
		c.equal = func(a, b unsafe.Pointer) bool { return equal(*(*T)(a), *(*T)(b)) }
	}
	c.check(t, reflect.ValueOf(samples))
}

// check is Check of samples in a slice. It is compiled once.
func (c *checker) check(t TB, samples reflect.Value) {
	t.Helper()
	defer func() { // with the line of the test
		t.Helper()
		for _, text := range c.failures {
			t.Errorf("%s", text)
		}
	}()
	if samples.Len() == 0 {
		t.Errorf("reducertest: no samples were given for %s", c.name)
		return
	}
	if !c.usable() {
		return
	}
	c.guard("init", func() {
		e := c.identity()
		for k := range samples.Len() {
			c.samples = append(c.samples, laws.Cloned(samples.Index(k)))
		}
		c.samples = append(c.samples, laws.Cloned(e))
	})
	if c.samples == nil {
		return
	}
	for _, law := range []struct {
		name  string
		check func()
	}{
		{"init", c.checkInit},
		{"identity", c.checkIdentity},
		{"source", c.checkSource},
		{"lanes", c.checkLanes},
		{"aliasing", c.checkAliasing},
		{"associativity", c.checkAssociativity},
		{"commutativity", c.checkCommutativity},
		{"exactness", c.checkExactness},
		{"final", c.checkFinal},
		{"initial value", c.checkInitial},
		{"form", c.checkForm},
		{"purity", c.checkPurity},
	} {
		c.guard(law.name, law.check)
	}
	c.checkReference()
}

type checker struct {
	hidden
	config
	name     string                         // of the reducer's type
	equal    func(a, b unsafe.Pointer) bool // of Equal, or nil
	traits   traits
	samples  []reflect.Value
	place    reflect.Value // a pointer
	failed   map[string]bool
	failures []string
}

// value is a line of a message.
type value struct {
	name string
	x    any
}

// fail reports that a law does not hold.
func (c *checker) fail(law, what string, values ...value) {
	if c.failed[law] {
		return
	}
	c.failed[law] = true
	var b strings.Builder
	width := 0
	for _, v := range values {
		width = max(width, len(v.name))
	}
	for _, v := range values {
		fmt.Fprintf(&b, "\n\t%-*s = %+v", width, v.name, v.x)
	}
	c.failures = append(c.failures, fmt.Sprintf("reducertest: %s: %s: %s%s", law, c.name, what, b.String()))
}

// guard turns a panic while a law is checked into a failure.
func (c *checker) guard(law string, check func()) {
	defer func() {
		if x := recover(); x != nil {
			c.failures = append(c.failures, fmt.Sprintf("reducertest: %s: %s panics: %v\n%s", law, c.name, x, debug.Stack()))
		}
	}()
	check()
}

// same reports whether a and b are equal where a law says so. The operands are
// the scale of what rounding may do.
func (c *checker) same(a, b reflect.Value, operands ...reflect.Value) bool {
	if c.equal != nil {
		return c.equal(at(a), at(b))
	}
	return c.comparison.Same(a, b, operands...)
}

// rounding names the option that takes two values for the same which differ by rounding, if one of a few ULPs does.
func (c *checker) rounding(a, b reflect.Value, operands ...reflect.Value) string {
	const most = 64
	for n := 1; n <= most && c.equal == nil; n *= 2 {
		near := laws.Comparison{Near: true, ULPs: float64(n)}
		if near.Same(a, b, operands...) {
			return fmt.Sprintf("; reducertest.ULPs(%d) allows for rounding", n)
		}
	}
	return ""
}

// join returns a + b, and leaves both as they are.
func (c *checker) join(a, b reflect.Value) reflect.Value {
	dst, src := laws.Cloned(a), laws.Cloned(b)
	c.joinInto(dst, src)
	return dst
}

func (c *checker) joinInto(dst, src reflect.Value) { c.hidden.join(at(dst), at(src)) }

// zero returns the zero value.
func (c *checker) zero() reflect.Value { return reflect.New(c.of).Elem() }

func (c *checker) identity() reflect.Value {
	e := c.zero()
	c.init(at(e))
	return e
}

func (c *checker) final(a reflect.Value) reflect.Value {
	val := laws.Cloned(a)
	c.hidden.final(at(val))
	return val
}

func (c *checker) usable() (ok bool) {
	c.guard("reference", func() {
		c.traits = c.hidden.traits()
		if c.traits.err != nil {
			c.fail("reference", c.traits.err.Error())
			return
		}
		c.place = c.reference()
		ok = true
	})
	return ok
}

// pairs yields every pair of an evenly spaced choice of x.
func pairs(x []reflect.Value) func(yield func(a, b reflect.Value) bool) {
	x = spread(x, maxPairs)
	return func(yield func(a, b reflect.Value) bool) {
		for _, a := range x {
			for _, b := range x {
				if !yield(a, b) {
					return
				}
			}
		}
	}
}

// spread returns at most n evenly spaced elements of x, the last among them.
func spread(x []reflect.Value, n int) []reflect.Value {
	if len(x) <= n {
		return x
	}
	few := make([]reflect.Value, n)
	for k := range few {
		few[k] = x[(k+1)*len(x)/n-1]
	}
	return slices.Clip(few)
}
