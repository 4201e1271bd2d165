package reduce_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/reducers"
)

// opened returns two slots of r, for nodes.
func opened[T any](t testing.TB, r reducers.Reducer[T]) *reduce.Slots[T] {
	s := reduce.NewSlots(r)
	_, err := s.Column.Layout()
	require.NoError(t, err)
	s.Column.Open(1, 2, 1)
	s.Column.Clear(0)
	s.Column.Clear(1)
	return s
}

func rowOf(row *[]float64) reducers.Reducer[[]float64] { return reducers.Slice(row, lastTo[float64]) }

// sendSlot sends slot 0 to slot 1, and returns its bytes.
func sendSlot[T any](t *testing.T, s *reduce.Slots[T]) []byte {
	data, err := reduce.AppendNode(nil, []*reduce.Column{&s.Column}, 0)
	require.NoError(t, err)
	require.NoError(t, reduce.SetNode([]*reduce.Column{&s.Column}, 1, data))
	return data
}

func TestSlotsOfSlices(t *testing.T) {
	flat := make([]float64, 3)
	s := opened[[]float64](t, reducers.Slice(&flat, lastTo[float64]))
	copy(*s.At(0), []float64{1, math.Copysign(0, -1), payload})
	data := sendSlot(t, s)
	assert.Len(t, data, 3*8)
	clear(data) // the slot shares no memory with it
	for k, x := range *s.At(0) {
		assert.Equal(t, math.Float64bits(x), math.Float64bits((*s.At(1))[k]))
	}

	rows := [][]float64{make([]float64, 2), {}, make([]float64, 1)}
	nested := opened[[][]float64](t, reducers.Slice(&rows, rowOf))
	(*nested.At(0))[0][1], (*nested.At(0))[2][0] = 4, 5
	assert.Len(t, sendSlot(t, nested), 3*8)
	assert.Equal(t, [][]float64{{0, 4}, nil, {5}}, *nested.At(1))

	texts := make([]string, 2)
	words := opened[[]string](t, reducers.Ordered(reducers.Slice(&texts, lastTo[string])))
	copy(*words.At(0), []string{"a", "bc"})
	sendSlot(t, words)
	assert.Equal(t, []string{"a", "bc"}, *words.At(1))

	partials := make([]reducers.Partial[int64], 2)
	maxima := opened[[]reducers.Partial[int64]](t, reducers.Slice(&partials, func(p *reducers.Partial[int64]) reducers.NoIdentity[int64] {
		return reducers.WithoutIdentity(p, func(a, b int64) int64 { return max(a, b) })
	}))
	(*maxima.At(0))[1].Combine(-3)
	assert.Len(t, sendSlot(t, maxima), 1+(1+8))
	(*maxima.At(1))[0].Combine(9) // the operation is there
	(*maxima.At(1))[1].Combine(-7)
	for k, want := range []int64{9, -3} {
		got, ok := (*maxima.At(1))[k].Value()
		assert.Equal(t, want, got)
		assert.True(t, ok)
	}
}

func TestSlotsOfPartials(t *testing.T) {
	var result reducers.Partial[string]
	r := reducers.WithoutIdentity(&result, func(a, b string) string { return a + b })
	s := opened[reducers.Partial[string]](t, r)
	assert.Equal(t, []byte{0}, sendSlot(t, s))
	_, ok := s.At(1).Value()
	assert.False(t, ok)

	s.At(0).Combine("a")
	sendSlot(t, s)
	s.At(1).Combine("b") // the operation is there
	got, ok := s.At(1).Value()
	assert.Equal(t, "ab", got)
	assert.True(t, ok)

	s.Column.Clear(0) // what is there is replaced by nothing
	sendSlot(t, s)
	_, ok = s.At(1).Value()
	assert.False(t, ok)
}

type sums struct {
	n     int
	text  string
	rows  [][]float64
	names map[string]bool
	top   reducers.Partial[float32]
}

// composed is a reducer of sums.
func composed(rows *[][]float64) reducers.Reducer[sums] {
	return reducers.Compose(
		reducers.WithInitial(reducers.Field(func(s *sums) *int { return &s.n }, lastTo(new(int)))),
		reducers.Field(func(s *sums) *string { return &s.text }, reducers.Reducer[string](reducers.Ordered(lastTo(new(string))))),
		reducers.Field(func(s *sums) *[][]float64 { return &s.rows }, reducers.Slice(rows, rowOf)),
		reducers.Field(func(s *sums) *map[string]bool { return &s.names }, reducers.Reducer[map[string]bool](union{reducers.Into(new(map[string]bool))})),
		reducers.Field(func(s *sums) *reducers.Partial[float32] { return &s.top },
			reducers.Reducer[reducers.Partial[float32]](reducers.WithoutIdentity(new(reducers.Partial[float32]), second[float32]))))
}

