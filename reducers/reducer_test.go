package reducers_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
)

func add[T int | float64](dst, src *T) { *dst += *src }

func concat(dst, src *string) { *dst += *src }

func sum(result *int) reducers.Func[int] { return reducers.New(result, add[int]) }

func product(result *int) reducers.Func[int] {
	return reducers.New(result, func(dst, src *int) { *dst *= *src },
		reducers.Init(func(val *int) { *val = 1 }))
}

func text(result *string) reducers.Modified[string] {
	return reducers.Ordered(reducers.New(result, concat))
}

// spaces returns the spaces that every result must be the same on.
func spaces(t testing.TB) map[string]exec.Space {
	g := exec.NewGoroutines(4)
	t.Cleanup(func() { assert.NoError(t, g.Close()) })
	return map[string]exec.Space{"serial": exec.Serial{}, "goroutines": g}
}

// onSpaces runs a subtest on each space.
func onSpaces(t *testing.T, run func(t *testing.T, space exec.Space)) {
	for name, space := range spaces(t) {
		t.Run(name, func(t *testing.T) { run(t, space) })
	}
}

// rejects checks that a launch with the reducers fails with an error that says
// what is wrong, and never calls the functor.
func rejects[A any](t *testing.T, says string, r reducers.Reducer[A], more ...reducers.Reducer[A]) error {
	t.Helper()
	err := exec.ParallelReduce(policy.Range(0, 100), func(int, *A) { t.Error("the functor was called") }, r, more...)
	assert.ErrorContains(t, err, says)
	assert.ErrorContains(t, err, "reducers: ")
	return err
}

// longest is a reducer as the package documentation shows it.
type longest struct{ reducers.Base[string] }

func (longest) Join(dst, src *string) {
	if len(*src) > len(*dst) {
		*dst = *src
	}
}

func TestBase(t *testing.T) {
	words := []string{"a", "abc", "ab", "x"}
	result := "an old result that is longer"
	r := longest{reducers.Into(&result)}
	assert.Same(t, &result, r.Reference())

	val := "used"
	r.Init(&val)
	assert.Empty(t, val)
	val = "abc"
	r.Final(&val)
	assert.Equal(t, "abc", val)

	onSpaces(t, func(t *testing.T, space exec.Space) {
		result = "an old result that is longer"
		require.NoError(t, exec.ParallelReduce(policy.Range(0, 4).On(space), func(i int, acc *string) {
			r.Join(acc, &words[i])
		}, r))
		assert.Equal(t, "abc", result)
	})
}

func TestNew(t *testing.T) {
	finals := 0
	final := reducers.Final(func(val *int) { *val *= -1; finals++ })
	for _, tc := range []struct {
		name  string
		r     func(result *int) reducers.Func[int]
		want  int // of 1, 2, 3, 4
		empty int
		final int
	}{
		{"plain", sum, 10, 0, 0},
		{"with Init", product, 24, 1, 0},
		{"with Final", func(result *int) reducers.Func[int] { return reducers.New(result, add[int], final) }, -10, 0, 1},
		{"with Init and Final", func(result *int) reducers.Func[int] {
			return reducers.New(result, func(dst, src *int) { *dst *= *src }, final, reducers.Init(func(val *int) { *val = 1 }))
		}, -24, -1, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			onSpaces(t, func(t *testing.T, space exec.Space) {
				result := 77
				r := tc.r(&result)
				finals = 0
				require.NoError(t, exec.ParallelReduce(policy.Range(1, 5).Chunk(1).On(space), func(i int, acc *int) {
					r.Join(acc, &i)
				}, r))
				assert.Equal(t, tc.want, result)
				assert.Equal(t, tc.final, finals)

				require.NoError(t, exec.ParallelReduce(policy.Range(1, 1).On(space), func(int, *int) {}, r))
				assert.Equal(t, tc.empty, result)
			})
		})
	}
}

