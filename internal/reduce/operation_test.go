package reduce_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
)

// squares is a reducer of somebody else, that devices know.
type squares struct{ reducers.Base[float64] }

func (squares) Init(val *float64) { *val = 1 }

func (squares) Join(dst, src *float64) { *dst *= *src }

func (r squares) Fold() reducers.Fold[float64] { return reducers.NewFold[float64, float64](r, nil) }

func (squares) AddValues(lanes []float64, _ int, x []float64) {
	for k, v := range x {
		lanes[k%len(lanes)] *= v * v
	}
}

func (squares) Operation() concept.Operation {
	return concept.Operation{Join: concept.OpProd, Map: concept.MapSquare}
}

// A fold tells the operation of a reducer that takes the values itself, whatever modifies it.
func TestOperationOfFolds(t *testing.T) {
	var result float64
	r := squares{reducers.Into(&result)}
	known, unknown := r.Operation(), concept.Operation{}
	assert.True(t, known.Known())
	assert.False(t, unknown.Known())
	for name, c := range map[string]struct {
		fold func() reducers.Fold[float64]
		want concept.Operation
	}{
		"itself":         {r.Fold, known},
		"modified":       {reducers.WithInitial[float64](r).Fold, known},
		"modified twice": {reducers.Ordered[float64](reducers.WithInitial[float64](r)).Fold, known},
		"a function": {func() reducers.Fold[float64] {
			return reducers.NewFold(reducers.Reducer[float64](r), func([]float64, int, []float64) {})
		}, unknown},
		"accepting": {reducers.Folding[float64](r, func(*float64, int, float64) {}).Fold, unknown},
		"functions": {reducers.New(&result, r.Join).Fold, unknown}, //gokkosvet:ignore nothing is joined
	} {
		assert.Equal(t, c.want, foldOf(t, c.fold()).Operation(), name)
		own := c.fold()
		reduce.Rejoin(own, func(own reduce.Adder) reduce.Adder { return own })
		assert.Equal(t, unknown, foldOf(t, own).Operation(), "one that takes values in its own way: %s", name)
	}
	known.Map = ""
	assert.Equal(t, known, reduce.NewSlots(reducers.Reducer[float64](r)).Column.Operation())
	assert.Equal(t, known, reduce.NewSlots[float64](reducers.Exact[float64](r)).Column.Operation())
	assert.Equal(t, unknown, reduce.NewSlots(reducers.Slice(new([]float64), sumOf)).Column.Operation())
	assert.Equal(t, unknown, reduce.NewSlots(reducers.Compose(reducers.Field(func(s *struct{ X float64 }) *float64 { return &s.X }, reducers.Reducer[float64](r)))).Column.Operation())
}

func sumOf(result *float64) reducers.Reducer[float64] { return squares{reducers.Into(result)} }
