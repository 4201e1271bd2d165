package reduction_test

import (
	"fmt"
	"math"
	"os"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/builtin/reduction"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
	"github.com/gokkos/gokkos/reducers/reducertest"
	"github.com/gokkos/gokkos/team"
)

// known checks a row of the table of identities for one type: known_identity,
// has_known_identity, identity() inside a kernel, and an empty launch.
func known[A, T any, P interface {
	*A
	Identity() T
}](t *testing.T, of func(*T) reduction.Variable[A, T], want T) {
	t.Helper()
	name := reflect.TypeFor[T]().String()
	var result, kernel, empty T
	r := of(&result)
	acc, has := concept.IdentityOf[A](r)
	require.True(t, has, name)
	traits := concept.TraitsOf[A](r)
	reduce.Store(r, &traits, &acc)
	assert.Equal(t, want, result, "known_identity of %s", name)
	require.NoError(t, exec.ParallelReduce(policy.Range(0, 1).On(exec.Serial{}), func(_ int, acc *A) { kernel = P(acc).Identity() }, of(&result)))
	assert.Equal(t, want, kernel, "identity() of %s", name)
	require.NoError(t, exec.ParallelReduce(policy.Range(5, 5).On(exec.Serial{}), func(int, *A) {}, of(&empty)))
	assert.Equal(t, want, empty, "nobody contributes to %s", name)
}

// TestEveryKnownIdentity has the other types.
func TestKnownIdentity(t *testing.T) {
	inf := math.Inf(1)
	t.Run("plus", func(t *testing.T) {
		known(t, reduction.Plus[float64], 0)
		known(t, reduction.Plus[complex128], 0)
	})
	t.Run("multiplies", func(t *testing.T) {
		known(t, reduction.Multiplies[int], 1)
		known(t, reduction.Multiplies[float64], 1)
	})
	t.Run("bit_and", func(t *testing.T) {
		known(t, reduction.BitAnd[uint8], 0xff)
	})
	t.Run("bit_or", func(t *testing.T) {
		known(t, reduction.BitOr[uint8], 0)
	})
	t.Run("bit_xor", func(t *testing.T) { known(t, reduction.BitXor[uint8], 0) })
	t.Run("logical_and", func(t *testing.T) { known(t, reduction.LogicalAnd[bool], true) })
	t.Run("logical_or", func(t *testing.T) { known(t, reduction.LogicalOr[bool], false) })
	t.Run("minimum of integers", func(t *testing.T) {
		known(t, reduction.Minimum[int], math.MaxInt)
	})
	t.Run("minimum of floats", func(t *testing.T) {
		known(t, reduction.Minimum[float64], inf)
	})
	t.Run("maximum of integers", func(t *testing.T) {
		known(t, reduction.Maximum[int], math.MinInt)
	})
	t.Run("maximum of floats", func(t *testing.T) {
		known(t, reduction.Maximum[float64], -inf)
	})
}

func addInt(a, b int) int { return a + b }

// caller checks that a reduction tells the identity of the caller, before and in a launch, and
// that nothing else about it changes: e is an identity for the values that are combined.
func caller[A, T any, P interface {
	*A
	Identity() T
}](t *testing.T, of func(*T) reduction.Variable[A, T], e T, combine func(acc *A, i int)) {
	t.Helper()
	onSpaces(t, func(t *testing.T, space exec.Space) {
		for _, n := range []int{1, 100, 4097} {
			var want, got, known T
			p := policy.Range(0, n).On(space)
			require.NoError(t, exec.ParallelReduce(p, func(i int, acc *A) { combine(acc, i) }, of(&want)))
			r := of(&got).WithIdentity(e)
			require.NoError(t, exec.ParallelReduce(p, func(i int, acc *A) {
				if x, ok := r.Identity(); !ok || any(x) != any(e) {
					t.Errorf("%T: identity %v, %t in the kernel, expected %v", r, x, ok, e)
				}
				combine(acc, i)
			}, r))
			assert.Equal(t, want, got, "%T over %d", r, n)
			var acc A
			known, ok := of(&got).Identity()
			assert.True(t, ok)
			assert.Equal(t, P(&acc).Identity(), known, "%T", r)
		}
	})
}

