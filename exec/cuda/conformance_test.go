//go:build linux && (amd64 || arm64) && !race

package cuda_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gokkos/gokkos/exec/cuda"
	"github.com/gokkos/gokkos/exec/cuda/internal/conformance"
	"github.com/gokkos/gokkos/exec/space/spacetest"
	"github.com/gokkos/gokkos/views"
)

// Package conformance has all types and reducers, which takes a compiler minutes under the race detector.

func TestCard(t *testing.T) {
	s := card(t)
	t.Log(s)
	t.Run("launches", func(t *testing.T) { suite(t, s) })
	t.Run("faults", func(t *testing.T) { faults(t, s) })
	t.Run("units", func(t *testing.T) { conformance.Copies(t, s) })
	t.Run("kernels", func(t *testing.T) { conformance.Kernels(t, s, append(conformance.Sizes, 3_000_017)...) })
	t.Run("own reducers", func(t *testing.T) { conformance.OwnReducers(t, s, append(conformance.Sizes, 0, 3_000_017)...) })
	t.Run("structs", func(t *testing.T) {
		conformance.Structs(t, s, append(conformance.Sizes, 0, 3_000_017)...)
		conformance.StructsOfBoxes(t, s, 37, 19)
		conformance.StructsOfBoxes(t, s, 1500, 1100)
	})
	t.Run("boxes", func(t *testing.T) {
		conformance.Boxes(t, s, 37, 19)
		conformance.Boxes(t, s, 1500, 1100) // in several pieces
	})
	t.Run("folds", func(t *testing.T) {
		for _, n := range []int{0, 1, 2, 31, 33, 1000, 4346, 3_000_017} {
			conformance.Folds(t, s, n)
		}
	})
	t.Run("teams", func(t *testing.T) {
		for _, of := range append(conformance.Leagues, conformance.League{Teams: 5000, Size: 1, Vector: 1}, conformance.League{Teams: 5000, Size: 32, Vector: 8}) {
			conformance.Teams(t, s, of)
			conformance.OwnOfTeams(t, s, of)
		}
		conformance.TooManyMembers(t, s)
		conformance.TeamLimits(t, s, 256)
		conformance.Parts(t, s)
	})
	t.Run("scans", func(t *testing.T) {
		for _, n := range []int{0, 1, 2, 33, 1030, 40_000, 3_000_017} {
			conformance.Scans(t, s, n)
			conformance.ScanFunctors(t, s, n)
		}
	})
	t.Run("sorts", func(t *testing.T) {
		for _, n := range []int{0, 1, 2, 33, 4097, 3_000_018} {
			conformance.Sorts(t, s, n)
			conformance.Rearrangements(t, s, n)
		}
	})
	t.Run("tensors", func(t *testing.T) { conformance.Tensors(t, s, conformance.Shapes...) })
	t.Run("random", func(t *testing.T) {
		for _, n := range []int{0, 1, 6, 1027, 3_000_017} {
			conformance.Random(t, s, n)
		}
	})
	t.Run("figures", func(t *testing.T) { conformance.Figures(t, s, 100_000_000) })
	t.Run("peers", func(t *testing.T) { conformance.Peers(t, 100_000_000) })
	t.Run("transfers", func(t *testing.T) { transfers(t, s, s) })
	t.Run("two", func(t *testing.T) {
		other, err := cuda.Open(1)
		if err != nil {
			t.Skip("no other card: ", err)
		}
		defer func() { assert.NoError(t, other.Close()) }()
		transfers(t, s, other)
		conformance.TwoCards(t, s, other, 1<<27)
	})
	t.Run("together", func(t *testing.T) {
		both, err := cuda.Together()
		if err != nil || both.String() == s.String() {
			t.Skip("no space of several cards: ", err)
		}
		defer func() { assert.NoError(t, both.Close()) }()
		t.Run("bits", func(t *testing.T) {
			smallParts(t)
			for range 3 { // how long items take is known in the third round
				conformance.Kernels(t, both, 3_000_017)
				conformance.Boxes(t, both, 1500, 1100)
				conformance.Teams(t, both, conformance.League{Teams: 5000, Size: 32, Vector: 8})
			}
			conformance.Folds(t, both, 3_000_017)
			conformance.Scans(t, both, 3_000_017)
			conformance.ScanFunctors(t, both, 3_000_017)
			conformance.Random(t, both, 3_000_017)
			conformance.Sorts(t, both, 3_000_017)
			conformance.Rearrangements(t, both, 3_000_017)
			conformance.Tensors(t, both, conformance.Shape{Extents: []int{3000, 1001}, Over: []int{0}}, conformance.Shape{Extents: []int{3000, 1001}, Over: []int{1}})
			transfers(t, both, s)
			transfers(t, both, both)
		})
		conformance.Figures(t, both, 100_000_000)
	})
	t.Run("pieces", func(t *testing.T) { pieces(t, s) })
	t.Run("space", func(t *testing.T) { spacetest.TestSpace(t, scans{hosted{s, s}}) })
	t.Run("large", func(t *testing.T) {
		_, err := views.NewIn[float64](s.Memory(), "large", []int{1 << 38})
		assert.ErrorContains(t, err, "are left on device 0")
	})
}

func TestTwoCards(t *testing.T) {
	s, _ := open(t)
	conformance.TwoCards(t, s, openOther(t, 1), 10_000)
}

func TestUnits(t *testing.T) {
	s, _ := open(t)
	conformance.Copies(t, s)
}

// scans is a hosted space whose device has texts that scan, as the stand-in has not.
type scans struct{ hosted }

func (scans) ScansMemory() {}