func TestIdentity(t *testing.T) {
	var n int
	identity, known := concept.IdentityOf(product(&n))
	assert.Equal(t, 1, identity)
	assert.True(t, known)

	x := make([]int, 3)
	ones, known := concept.IdentityOf(reducers.Slice(&x, product))
	assert.Equal(t, []int{1, 1, 1}, ones)
	assert.True(t, known)

	identity, known = concept.IdentityOf[int](reducers.WithInitial(reducers.Ordered(product(&n))))
	assert.Equal(t, 1, identity)
	assert.True(t, known)

	type pair struct{ sum, product int }
	var m int
	both, known := concept.IdentityOf(reducers.Compose(
		reducers.Field(func(p *pair) *int { return &p.sum }, sum(&n)),
		reducers.Field(func(p *pair) *int { return &p.product }, product(&m))))
	assert.Equal(t, pair{0, 1}, both)
	assert.True(t, known)

	var p reducers.Partial[int]
	_, known = concept.IdentityOf(reducers.WithoutIdentity(&p, func(a, b int) int { return a + b }))
	assert.False(t, known)
	_, known = concept.IdentityOf[int](nil)
	assert.False(t, known)
	_, known = concept.IdentityOf(sum(nil))
	assert.False(t, known)
}

// pointed is a reducer with pointer methods.
type pointed struct{ reducers.Base[int] }

func (*pointed) Join(dst, src *int) { *dst += *src }

// fussy has a trait that says why it cannot be used.
type fussy struct{ reducers.Base[int] }

func (fussy) Join(dst, src *int) { *dst += *src }

func (fussy) Traits() concept.Traits[int] {
	return concept.Traits[int]{Err: errors.New("reducers: not today")}
}

// adding is a reducer that needs no function to add values.
type adding struct{ reducers.Base[int] }

func (adding) Join(dst, src *int) { *dst += *src }

func (adding) AddValues(lanes []int, _ int, x []int) {
	for k, v := range x {
		lanes[k%len(lanes)] += v
	}
}

