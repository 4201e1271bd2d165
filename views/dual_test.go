package views_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/internal/cardtest"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// A field that the host fills and a device changes, copied when it is needed.
func ExampleDual() {
	sim := exec.NewSimGPU(gpu.H200())
	defer sim.Close()
	d, err := views.NewDual(sim.Memory(), views.Must(views.New1[float64]("field", 3)))
	exec.Must(err)
	d.Host().Set(1, 5)
	exec.Must(d.ModifiedHost())
	fmt.Println("device needs a copy:", d.NeedsSyncDevice())
	exec.Must(d.SyncDevice())
	x := d.Device()
	exec.Must(exec.ParallelFor(policy.Range(0, 3).On(sim), func(i int) { x.Set(i, x.At(i)+1) }))
	exec.Must(d.ModifiedDevice())
	fmt.Println("host needs a copy:", d.NeedsSyncHost())
	exec.Must(d.SyncHost())
	fmt.Println(d.Host().Row())
	// Output:
	// device needs a copy: true
	// host needs a copy: true
	// [1 6 1]
}

func ExampleNewDual() {
	d, err := views.NewDual(views.Host, views.Must(views.New1[int]("x", 2)))
	exec.Must(err)
	d.Host().Set(0, 7)
	exec.Must(d.ModifiedHost())
	fmt.Println(d.NeedsSyncDevice(), d.Device().At(0)) // one view
	// Output: false 7
}

func TestDual(t *testing.T) {
	sim := exec.NewSimGPU(gpu.H200())
	defer sim.Close()
	h := views.Must(views.New2[int32]("h", 3, 5))
	require.NoError(t, views.Fill(h, 4))
	d, err := views.NewDual(sim.Memory(), h)
	require.NoError(t, err)
	assert.False(t, d.NeedsSyncHost() || d.NeedsSyncDevice(), "NewDual copies")
	back, err := views.MirrorCopy(views.Host, d.Device())
	require.NoError(t, err)
	assert.Equal(t, int32(4), back.At(2, 4))

	// Copies share which side is newer.
	e := d
	require.NoError(t, e.ModifiedDevice())
	require.NoError(t, e.ModifiedDevice(), "again")
	assert.True(t, d.NeedsSyncHost())
	assert.NoError(t, d.SyncDevice(), "the device is newer: nothing to copy")
	assert.True(t, d.NeedsSyncHost())
	assert.EqualError(t, d.ModifiedHost(), `views: the host of "h" [3 5] was changed while the device is newer, expected a sync before`)
	assert.True(t, d.NeedsSyncHost())

	// A copy that fails leaves the sides as they were.
	require.NoError(t, views.Fill(d.Device(), 9))
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	require.ErrorIs(t, d.SyncHost(policy.Launch{}.WithContext(cancelled)), context.Canceled)
	assert.True(t, d.NeedsSyncHost())
	assert.Equal(t, int32(4), h.At(0, 0))
	require.NoError(t, d.SyncHost())
	assert.False(t, d.NeedsSyncHost())
	assert.Equal(t, int32(9), h.At(2, 4))
	require.NoError(t, d.SyncHost(), "nothing to do")

	_, err = views.NewDual(views.Host, d.Device())
	assert.ErrorContains(t, err, "expected a view in host memory")
	_, err = views.NewDual(sim.Memory(), views.Must(views.New1[*int]("pointers", 1)))
	assert.ErrorContains(t, err, "refers to memory elsewhere")
	var none views.Dual[int, views.View1[int]]
	assert.ErrorContains(t, none.ModifiedHost(), "NewDual has not made")
	assert.False(t, none.NeedsSyncHost() || none.NeedsSyncDevice())
	assert.NoError(t, none.SyncHost())
}

// The other side may be where only a card can touch it.
func TestDualOnCard(t *testing.T) {
	card := cardtest.New(t, cardBytes)
	h := views.Must(views.Of1("h", []int{1, 2, 3}))
	d, err := views.NewDual(card.Memory(), h)
	require.NoError(t, err)
	require.NoError(t, views.Fill(d.Device(), 8))
	require.NoError(t, d.ModifiedDevice())
	require.NoError(t, d.SyncHost())
	assert.Equal(t, []int{8, 8, 8}, h.Row())
	h.Set(1, 5)
	require.NoError(t, d.ModifiedHost())
	assert.ErrorContains(t, d.ModifiedDevice(), "while the host is newer")
	require.NoError(t, d.SyncDevice())
	assert.Equal(t, []int{8, 5, 8}, fetch(t, d.Device().View))
}
