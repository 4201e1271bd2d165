package tensor_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/internal/cardtest"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/tensor"
)

// A folder is a card that folds tensors, and takes no time for it.
type folder struct {
	*cardtest.Card
	columns [][]byte
}

func (f *folder) FoldTensor(context.Context, device.Tensor) ([][]byte, error) { return f.columns, nil }

// What is done on the host with the mean and the mean of squares of 256 channels that a card folds.
func BenchmarkFar(b *testing.B) {
	card := &folder{Card: cardtest.New(b, 1<<20)}
	card.Own(card)
	x := views.Must(views.NewIn[float32](card.Memory(), "x", []int{4, 2, 2, 256}))
	mean, square := views.Must(views.New[float32]("mean", []int{256})), views.Must(views.New[float32]("square", []int{256}))
	card.columns = [][]byte{make([]byte, 4*256), make([]byte, 4*256)}
	b.ReportAllocs()
	for b.Loop() {
		require.NoError(b, tensor.Reduce(tensor.Over(x, 0, 1, 2),
			tensor.Fold(builtin.Sum[float32], tensor.IntoMap(mean, tensor.Average[float32])),
			tensor.Fold(builtin.SumSq[float32], tensor.IntoMap(square, tensor.Average[float32]))))
	}
}