func TestIdentityOfTheCaller(t *testing.T) {
	caller(t, reduction.Plus, 0, func(acc *reduction.Sum[int], i int) { acc.Add(i) })
	caller(t, reduction.Plus, math.Copysign(0, -1), func(acc *reduction.Sum[float64], i int) { acc.Add(float64(i)) })
	caller(t, reduction.Multiplies, 1, func(acc *reduction.Prod[int], i int) { acc.Mul(2*i + 1) })
	caller(t, reduction.BitAnd, 0x0f, func(acc *reduction.BAnd[uint8], i int) { acc.And(uint8(i%8 | 8)) })
	caller(t, reduction.BitOr, 1, func(acc *reduction.BOr[uint8], i int) { acc.Or(uint8(2*i | 1)) })
	caller(t, reduction.BitXor, 0, func(acc *reduction.BXor[uint8], i int) { acc.Xor(uint8(i)) })
	caller(t, reduction.LogicalAnd, true, func(acc *reduction.LAnd[bool], i int) { acc.Combine(i != 50) })
	caller(t, reduction.LogicalOr, false, func(acc *reduction.LOr[bool], i int) { acc.Combine(i == 50) })
	caller(t, reduction.Minimum, 1e6, func(acc *reduction.Min[float64], i int) { acc.Combine(float64(i)) })
	caller(t, reduction.Maximum, 10, func(acc *reduction.Max[int], i int) { acc.Combine(10 + i) })

	r := reduction.Maximum(new(int)).WithIdentity(10)
	assert.Zero(t, testing.AllocsPerRun(10, func() { _, _ = r.Identity() }), "an item may ask")
	_, known := reduction.New(new(int), addInt).Identity()
	assert.False(t, known)
	e, known := reduction.New(new(int), addInt).WithIdentity(7).Identity()
	assert.True(t, known)
	assert.Equal(t, 7, e)
}

func TestHasKnownIdentity(t *testing.T) {
	var x int
	_, known := concept.IdentityOf[reduction.Value[int]](reduction.New(&x, addInt))
	assert.False(t, known)
	acc, known := concept.IdentityOf[reduction.Value[int]](reduction.New(&x, addInt).WithIdentity(3))
	assert.True(t, known)
	e, known := acc.Identity()
	assert.True(t, known)
	assert.Equal(t, 3, e)
	cells, known := concept.IdentityOf(reduction.Span([]int{1, 2, 3}, reduction.Multiplies))
	assert.True(t, known)
	assert.Equal(t, 3, cells.Len())
	_, known = concept.IdentityOf(reduction.Span([]int{1}, func(c *int) reduction.Variable[reduction.Value[int], int] { return reduction.New(c, addInt) }))
	assert.False(t, known)
	assert.Equal(t, 0, x)
}

// included launches over n items that contribute nothing but what f does, once with the
// old content dropped and once with it included.
func included[A, T any](t *testing.T, space exec.Space, n int, of func(*T) reduction.Variable[A, T], f func(i int, acc *A), old, dropped, with T) {
	t.Helper()
	p := policy.Range(0, n).On(space)
	x, y := old, old
	require.NoError(t, exec.ParallelReduce(p, f, of(&x)))
	assert.Equal(t, dropped, x, "%T over %d", x, n)
	require.NoError(t, exec.ParallelReduce(p, f, reducers.WithInitial(of(&y))))
	assert.Equal(t, with, y, "%T over %d, old content included", y, n)
}

