package laws

import (
	"math"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
)

// reducer is one of package reducers, which imports this one by others.
type reducer[T any] struct {
	init func(val *T)
	join func(dst, src *T)
}

func (r reducer[T]) Init(val *T)      { r.init(val) }
func (r reducer[T]) Join(dst, src *T) { r.join(dst, src) }

// broken returns the laws that do not hold where values are joined from left to right.
func broken[T any](ordered bool, identity T, join func(dst, src *T), values ...T) (laws []string) {
	s := NewSampler(reducer[T]{func(val *T) { *val = identity }, join}, ordered)
	acc := Cloned(reflect.ValueOf(&values[0]).Elem()).Interface().(T)
	for k := range values[1:] {
		s.Offer(&acc, &values[k+1])
		next := Cloned(reflect.ValueOf(&values[k+1]).Elem()).Interface().(T)
		join(&acc, &next)
	}
	for _, b := range s.Check() {
		laws = append(laws, b.Law)
	}
	return laws
}

func TestLaws(t *testing.T) {
	const (
		left, right   = "e + a is not a, where e is what Init makes", "a + e is not a, where e is what Init makes"
		order, groups = "a + b is not b + a, and the reducer is not marked Ordered", "(a + b) + c is not a + (b + c)"
	)
	minus := func(d, s *int) { *d -= *s }
	first := func(d, s *int) {
		if *d == 0 {
			*d = *s
		}
	}
	assert.Equal(t, []string{left, order, groups}, broken(false, 0, minus, 5, 3, 1))
	assert.Equal(t, []string{left, order}, broken(false, 0, minus, 5, 3), "two values are in one group")
	assert.Equal(t, []string{left, right}, broken(false, 7, func(d, s *int) { *d += *s }, 5, 3, 1))
	assert.Equal(t, []string{order}, broken(false, 0, first, 5, 3, 1))
	assert.Empty(t, broken(true, 0, first, 5, 3, 1), "in order")
	assert.Empty(t, broken(false, 0, first, 5, 5, 5), "as far as these show")
	assert.Contains(t, broken(false, 0, func(d, s *int) { *d += *s; *s = 0 }, 5, 3, 1), "Join changes *src")
	assert.Contains(t, broken(false, 0, func(d, s *int) { *d /= *s }, 5, 3, 1), "Join with the identity panics: runtime error: integer divide by zero")
}

// What rounding makes, and what only a reducer knows, is no broken law.
func TestLawsOfRoundedAndOfKeptValues(t *testing.T) {
	plus := func(d, s *float64) { *d += *s }
	assert.Empty(t, broken(false, 0, plus, 0.1, 1e16, -1e16, 0.3))
	assert.Empty(t, broken(false, 0, plus, math.NaN(), math.Inf(1), math.Copysign(0, -1)))
	assert.NotEmpty(t, broken(false, 0, func(d, s *float64) { *d = (*d + *s) / 2 }, 0.1, 0.2, 0.3))
	const huge = 1.5e308 // twice it is infinite
	assert.Empty(t, broken(false, 0, plus, huge, huge, -huge))
	assert.Empty(t, broken(false, 0, plus, -huge, huge, huge))
	assert.Empty(t, broken(false, [2]float64{}, func(d, s *[2]float64) { d[1] += s[1] }, [2]float64{0, huge}, [2]float64{0, huge}, [2]float64{0, -huge}))
	assert.NotEmpty(t, broken(true, 0, func(d, s *float64) { *d = *s - *d }, math.Inf(1), huge, huge, 1), "values were infinite before")

	type moments struct{ n, mean, squares float64 }
	assert.Empty(t, broken(false, moments{}, func(d, s *moments) {
		n := d.n + s.n
		if s.n == 0 {
			return
		}
		between := s.mean - d.mean
		*d = moments{n, d.mean + between*s.n/n, d.squares + s.squares + between*between*d.n*s.n/n}
	}, moments{3, 1e9, 1e-4}, moments{5, 1e9 + 1e-3, 1e-5}, moments{4, 1e9 - 1e-3, 3e-5}))

	type list struct{ next *list }
	assert.Empty(t, broken(false, list{}, func(d, s *list) { d.next = &list{s.next} }, list{}, list{}, list{}), "a list may be a set")
	type best struct {
		Value int
		set   bool
	}
	assert.Empty(t, broken(false, best{}, func(d, s *best) { d.Value, d.set = max(d.Value, s.Value), true }, best{1, false}, best{4, false}, best{2, false}))
	assert.Empty(t, broken(false, nil, func(d, s *[]int) { *d = append(*d, *s...) }, []int{1}, []int{2, 3}, []int{}))
}

// A join that panics with nil breaks laws as any panic does.
func TestJoinPanicsWithNil(t *testing.T) {
	t.Setenv("GODEBUG", "panicnil=1")
	assert.Contains(t, broken(false, 0, func(d, s *int) {
		if *s == 0 {
			panic(nil)
		}
		*d += *s
	}, 5, 3, 1), "Join with the identity panics: <nil>")
}
