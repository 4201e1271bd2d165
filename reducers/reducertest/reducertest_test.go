package reducertest_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
	"github.com/gokkos/gokkos/reducers/reducertest"
)

// recorder keeps the failures that a suite reports.
type recorder struct{ failures []string }

func (*recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.failures = append(r.failures, fmt.Sprintf(format, args...))
}

// laws returns the names of the laws that were reported.
func (r *recorder) laws() []string {
	var laws []string
	for _, f := range r.failures {
		laws = append(laws, strings.Split(f, ": ")[1])
	}
	return laws
}

func check[T any](r reducers.Reducer[T], samples []T, options ...reducertest.Option) *recorder {
	var rec recorder
	reducertest.Check(&rec, r, samples, options...)
	return &rec
}

func sum[T int | float32 | float64 | complex128](result *T) reducers.Func[T] {
	return reducers.New(result, func(dst, src *T) { *dst += *src })
}

func concat(dst, src *string) { *dst += *src }

// parts is a reducer of which each method can be broken on its own.
type parts[T any] struct {
	init      func(val *T)
	join      func(dst, src *T)
	final     func(val *T)
	reference func() *T
	traits    concept.Traits[T]
}

func (p parts[T]) Init(val *T)               { p.init(val) }
func (p parts[T]) Join(dst, src *T)          { p.join(dst, src) }
func (p parts[T]) Final(val *T)              { p.final(val) }
func (p parts[T]) Reference() *T             { return p.reference() }
func (p parts[T]) Traits() concept.Traits[T] { return p.traits }

// inLanes is a reducer with a JoinLanes.
type inLanes struct {
	parts[int]
	join func(lanes []int)
}

func (r inLanes) JoinLanes(lanes []int) { r.join(lanes) }

// sending is a sum of ints with a form; a nil half is a correct one.
type sending struct {
	reducers.Base[int]
	from func(buf []byte, val *int) ([]byte, error)
	to   func(val *int, data []byte) ([]byte, error)
}

func (sending) Join(dst, src *int) { *dst += *src }

func (s sending) AppendValue(buf []byte, val *int) ([]byte, error) {
	if s.from != nil {
		return s.from(buf, val)
	}
	return binary.BigEndian.AppendUint32(buf, uint32(*val)), nil
}

func (s sending) SetValue(val *int, data []byte) ([]byte, error) {
	if s.to != nil {
		return s.to(val, data)
	}
	if len(data) < 4 {
		return nil, errors.New("too few bytes, expected 4")
	}
	*val = int(int32(binary.BigEndian.Uint32(data)))
	return data[4:], nil
}

// intSum is a correct sum.
func intSum() parts[int] {
	var result int
	return parts[int]{
		init:      func(val *int) { *val = 0 },
		join:      func(dst, src *int) { *dst += *src },
		final:     func(*int) {},
		reference: func() *int { return &result },
	}
}

// vector is a correct sum of slices of length 2 without a Store trait.
func vector() parts[[]int] {
	result := make([]int, 2)
	return parts[[]int]{
		init: func(val *[]int) { *val = make([]int, 2) },
		join: func(dst, src *[]int) {
			for k := range *dst {
				(*dst)[k] += (*src)[k]
			}
		},
		final:     func(*[]int) {},
		reference: func() *[]int { return &result },
	}
}

// union is a correct union of sets.
func union() parts[map[string]bool] {
	var result map[string]bool
	return parts[map[string]bool]{
		init: func(val *map[string]bool) { *val = map[string]bool{} },
		join: func(dst, src *map[string]bool) {
			for key := range *src {
				(*dst)[key] = true
			}
		},
		final:     func(*map[string]bool) {},
		reference: func() *map[string]bool { return &result },
	}
}

var (
	ints    = []int{3, -1, 7, 0}
	vectors = [][]int{{1, 2}, {0, -3}, {5, 5}}
	sets    = []map[string]bool{{"a": true}, {"b": true, "c": true}, {}}
)

// sent checks a sending whose halves are broken.
func sent(from func(buf []byte, val *int) ([]byte, error), to func(val *int, data []byte) ([]byte, error)) func() *recorder {
	return func() *recorder { return check(sending{reducers.Into(new(int)), from, to}, ints) }
}

