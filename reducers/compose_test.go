package reducers_test

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

type stats struct {
	count int
	words string
}

func countField(result *int) reducers.Reducer[stats] {
	return reducers.Field(func(s *stats) *int { return &s.count }, sum(result))
}

func wordsField(result *string) reducers.Reducer[stats] {
	return reducers.Field(func(s *stats) *string { return &s.words }, text(result))
}

func TestComposeReducesEveryField(t *testing.T) {
	onSpaces(t, func(t *testing.T, space exec.Space) {
		count, words := 100, "old "
		p := policy.Range(0, 40).On(space)
		f := func(i int, acc *stats) {
			acc.count++
			acc.words += string(rune('A' + i))
		}
		require.NoError(t, exec.ParallelReduce(p, f, countField(&count), reducers.WithInitial(wordsField(&words))))
		assert.Equal(t, 40, count)
		assert.Equal(t, "old ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefgh", words)
	})
}

func TestComposeOfOneIsItself(t *testing.T) {
	var count int
	var all stats
	whole := reducers.New(&all, func(dst, src *stats) { dst.count += src.count })
	assert.Same(t, &all, reducers.Compose[stats](whole).Reference())
	assert.Same(t, &all, reducers.Compose[stats](reducers.WithInitial(whole)).Reference())
	assert.Nil(t, reducers.Compose(countField(&count)).Reference(), "one field is not the whole struct")
	assert.Nil(t, countField(&count).Reference())
}

type embedded struct{ n int }

func TestComposeOfAnyStruct(t *testing.T) {
	var a, b, c, d int
	t.Run("embedded, as a whole", func(t *testing.T) {
		type acc struct{ embedded }
		result := embedded{}
		whole := reducers.New(&result, func(dst, src *embedded) { dst.n += src.n })
		require.NoError(t, exec.ParallelReduce(policy.Range(0, 9), func(_ int, x *acc) { x.n++ },
			reducers.Field(func(x *acc) *embedded { return &x.embedded }, whole)))
		assert.Equal(t, 9, result.n)
	})
	t.Run("embedded, by its field", func(t *testing.T) {
		type acc struct {
			embedded
			m int
		}
		require.NoError(t, exec.ParallelReduce(policy.Range(0, 9), func(_ int, x *acc) { x.n++; x.m += 2 },
			reducers.Field(func(x *acc) *int { return &x.n }, sum(&a)),
			reducers.Field(func(x *acc) *int { return &x.m }, sum(&b))))
		assert.Equal(t, 9, a)
		assert.Equal(t, 18, b)
	})
	t.Run("nested", func(t *testing.T) {
		require.NoError(t, exec.ParallelReduce(policy.Range(0, 9), func(_ int, x *outer) { x.in.a++; x.in.b += 2; x.c += 3 },
			reducers.Field(func(x *outer) *int { return &x.c }, sum(&c)),
			reducers.Field(func(x *outer) *int { return &x.in.b }, sum(&b)),
			reducers.Field(func(x *outer) *int { return &x.in.a }, sum(&a))))
		assert.Equal(t, []int{9, 18, 27}, []int{a, b, c})
	})
	t.Run("padding and fields of no size need no owner", func(t *testing.T) {
		type acc struct {
			n     int32
			_     [64]byte
			Mark  struct{}
			m     int
			Empty [0]int
		}
		require.Greater(t, unsafe.Sizeof(acc{}), uintptr(64))
		var n int32
		require.NoError(t, exec.ParallelReduce(policy.Range(0, 9), func(_ int, x *acc) { x.n++; x.m-- },
			reducers.Field(func(x *acc) *int32 { return &x.n }, reducers.New(&n, func(dst, src *int32) { *dst += *src })),
			reducers.Field(func(x *acc) *int { return &x.m }, sum(&d))))
		assert.EqualValues(t, 9, n)
		assert.Equal(t, -9, d)
	})
}