func TestUnusableReducers(t *testing.T) {
	var n int
	var s string
	var x []int
	var p reducers.Partial[int]
	type one struct{ n int }
	at := func(s *one) *int { return &s.n }

	t.Run("nil", func(t *testing.T) { rejects[int](t, "the reducer is nil", nil) })
	t.Run("nil pointer", func(t *testing.T) { rejects[int](t, "the reducer is nil", (*pointed)(nil)) })
	t.Run("nil result", func(t *testing.T) { rejects(t, "nil result place", reducers.Reducer[int](sum(nil))) })
	t.Run("nil result of a type of one's own", func(t *testing.T) {
		rejects[string](t, "reducers_test.longest has a nil result place", longest{})
	})
	t.Run("nil join", func(t *testing.T) { rejects[int](t, "nil join function", reducers.New[int](&n, nil)) })
	t.Run("nil option", func(t *testing.T) { rejects[int](t, "New was given a nil option", reducers.New(&n, add[int], nil)) })
	t.Run("nil Init", func(t *testing.T) {
		rejects[int](t, "New was given a nil Init function", reducers.New(&n, add[int], reducers.Init[int](nil)))
	})
	t.Run("nil Final", func(t *testing.T) {
		rejects[int](t, "New was given a nil Final function", reducers.New(&n, add[int], reducers.Final[int](nil)))
	})
	t.Run("zero Func", func(t *testing.T) { rejects[int](t, "a zero Func", reducers.Func[int]{Base: reducers.Into(&n)}) })
	t.Run("error trait", func(t *testing.T) { rejects[int](t, "not today", fussy{reducers.Into(&n)}) })
	t.Run("error trait, modified", func(t *testing.T) {
		rejects[int](t, "not today", reducers.Ordered(reducers.WithInitial(fussy{reducers.Into(&n)})))
	})
	t.Run("WithInitial of nil", func(t *testing.T) { rejects[int](t, "the reducer is nil", reducers.WithInitial[int](nil)) })
	t.Run("Ordered of nil", func(t *testing.T) { rejects[int](t, "the reducer is nil", reducers.Ordered[int](nil)) })
	t.Run("Ordered with a nil result", func(t *testing.T) { rejects[string](t, "nil result place", text(nil)) })

	t.Run("Field of nil", func(t *testing.T) { rejects(t, "the reducer is nil", reducers.Field(at, reducers.Reducer[int](nil))) })
	t.Run("nil field function", func(t *testing.T) {
		rejects(t, "nil field function", reducers.Field[one](nil, sum(&n)))
	})
	t.Run("Field with a nil result", func(t *testing.T) { rejects(t, "nil result place", reducers.Field(at, sum(nil))) })
	t.Run("Field with a nil join", func(t *testing.T) {
		rejects(t, "nil join function", reducers.Field(at, reducers.New[int](&n, nil)))
	})
	t.Run("a nil among Fields", func(t *testing.T) { rejects(t, "the reducer is nil", nil, reducers.Field(at, sum(&n))) })

	t.Run("Slice of nil", func(t *testing.T) { rejects(t, "Slice needs a result place", reducers.Slice(nil, sum)) })
	t.Run("Slice without element reducer", func(t *testing.T) {
		rejects(t, "Slice needs", reducers.Slice[int, reducers.Func[int]](&x, nil))
	})
	t.Run("Slice with a nil element reducer", func(t *testing.T) {
		rejects(t, "the reducer is nil", reducers.Slice(&x, func(*int) reducers.Reducer[int] { return nil }))
	})
	t.Run("Slice with an element reducer without join", func(t *testing.T) {
		rejects(t, "nil join", reducers.Slice(&x, func(r *int) reducers.Func[int] { return reducers.New(r, nil) }))
	})
	t.Run("WithInitial of a Slice of nil", func(t *testing.T) {
		rejects[[]int](t, "Slice needs a result place", reducers.WithInitial(reducers.Slice(nil, sum)))
	})

	t.Run("WithoutIdentity of nil", func(t *testing.T) {
		rejects[reducers.Partial[int]](t, "nil result place", reducers.WithoutIdentity(nil, func(a, b int) int { return a }))
	})
	t.Run("WithoutIdentity and Start of nil", func(t *testing.T) {
		rejects[reducers.Partial[int]](t, "nil result place", reducers.WithoutIdentity(nil, func(a, b int) int { return a }).Start(1))
	})
	t.Run("nil operation", func(t *testing.T) {
		rejects[reducers.Partial[int]](t, "nil operation", reducers.WithoutIdentity(&p, nil))
	})

	for name, f := range map[string]reducers.Folder[int]{
		"Folding of nil":                reducers.Folding(reducers.Reducer[int](nil), func(acc *int, i, x int) { t.Error("called") }),
		"Folding without accept":        reducers.Folding[int, int](sum(&n), nil),
		"Folding of nil without accept": reducers.Folding[int, int](sum(nil), nil),
		"Folding of what adds values":   reducers.Folding[int, int](adding{reducers.Into(&n)}, nil),
		"fold of New with a nil option": reducers.New(&n, add[int], nil),
		"fold of New without join":      reducers.New[int](&n, nil),
		"fold of Ordered of nil":        reducers.Ordered[int](nil),
		"fold of no operation":          reducers.WithoutIdentity[int](&p, nil),
	} {
		t.Run(name, func(t *testing.T) {
			err := exec.ParallelFold(exec.Map(policy.Range(0, 9), func(i int) int { t.Error("called"); return i }), f)
			assert.ErrorContains(t, err, "reducers: ")
		})
	}
	assert.Zero(t, n)
	assert.Empty(t, s)
}

