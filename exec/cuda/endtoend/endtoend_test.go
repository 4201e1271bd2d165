//go:build linux && (amd64 || arm64)

package endtoend

import (
	"context"
	"os"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/cuda"
	"github.com/gokkos/gokkos/exec/cuda/internal/conformance"
	"github.com/gokkos/gokkos/exec/cuda/internal/driver"
	"github.com/gokkos/gokkos/exec/cuda/internal/standin"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/machine"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/views"
)

// standIn returns a space whose kernels the machine executes, as they are written.
func standIn(t *testing.T) *cuda.Space {
	return deviceOf(&executor{t: t, modules: map[string]*machine.Module{}})
}

// deviceOf is device with an executor of one's own.
func deviceOf(e *executor) *cuda.Space {
	t := e.t
	lib := standin.Get(t)
	lib.RunBy(e.run)
	require.NoError(t, os.Setenv(driver.Variable, lib.Path))
	s, err := cuda.Open(0)
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, s.Close())
		lib.RunBy(nil)
	})
	return s
}

// An executor runs launches on the machine.
type executor struct {
	t        *testing.T
	modules  map[string]*machine.Module // by text
	launches uint64
	count    map[string]int // of instructions that threads have run, or nil
	few      bool           // folds have fewer blocks than they are launched with
}

func (e *executor) run(l standin.Launch) error {
	err := e.execute(l)
	if err != nil {
		e.t.Error(err)
	}
	return err
}

func (e *executor) execute(l standin.Launch) error {
	m := e.modules[l.Text]
	if m == nil {
		var err error
		if m, err = machine.Parse(l.Text); err != nil {
			return err
		}
		e.modules[l.Text] = m
	}
	mem := &machine.Memory{}
	for _, r := range l.Memory {
		mem.MapAt(r.At, r.Bytes)
	}
	e.launches++
	if e.few && l.Entry == "gokkos_fold" {
		l.Blocks = 1 + l.Blocks/5
	}
	return m.Run(mem, machine.Launch{Entry: l.Entry, Blocks: l.Blocks, Threads: l.Threads, Shared: l.Shared, Params: l.Params, Seed: e.launches, Count: e.count})
}

func TestKernels(t *testing.T) {
	conformance.Kernels(t, standIn(t), conformance.Sizes...)
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
	s := deviceOf(&executor{t: t, modules: map[string]*machine.Module{}, few: true})
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