// The old content is dropped, and WithInitial includes it once.
func TestInitializeToIdentity(t *testing.T) {
	onSpaces(t, func(t *testing.T, space exec.Space) {
		for _, n := range []int{1, 40, 4097} {
			included(t, space, n, reduction.Plus, func(_ int, a *reduction.Sum[int]) { a.Inc() }, 1000, n, 1000+n)
			included(t, space, n, reduction.Multiplies, func(i int, a *reduction.Prod[int]) { a.Mul(1 + 6*max(0, 1-i)) }, 3, 7, 21)
			included(t, space, n, reduction.BitAnd, func(_ int, a *reduction.BAnd[uint8]) { a.And(6) }, 3, 6, 2)
			included(t, space, n, reduction.BitOr, func(_ int, a *reduction.BOr[uint8]) { a.Or(6) }, 1, 6, 7)
			included(t, space, n, reduction.BitXor, func(i int, a *reduction.BXor[uint8]) { a.Xor(uint8(6 * max(0, 1-i))) }, 3, 6, 5)
			included(t, space, n, reduction.LogicalAnd, func(_ int, a *reduction.LAnd[bool]) { a.Combine(true) }, false, true, false)
			included(t, space, n, reduction.LogicalOr, func(_ int, a *reduction.LOr[bool]) { a.Combine(false) }, true, false, true)
			included(t, space, n, reduction.Minimum, func(i int, a *reduction.Min[float64]) { a.Combine(float64(i)) }, -5, 0, -5)
			included(t, space, n, reduction.Maximum, func(i int, a *reduction.Max[float64]) { a.Combine(float64(i)) }, 1e9, float64(n-1), 1e9)
			own := func(x *int) reduction.Variable[reduction.Value[int], int] { return reduction.New(x, addInt) }
			included(t, space, n, own, func(_ int, a *reduction.Value[int]) { a.Combine(1) }, 1000, n, 1000+n)
		}
	})
}

func TestUserOperator_OfNobody(t *testing.T) {
	onSpaces(t, func(t *testing.T, space exec.Space) {
		for _, n := range []int{0, 1, 100} {
			a, b, c := 7, 7, 7
			require.NoError(t, exec.ParallelReduce3(policy.Range(0, n).On(space), func(int, *reduction.Value[int], *reduction.Value[int], *reduction.Value[int]) {},
				reduction.New(&a, addInt), reducers.WithInitial(reduction.New(&b, addInt)), reduction.New(&c, addInt).WithIdentity(0)))
			assert.Equal(t, []int{7, 7, 0}, []int{a, b, c}, "n = %d: kept without an identity, included, and the identity", n)
		}
	})
}

// affine is x -> a*x+b, which do not commute.
type affine struct{ a, b int }

func compose(f, g affine) affine { return affine{g.a * f.a, g.a*f.b + g.b} }

func TestUserOperator(t *testing.T) {
	onSpaces(t, func(t *testing.T, space exec.Space) {
		for _, n := range sizes[1:] {
			want := affine{1, 0}
			step := func(i int) affine { return affine{1 + i%2*2, i} }
			for i := range n {
				want = compose(want, step(i))
			}
			var without, with affine
			require.NoError(t, exec.ParallelReduce2(policy.Range(0, n).On(space), func(i int, a, b *reduction.Value[affine]) {
				a.Combine(step(i))
				b.Combine(step(i))
				_, known := a.Identity()
				e, given := b.Identity()
				if known || !given || e != (affine{1, 0}) {
					panic("identity")
				}
			}, reducers.Ordered(reduction.New(&without, compose)),
				reducers.Ordered(reduction.New(&with, compose).WithIdentity(affine{1, 0}))))
			assert.Equal(t, want, without, "n = %d", n)
			assert.Equal(t, want, with, "n = %d", n)
		}
	})
}