// sharedText is the longest text, whose bytes it does not copy.
type sharedText struct{ reducers.Base[[]byte] }

func (sharedText) Join(dst, src *[]byte) {
	if string(*src) > string(*dst) {
		*dst = slices.Clone(*src)
	}
}

func (sharedText) AppendValue(buf []byte, val *[]byte) ([]byte, error) {
	return append(append(buf, byte(len(*val))), *val...), nil
}

func (sharedText) SetValue(val *[]byte, data []byte) ([]byte, error) {
	if len(data) == 0 || len(data) <= int(data[0]) {
		return nil, errors.New("too few bytes")
	}
	*val = data[1:][:data[0]]
	return data[1+data[0]:], nil
}

// counted is a sum whose Final hides how many numbers were joined, as its bytes do.
type counted struct{ reducers.Base[[2]int8] }

func (counted) Join(dst, src *[2]int8) { dst[0], dst[1] = dst[0]+src[0], dst[1]+src[1] }
func (counted) Final(val *[2]int8)     { val[1] = 0 }

func (counted) AppendValue(buf []byte, val *[2]int8) ([]byte, error) {
	return append(buf, byte(val[0])), nil
}

func (counted) SetValue(val *[2]int8, data []byte) ([]byte, error) {
	if len(data) == 0 {
		return nil, errors.New("too few bytes")
	}
	val[0] = int8(data[0])
	return data[1:], nil
}

// rounding is a sum that keeps less of a number in bytes.
type rounding struct{ reducers.Func[float64] }

func (rounding) AppendValue(buf []byte, val *float64) ([]byte, error) {
	return binary.BigEndian.AppendUint32(buf, math.Float32bits(float32(*val))), nil
}

func (rounding) SetValue(val *float64, data []byte) ([]byte, error) {
	if len(data) < 4 {
		return nil, errors.New("too few bytes")
	}
	*val = float64(math.Float32frombits(binary.BigEndian.Uint32(data)))
	return data[4:], nil
}

