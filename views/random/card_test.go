package random_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/internal/cardtest"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/random"
)

// Random numbers for a card that makes none itself are made on the host: the same ones.
func TestCard(t *testing.T) {
	require.Equal(t, []string{"FillNormal", "FillUniform"}, cardtest.EntryPoints(t, "."), "each is called here")
	card := cardtest.New(t, 1<<20)
	v, h := views.Must(views.NewIn[float64](card.Memory(), "v", []int{4})), views.Must(views.New[float64]("v", []int{4}))
	w, g := views.Must(views.NewIn[int](card.Memory(), "w", []int{2, 2}, views.Left)), views.Must(views.New[int]("w", []int{2, 2}))
	for _, fill := range []func(v views.View[float64]) error{
		func(v views.View[float64]) error { return random.FillUniform(v, random.New(1), 0, 1) },
		func(v views.View[float64]) error { return random.FillNormal(v, random.New(1), 0, 1) },
	} {
		require.NoError(t, fill(v))
		require.NoError(t, fill(h))
		same(t, h, v)
	}
	require.NoError(t, random.FillUniform(w, random.New(1), 0, 9))
	require.NoError(t, random.FillUniform(g, random.New(1), 0, 9))
	same(t, g, w)
}

func same[T any](t *testing.T, want, got views.View[T]) {
	back, err := views.MirrorCopy(views.Host, got)
	require.NoError(t, err)
	assert.Equal(t, slices.Collect(want.Values()), slices.Collect(back.Values()))
}

// A drawer is a card that makes random numbers itself, here the numbers of the elements.
type drawer struct {
	*cardtest.Card
	asked []device.Random
	err   error
}

func (d *drawer) FillRandom(ctx context.Context, r device.Random) error {
	d.asked = append(d.asked, r)
	if err := errors.Join(ctx.Err(), d.err); err != nil {
		return err
	}
	x := reflect.ValueOf(r.X)
	numbers := make([]float32, x.Len())
	for k := range numbers {
		numbers[k] = float32(k)
	}
	return d.Memory().Copy(device.Copy{
		Direction: device.HostToDevice, Bytes: 4 * len(numbers),
		Dst: device.Side{Address: x.UnsafePointer()}, Src: device.Side{Address: unsafe.Pointer(&numbers[0])},
	})
}

// A card that makes random numbers itself is told what they are, and element k of any layout gets number k.
func TestCardThatDraws(t *testing.T) {
	on := &drawer{Card: cardtest.New(t, 1<<20)}
	on.Own(on)
	pool := random.New(5)
	whole := views.Must(views.NewIn[float32](on.Memory(), "whole", []int{2, 3, 2}))
	for _, v := range []views.View[float32]{
		views.Must(views.NewIn[float32](on.Memory(), "right", []int{2, 3})),
		views.Must(views.NewIn[float32](on.Memory(), "left", []int{2, 3}, views.Left)),
		views.Must(whole.Sub(views.All(), views.All(), views.Index(1))),
	} {
		before := on.Counts().Allocated
		require.NoError(t, random.FillUniform(v, pool, -1, 3))
		back := views.Must(views.MirrorCopy(views.Host, v))
		assert.Equal(t, []float32{0, 1, 2, 3, 4, 5}, slices.Collect(back.Values()))
		assert.Equal(t, before, on.Counts().Allocated, "nothing is left")
		asked := on.asked[len(on.asked)-1]
		assert.Len(t, asked.X, 6)
		assert.Equal(t, on.Memory(), asked.Memory)
		assert.Equal(t, pool.Key(), asked.Key)
		assert.Equal(t, device.UniformFloats{From: -1, Width: 4, Last: float64(math.Nextafter32(3, 0))}, asked.Law)
	}
	back := views.Must(views.MirrorCopy(views.Host, whole))
	assert.Equal(t, []float32{0, 0, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5}, slices.Collect(back.Values()), "and nothing else")

	require.NoError(t, random.FillNormal(whole, pool, 2, 3))
	assert.Equal(t, device.NormalFloats{Mean: 2, Deviation: 3}, on.asked[3].Law)
	ints := views.Must(views.NewIn[int32](on.Memory(), "ints", []int{2}))
	require.NoError(t, random.FillUniform(ints, pool, -3, 4))
	assert.Equal(t, device.UniformInts{From: math.MaxUint64 - 2, Count: 7}, on.asked[4].Law)
	require.NoError(t, random.FillUniform(views.Must(views.NewIn[int32](on.Memory(), "none", []int{0})), pool, -3, 4))
	assert.Len(t, on.asked, 5, "it has no numbers to make")

	on.err = errors.New("a wire came off")
	err := random.FillNormal(whole, pool, 2, 3)
	assert.ErrorIs(t, err, on.err)
	assert.ErrorContains(t, err, `random: FillNormal of "whole" [2 3 2]`)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	assert.ErrorIs(t, random.FillNormal(whole, pool, 2, 3, policy.Launch{}.WithContext(ctx)), context.Canceled)
	assert.ErrorContains(t, random.FillNormal(whole, pool, 2, 3, policy.On(exec.Serial{})), "which cannot touch it")
	require.NoError(t, views.Free(whole))
	assert.ErrorContains(t, random.FillNormal(whole, pool, 2, 3), "freed")
}
