package views_test

import (
	"errors"
	"math"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/internal/cardtest"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// Memory is freed when the last view of it is gone, whichever that is.
func TestCardFreesWhatIsGone(t *testing.T) {
	card := cardtest.New(t, cardBytes)
	await := func(want int) {
		t.Helper()
		require.Eventually(t, func() bool { runtime.GC(); return card.Counts().Allocated == want }, time.Minute, time.Millisecond)
	}
	v := views.Must(views.NewIn[int](card.Memory(), "v", []int{4, 6}))
	require.NoError(t, views.Fill(v, 3))
	row := views.Must(views.As1(v.Sub(views.Index(1), views.All())))
	turned := views.Must(v.Transpose().Permute(1, 0))
	flat := views.Must(v.Reshape(24))
	v = views.View[int]{}
	for range 3 {
		runtime.GC()
	}
	await(1)
	assert.Equal(t, slices.Repeat([]int{3}, 6), fetch(t, row.View))
	assert.Equal(t, slices.Repeat([]int{3}, 24), fetch(t, turned))
	turned = views.View[int]{}
	await(1)
	assert.Equal(t, slices.Repeat([]int{3}, 24), fetch(t, flat))
	require.NoError(t, views.Realloc(&flat, 7))
	await(2) // of row, and of flat
	runtime.KeepAlive(row)
	require.NoError(t, views.Resize(&flat, 9))
	runtime.KeepAlive(flat)
	await(0)
}

func TestFree(t *testing.T) {
	card, sim := cardtest.New(t, cardBytes), newGPU(t)
	for _, m := range []views.MemorySpace{card.Memory(), sim.Memory()} {
		v := views.Must(views.NewIn[int](m, "v", []int{4, 6}))
		row := views.Must(v.Sub(views.Index(1), views.All()))
		host := views.Must(views.New[int]("host", []int{6}))
		require.NoError(t, views.Free(row))
		for what, err := range map[string]error{
			"Free":               views.Free(v),
			"Fill":               views.Fill(v, 1),
			"FillFunc":           views.FillFunc(v, func(policy.Span, []int) {}),
			"DeepCopy":           views.DeepCopy(host, row),
			"DeepCopy to a view": views.DeepCopy(row, host),
			"MirrorCopy":         second(views.MirrorCopy(m, v)),
			"Resize":             views.Resize(&v, 4, 6),
		} {
			assert.ErrorContains(t, err, "views: "+what+` of "v" [`)
			assert.ErrorContains(t, err, "], whose memory was freed")
		}
	}
	assert.Zero(t, card.Counts().Allocated)
	v := views.Must(views.New1[int]("v", 3))
	require.NoError(t, views.Free(v))
	require.NoError(t, views.Free(v))
	v.Set(1, 2)
	assert.Equal(t, 2, v.At(1), "nothing is done on the host")
	require.NoError(t, views.Free(views.View2[int]{}))
	assert.EqualError(t, views.Free[int](nil), "views: Free of a nil view")
}

func second[V any](_ V, err error) error { return err }

// What Free gave back is not freed once more with the last view of it: others may have it then.
func TestFreeIsOnce(t *testing.T) {
	for _, m := range []views.MemorySpace{&reused{}, newGPU(t).Memory()} {
		v := views.Must(views.NewIn[int](m, "v", []int{1000}))
		require.NoError(t, views.Free(v))
		w := views.Must(views.NewIn[int](m, "w", []int{1000}))
		runtime.KeepAlive(v)
		for range 3 {
			runtime.GC()
			time.Sleep(time.Millisecond)
		}
		assert.NoError(t, views.Free(w), m)
	}
}

// reused is a memory with room for one view, always at the same address.
type reused struct {
	device.Memory
	page  [1000]int
	mu    sync.Mutex
	taken bool
}

func (m *reused) String() string       { return "reused" }
func (m *reused) Owner() space.Space   { return exec.Serial{} }
func (m *reused) Guard() *device.Guard { return nil }

func (m *reused) Allocate(int, int) (unsafe.Pointer, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.taken = true
	return unsafe.Pointer(&m.page), nil
}

func (m *reused) Free(unsafe.Pointer) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.taken {
		return errors.New("not taken")
	}
	m.taken = false
	return nil
}

// A card that is full has what nobody refers to collected, and then says that it is full.
func TestCardIsFull(t *testing.T) {
	card := cardtest.New(t, 1<<20)
	for range 40 { // each takes half of it, and is gone at once
		v, err := views.NewIn[byte](card.Memory(), "v", []int{1 << 19})
		require.NoError(t, err)
		require.NoError(t, views.Fill(v, 1))
	}
	kept := views.Must(views.NewIn[byte](card.Memory(), "kept", []int{1 << 19}))
	_, err := views.NewIn[float64](card.Memory(), "v", []int{1 << 17})
	assert.ErrorContains(t, err, `views: "v" [131072] in Card: 1048576 bytes, of which 524288 are left: out of memory`)
	assert.ErrorIs(t, err, device.ErrOutOfMemory)
	assert.ErrorIs(t, views.Resize(&kept, 1<<21), device.ErrOutOfMemory)
	assert.Equal(t, 1<<19, kept.Len())
	_, err = views.NewIn[[1 << 20]float64](card.Memory(), "v", []int{math.MaxInt / 2})
	assert.ErrorContains(t, err, "needs more memory than there can be")
	sim := newGPU(t)
	_, err = views.NewIn[float64](sim.Memory(), "v", []int{math.MaxInt / 8})
	assert.ErrorIs(t, err, device.ErrOutOfMemory)
}
