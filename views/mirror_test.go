package views_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// mirrors checks the three mirrors of a view that is filled with numbers.
func mirrors[V views.ViewOf[int, V]](t *testing.T, v views.View[int], as func(views.View[int], error) (V, error)) {
	sim, other := newGPU(t), newGPU(t)
	typed := views.Must(as(v, nil))
	k := 0
	for run := range v.Runs() {
		for i := range run {
			k++
			run[i] = k
		}
	}
	want := slices.Collect(v.Values())
	like := func(w V, m views.MemorySpace) views.View[int] {
		x := views.As[int](w)
		require.Equal(t, v.Extents(), x.Extents())
		require.Equal(t, v.Layout(), x.Layout())
		require.Equal(t, v.Label(), x.Label())
		require.Equal(t, m, x.MemorySpace())
		return x
	}
	x := like(views.Must(views.Mirror[int](typed)), views.Host)
	require.Equal(t, make([]int, len(want)), append([]int{}, slices.Collect(x.Values())...), "not copied")
	require.NoError(t, views.Fill(x, -1))
	require.Equal(t, want, slices.Collect(v.Values()), "not shared")

	like(views.Must(views.MirrorView[int](typed)), views.Host)
	require.True(t, shares(v, views.As[int](views.Must(views.MirrorView[int](typed)))))
	require.True(t, shares(v, views.As[int](views.Must(views.MirrorCopy[int](views.Host, typed)))))

	d := views.Must(views.MirrorCopy[int](sim.Memory(), typed))
	like(d, sim.Memory())
	e := views.Must(views.MirrorCopy[int](other.Memory(), d, policy.On(exec.Serial{})))
	like(e, other.Memory())
	back := like(views.Must(views.MirrorView[int](e)), views.Host)
	require.NoError(t, views.DeepCopy(back, e))
	require.Equal(t, want, slices.Collect(back.Values()))
	require.NoError(t, views.Fill(d, 0))
	require.Equal(t, want, slices.Collect(back.Values()))
	like(views.Must(views.Mirror[int](d)), views.Host)
	again := views.Must(views.MirrorCopy[int](sim.Memory(), d))
	require.NoError(t, views.Fill(again, 9))
	require.NoError(t, views.DeepCopy(back, d))
	for x := range back.Values() {
		require.Equal(t, 9, x, "shared on the device")
	}
}

// shares tells whether two views are of the same memory.
func shares(v, w views.View[int]) bool {
	first := make([]int, v.Rank())
	return v.Ptr(first...) == w.Ptr(first...)
}

func TestMirrors(t *testing.T) {
	for _, layout := range []views.Layout{views.Right, views.Left, views.Stride{40, 2, 200, 700}} {
		for rank := range 5 {
			l := layout
			if s, ok := l.(views.Stride); ok {
				l = s[:rank]
			}
			v := views.Must(views.New[int]("v", []int{2, 3, 3, 2}[:rank], l))
			mirrors(t, v, func(v views.View[int], err error) (views.View[int], error) { return v, err })
			switch rank {
			case 1:
				mirrors(t, v, views.AsStrided1[int])
			case 2:
				mirrors(t, v, views.AsStrided2[int])
			case 3:
				mirrors(t, v, views.AsStrided3[int])
			case 4:
				mirrors(t, v, views.AsStrided4[int])
			}
		}
	}
	mirrors(t, views.Must(views.New[int]("a", []int{4})), views.As1[int])
	mirrors(t, views.Must(views.New[int]("a", []int{4, 3}, views.Stride{7, 1})), views.As2[int])
	mirrors(t, views.Must(views.New[int]("a", []int{2, 3, 4})), views.As3[int])
	mirrors(t, views.Must(views.New[int]("a", []int{2, 3, 2, 2})), views.As4[int])
}

// Mirrors of views without elements have none.
func TestMirrorsOfNothing(t *testing.T) {
	sim := newGPU(t)
	for _, v := range []views.View2[int]{{}, views.Must(views.New2[int]("v", 0, 3)), views.Must(views.New2[int]("v", 3, 0))} {
		for _, w := range []views.View2[int]{views.Must(views.Mirror(v)), views.Must(views.MirrorView(v)), views.Must(views.MirrorCopy(sim.Memory(), v))} {
			assert.Equal(t, v.Extents(), w.Extents())
			assert.Zero(t, w.Len())
		}
	}
	_, err := views.MirrorCopy((*exec.SimGPU)(nil).Memory(), views.Must(views.New1[int]("v", 2)))
	assert.ErrorContains(t, err, "NewSimGPU did not make")
}

// resized checks Resize and Realloc from the extents of v to others.
func resized[V views.ViewOf[int, V]](t *testing.T, v V, extents []int, as func(views.View[int], error) (V, error)) {
	old := views.As[int](v)
	require.NoError(t, views.Fill(old, 5))
	bigger := v
	require.NoError(t, views.Resize[int](&bigger, extents...))
	x := views.As[int](bigger)
	require.Equal(t, extents, x.Extents())
	require.Equal(t, old.Label(), x.Label())
	require.Equal(t, old.MemorySpace(), x.MemorySpace())
	_, err := as(x, nil)
	require.NoError(t, err, "the layout is one of the type")
	host := views.Must(views.MirrorCopy(views.Host, x))
	for i, got := range host.All() {
		want := 5
		for d := range i {
			if i[d] >= old.Extent(d) {
				want = 0
			}
		}
		require.Equal(t, want, got, "%v of %v from %v", i, extents, old)
	}
	fresh := v
	require.NoError(t, views.Realloc[int](&fresh, extents...))
	x = views.As[int](fresh)
	require.Equal(t, extents, x.Extents())
	require.Equal(t, old.MemorySpace(), x.MemorySpace())
	for got := range views.Must(views.MirrorCopy(views.Host, x)).Values() {
		require.Zero(t, got)
	}
	for got := range views.Must(views.MirrorCopy(views.Host, old)).Values() {
		require.Equal(t, 5, got, "the old memory stays")
	}
}

