//go:build linux && (amd64 || arm64)

package endtoend

import (
	"context"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/cuda"
	"github.com/gokkos/gokkos/exec/cuda/endtoend/internal/executor"
	"github.com/gokkos/gokkos/exec/cuda/internal/conformance"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/views"
)

// standIn returns a space whose kernels the machine executes, as they are written.
func standIn(t *testing.T) *cuda.Space { return new(executor.Executor).Open(t) }

func TestKernels(t *testing.T) {
	conformance.Kernels(t, standIn(t), conformance.Sizes...)
}

func TestOwnReducers(t *testing.T) {
	conformance.OwnReducers(t, standIn(t), append(conformance.Sizes, 0, 20_011)...)
}

func TestStructs(t *testing.T) {
	conformance.Structs(t, standIn(t), append(conformance.Sizes, 0, 20_011)...)
}

func TestStructsOfBoxes(t *testing.T) {
	s := standIn(t)
	for _, c := range [][2]int{{0, 4}, {1, 1}, {5, 33}, {37, 19}} {
		conformance.StructsOfBoxes(t, s, c[0], c[1])
	}
}

func TestCopies(t *testing.T) { conformance.Copies(t, standIn(t)) }

func TestBoxes(t *testing.T) {
	s := standIn(t)
	for _, c := range [][2]int{{0, 4}, {1, 1}, {5, 33}, {37, 19}} {
		conformance.Boxes(t, s, c[0], c[1])
	}
}

func TestTeams(t *testing.T) {
	s := standIn(t)
	for _, of := range conformance.Leagues {
		conformance.Teams(t, s, of)
	}
	conformance.TeamLimits(t, s, 16)
}

func TestOwnOfTeams(t *testing.T) {
	s := standIn(t)
	for _, of := range conformance.Leagues {
		conformance.OwnOfTeams(t, s, of)
	}
	conformance.TooManyMembers(t, s)
}

func TestFolds(t *testing.T) {
	s := standIn(t)
	for _, n := range []int{0, 1, 2, 31, 33, 300, 1000, 1100, 2100, 4346} { // leaves of 1, 2, 4, 8, 16 and 32 lanes
		conformance.Folds(t, s, n)
	}
}

func TestLeaves(t *testing.T) {
	s := standIn(t)
	for _, n := range []int{8193, 9000, 66_000} { // 33, 36 and 258 blocks
		conformance.Leaves(t, s, n)
	}
}

// Blocks that have more leaves than threads come to the same bits: a card runs so many blocks at a time.
func TestFewBlocks(t *testing.T) {
	s := (&executor.Executor{Few: true}).Open(t)
	for _, n := range []int{1, 257, 1300, 5000} {
		conformance.Leaves(t, s, n)
		if n == 5000 {
			conformance.Folds(t, s, n)
		}
	}
}

func TestScans(t *testing.T) {
	s := standIn(t)
	for _, n := range []int{0, 1, 2, 33, 300, 1030, 40_000} { // leaves of 1 to 1024 items, and up to three levels of nodes
		if n > 2000 && testing.Short() {
			continue
		}
		conformance.Scans(t, s, n)
	}
}

func TestSorts(t *testing.T) {
	s := standIn(t)
	for _, n := range []int{0, 1, 2, 33, 8194} { // up to three tiles
		if n > 33 && testing.Short() {
			continue
		}
		conformance.Sorts(t, s, n)
	}
}

func TestRearrangements(t *testing.T) {
	s := standIn(t)
	for _, n := range []int{0, 1, 2, 33, 5000} {
		if n > 33 && testing.Short() {
			continue
		}
		conformance.Rearrangements(t, s, n)
	}
}

func TestParts(t *testing.T) { conformance.Parts(t, standIn(t)) }

func TestScanFunctors(t *testing.T) {
	s := standIn(t)
	for _, n := range []int{0, 1, 33, 300, 2500} {
		conformance.ScanFunctors(t, s, n)
	}
}

func TestTensors(t *testing.T) { conformance.Tensors(t, standIn(t), conformance.Shapes...) }

// The table of a card is made of launches that run.
func TestFigures(t *testing.T) {
	if testing.Short() {
		t.Skip("prints a table")
	}
	conformance.Figures(t, standIn(t), 2000)
}

func TestRandom(t *testing.T) {
	s := standIn(t)
	for _, n := range []int{0, 1, 4, 6, 1027} {
		conformance.Random(t, s, n)
	}
	v := views.Must(views.NewIn[float64](s.Memory(), "v", []int{3}))
	require.NoError(t, views.Fill(v, 7))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := device.Random{X: unsafe.Slice((*float64)(v.Address()), 3), Memory: s.Memory(), Law: device.UniformFloats{Width: 1, Last: 1}}
	require.ErrorIs(t, s.FillRandom(ctx, r), context.Canceled)
	assert.Equal(t, []float64{7, 7, 7}, slices.Collect(views.Must(views.MirrorCopy(views.Host, v)).Values()))
	require.NoError(t, s.FillRandom(t.Context(), r))
	require.NoError(t, s.Close())
	require.ErrorIs(t, s.FillRandom(t.Context(), r), space.ErrClosed)
}