func TestBrokenReducersAreCaught(t *testing.T) {
	var result int
	for _, tc := range []struct {
		name string
		law  string
		run  func() *recorder
		says string
	}{
		{"identity of 1 for a sum", "left identity", func() *recorder {
			p := intSum()
			p.init = func(val *int) { *val = 1 }
			return check(p, ints)
		}, "e + a = 4"},
		{"identity on the left only", "right identity", func() *recorder {
			return check(reducers.Ordered(reducers.New(&result, func(dst, src *int) { *dst = *src })), ints)
		}, "a + e = 0"},
		{"lanes that are not joined as others are", "lanes", func() *recorder {
			return check(inLanes{intSum(), func(lanes []int) {
				for _, x := range lanes[1:] {
					lanes[0] -= x
				}
			}}, ints)
		}, "JoinLanes of 2 lanes is not Join of their halves"},
		{"many lanes of which some are lost", "lanes", func() *recorder {
			return check(inLanes{intSum(), func(lanes []int) {
				for _, x := range lanes[1:min(len(lanes), 8)] {
					lanes[0] += x
				}
			}}, ints)
		}, "JoinLanes of 16 lanes is not Join of their halves"},
		{"average", "associativity", func() *recorder {
			var result float64
			return check(reducers.New(&result, func(dst, src *float64) { *dst = (*dst + *src) / 2 }), []float64{1, 2, 4})
		}, "(a + b) + c ="},
		{"float sum, bitwise", "associativity", func() *recorder {
			var result float64
			return check(sum(&result), []float64{0.1, 0.2, 0.3})
		}, "0.6000000000000001"},
		{"concatenation not marked Ordered", "commutativity", func() *recorder {
			var result string
			return check(reducers.New(&result, concat), []string{"a", "b"})
		}, "a + b = ab"},
		{"Join takes from src", "source", func() *recorder {
			p := intSum()
			p.join = func(dst, src *int) { *dst += *src; *src = 0 }
			return check(p, ints)
		}, "src after  = 0"},
		{"Join sorts src", "source", func() *recorder {
			p := vector()
			p.join = func(dst, src *[]int) {
				slices.Sort(*src)
				for k := range *dst {
					(*dst)[k] += (*src)[k]
				}
			}
			return check(p, vectors)
		}, "src after  = [-3 0]"},
		{"Join keeps src's slice", "aliasing", func() *recorder {
			p := vector()
			p.init = func(val *[]int) { *val = nil }
			p.join = func(dst, src *[]int) {
				if *dst == nil {
					*dst = *src
					return
				}
				for k := range *src {
					(*dst)[k] += (*src)[k]
				}
			}
			return check(p, vectors)
		}, "dst and src share memory"},
		{"Join keeps src's slice, found without looking at addresses", "aliasing", func() *recorder {
			p := vector()
			p.init = func(val *[]int) { *val = nil }
			p.join = func(dst, src *[]int) {
				if *dst == nil {
					*dst = *src
					return
				}
				for k := range *src {
					(*dst)[k] += (*src)[k]
				}
			}
			return check(p, vectors, reducertest.SharesMemory())
		}, "joining more into dst changes src"},
		{"Join keeps src's map", "aliasing", func() *recorder {
			p := union()
			p.join = func(dst, src *map[string]bool) {
				if len(*dst) == 0 {
					*dst = *src
					return
				}
				for key := range *src {
					(*dst)[key] = true
				}
			}
			return check(p, sets)
		}, "dst and src share memory"},
		{"Init shares one slice", "aliasing", func() *recorder {
			p := vector()
			zero := make([]int, 2)
			p.init = func(val *[]int) { clear(zero); *val = zero }
			return check(p, vectors)
		}, "two values made by Init share memory"},
		{"Init shares one slice, found without looking at addresses", "aliasing", func() *recorder {
			p := vector()
			zero := make([]int, 2)
			p.init = func(val *[]int) { clear(zero); *val = zero }
			return check(p, vectors, reducertest.SharesMemory())
		}, "changes another"},
		{"Init shares the room behind an empty slice", "aliasing", func() *recorder {
			var result []int
			room := make([]int, 0, 8)
			return check(reducers.Ordered(reducers.New(&result, func(dst, src *[]int) { *dst = append(*dst, *src...) },
				reducers.Init(func(val *[]int) { *val = room }))), [][]int{{1}, {2, 3}})
		}, "two values made by Init share memory"},
		{"Init does not clear", "init", func() *recorder {
			p := vector()
			p.init = func(val *[]int) {
				if len(*val) != 2 {
					*val = make([]int, 2)
				}
			}
			return check(p, vectors)
		}, "Init(a) = [1 2]"},
		{"Init does nothing", "init", func() *recorder {
			p := intSum()
			p.init = func(*int) {}
			return check(p, ints)
		}, "a       = 3"},
		{"Final writes the result", "purity", func() *recorder {
			var result int
			return check(reducers.New(&result, func(dst, src *int) { *dst += *src },
				reducers.Final(func(val *int) { result = *val })), ints)
		}, "Final changes the result place"},
		{"Join writes the result", "purity", func() *recorder {
			var result int
			return check(reducers.New(&result, func(dst, src *int) { *dst += *src; result = *dst }), ints)
		}, "Join changes the result place"},
		{"Init writes the result", "purity", func() *recorder {
			var result int
			p := intSum()
			p.reference = func() *int { return &result }
			p.init = func(val *int) { *val = 0; result++ }
			return check(p, ints)
		}, "changes the result place"},
		{"Join of a field writes the result", "purity", func() *recorder {
			type stats struct{ n int }
			var n int
			r := reducers.Compose(reducers.Field(func(s *stats) *int { return &s.n },
				reducers.New(&n, func(dst, src *int) { *dst += *src; n = *dst })))
			return check(r, []stats{{1}, {2}})
		}, "a result place inside it"},
		{"Join counts its calls", "purity", func() *recorder {
			return check(&counting{Base: reducers.Into(new(int))}, ints)
		}, "Join changes the reducer"},
		{"float sum marked Exact", "exactness", func() *recorder {
			var result float64
			return check(reducers.Exact(sum(&result)), []float64{0.1, 0.2, 0.3}, reducertest.ULPs(1))
		}, "0.6000000000000001"},
		{"fractions marked Exact", "exactness", func() *recorder {
			type fraction struct{ num, den int }
			var result fraction
			r := reducers.New(&result, func(dst, src *fraction) {
				if src.num != 0 {
					*dst = fraction{dst.num*src.den + src.num*dst.den, dst.den * src.den}
				}
			}, reducers.Init(func(val *fraction) { *val = fraction{0, 1} }))
			return check(reducers.Exact(r), []fraction{{0, 2}, {1, 2}, {1, 3}},
				reducertest.Equal(func(a, b fraction) bool { return a.num*b.den == b.num*a.den }))
		}, "marked Exact"},
		{"the first of equal keys marked Exact", "exactness", func() *recorder {
			type entry struct{ key, value int }
			var result entry
			r := reducers.New(&result, func(dst, src *entry) { //gokkosvet:ignore keys are positive
				if src.key > dst.key {
					*dst = *src
				}
			})
			return check(reducers.Exact(r), []entry{{1, 1}, {1, 2}},
				reducertest.Equal(func(a, b entry) bool { return a.key == b.key }))
		}, "marked Exact"},
		{"Final with a memory", "final", func() *recorder {
			p := intSum()
			calls := 0
			p.final = func(val *int) { calls++; *val += calls }
			return check(p, ints)
		}, "Final does different things"},
		{"nil result place", "reference", func() *recorder {
			return check(sum[int](nil), ints)
		}, "nil result place"},
		{"nil reducer", "reference", func() *recorder {
			return check[int](nil, ints)
		}, "the reducer is nil"},
		{"another result place each time", "reference", func() *recorder {
			p := intSum()
			p.reference = func() *int { return new(int) }
			return check(p, ints)
		}, "same pointer"},
		{"Load adds to the old value", "initial value", func() *recorder {
			p := intSum()
			result := p.reference()
			p.traits.Load = func(val *int) { *val += *result }
			return check(p, ints)
		}, "held before"},
		{"Load undoes what Final does not do", "initial value", func() *recorder {
			p := intSum()
			result := p.reference()
			p.traits.Load = func(val *int) { *val = *result + 1 }
			return check(p, ints)
		}, "stored and loaded again"},
		{"Load clears the result", "purity", func() *recorder {
			p := vector()
			p.traits.Load = func(val *[]int) { *val = slices.Clone(*p.reference()); clear(*p.reference()) }
			return check(p, vectors)
		}, "Load changes the result place"},
		{"Join panics", "associativity", func() *recorder {
			p := intSum()
			p.join = func(dst, src *int) { panic("boom") }
			return check(p, ints)
		}, "panics: boom"},
		{"Init panics", "init", func() *recorder {
			p := intSum()
			p.init = func(*int) { panic("boom") }
			return check(p, ints)
		}, "panics: boom"},
		{"AppendValue writes the buffer", "form", sent(func(buf []byte, val *int) ([]byte, error) {
			clear(buf)
			return binary.BigEndian.AppendUint32(buf, uint32(*val)), nil
		}, nil), "changes what was in the buffer"},
		{"AppendValue takes the value", "form", sent(func(buf []byte, val *int) ([]byte, error) {
			buf = binary.BigEndian.AppendUint32(buf, uint32(*val))
			*val = 0
			return buf, nil
		}, nil), "AppendValue changes the value"},
		{"AppendValue refuses", "form", sent(func(buf []byte, val *int) ([]byte, error) {
			return nil, errors.New("never")
		}, nil), "error = reducers: AppendValue of reducertest_test.sending: never"},
		{"AppendValue loses the sign", "form", sent(func(buf []byte, val *int) ([]byte, error) {
			return binary.BigEndian.AppendUint32(buf, uint32(max(*val, -*val))), nil
		}, nil), "ends in another result"},
		{"SetValue refuses", "form", sent(nil, func(val *int, data []byte) ([]byte, error) {
			return nil, errors.New("never")
		}), "SetValue returns an error for what AppendValue gave"},
		{"SetValue takes all", "form", sent(nil, func(val *int, data []byte) ([]byte, error) {
			if len(data) < 4 {
				return nil, errors.New("too few bytes")
			}
			*val = int(int32(binary.BigEndian.Uint32(data)))
			return nil, nil
		}), "does not return what follows"},
		{"SetValue takes what is cut off", "form", sent(nil, func(val *int, data []byte) ([]byte, error) {
			*val = int(int32(binary.BigEndian.Uint32(append(slices.Clone(data), 0, 0, 0, 0))))
			return data[min(4, len(data)):], nil
		}), "takes 0 of the 4 bytes of a value without an error"},
		{"SetValue reads what is not there", "form", sent(nil, func(val *int, data []byte) ([]byte, error) {
			*val = int(int32(binary.BigEndian.Uint32(data)))
			return data[4:], nil
		}), "panics: runtime error: index out of range"},
		{"SetValue keeps data", "form", func() *recorder {
			return check(sharedText{reducers.Into(new([]byte))}, [][]byte{[]byte("a"), []byte("bc")})
		}, "comes back from bytes"},
		{"bytes that lack what Final drops", "form", func() *recorder {
			return check(counted{reducers.Into(new([2]int8))}, [][2]int8{{1, 1}, {3, 2}})
		}, "joins in another way, on the left"},
		{"bytes that round", "form", func() *recorder {
			return check(rounding{sum(new(float64))}, []float64{0.1, 3}, reducertest.ULPs(1<<30))
		}, "ends in another result"},
		{"+0 for the identity of a float sum", "right identity", func() *recorder {
			var result float64
			return check(sum(&result), []float64{math.Copysign(0, -1)})
		}, "a     = -0"},
		{"a struct's unexported slice", "aliasing", func() *recorder {
			type bag struct{ x []int }
			var result bag
			return check(reducers.Ordered(reducers.New(&result, func(dst, src *bag) {
				if len(dst.x) == 0 {
					*dst = *src
					return
				}
				dst.x = append(slices.Clip(dst.x), src.x...)
			})), []bag{{}, {[]int{1}}, {[]int{2, 3}}})
		}, "dst and src share memory"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			rec := tc.run()
			require.Contains(t, rec.laws(), tc.law, "%q", rec.failures)
			var all strings.Builder
			for _, f := range rec.failures {
				assert.True(t, strings.HasPrefix(f, "reducertest: "), f)
				if strings.HasPrefix(f, "reducertest: "+tc.law) {
					all.WriteString(f)
				}
			}
			assert.Contains(t, all.String(), tc.says)
			seen := map[string]bool{}
			for _, law := range rec.laws() {
				if !strings.Contains(all.String(), "panics") {
					assert.False(t, seen[law], "%s is reported more than once", law)
				}
				seen[law] = true
			}
		})
	}
}