// A value that is no identity is in the result once for each lane, on every space alike.
func TestCallerIdentityWins(t *testing.T) {
	if os.Getenv("GOKKOS_SIMGPU") == "check" {
		t.Skip("launches that are watched find that it is no identity")
	}
	const e = 1_000_000
	grid := map[int]int{0: 1, 1: 1, 2: 2, 8: 8} // lanes that items reach
	first := map[string]int{}
	onSpaces(t, func(t *testing.T, space exec.Space) {
		for _, n := range sizes {
			var plus, own, initial int
			cell := []int{0}
			p := policy.Range(0, n).On(space)
			require.NoError(t, exec.ParallelReduce4(p, func(_ int, a *reduction.Sum[int], b *reduction.Value[int], c *reduction.Array[reduction.Sum[int]], d *reduction.Sum[int]) {
				a.Inc()
				b.Combine(1)
				c.At(0).Inc()
				d.Inc()
			}, reduction.Plus(&plus).WithIdentity(e), reduction.New(&own, func(a, b int) int { return a + b }).WithIdentity(e),
				reduction.Span(cell, func(c *int) reduction.Variable[reduction.Sum[int], int] {
					return reduction.Plus(c).WithIdentity(e)
				}), reducers.WithInitial(reduction.Plus(&initial).WithIdentity(e))))
			binned := cell[0]
			assert.EqualValues(t, n, plus%e, "n = %d", n)
			assert.Equal(t, plus, own, "n = %d: as often as values of that size have lanes", n)
			assert.EqualValues(t, n, binned%e, "n = %d", n)
			assert.LessOrEqual(t, binned, plus, "n = %d: an array has one lane", n)
			if want, ok := grid[n]; ok {
				assert.Equal(t, want*e+n, plus, "n = %d", n)
			}
			if n > 0 {
				assert.Equal(t, plus, initial, "n = %d", n)
			} else {
				assert.Equal(t, []int{e, e}, []int{plus, initial}, "nobody contributes")
			}
			var teams int
			require.NoError(t, exec.ParallelReduce(policy.Team(n%50, 3).On(space), func(_ *team.Member, a *reduction.Sum[int]) { a.Inc() },
				reduction.Plus(&teams).WithIdentity(e)))
			for what, got := range map[string]int{"plus": plus, "span": binned, "teams": teams} {
				what = fmt.Sprint(what, " ", n)
				if _, ok := first[what]; !ok {
					first[what] = got
				}
				assert.Equal(t, first[what], got, what)
			}
		}
	})
}

func TestLaws(t *testing.T) {
	ints := func(f func(acc *reduction.Value[int], x int)) (list []reduction.Value[int]) {
		for _, x := range []int{-3, 0, 1, 8} {
			acc, _ := concept.IdentityOf[reduction.Value[int]](reduction.New(new(int), addInt).WithIdentity(0))
			f(&acc, x)
			list = append(list, acc)
		}
		return list
	}
	var x int
	var f float64
	reducertest.Check(t, reduction.Plus(&x), []reduction.Sum[int]{*new(reduction.Sum[int]).Add(3), *new(reduction.Sum[int]).Add(-9)})
	reducertest.Check(t, reduction.Multiplies(&f), []reduction.Prod[float64]{{}, *one().Mul(3), *one().Mul(-0.3)}, reducertest.ULPs(1))
	reducertest.Check(t, reduction.Minimum(&x), []reduction.Min[int]{{}, *new(reduction.Min[int]).Combine(-4)})
	reducertest.Check(t, reduction.New(&x, addInt).WithIdentity(0), ints(func(acc *reduction.Value[int], x int) { acc.Combine(x) }))
	cells := []int{1, 2, 3}
	s := reduction.Span(cells, reduction.Plus)
	a, b := zero(s), zero(s)
	a.At(0).Add(3)
	b.At(2).Add(-7).Add(2)
	reducertest.Check(t, s, []reduction.Array[reduction.Sum[int]]{a, b})
}

func one() *reduction.Prod[float64] {
	e := zero[reduction.Prod[float64]](reduction.Multiplies(new(float64)))
	return &e
}

func zero[A any](r reducers.Reducer[A]) A {
	e, _ := concept.IdentityOf(r)
	return e
}

var _ builtin.Reduction[reduction.Sum[int], int] = reduction.Plus(new(int))
