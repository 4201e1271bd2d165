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
//   - form: if partial results can leave the process, see [reducers.FormOf], a comes back
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
	"math"
	"math/rand/v2"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/gokkos/gokkos/reducers"
)

// TB is what [Check] needs of a [testing.TB].
type TB interface {
	Helper()
	Errorf(format string, args ...any)
}

type config struct {
	comparison
	equal  any // func(a, b T) bool
	shared bool
}

// An Option changes how [Check] works.
type Option func(*config)

// ULPs lets floating-point numbers, also inside structs, slices and the like,
// differ by n units in the last place of the largest number involved: of the
// results and the operands, at the same place inside the value. A sum with
// cancellation cannot promise more.
func ULPs(n int) Option {
	return func(c *config) { c.comparison = comparison{near: true, ulps: float64(n)} }
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
	c := checker[T]{t: t, r: r, failed: map[string]bool{}}
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
		c.samples = append(clone(samples), clone(e))
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
	t       TB
	r       reducers.Reducer[T]
	traits  reducers.Traits[T]
	samples []T
	place   *T
	failed  map[string]bool
}

// value is a line of a message.
type value struct {
	name string
	x    any
}

// fail reports that a law does not hold.
func (c *checker[T]) fail(law, what string, values ...value) {
	c.t.Helper()
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
	c.t.Errorf("reducertest: %s: %T: %s%s", law, c.r, what, b.String())
}

