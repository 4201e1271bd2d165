package mpi

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// farMemory is a card's memory for tests. The host never gets an element of it, and copies are counted.
type farMemory struct {
	exec.Serial
	mu     sync.Mutex
	blocks map[unsafe.Pointer][]uint64
	copies int
	full   bool
}

func newFarMemory() *farMemory               { return &farMemory{blocks: map[unsafe.Pointer][]uint64{}} }
func (*farMemory) Name() string              { return "far" }
func (m *farMemory) Memory() device.Memory   { return m }
func (*farMemory) String() string            { return "a far memory" }
func (m *farMemory) Owner() space.Space      { return m }
func (*farMemory) Guard() *device.Guard      { return nil }
func bytesAt(p unsafe.Pointer, n int) []byte { return unsafe.Slice((*byte)(p), n) }

func (m *farMemory) Allocate(bytes, align int) (unsafe.Pointer, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if align > 8 || m.full {
		return nil, device.ErrOutOfMemory
	}
	block := make([]uint64, bytes/8+1)
	m.blocks[unsafe.Pointer(&block[0])] = block
	return unsafe.Pointer(&block[0]), nil
}

func (m *farMemory) Free(address unsafe.Pointer) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.blocks[address] == nil {
		return errors.New("not allocated")
	}
	delete(m.blocks, address)
	return nil
}

func (m *farMemory) Copy(all device.Copy) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.copies++
	for run := range all.Each(0) {
		copy(bytesAt(run.Dst.Address, run.Bytes), bytesAt(run.Src.Address, run.Bytes))
	}
	return nil
}

func (m *farMemory) Fill(all device.Fill) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for one := range all.Each(0) {
		copy(bytesAt(one.Dst.Address, len(one.Pattern)), one.Pattern)
	}
	return nil
}

// Where the card of one rank has no room, all ranks get its error.
func TestArraysWithoutRoom(t *testing.T) {
	require.NoError(t, Local(3, func(c *Comm) error {
		card := newFarMemory()
		card.full = c.Rank() == 1
		a, err := NewArray[float64](policy.Range(0, 50).On(On(c, card)), "a", nil, 1)
		assert.Nil(t, a)
		assert.ErrorContains(t, err, "out of memory")
		assert.Equal(t, c.Rank() == 1, errors.Is(err, device.ErrOutOfMemory))
		return nil
	}))
}

// The rows of a rank with a card are on the card: halos, Gather, Scatter and files take them from there.
func TestArraysOnCards(t *testing.T) {
	const n, m, width = 40, 3, 2
	path := t.TempDir() + "/a.npy"
	require.NoError(t, Local(3, func(c *Comm) error {
		card := newFarMemory()
		rows := policy.Range(0, n).On(On(c, card))
		a, err := NewArray[float64](rows, "a", []int{m}, width)
		require.NoError(t, err)
		assert.Same(t, card, a.Local().MemorySpace())
		whole := views.Must(views.New2[float64]("whole", n, m))
		for i := range n * m {
			whole.Set(i/m, i%m, float64(i))
		}
		require.NoError(t, a.Scatter(whole, 1))
		before := card.copies
		require.NoError(t, a.Exchange())
		assert.Greater(t, card.copies, before)
		h := views.Must(views.MirrorCopy(views.Host, a.Local()))
		for at, x := range h.All() {
			if want := float64((at[0]+a.First())*m + at[1]); x != want {
				return fmt.Errorf("rank %d, row %d: %v, expected %v", c.Rank(), at[0]+a.First(), x, want)
			}
		}
		back := views.Must(views.New2[float64]("back", n, m))
		require.NoError(t, a.Gather(back, 0))
		if c.Rank() == 0 {
			assert.Equal(t, slices.Collect(whole.Values()), slices.Collect(back.Values()))
		}
		require.NoError(t, WriteNPY(path, a))
		b, err := NewArray[float64](rows, "b", []int{m}, width)
		require.NoError(t, err)
		require.NoError(t, ReadNPY(path, b))
		require.NoError(t, b.Gather(back, 2))
		if c.Rank() == 2 {
			assert.Equal(t, slices.Collect(whole.Values()), slices.Collect(back.Values()))
		}
		return nil
	}))
}

// peerMemory is a far memory that copies from others of its kind without the host.
type peerMemory struct {
	*farMemory
	peers int   // such copies
	err   error // of the next ones
}

func (m *peerMemory) Memory() device.Memory { return m }
func (m *peerMemory) Owner() space.Space    { return m }

func (m *peerMemory) CopyFrom(from device.Memory, all device.Copy) (bool, error) {
	if m.peers++; m.err != nil {
		return false, m.err
	}
	for run := range all.Each(0) {
		copy(bytesAt(run.Dst.Address, run.Bytes), bytesAt(run.Src.Address, run.Bytes))
	}
	return true, nil
}