type counting struct {
	reducers.Base[int]
	joins int
}

func (c *counting) Join(dst, src *int) { *dst += *src; c.joins++ }

func TestCorrectReducersPass(t *testing.T) {
	t.Run("sum of ints", func(t *testing.T) {
		var result int
		reducertest.Check(t, sum(&result), ints)
	})
	t.Run("sum of ints in lanes", func(t *testing.T) {
		reducertest.Check(t, inLanes{intSum(), func(lanes []int) {
			for _, x := range lanes[1:] {
				lanes[0] += x
			}
		}}, ints)
	})
	t.Run("sum of ints with a form", func(t *testing.T) { reducertest.Check(t, sending{Base: reducers.Into(new(int))}, ints) })
	t.Run("ordered concatenation", func(t *testing.T) {
		var result string
		reducertest.Check(t, reducers.Ordered(reducers.New(&result, concat)), []string{"", "a", "bc"})
	})
	t.Run("ordered slices", func(t *testing.T) {
		var result []int
		r := reducers.New(&result, func(dst, src *[]int) { *dst = append(*dst, *src...) },
			reducers.Init(func(val *[]int) { *val = (*val)[:0] }))
		reducertest.Check(t, reducers.Ordered(r), [][]int{{1}, {2, 3}, nil})
	})
	t.Run("vectors", func(t *testing.T) { reducertest.Check(t, vector(), vectors) })
	t.Run("sets", func(t *testing.T) { reducertest.Check(t, union(), sets) })
	t.Run("Slice", func(t *testing.T) {
		result := make([]int, 2)
		reducertest.Check(t, reducers.Slice(&result, sum), vectors)
		reducertest.Check(t, reducers.WithInitial(reducers.Slice(&result, sum)), vectors)
	})
	t.Run("Slice of Slice", func(t *testing.T) {
		result := [][]int{make([]int, 2), make([]int, 1)}
		r := reducers.Slice(&result, func(row *[]int) reducers.Reducer[[]int] { return reducers.Slice(row, sum) })
		reducertest.Check(t, r, [][][]int{{{1, 2}, {3}}, {{-1, 0}, {4}}})
	})
	t.Run("Partial", func(t *testing.T) {
		var result reducers.Partial[int]
		r := reducers.WithoutIdentity(&result, func(a, b int) int { return max(a, b) })
		samples := make([]reducers.Partial[int], 3)
		for k := range samples {
			r.Init(&samples[k])
		}
		samples[1].Combine(4)
		samples[2].Combine(-7)
		reducertest.Check(t, r, samples)
	})
	type stats struct {
		n    int
		text string
		rows []int
	}
	t.Run("Compose", func(t *testing.T) {
		n, text, rows := 5, "", make([]int, 1)
		r := reducers.Compose(
			reducers.WithInitial(reducers.Field(func(s *stats) *int { return &s.n }, sum(&n))),
			reducers.Field(func(s *stats) *string { return &s.text }, reducers.Ordered(reducers.New(&text, concat))),
			reducers.Field(func(s *stats) *[]int { return &s.rows }, reducers.Slice(&rows, sum)))
		samples := []stats{{1, "a", []int{1}}, {2, "", []int{0}}, {3, "bc", []int{-5}}}
		reducertest.Check(t, r, samples)
		reducertest.Check(t, reducers.WithInitial(r), samples)
	})
	t.Run("pointers", func(t *testing.T) {
		var result *big.Int
		r := reducers.New(&result, func(dst, src **big.Int) { (*dst).Add(*dst, *src) },
			reducers.Init(func(val **big.Int) { *val = new(big.Int) }))
		reducertest.Check(t, r, []*big.Int{big.NewInt(3), big.NewInt(-3), new(big.Int).Lsh(big.NewInt(1), 100)})
	})
	t.Run("interfaces", func(t *testing.T) {
		var result any
		r := reducers.New(&result, func(dst, src *any) {
			if *dst == nil {
				*dst = *src
			} else if *src != nil {
				*dst = max((*dst).(int), (*src).(int))
			}
		})
		reducertest.Check(t, r, []any{nil, 3, 4})
	})
	t.Run("shared tables", func(t *testing.T) {
		low, high := &[]int{1}, &[]int{2}
		var result *[]int
		r := reducers.New(&result, func(dst, src **[]int) {
			if *dst == nil || *src != nil && (**src)[0] > (**dst)[0] {
				*dst = *src
			}
		})
		assert.Contains(t, check(r, []*[]int{low, high}).laws(), "aliasing")
		// The result place refers to the same table, and never through Init.
		reducertest.Check(t, r, []*[]int{low, high}, reducertest.SharesMemory())
	})
	t.Run("a norm whose Load undoes Final", func(t *testing.T) {
		p := parts[float64]{init: func(val *float64) { *val = 0 }, join: func(dst, src *float64) { *dst += *src }}
		var result float64
		p.reference = func() *float64 { return &result }
		p.final = func(val *float64) { *val = math.Sqrt(*val) }
		p.traits.Load = func(val *float64) { *val = result * result }
		reducertest.Check(t, p, []float64{0, 1, 4, 2}, reducertest.ULPs(2))
	})
	t.Run("exact", func(t *testing.T) {
		var result int
		reducertest.Check(t, reducers.Exact(sum(&result)), ints)
		var text string
		reducertest.Check(t, reducers.Exact(reducers.Ordered(reducers.New(&text, concat))), []string{"a", "bc"})
		var anything any
		reducertest.Check(t, reducers.Exact(reducers.New(&anything, func(dst, src *any) {
			if x, ok := (*src).(int); ok {
				y, _ := (*dst).(int)
				*dst = max(x, y)
			}
		})), []any{nil, 3, 4})
	})
	t.Run("exact up to Final", func(t *testing.T) {
		type entry struct{ key, joins int }
		var result entry
		r := reducers.New(&result, func(dst, src *entry) { *dst = entry{max(dst.key, src.key), dst.joins + 2*src.joins + 1} }, //gokkosvet:ignore keys are positive
			reducers.Final(func(val *entry) { val.joins = 0 }))
		key := reducertest.Equal(func(a, b entry) bool { return a.key == b.key })
		reducertest.Check(t, reducers.Exact(r), []entry{{1, 0}, {2, 0}}, key)
	})
	t.Run("NaN and both zeros", func(t *testing.T) {
		var result float64
		r := reducers.New(&result, func(dst, src *float64) { *dst = max(*dst, *src) },
			reducers.Init(func(val *float64) { *val = math.Inf(-1) }))
		reducertest.Check(t, r, []float64{math.NaN(), 0, math.Copysign(0, -1), math.Inf(1), 1})
	})
}