// guard turns a panic while a law is checked into a failure.
func (c *checker[T]) guard(law string, check func()) {
	c.t.Helper()
	defer func() {
		if x := recover(); x != nil {
			c.t.Errorf("reducertest: %s: %T panics: %v\n%s", law, c.r, x, debug.Stack())
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
	return c.values(reflect.ValueOf(&a).Elem(), reflect.ValueOf(&b).Elem(), involved)
}

// join returns a + b, and leaves both as they are.
func (c *checker[T]) join(a, b T) T {
	dst, src := clone(a), clone(b)
	c.r.Join(&dst, &src)
	return dst
}

func (c *checker[T]) identity() (e T) {
	c.r.Init(&e)
	return e
}

func (c *checker[T]) final(a T) T {
	val := clone(a)
	c.r.Final(&val)
	return val
}

func (c *checker[T]) usable() (ok bool) {
	c.guard("reference", func() {
		c.traits = reducers.TraitsOf(c.r)
		if c.traits.Err != nil {
			c.fail("reference", c.traits.Err.Error())
			return
		}
		c.place = c.r.Reference()
		ok = true
	})
	return ok
}

func (c *checker[T]) checkReference() {
	if p := c.r.Reference(); p != c.place {
		c.fail("reference", "Reference does not return the same pointer each time", value{"first", c.place}, value{"later", p})
	}
}

func (c *checker[T]) checkInit() {
	e := clone(c.identity())
	for _, a := range c.samples {
		val := clone(a)
		c.r.Init(&val)
		if !c.same(val, e) {
			c.fail("init", "Init does not give the identity for a value that was used before",
				value{"a", a}, value{"Init(a)", val}, value{"e", e})
		}
		val = c.join(c.identity(), a)
		c.r.Init(&val)
		if !c.same(val, e) {
			c.fail("init", "Init does not give the identity for a value that was used before",
				value{"a", a}, value{"Init(e + a)", val}, value{"e", e})
		}
	}
}

func (c *checker[T]) checkIdentity() {
	e := clone(c.identity())
	for _, a := range c.samples {
		if got := c.join(e, a); !c.same(got, a, e) {
			c.fail("left identity", "e + a is not a", value{"e", e}, value{"a", a}, value{"e + a", got})
		}
		if got := c.join(a, e); !c.same(got, a, e) {
			c.fail("right identity", "a + e is not a", value{"e", e}, value{"a", a}, value{"a + e", got})
		}
	}
}

func (c *checker[T]) checkSource() {
	for a, b := range pairs(c.samples) {
		dst, src := clone(a), clone(b)
		c.r.Join(&dst, &src)
		if !unchanged(src, b) {
			c.fail("source", "Join changes *src", value{"dst before", a}, value{"src before", b}, value{"dst after", dst}, value{"src after", src})
		}
	}
}

// checkLanes joins random samples in lanes.
func (c *checker[T]) checkLanes() {
	r, ok := c.r.(interface{ JoinLanes(lanes []T) })
	if !ok {
		return
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for lanes := 1; lanes <= maxLanes; lanes *= 2 {
		for range maxOrders / 10 {
			given, want := make([]T, lanes), make([]T, lanes)
			for l := range given {
				given[l] = c.samples[rng.IntN(len(c.samples))]
			}
			copy(want, given)
			for h := lanes / 2; h > 0; h /= 2 {
				for l := range h {
					want[l] = c.join(want[l], want[l+h])
				}
			}
			got := clone(given)
			r.JoinLanes(got)
			if !unchanged(got[0], want[0]) {
				c.fail("lanes", fmt.Sprintf("JoinLanes of %d lanes is not Join of their halves, and so on", lanes),
					value{"lanes", given}, value{"JoinLanes", got[0]}, value{"Join", want[0]})
			}
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

func (c *checker[T]) checkAssociativity() {
	few := spread(c.samples, maxTriples)
	for x, y := range pairs(few) {
		xy := c.join(x, y)
		for _, z := range few {
			yz := c.join(y, z)
			left, right := c.join(xy, z), c.join(x, yz)
			if !c.same(left, right, x, y, z, xy, yz) {
				c.fail("associativity", "(a + b) + c is not a + (b + c)",
					value{"a", x}, value{"b", y}, value{"c", z}, value{"(a + b) + c", left}, value{"a + (b + c)", right})
			}
		}
	}
}

func (c *checker[T]) checkCommutativity() {
	if c.traits.Ordered {
		return
	}
	for x, y := range pairs(c.samples) {
		if left, right := c.join(x, y), c.join(y, x); !c.same(left, right, x, y) {
			c.fail("commutativity", "a + b is not b + a, and the reducer is not marked Ordered",
				value{"a", x}, value{"b", y}, value{"a + b", left}, value{"b + a", right})
		}
	}
}

const (
	maxLanes    = 32         // of a leaf
	maxOrders   = 200        // random orders that are tried
	sampleNames = "abcdfghk" // of samples that are joined in one order; e is the identity
)

// checkExactness joins a few samples from left to right and in a random order,
// first two of them, then three, and so on.
func (c *checker[T]) checkExactness() {
	if !c.traits.Exact {
		return
	}
	rng := rand.New(rand.NewPCG(1, 2)) // a failure is to be seen again
	for order := range maxOrders {
		nodes := make([]node[T], min(2+order*len(sampleNames)/maxOrders, len(sampleNames)))
		var values []value
		for k := range nodes {
			nodes[k] = node[T]{sampleNames[k : k+1], c.samples[rng.IntN(len(c.samples))]}
			values = append(values, value{nodes[k].name, nodes[k].x})
		}
		left := nodes[0]
		for _, n := range nodes[1:] {
			left = c.joinNodes(left, n)
		}
		for len(nodes) > 1 {
			rng.Shuffle(len(nodes), func(i, j int) { nodes[i], nodes[j] = nodes[j], nodes[i] })
			nodes[1] = c.joinNodes(nodes[0], nodes[1])
			nodes = nodes[1:]
		}
		right := nodes[0]
		first, second := c.final(left.x), c.final(right.x)
		if !unchanged(first, second) {
			c.fail("exactness", "two orders of joining give different bits, and the reducer is marked Exact",
				append(values, value{left.text(), first}, value{right.text(), second})...)
			return
		}
	}
}

// A node is a value that was joined of samples, and how.
type node[T any] struct {
	name string
	x    T
}

// text returns how the value was made, without the outermost parentheses.
func (n node[T]) text() string { return strings.TrimSuffix(strings.TrimPrefix(n.name, "("), ")") }

func (c *checker[T]) joinNodes(a, b node[T]) node[T] {
	return node[T]{"(" + a.name + " + " + b.name + ")", c.join(a.x, b.x)}
}

func (c *checker[T]) checkFinal() {
	for _, a := range c.samples {
		if first, second := c.final(a), c.final(a); !unchanged(first, second) {
			c.fail("final", "Final does different things to equal values",
				value{"a", a}, value{"first", first}, value{"second", second})
		}
	}
}

func (c *checker[T]) checkInitial() {
	slots, initial := reducers.NewSlots(c.r), reducers.NewSlots[T](reducers.WithInitial(c.r))
	slots.Open(1, 1, 1)
	store := func(val T) {
		*slots.At(0) = clone(val)
		slots.Store(0)
	}
	load := func(used T) T {
		val := clone(used)
		initial.Open(1, 1, 1) // loads
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
	slots, initial := reducers.NewSlots(c.r), reducers.NewSlots[T](reducers.WithInitial(c.r))
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

func show[T any](p *T) any {
	if p == nil {
		return nil
	}
	return *p
}

// ulp returns the distance from m, at least 0 and finite, to the next number.
func ulp(m float64, bits int) float64 {
	if bits == 32 {
		x := float32(m)
		if next := math.Nextafter32(x, float32(math.Inf(1))); !math.IsInf(float64(next), 0) {
			return float64(next) - float64(x)
		}
		return float64(x) - float64(math.Nextafter32(x, 0))
	}
	if next := math.Nextafter(m, math.Inf(1)); !math.IsInf(next, 0) {
		return next - m
	}
	return m - math.Nextafter(m, 0)
}