// Ranks of one process copy halos from card to card, or between a card and the host, where a rank has no card.
func TestHalosFromCardToCard(t *testing.T) {
	const n, m, width, ranks = 23, 3, 2, 4
	require.NoError(t, Local(ranks, func(c *Comm) error {
		card := &peerMemory{farMemory: newFarMemory()}
		on := On(c, card)
		if c.Rank() == ranks-1 {
			on = On(c, exec.Serial{})
		}
		rows := policy.Range(0, n).Chunk(1).On(on)
		a, err := NewArray[float64](rows, "a", []int{m}, width)
		require.NoError(t, err)
		begin, end := a.Rows()
		fill := func(x float64) {
			own := views.Must(views.New2[float64]("own", end-begin, m))
			for i := range (end - begin) * m {
				own.Set(i/m, i%m, x+float64(begin*m+i))
			}
			require.NoError(t, views.DeepCopy(a.Own(), own))
		}
		check := func(x float64) {
			h := views.Must(views.MirrorCopy(views.Host, a.Local()))
			for at, y := range h.All() {
				assert.Equal(t, x+float64((at[0]+a.First())*m+at[1]), y, "rank %d, row %d", c.Rank(), at[0]+a.First())
			}
		}
		for round := range 3 {
			x := float64(1000 * round)
			fill(x)
			copies, peers := card.copies, card.peers
			e, err := a.Begin()
			require.NoError(t, err)
			require.NoError(t, e.Wait())
			if c.Rank() < ranks-2 {
				assert.Equal(t, []int{copies, peers + min(c.Rank()+1, 2)}, []int{card.copies, card.peers}, "rank %d", c.Rank())
			}
			check(x)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_ = a.Exchange(policy.Launch{}.WithContext(ctx)) // which goes on
		require.NoError(t, a.Exchange())
		check(2000)

		// The rank whose copy fails has the error, and others go on.
		if c.Rank() == 1 {
			card.err = errors.New("no link")
		}
		if err := a.Exchange(); c.Rank() == 1 {
			assert.ErrorContains(t, err, "no link")
		} else {
			assert.NoError(t, err)
		}
		card.err = nil
		require.NoError(t, a.Exchange())
		check(2000)
		return nil
	}))
	handed.Range(func(k, _ any) bool {
		assert.Fail(t, "an array is left on its way", "%v", k)
		return true
	})
}

// Arrays whose types differ from rank to rank are an error.
func TestHalosOfOtherTypes(t *testing.T) {
	err := Local(2, func(c *Comm) error {
		rows := policy.Range(0, 4).Chunk(1).On(On(c, newFarMemory()))
		if c.Rank() == 0 {
			return exchanged[float64](rows)
		}
		return exchanged[float32](rows)
	})
	assert.ErrorContains(t, err, `mpi: Exchange of "a" with rank 1, whose array is a *mpi.Array[float32], expected a *mpi.Array[float64]`)
}

func exchanged[T any](rows policy.RangePolicy) error {
	a, err := NewArray[T](rows, "a", nil, 1)
	if err != nil {
		return err
	}
	return a.Exchange()
}

// The tiles of a rank with a card are on the card, with the content and the halo of tiles on the host.
func TestTilesOnCards(t *testing.T) {
	for _, point := range [][]int{{}, {2}} {
		require.NoError(t, Local(3, func(c *Comm) error {
			card := newFarMemory()
			tiles := func(on exec.Space) tiles2 {
				return policy.MDRange2([2]int{}, [2]int{23, 17}).Iterate(policy.Hilbert, policy.Right).Chunk(1).On(On(c, on)).Tiles([2]int{5, 3})
			}
			extents := append([]int{23, 17}, point...)
			whole, back := views.Must(views.New[float64]("whole", extents)), views.Must(views.New[float64]("back", extents))
			x, _ := whole.Slice()
			for k := range x {
				x[k] = float64(k + 1)
			}
			var local [2][]float64
			for k, on := range []exec.Space{card, exec.Serial{}} {
				a, err := NewTiledArray[float64](tiles(on), "a", point, 2)
				require.NoError(t, err)
				require.NoError(t, a.Scatter(whole, 1))
				require.NoError(t, a.Exchange())
				local[k] = slices.Collect(views.Must(views.MirrorCopy(views.Host, a.Local())).Values())
				require.NoError(t, a.Gather(back, 2))
				if c.Rank() == 2 {
					assert.Equal(t, x, slices.Collect(back.Values()))
				}
				if k == 0 {
					assert.Same(t, card, a.Local().MemorySpace())
				}
			}
			assert.Equal(t, local[1], local[0], "rank %d", c.Rank())
			card.full = c.Rank() == 1
			_, err := NewTiledArray[float64](tiles(card), "b", point, 1)
			assert.ErrorContains(t, err, "out of memory")
			return nil
		}))
	}
}