func TestULPs(t *testing.T) {
	one := reducertest.ULPs(1)
	t.Run("float64", func(t *testing.T) {
		var result float64
		samples := []float64{0.1, 0.2, 0.3}
		assert.Contains(t, check(sum(&result), samples).laws(), "associativity")
		reducertest.Check(t, sum(&result), samples, one)
		assert.NotEmpty(t, check(sum(&result), samples, reducertest.ULPs(0)).failures)
	})
	t.Run("cancellation", func(t *testing.T) {
		var result float64
		samples := []float64{1e16, -1e16, 1}
		assert.Contains(t, check(sum(&result), samples).laws(), "associativity")
		reducertest.Check(t, sum(&result), samples, one)
	})
	t.Run("float32", func(t *testing.T) {
		var result float32
		samples := []float32{0.1, 0.2, 0.7}
		assert.Contains(t, check(sum(&result), samples).laws(), "associativity")
		reducertest.Check(t, sum(&result), samples, one)
	})
	t.Run("a float32 is not a float64", func(t *testing.T) {
		var result float32 // off by one unit of float32, 2^29 of float64
		r := reducers.New(&result, func(dst, src *float32) {
			if *src != 0 {
				*dst = math.Nextafter32(*dst+*src, 9)
			}
		})
		assert.Contains(t, check(r, []float32{1, 1.5}).laws(), "left identity")
		reducertest.Check(t, r, []float32{1, 1.5}, reducertest.ULPs(3))
	})
	t.Run("complex128", func(t *testing.T) {
		var result complex128
		samples := []complex128{complex(0.1, 1), complex(0.2, 0.2), complex(0.3, 0.1)}
		assert.Contains(t, check(sum(&result), samples).laws(), "associativity")
		reducertest.Check(t, sum(&result), samples, one)
	})
	t.Run("deep", func(t *testing.T) {
		type stats struct {
			x [1]float64
			s []float64
			m map[string]float64
			p *float64
			i any
		}
		f := func(v float64) stats { return stats{[1]float64{v}, []float64{v}, map[string]float64{"v": v}, &v, v} }
		var result stats
		r := reducers.New(&result, func(dst, src *stats) { *dst = f(dst.x[0] + src.x[0]) },
			reducers.Init(func(val *stats) { *val = f(0) }))
		samples := []stats{f(0.1), f(0.2), f(0.3)}
		assert.Contains(t, check(r, samples).laws(), "associativity")
		reducertest.Check(t, r, samples, one)
	})
	t.Run("more than that is too much", func(t *testing.T) {
		var result float64
		r := reducers.New(&result, func(dst, src *float64) { *dst = (*dst + *src) * (1 + 1e-12) })
		assert.Contains(t, check(r, []float64{1, 2}, one).laws(), "associativity")
	})
	t.Run("an infinite operand is no scale", func(t *testing.T) {
		var result float64
		r := reducers.New(&result, func(dst, src *float64) { *dst = min(*dst, *src) + 0.001 },
			reducers.Init(func(val *float64) { *val = math.Inf(1) }))
		assert.Contains(t, check(r, []float64{1, 2}, one).laws(), "left identity")
	})
	t.Run("infinities and NaN", func(t *testing.T) {
		var result float64
		r := reducers.New(&result, func(dst, src *float64) {
			if *src != 0 {
				*dst = math.Inf(1)
			}
		})
		assert.Contains(t, check(r, []float64{math.MaxFloat64}, reducertest.ULPs(1<<30)).laws(), "left identity")
		reducertest.Check(t, sum(&result), []float64{math.Inf(1), math.Inf(-1), 1}, one)
	})
}