func TestSlotsOfComposites(t *testing.T) {
	rows := [][]float64{make([]float64, 2), make([]float64, 2), make([]float64, 1)}
	s := opened(t, composed(&rows))
	layout, err := s.Column.Layout()
	require.NoError(t, err)
	assert.Equal(t, fmt.Sprintf("(1 of int/%d, 1 of string, 1 of each of (2 of 2 of float64/8, 1 of 1 of float64/8), "+
		"1 of map[string]bool by reduce_test.union, 1 of optional float32/4)", strconv.IntSize/8), layout)
	val := s.At(0)
	val.n, val.text, val.rows[1][0] = 3, "abc", 7
	val.names["x"] = true
	val.top.Combine(1.5)
	sendSlot(t, s)
	got := s.At(1)
	assert.Equal(t, []any{3, "abc", [][]float64{{0, 0}, {7, 0}, {0}}, map[string]bool{"x": true}}, []any{got.n, got.text, got.rows, got.names})
	top, ok := got.top.Value()
	assert.Equal(t, float32(1.5), top)
	assert.True(t, ok)
}

// What is wrong with data is an error, and the slot holds the identity after it.
func TestSetNodeRefuses(t *testing.T) {
	ints := make([]int32, 3)
	list := opened[[]int32](t, reducers.Slice(&ints, lastTo[int32]))
	word := opened[string](t, lastTo(new(string)))
	columns := []*reduce.Column{&list.Column, &word.Column}
	copy(*list.At(0), []int32{1, 2, 3})
	*word.At(0) = "gokkos"
	whole, err := reduce.AppendNode([]byte("a"), columns, 0)
	require.NoError(t, err)
	whole = whole[1:]
	require.Len(t, whole, 12+8+6)

	refused := func(data []byte, says string) {
		*list.At(1), *word.At(1) = []int32{7, 7, 7}, "old"
		assert.EqualError(t, reduce.SetNode(columns, 1, data), "reducers: "+says)
		assert.Equal(t, []int32{0, 0, 0}, *list.At(1))
		assert.Equal(t, "", *word.At(1))
		require.NoError(t, reduce.SetNode(columns, 1, whole))
		assert.Equal(t, []int32{1, 2, 3}, *list.At(1))
		assert.Equal(t, "gokkos", *word.At(1))
	}
	refused(nil, "a partial result of type int32: 0 bytes are left, expected 12")
	refused(whole[:11], "a partial result of type int32: 11 bytes are left, expected 12")
	refused(whole[:14], "a partial result of type string: 2 bytes are left, expected 8")
	refused(whole[:25], "a partial result of type string: 5 bytes are left, expected 6")
	refused(append(whole[:26:26], 1, 2), "28 bytes were given for a node, expected 26")
	huge := append([]byte{}, whole...)
	binary.LittleEndian.PutUint64(huge[12:], math.MaxUint64)
	refused(huge, "a partial result of type string: 6 bytes are left, expected 18446744073709551615")
}

// A slot that was set in part holds the identity.
func TestSetSlotRefuses(t *testing.T) {
	words := make([]string, 2)
	s := opened[[]string](t, reducers.Slice(&words, lastTo[string]))
	copy(*s.At(0), []string{"a", "b"})
	data, err := s.Column.AppendSlot(nil, 0)
	require.NoError(t, err)
	_, err = s.Column.SetSlot(1, data[:len(data)-1])
	assert.EqualError(t, err, "reducers: a partial result of type string: 0 bytes are left, expected 1 (element 1)")
	assert.Equal(t, []string{"", ""}, *s.At(1))
}

func TestAppendNodeRefuses(t *testing.T) {
	ints := make([]int, 3)
	s := opened[[]int](t, reducers.Slice(&ints, lastTo[int]))
	*s.At(0) = make([]int, 4) // as a functor must not do
	const says = "reducers: the accumulator has length 4, expected 3: a functor changes its elements and never its length"
	buf, err := reduce.AppendNode([]byte("a"), []*reduce.Column{&s.Column}, 0)
	assert.EqualError(t, err, says)
	assert.Equal(t, "a", string(buf))

	words := make([]string, 2)
	texts := opened[[]string](t, reducers.Slice(&words, lastTo[string]))
	err = reduce.SetNode([]*reduce.Column{&texts.Column}, 1, make([]byte, 8+3))
	assert.EqualError(t, err, "reducers: a partial result of type string: 3 bytes are left, expected 8 (element 1)")
}

func TestLayoutComesFirst(t *testing.T) {
	s := reduce.NewSlots(last[int64]())
	columns := []*reduce.Column{&s.Column}
	s.Column.Open(1, 1, 1)
	refused := func() {
		const says = "reducers: Layout was not called, or returned an error, expected the layout of a form"
		_, err := reduce.AppendNode(nil, columns, 0)
		assert.EqualError(t, err, says)
		assert.EqualError(t, reduce.SetNode(columns, 0, make([]byte, 8)), says)
	}
	refused()
	_, err := s.Column.Layout()
	require.NoError(t, err)
	require.NoError(t, reduce.SetNode(columns, 0, make([]byte, 8)))
	s.Reset(lastTo(new(int64))) // another launch's reducer has another form
	refused()
}

