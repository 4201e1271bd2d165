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

	"github.com/gokkos/gokkos/internal/laws"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
)

// TB is what [Check] needs of a [testing.TB].
type TB interface {
	Helper()
	Errorf(format string, args ...any)
}

type config struct {
	comparison laws.Comparison
	equal      any // func(a, b T) bool
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
	return func(c *config) { c.equal = equal }
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
	c := checker[T]{r: r, failed: map[string]bool{}}
	defer func() { // with the line of the test
		t.Helper()
		for _, text := range c.failures {
			t.Errorf("%s", text)
		}
	}()
	for _, option := range options {
		option(&c.config)
	}
	if c.equal != nil {
		if _, ok := c.equal.(func(a, b T) bool); !ok {
			t.Errorf("reducertest: Equal was given a %T for a reducer of %v", c.equal, reflect.TypeFor[T]())
			return
		}
	}
	if len(samples) == 0 {
		t.Errorf("reducertest: no samples were given for %T", r)
		return
	}
	if !c.usable() {
		return
	}
	c.guard("init", func() {
		var e T
		r.Init(&e)
		c.samples = append(laws.Clone(samples), laws.Clone(e))
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

type checker[T any] struct {
	config
	r        reducers.Reducer[T]
	traits   concept.Traits[T]
	samples  []T
	place    *T
	failed   map[string]bool
	failures []string
}

// value is a line of a message.
type value struct {
	name string
	x    any
}

// fail reports that a law does not hold.
func (c *checker[T]) fail(law, what string, values ...value) {
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
	c.failures = append(c.failures, fmt.Sprintf("reducertest: %s: %T: %s%s", law, c.r, what, b.String()))
}

// guard turns a panic while a law is checked into a failure.
func (c *checker[T]) guard(law string, check func()) {
	defer func() {
		if x := recover(); x != nil {
			c.failures = append(c.failures, fmt.Sprintf("reducertest: %s: %T panics: %v\n%s", law, c.r, x, debug.Stack()))
		}
	}()
	check()
}

// same reports whether a and b are equal where a law says so. The operands are
// the scale of what rounding may do.
func (c *checker[T]) same(a, b T, operands ...T) bool {
	if equal, ok := c.equal.(func(a, b T) bool); ok {
		return equal(a, b)
	}
	involved := make([]reflect.Value, len(operands))
	for k := range operands {
		involved[k] = reflect.ValueOf(&operands[k]).Elem()
	}
	return c.comparison.Same(reflect.ValueOf(&a).Elem(), reflect.ValueOf(&b).Elem(), involved...)
}

// rounding names the option that takes two values for the same which differ by rounding, if one of a few ULPs does.
func (c *checker[T]) rounding(a, b T, operands ...T) string {
	const most = 64
	for n := 1; n <= most && c.equal == nil; n *= 2 {
		near := *c
		near.comparison = laws.Comparison{Near: true, ULPs: float64(n)}
		if near.same(a, b, operands...) {
			return fmt.Sprintf("; reducertest.ULPs(%d) allows for rounding", n)
		}
	}
	return ""
}

// join returns a + b, and leaves both as they are.
func (c *checker[T]) join(a, b T) T {
	dst, src := laws.Clone(a), laws.Clone(b)
	c.r.Join(&dst, &src)
	return dst
}

func (c *checker[T]) identity() (e T) {
	c.r.Init(&e)
	return e
}

func (c *checker[T]) final(a T) T {
	val := laws.Clone(a)
	c.r.Final(&val)
	return val
}

func (c *checker[T]) usable() (ok bool) {
	c.guard("reference", func() {
		c.traits = concept.TraitsOf(c.r)
		if c.traits.Err != nil {
			c.fail("reference", c.traits.Err.Error())
			return
		}
		c.place = c.r.Reference()
		ok = true
	})
	return ok
}

// pairs yields every pair of an evenly spaced choice of x.
func pairs[T any](x []T) func(yield func(a, b T) bool) {
	x = spread(x, maxPairs)
	return func(yield func(a, b T) bool) {
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
func spread[T any](x []T, n int) []T {
	if len(x) <= n {
		return x
	}
	few := make([]T, n)
	for k := range few {
		few[k] = x[(k+1)*len(x)/n-1]
	}
	return slices.Clip(few)
}
