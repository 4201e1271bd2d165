package views_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/internal/cardtest"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// Element k of any view is what FillFunc asks for as number k, and nothing else is written.
func TestFillFunc(t *testing.T) {
	three := exec.NewGoroutines(3)
	t.Cleanup(func() { assert.NoError(t, three.Close()) })
	on := []exec.Space{exec.Serial{}, three, exec.NewSimGPU(gpu.H200())}
	rapid.Check(t, func(t *rapid.T) {
		extents := rapid.SliceOfN(rapid.IntRange(0, 12), 0, 3).Draw(t, "extents")
		layout := layouts(t, extents)
		whole, err := views.New[int]("v", extents, layout)
		require.NoError(t, err)
		v := whole
		if whole.Rank() > 0 && whole.Extent(0) > 2 { // a part, which has memory of others around it
			cut := []views.Selector{views.Range(1, whole.Extent(0)-1)}
			for range whole.Rank() - 1 {
				cut = append(cut, views.All())
			}
			v, err = whole.Sub(cut...)
			require.NoError(t, err)
		}
		space := rapid.SampledFrom(on).Draw(t, "space")
		require.NoError(t, views.FillFunc(v, func(s policy.Span, x []int) {
			assert.Len(t, x, s.Len())
			for k := range x {
				x[k] = s.Begin + k + 1
			}
		}, policy.On(space)))
		k := 0
		for x := range v.Values() {
			k++
			assert.Equal(t, k, x)
		}
		assert.Equal(t, v.Len(), k)
		written := 0
		for x := range whole.Values() {
			if x != 0 {
				written++
			}
		}
		assert.Equal(t, k, written)
	})
}

// Spans of a large view take several buffers.
func TestFillFuncLong(t *testing.T) {
	for _, layout := range []views.Layout{views.Right, views.Left, views.Stride{400_001, 2}, views.Stride{200_001, 1}} {
		v := views.Must(views.New[int]("v", []int{3, 200_000}, layout))
		require.NoError(t, views.FillFunc(v, func(s policy.Span, x []int) {
			for k := range x {
				x[k] = s.Begin + k
			}
		}, policy.On(exec.Serial{})))
		k := 0
		for x := range v.Values() {
			if x != k { // require would take as long as all the rest
				require.Equal(t, k, x, layout.String())
			}
			k++
		}
	}
}

func TestFillFuncErrors(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	v := views.Must(views.New[int]("v", []int{2, 2}, views.Left))
	err := views.FillFunc(v, func(policy.Span, []int) { t.Error("called") }, policy.On(exec.Serial{}).WithContext(ctx))
	assert.ErrorIs(t, err, context.Canceled)
	assert.ErrorContains(t, err, "FillFunc of")
	assert.Equal(t, []int{0, 0, 0, 0}, slices.Collect(v.Values()))
}

// A view in the memory of a device is filled there.
func TestFillFuncOnDevice(t *testing.T) {
	sim := newGPU(t)
	count := func(s policy.Span, x []int) {
		for k := range x {
			x[k] = s.Begin + k
		}
	}
	for _, layout := range []views.Layout{views.Right, views.Left} {
		v := views.Must(views.NewIn[int](sim.Memory(), "v", []int{2, 3}, layout))
		err := views.FillFunc(v, count, policy.On(exec.Serial{}))
		assert.ErrorContains(t, err, `views: FillFunc of "v" [2 3] in the memory of SimGPU H200 on the space serial`)
		for _, on := range [][]policy.Launch{nil, {policy.On(nil)}, {policy.On(sim)}} {
			require.NoError(t, views.Fill(v, -1))
			require.NoError(t, views.FillFunc(v, count, on...))
			host := views.Must(views.MirrorCopy(views.Host, v))
			assert.Equal(t, []int{0, 1, 2, 3, 4, 5}, slices.Collect(host.Values()))
		}
	}
}

// A view that no functor can touch is filled from the host: with all elements or none.
func TestFillFuncOnCard(t *testing.T) {
	card := cardtest.New(t, 1<<20)
	for _, layout := range []views.Layout{views.Right, views.Left} {
		v := views.Must(views.NewIn[int](card.Memory(), "v", []int{2, 3}, layout))
		for begin, on := range [][]policy.Launch{nil, {policy.On(nil)}, {policy.On(card)}} {
			want := make([]int, 6)
			for k := range want {
				want[k] = begin + k
			}
			require.NoError(t, views.FillFunc(v, func(s policy.Span, x []int) {
				for k := range x {
					x[k] = begin + s.Begin + k
				}
			}, on...))
			assert.Equal(t, want, fetch(t, v))
			assert.Panics(t, func() {
				_ = views.FillFunc(v, func(s policy.Span, x []int) {
					x[0] = -1
					panic("no")
				}, on...)
			})
			assert.Equal(t, want, fetch(t, v))
		}
		broken := errors.New("a wire came off")
		card.FailNext(broken)
		assert.ErrorIs(t, views.FillFunc(v, func(policy.Span, []int) {}), broken)
	}
}

// What is nil is an error, not a panic.
func TestNil(t *testing.T) {
	v := views.Must(views.New1[int]("v", 2))
	x := 7
	assert.EqualError(t, views.Fill(nil, 1), "views: Fill of a nil view")
	assert.EqualError(t, views.FillFunc(nil, func(policy.Span, []int) {}), "views: FillFunc of a nil view")
	assert.EqualError(t, views.FillFunc(v, nil), `views: FillFunc of "v" [2] with a nil function`)
	assert.EqualError(t, exec.ParallelFold(views.Source[int](nil), builtin.Sum(&x)), "views: Source of a nil view")
	assert.EqualError(t, views.DeepCopy(nil, v), "views: DeepCopy of a nil view, or to one")
	assert.EqualError(t, views.DeepCopy(v, nil), "views: DeepCopy of a nil view, or to one")
	assert.Equal(t, views.View[int]{}, views.As[int](nil))
	assert.Equal(t, 7, x)
}