func TestEqual(t *testing.T) {
	var result string
	r := reducers.New(&result, concat)
	length := reducertest.Equal(func(a, b string) bool { return len(a) == len(b) })
	reducertest.Check(t, r, []string{"a", "b"}, length)

	rec := check(r, []string{"a", "b"}, reducertest.Equal(func(a, b int) bool { return true }))
	require.Len(t, rec.failures, 1)
	assert.Contains(t, rec.failures[0], "Equal was given a func(int, int) bool for a reducer of string")
}

func TestNoSamples(t *testing.T) {
	var result int
	rec := check(sum(&result), nil)
	require.Len(t, rec.failures, 1)
	assert.Contains(t, rec.failures[0], "no samples")
}

func TestSamplesAreLeftAlone(t *testing.T) {
	samples := [][]int{{1, 2}, {3, 4}}
	p := vector()
	p.join = func(dst, src *[]int) { clear(*dst); clear(*src) }
	assert.NotEmpty(t, check(p, samples).failures)
	assert.Equal(t, [][]int{{1, 2}, {3, 4}}, samples)
}

func TestManySamplesAreCapped(t *testing.T) {
	var result, joins int
	r := reducers.New(&result, func(dst, src *int) { *dst += *src; joins++ })
	reducertest.Check(t, r, make([]int, 10_000))
	assert.Less(t, joins, 100_000+10*10_000)
}

