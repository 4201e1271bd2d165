package reducertest

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"

	"github.com/gokkos/gokkos/internal/laws"
)

func (c *checker) checkInit() {
	e := laws.Cloned(c.identity())
	for _, a := range c.samples {
		val := laws.Cloned(a)
		c.init(at(val))
		if !c.same(val, e) {
			c.fail("init", "Init does not give the identity for a value that was used before",
				value{"a", a}, value{"Init(a)", val}, value{"e", e})
		}
		val = c.join(c.identity(), a)
		c.init(at(val))
		if !c.same(val, e) {
			c.fail("init", "Init does not give the identity for a value that was used before",
				value{"a", a}, value{"Init(e + a)", val}, value{"e", e})
		}
	}
}

// initial says what e is: who writes no Init has one all the same.
const initial = ", where e is what Init makes, the zero value by reducers.Base and reducers.New"

func (c *checker) checkIdentity() {
	e := laws.Cloned(c.identity())
	for _, a := range c.samples {
		if got := c.join(e, a); !c.same(got, a, e) {
			c.fail("left identity", "e + a is not a"+initial, value{"e", e}, value{"a", a}, value{"e + a", got})
		}
		if got := c.join(a, e); !c.same(got, a, e) {
			c.fail("right identity", "a + e is not a"+initial, value{"e", e}, value{"a", a}, value{"a + e", got})
		}
	}
}

// checkLanes joins random samples in lanes.
func (c *checker) checkLanes() {
	if c.joinLanes == nil {
		return
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for lanes := 1; lanes <= maxLanes; lanes *= 2 {
		for range maxOrders / 10 {
			given := reflect.MakeSlice(reflect.SliceOf(c.of), lanes, lanes)
			want := make([]reflect.Value, lanes)
			for l := range want {
				want[l] = c.samples[rng.IntN(len(c.samples))]
				given.Index(l).Set(want[l])
			}
			for h := lanes / 2; h > 0; h /= 2 {
				for l := range h {
					want[l] = c.join(want[l], want[l+h])
				}
			}
			got := laws.Cloned(given)
			c.joinLanes(got.UnsafePointer(), lanes)
			if !laws.Unchanged(got.Index(0), want[0]) {
				c.fail("lanes", fmt.Sprintf("JoinLanes of %d lanes is not Join of their halves, and so on", lanes),
					value{"lanes", given}, value{"JoinLanes", got.Index(0)}, value{"Join", want[0]})
			}
		}
	}
}

func (c *checker) checkAssociativity() {
	few := spread(c.samples, maxTriples)
	for x, y := range pairs(few) {
		xy := c.join(x, y)
		for _, z := range few {
			yz := c.join(y, z)
			left, right := c.join(xy, z), c.join(x, yz)
			if !c.same(left, right, x, y, z, xy, yz) {
				c.fail("associativity", "(a + b) + c is not a + (b + c)"+c.rounding(left, right, x, y, z, xy, yz),
					value{"a", x}, value{"b", y}, value{"c", z}, value{"(a + b) + c", left}, value{"a + (b + c)", right})
			}
		}
	}
}

func (c *checker) checkCommutativity() {
	if c.traits.ordered {
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
func (c *checker) checkExactness() {
	if !c.traits.exact {
		return
	}
	rng := rand.New(rand.NewPCG(1, 2)) // a failure is to be seen again
	for order := range maxOrders {
		nodes := make([]node, min(2+order*len(sampleNames)/maxOrders, len(sampleNames)))
		var values []value
		for k := range nodes {
			nodes[k] = node{sampleNames[k : k+1], c.samples[rng.IntN(len(c.samples))]}
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
		if !laws.Unchanged(first, second) {
			c.fail("exactness", "two orders of joining give different bits, and the reducer is marked Exact",
				append(values, value{left.text(), first}, value{right.text(), second})...)
			return
		}
	}
}

// A node is a value that was joined of samples, and how.
type node struct {
	name string
	x    reflect.Value
}

// text returns how the value was made, without the outermost parentheses.
func (n node) text() string { return strings.TrimSuffix(strings.TrimPrefix(n.name, "("), ")") }

func (c *checker) joinNodes(a, b node) node {
	return node{"(" + a.name + " + " + b.name + ")", c.join(a.x, b.x)}
}