func TestComposeErrors(t *testing.T) {
	var a, b, c int
	var words string
	fieldA := reducers.Field(func(s *inner) *int { return &s.a }, sum(&a))
	fieldB := reducers.Field(func(s *inner) *int { return &s.b }, sum(&b))
	fieldC := reducers.Field(func(s *outer) *int { return &s.c }, sum(&c))
	outerA := reducers.Field(func(s *outer) *int { return &s.in.a }, sum(&a))
	in := func(s *outer) *inner { return &s.in }

	t.Run("unowned", func(t *testing.T) {
		rejects(t, "no reducer owns field stats.words", countField(&a))
		rejects(t, "no reducer owns field stats.count", wordsField(&words))
	})
	t.Run("doubly owned", func(t *testing.T) {
		rejects(t, "2 reducers own field stats.count", countField(&a), countField(&b), wordsField(&words))
		rejects(t, "3 reducers own field stats.count", countField(&a), countField(&b), countField(&c), wordsField(&words))
	})
	t.Run("unowned in a nested struct", func(t *testing.T) {
		rejects(t, "no reducer owns field outer.in.b", outerA, fieldC)
	})
	t.Run("nested struct unowned", func(t *testing.T) {
		assert.EqualError(t, rejects(t, "", fieldC), "reducers: no reducer owns field outer.in")
	})
	t.Run("owned as a whole and in part", func(t *testing.T) {
		var x, y int
		both := reducers.Compose(
			reducers.Field(func(s *inner) *int { return &s.a }, sum(&x)),
			reducers.Field(func(s *inner) *int { return &s.b }, sum(&y)))
		rejects(t, "2 reducers own field outer.in", reducers.Field(in, both), outerA, fieldC)
	})
	t.Run("doubly owned in a nested struct", func(t *testing.T) {
		rejects(t, "2 reducers own field outer.in.a", outerA, reducers.Field(func(s *outer) *int { return &s.in.a }, sum(&b)),
			reducers.Field(func(s *outer) *int { return &s.in.b }, sum(new(int))), fieldC)
	})
	t.Run("an inner Compose is at fault", func(t *testing.T) {
		rejects(t, "no reducer owns field inner.b", reducers.Field(in, reducers.Compose(fieldA)), fieldC)
	})
	t.Run("elements of an array", func(t *testing.T) {
		type triple struct{ x [3]int }
		element := func(k int) reducers.Reducer[triple] {
			return reducers.Field(func(s *triple) *int { return &s.x[k] }, sum(new(int)))
		}
		const want = "reducers own parts of field triple.x, expected one for all of the [3]int; Slice reduces a []int element by element"
		rejects(t, want, element(0))
		rejects(t, want, element(0), element(1), element(2))
	})
	t.Run("an element of a slice", func(t *testing.T) {
		type list struct{ x []int }
		rejects(t, "and Slice for elements: runtime error: index out of range", reducers.Field(func(s *list) *int { return &s.x[0] }, sum(&a)))
	})
	t.Run("pointer outside", func(t *testing.T) {
		for _, above := range []bool{false, true} {
			var kept []*stats
			outside := func(s *stats) *string {
				for range 10_000 {
					kept = append(kept, new(stats))
					last := kept[len(kept)-1]
					if (uintptr(unsafe.Pointer(last)) > uintptr(unsafe.Pointer(s))) == above {
						return &last.words
					}
				}
				return nil
			}
			rejects(t, "reducer 2 of 2 returns no pointer into the reducers_test.stats", countField(&a),
				reducers.Field(outside, text(&words)))
		}
	})
	t.Run("nil pointer", func(t *testing.T) {
		rejects(t, "reducer 1 of 2 returns no pointer into", reducers.Field(func(*stats) *int { return nil }, sum(&a)), wordsField(&words))
	})
	t.Run("through a nil pointer", func(t *testing.T) {
		type linked struct{ p *inner }
		rejects(t, "a field function panicked", reducers.Field(func(s *linked) *int { return &s.p.a }, sum(&a)))
	})
	t.Run("a panic with nil", func(t *testing.T) {
		t.Setenv("GODEBUG", "panicnil=1")
		rejects(t, "a field function panicked", reducers.Field(func(*stats) *int { panic(nil) }, sum(&a)))
	})
	t.Run("several reducers of an int", func(t *testing.T) {
		rejects[int](t, "2 reducers were given for one accumulator of type int, which is not a struct", sum(&a), sum(&b))
	})
	t.Run("a Field of an int", func(t *testing.T) {
		rejects(t, "not a struct", reducers.Field(func(x *int) *int { return x }, sum(&a)))
	})
	t.Run("a whole reducer among fields", func(t *testing.T) {
		var all stats
		whole := reducers.New(&all, func(dst, src *stats) {})
		rejects[stats](t, "reducer 2 of 2 is a reducers.Func", countField(&a), whole)
		rejects[stats](t, "which is not made by Field", reducers.Ordered(whole), countField(&a))
	})
	t.Run("one result place for two fields", func(t *testing.T) {
		rejects(t, "reducers 1 and 2 have the same result place", fieldA,
			reducers.Field(func(s *inner) *int { return &s.b }, product(&a)))
	})
	t.Run("a modified Field is as good as any", func(t *testing.T) {
		require.NoError(t, exec.ParallelReduce(policy.Range(0, 1), func(int, *inner) {},
			reducers.Ordered(reducers.WithInitial(reducers.Ordered(fieldA))), fieldB))
	})
}

// A composed reducer may outlive the slice lengths it was made for.
func TestComposeAsksItsPartsAgain(t *testing.T) {
	type acc struct{ x []int }
	x := make([]int, 2)
	r := reducers.Compose(reducers.Field(func(a *acc) *[]int { return &a.x }, reducers.Slice(&x, sum)))
	require.NoError(t, exec.ParallelReduce(policy.Range(0, 4), func(i int, a *acc) { a.x[i%2]++ }, r))
	assert.Equal(t, []int{2, 2}, x)
	x = make([]int, 3)
	rejects(t, "has length 3 now, but had 2", r)
}