func TestMessage(t *testing.T) {
	var result int
	r := reducers.New(&result, func(dst, src *int) { *dst -= *src })
	assert.Equal(t, []string{
		"reducertest: left identity: reducers.Func[int]: e + a is not a, where e is what Init makes, the zero value by reducers.Base and reducers.New\n\te     = 0\n\ta     = 3\n\te + a = -3",
		"reducertest: associativity: reducers.Func[int]: (a + b) + c is not a + (b + c)\n" +
			"\ta           = 3\n\tb           = 3\n\tc           = 3\n\t(a + b) + c = -3\n\ta + (b + c) = 3",
		"reducertest: commutativity: reducers.Func[int]: a + b is not b + a, and the reducer is not marked Ordered\n" +
			"\ta     = 3\n\tb     = 5\n\ta + b = -2\n\tb + a = 2",
	}, check(r, []int{3, 5}).failures)
}

func TestMessageOfExactness(t *testing.T) {
	var result float64
	rec := check(reducers.Exact(sum(&result)), []float64{1e16, -1e16, 1}, reducertest.ULPs(1))
	require.Equal(t, []string{"exactness"}, rec.laws())
	assert.Regexp(t, `^reducertest: exactness: reducers.Modified\[float64\]: two orders of joining give different bits, and the reducer is marked Exact`+
		`(\n\t[a-k] += [-+.e\d]+)+\n\t\(+a \+ b\) \+ c.* += .*\n\t.* \+ .* = .*$`, rec.failures[0])
}

