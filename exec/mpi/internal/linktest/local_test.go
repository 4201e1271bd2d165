package linktest

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/mpi/internal/link"
	"github.com/gokkos/gokkos/exec/mpi/internal/local"
)

func TestLocal(t *testing.T) {
	for _, ranks := range []int{1, 2, 3, 4, 7, 16} {
		t.Run(fmt.Sprint(ranks), func(t *testing.T) {
			w, err := local.New(ranks, local.Faults{})
			require.NoError(t, err)
			w.Run(func(l link.Link) {
				if err := Check(l); err != nil {
					t.Error(err)
					w.Kill(l.Rank())
				}
			}, func(rank int, _ bool, value any) { assert.Fail(t, "ended", "rank %d: %v", rank, value) })
		})
	}
}
