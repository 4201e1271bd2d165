package cuda

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gokkos/gokkos/exec/cuda/internal/foldtext"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/reducers/concept"
)

// Results whose blocks count themselves have a counter each.
func TestTensorCounters(t *testing.T) {
	ops := []concept.Operation{{Join: concept.OpSum}}
	key := foldtext.TensorKey{Kind: reflect.Float64, Operations: foldtext.KeyOf(reflect.Float64, false, ops).Operations, Kept: 1, Walked: 1, Lanes: 32}
	w := tensorWork{key: key, text: foldtext.TensorOf(key, ops)}
	for _, leaves := range []int{9, 16, 64, 1 << 20} {
		w.of.Grid = space.Grid{Leaves: leaves, Lanes: 32}
		assert.LessOrEqual(t, 4*w.most(), countsBytes, "%d leaves", leaves)
		assert.Positive(t, w.most())
	}
}