func TestSumsOfAnyIntegers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var result int
		reducertest.Check(t, sum(&result), rapid.SliceOfN(rapid.Int(), 1, 6).Draw(t, "samples"))
	})
}

func TestAverageOfAnyNumbersIsCaught(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var result int
		r := reducers.New(&result, func(dst, src *int) { *dst = (*dst + *src) / 2 }) //gokkosvet:ignore a mistake to be found
		samples := rapid.SliceOfNDistinct(rapid.IntRange(4, 1000), 2, 6, rapid.ID).Draw(t, "samples")
		laws := check(r, samples).laws()
		assert.Contains(t, laws, "associativity")
		assert.Contains(t, laws, "left identity")
	})
}

func TestConcatenationsOfAnyStrings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var result string
		samples := rapid.SliceOfN(rapid.String(), 1, 5).Draw(t, "samples")
		reducertest.Check(t, reducers.Ordered(reducers.New(&result, concat)), samples)
	})
}

// An ordinary sum errs by at most one unit of the largest number for each of
// its two additions, and so by at most two where two sums are compared.
func TestFloatSumsOfAnyNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var result float64
		samples := rapid.SliceOfN(rapid.Float64Range(-1e300, 1e300), 1, 5).Draw(t, "samples")
		reducertest.Check(t, sum(&result), samples, reducertest.ULPs(2))
	})
}