func TestFingerprint(t *testing.T) {
	rows := [][]float64{make([]float64, 2), make([]float64, 1)}
	print := func(columns ...*reduce.Column) string {
		text, err := reduce.AppendFingerprint([]byte("before "), columns)
		require.NoError(t, err)
		return strings.TrimPrefix(string(text), "before ")
	}
	column := reduce.NewSlots[[][]float64](reducers.Slice(&rows, rowOf))
	text := print(&column.Column, &reduce.NewSlots(last[float64]()).Column)
	assert.Equal(t, []string{
		reduce.Machine(),
		"reducers.slice[[]float64]: each of (1 of 2 of float64/8, 1 of 1 of float64/8)",
		"reducers.Func[float64]: float64/8",
	}, strings.Split(text, "\n"))
	assert.Equal(t, text, print(&column.Column, &reduce.NewSlots(last[float64]()).Column))
	seen := map[string]bool{}
	for _, column := range []*reduce.Column{
		&reduce.NewSlots(last[int32]()).Column, &reduce.NewSlots(last[uint32]()).Column, &reduce.NewSlots(last[[1]int32]()).Column, &reduce.NewSlots(last[[2]int32]()).Column,
		&reduce.NewSlots(last[struct{ a, b int32 }]()).Column, &reduce.NewSlots(last[struct{ a, c int32 }]()).Column, &reduce.NewSlots(last[entry]()).Column,
		&reduce.NewSlots(reducers.Reducer[int32](reducers.Ordered(last[int32]()))).Column,
	} {
		seen[print(column)] = true
	}
	assert.Len(t, seen, 8)

	_, err := reduce.AppendFingerprint(nil, []*reduce.Column{&column.Column, &reduce.NewSlots(last[hists]()).Column})
	assert.EqualError(t, err, "reducers: a partial result of type reduce_test.hists cannot leave the process: field Hist is a map[string]int; give the reducer AppendValue and SetValue")
	_, err = reduce.AppendFingerprint(nil, []*reduce.Column{&reduce.NewSlots[int](nil).Column})
	assert.EqualError(t, err, "reducers: the reducer is nil")

	maps := make([]hists, 2)
	_, err = reduce.NewSlots[[]hists](reducers.Slice(&maps, lastTo[hists])).Column.Layout()
	assert.ErrorContains(t, err, "field Hist is a map[string]int")
	type both struct {
		n int
		s hists
	}
	_, err = reduce.NewSlots(reducers.Compose(
		reducers.Field(func(b *both) *int { return &b.n }, lastTo(new(int))),
		reducers.Field(func(b *both) *hists { return &b.s }, lastTo(new(hists))))).Column.Layout()
	assert.ErrorContains(t, err, "field Hist is a map[string]int; give the reducer AppendValue and SetValue (part 2 of 2)")
}

// Sending values back and forth makes no garbage, and never reflects.
func TestNodesDoNotAllocate(t *testing.T) {
	elements := make([]float64, 1000)
	for name, s := range map[string]*reduce.Column{
		"float64": &opened(t, last[float64]()).Column,
		"six":     &opened(t, last[six]()).Column,
		"padded": &opened(t, last[struct {
			a byte
			b int
			c bool
		}]()).Column,
		"Slice":   &opened[[]float64](t, reducers.Slice(&elements, lastTo[float64])).Column,
		"Partial": &opened[reducers.Partial[float64]](t, reducers.WithoutIdentity(new(reducers.Partial[float64]), second[float64])).Column,
	} {
		buf := make([]byte, 0, 8000)
		assert.Zero(t, testing.AllocsPerRun(100, func() {
			data, err := s.AppendSlot(buf, 0)
			if err == nil {
				_, err = s.SetSlot(1, data)
			}
			if err != nil {
				panic(err)
			}
		}), name)
	}
}

func BenchmarkAppendValue(b *testing.B) {
	elements := make([]float64, 1000)
	for _, bc := range []struct {
		name string
		s    *reduce.Column
	}{
		{"float64", &opened(b, last[float64]()).Column},
		{"struct of 6", &opened(b, last[six]()).Column},
		{"Slice of 1000", &opened[[]float64](b, reducers.Slice(&elements, lastTo[float64])).Column},
	} {
		data, err := bc.s.AppendSlot(nil, 0)
		require.NoError(b, err)
		b.Run(bc.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, _ = bc.s.AppendSlot(data[:0], 0)
			}
		})
		b.Run(bc.name+", set", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, _ = bc.s.SetSlot(1, data)
			}
		})
	}
}