func TestTraitsOf(t *testing.T) {
	var n int
	var p reducers.Partial[int]
	assert.Equal(t, concept.Traits[int]{}, concept.TraitsOf(sum(&n)))
	assert.True(t, concept.TraitsOf(reducers.Ordered(sum(&n))).Ordered)
	assert.False(t, concept.TraitsOf(reducers.Ordered(sum(&n))).Initial)
	both := concept.TraitsOf(reducers.WithInitial(reducers.Ordered(sum(&n))))
	assert.True(t, both.Ordered && both.Initial)
	assert.True(t, concept.TraitsOf(reducers.WithoutIdentity(&p, func(a, b int) int { return a })).NoIdentity)
	assert.NoError(t, concept.TraitsOf(&pointed{reducers.Into(&n)}).Err)

	x := []int{1}
	inner := func(result *int) reducers.Modified[int] { return reducers.WithInitial(reducers.Ordered(sum(result))) }
	slice := concept.TraitsOf(reducers.Slice(&x, inner))
	assert.True(t, slice.Ordered && slice.Initial)
	type one struct{ n int }
	field := concept.TraitsOf(reducers.Compose(reducers.Field(func(s *one) *int { return &s.n }, inner(&n))))
	assert.True(t, field.Ordered && field.Initial)
}

// panicOf returns what a launch panics with, or nil.
func panicOf(launch func() error) (p *exec.Panic) {
	defer func() {
		if value := recover(); value != nil {
			p = value.(*exec.Panic)
		}
	}()
	_ = launch()
	return nil
}

// fails launches so that the launch fails as told.
func fails(t *testing.T, how string, space exec.Space, launch func(p policy.RangePolicy, at func(i int))) {
	t.Helper()
	p := policy.Range(0, 1000).On(space)
	switch how {
	case "panic":
		assert.Panics(t, func() {
			launch(p, func(i int) {
				if i == 700 {
					panic("boom")
				}
			})
		})
	case "cancel":
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		launch(p.Chunk(1).WithContext(ctx), func(i int) { cancel() })
	case "error":
		launch(p.Chunk(-1), func(int) { t.Error("the functor was called") })
	}
}

func TestOldContentIsKept(t *testing.T) {
	type pair struct {
		n int
		x []int
	}
	for _, how := range []string{"panic", "cancel", "error"} {
		t.Run(how, func(t *testing.T) {
			onSpaces(t, func(t *testing.T, space exec.Space) {
				n, x, m, y := 7, []int{8, 9}, 10, []int{11}
				p := reducers.WithoutIdentity(new(reducers.Partial[int]), func(a, b int) int { return a + b }).Start(12)
				fails(t, how, space, func(pol policy.RangePolicy, at func(int)) {
					assert.Error(t, exec.ParallelReduce(pol, func(i int, acc *int) { at(i); *acc++ }, sum(&n)))
				})
				fails(t, how, space, func(pol policy.RangePolicy, at func(int)) {
					assert.Error(t, exec.ParallelReduce(pol, func(i int, acc *[]int) { at(i); (*acc)[0]++ },
						reducers.WithInitial(reducers.Slice(&x, sum))))
				})
				fails(t, how, space, func(pol policy.RangePolicy, at func(int)) {
					assert.Error(t, exec.ParallelReduce(pol, func(i int, acc *pair) { at(i); acc.n++; acc.x[0]++ },
						reducers.Field(func(p *pair) *int { return &p.n }, sum(&m)),
						reducers.Field(func(p *pair) *[]int { return &p.x }, reducers.Slice(&y, sum))))
				})
				fails(t, how, space, func(pol policy.RangePolicy, at func(int)) {
					assert.Error(t, exec.ParallelReduce(pol, func(i int, acc *reducers.Partial[int]) { at(i); acc.Combine(i) }, p))
				})
				assert.Equal(t, 7, n)
				assert.Equal(t, []int{8, 9}, x)
				assert.Equal(t, 10, m)
				assert.Equal(t, []int{11}, y)
				old, ok := p.Reference().Value()
				assert.True(t, ok)
				assert.Equal(t, 12, old)
			})
		})
	}
}