func TestResize(t *testing.T) {
	sim := newGPU(t)
	dynamic := func(v views.View[int], err error) (views.View[int], error) { return v, err }
	for _, space := range []views.MemorySpace{views.Host, sim.Memory()} {
		for _, layout := range []views.Layout{views.Right, views.Left, views.Stride{2, 50, 9}} {
			for _, from := range [][]int{{2, 3, 3}, {1, 4, 1}, {3, 1, 1}, {0, 2, 2}} {
				for _, to := range [][]int{{2, 3, 3}, {3, 4, 5}, {1, 1, 1}, {4, 2, 3}, {2, 0, 2}} {
					v := views.Must(views.NewIn[int](space, "v", from, layout))
					resized(t, v, to, dynamic)
					resized(t, views.Must(views.AsStrided3(v, nil)), to, views.AsStrided3[int])
					if a, err := views.As3(v, nil); err == nil {
						resized(t, a, to, views.As3[int])
					}
				}
			}
		}
		resized(t, views.Must(views.As1(views.NewIn[int](space, "v", []int{3}))), []int{5}, views.As1[int])
		resized(t, views.Must(views.As2(views.NewIn[int](space, "v", []int{3, 1}, views.Left))), []int{5, 4}, views.As2[int])
		resized(t, views.Must(views.As4(views.NewIn[int](space, "v", []int{3, 1, 2, 2}))), []int{2, 2, 2, 3}, views.As4[int])
		resized(t, views.Must(views.AsStrided2(views.NewIn[int](space, "v", []int{3, 1}, views.Left))), []int{5, 4}, views.AsStrided2[int])
	}
	order := func(layout views.Layout) views.Layout {
		v := views.Must(views.New[int]("v", []int{2, 3, 4}, layout))
		require.NoError(t, views.Resize(&v, 5, 2, 3))
		return v.Layout()
	}
	assert.Equal(t, views.Right, order(views.Right))
	assert.Equal(t, views.Left, order(views.Left))
	assert.Equal(t, views.Left, order(views.Stride{3, 9, 99}))
	assert.Equal(t, views.Stride{1, 15, 5}, order(views.Stride{3, 99, 9}))

	v := views.Must(views.New2[int]("v", 2, 3))
	w := v
	require.NoError(t, views.Resize(&v, 2, 3))
	assert.Same(t, v.Ptr(0, 0), w.Ptr(0, 0), "nothing is done")
	require.NoError(t, views.Realloc(&v, 2, 3))
	assert.NotSame(t, v.Ptr(0, 0), w.Ptr(0, 0))
}

func TestResizeErrors(t *testing.T) {
	const huge = math.MaxInt / 2
	v := views.Must(views.New2[int]("v", 2, 3))
	old := v
	for _, c := range []struct {
		extents []int
		want    string
	}{
		{[]int{2}, ` of "v" [2 3] to extents [2], expected 2`},
		{[]int{2, 3, 4}, ` of "v" [2 3] to extents [2 3 4], expected 2`},
		{[]int{2, -1}, `views: "v" has extent -1 in dimension 1, expected at least 0`},
		{[]int{huge, huge}, "has more elements than an int can count"},
	} {
		assert.ErrorContains(t, views.Resize(&v, c.extents...), c.want)
		assert.ErrorContains(t, views.Realloc(&v, c.extents...), c.want)
		assert.Equal(t, old, v)
	}
	w := views.Must(views.New1[[8]float64]("w", 1))
	assert.ErrorContains(t, views.Resize(&w, huge), "needs more memory than there can be")
	assert.ErrorContains(t, views.Realloc(&w, huge), "needs more memory than there can be")
	assert.Equal(t, 1, w.Len())
}

// A zero view has no rank of its own to keep.
func TestResizeOfNothing(t *testing.T) {
	var v views.View2[int]
	for _, extents := range [][]int{nil, {2}, {2, 3}} {
		assert.EqualError(t, views.Resize(&v, extents...), "views: Resize of a zero views.View2[int], which has neither extents nor memory, expected one made by New")
		assert.ErrorContains(t, views.Realloc(&v, extents...), "views: Realloc of a zero views.View2[int]")
		assert.Equal(t, views.View2[int]{}, v)
	}
	assert.EqualError(t, views.Resize[int, views.View2[int]](nil, 2, 3), "views: Resize of a nil pointer to a view")
	assert.EqualError(t, views.Realloc[int, views.View2[int]](nil, 2, 3), "views: Realloc of a nil pointer to a view")
}

// A closed device takes no more views, and gives back those it has.
func TestMirrorsOfClosedDevice(t *testing.T) {
	sim := exec.NewSimGPU(gpu.H200())
	v := views.Must(views.NewIn[int](sim.Memory(), "v", []int{2}))
	require.NoError(t, views.Fill(v, 5))
	require.NoError(t, sim.Close())
	_, err := views.MirrorCopy(sim.Memory(), views.Must(views.New1[int]("w", 2)))
	assert.ErrorIs(t, err, space.ErrClosed)
	assert.ErrorIs(t, views.Resize(&v, 3), space.ErrClosed)
	assert.Equal(t, 2, v.Len())
	back := views.Must(views.MirrorCopy(views.Host, v))
	assert.Equal(t, []int{5, 5}, slices.Collect(back.Values()))
}
