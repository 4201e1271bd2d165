package views_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

func TestErrors(t *testing.T) {
	const huge = math.MaxInt / 2
	x := make([]float64, 12)
	a := views.Must(views.Of2("a", x, 3, 4))
	b := views.Must(views.New2[float64]("b", 4, 3))
	square := views.Must(views.New2[float64]("square", 3, 3))
	for _, c := range []struct {
		name string
		got  func() (any, error)
		want string
	}{
		{"negative extent", func() (any, error) { return views.New2[int]("v", 3, -1) },
			`views: "v" has extent -1 in dimension 1, expected at least 0`},
		{"too many dimensions", func() (any, error) { return views.New[int]("v", make([]int, 13)) },
			`views: "v" has 13 extents, expected at most 12`},
		{"product of extents", func() (any, error) { return views.New3[byte]("v", huge, 2, 2) },
			fmt.Sprintf(`views: "v" of extents [%d 2 2] has more elements than an int can count`, huge)},
		{"negative beside zero", func() (any, error) { return views.New2[int]("v", 0, -1) },
			`views: "v" has extent -1 in dimension 1, expected at least 0`},
		{"memory", func() (any, error) { return views.New1[[8]float64]("v", huge) },
			fmt.Sprintf(`views: "v" [%d] of [8]float64 needs more memory than there can be`, huge)},
		{"two layouts", func() (any, error) { return views.New[int]("v", []int{2}, views.Left, views.Right) },
			`views: "v" has 2 layouts [Left Right], expected at most one`},
		{"nil layout", func() (any, error) { return views.New[int]("v", []int{2}, nil) },
			`views: the layout of "v" [2] is nil`},
		{"unknown layout", func() (any, error) { return views.New[int]("v", []int{2}, views.Dense(7)) },
			`views: "v" has layout Dense(7), expected Right or Left`},
		{"number of strides", func() (any, error) { return views.New[int]("v", []int{2, 2}, views.Stride{1}) },
			`views: "v" [2 2] has 1 strides [1], expected 2`},
		{"negative stride", func() (any, error) { return views.New[int]("v", []int{2}, views.Stride{-1}) },
			`views: "v" [2] has stride -1 in dimension 0, expected at least 0`},
		{"stride 0", func() (any, error) { return views.New[int]("v", []int{2}, views.Stride{0}) },
			`views: "v" [2] has strides [0]; stride 0 of dimension 0 must exceed 0, which smaller strides reach`},
		{"strides that meet", func() (any, error) { return views.New[int]("v", []int{3, 4}, views.Stride{3, 1}) },
			`views: "v" [3 4] has strides [3 1]; stride 3 of dimension 0 must exceed 3, which smaller strides reach`},
		{"far strides", func() (any, error) { return views.New[int]("v", []int{3, 3}, views.Stride{huge, 1}) },
			fmt.Sprintf(`views: "v" [3 3] has strides [%d 1], which reach further than an int can count`, huge)},
		{"short slice", func() (any, error) { return views.Of2("v", x, 4, 4) },
			`views: "v" [4 4] of a slice of length 12, expected 16`},
		{"long slice", func() (any, error) { return views.Of2("v", x, 2, 4) },
			`views: "v" [2 4] of a slice of length 12, expected 8`},
		{"short slice for strides", func() (any, error) { return views.Of("v", x, []int{3, 2}, views.Stride{6, 1}) },
			`views: "v" [3 2] of a slice of length 12, expected 14`},
		{"arrays of another type", func() (any, error) { return views.OfArrays[int]("v", make([][3]float64, 2)) },
			`views: "v" is a [][3]float64, expected arrays of int`},
		{"rank", func() (any, error) { return views.As3(a.Transpose().View, nil) },
			`views: "a" [4 3] has rank 2, expected 3`},
		{"gaps", func() (any, error) { return views.As2(a.Transpose().View, nil) },
			`views: "a" [4 3] has stride 4 in dimension 1, expected 1; AsStrided2 takes it`},
		{"number of selectors", func() (any, error) { return a.Sub(views.All()) },
			`views: Sub of "a" [3 4] with 1 selectors, expected 2`},
		{"index below", func() (any, error) { return views.As1(a.Sub(views.All(), views.Index(-1))) },
			`views: Sub of "a" [3 4] with Index(-1) in dimension 1, expected 0 <= index < 4`},
		{"index above", func() (any, error) { return a.Sub(views.Index(3), views.All()) },
			`views: Sub of "a" [3 4] with Index(3) in dimension 0, expected 0 <= index < 3`},
		{"range above", func() (any, error) { return a.Sub(views.Range(1, 4), views.All()) },
			`views: Sub of "a" [3 4] with Range(1, 4) in dimension 0, expected 0 <= begin <= end <= 3`},
		{"range below", func() (any, error) { return a.Sub(views.Range(-1, 2), views.All()) },
			`views: Sub of "a" [3 4] with Range(-1, 2) in dimension 0, expected 0 <= begin <= end <= 3`},
		{"range reversed", func() (any, error) { return a.Sub(views.Range(2, 1), views.All()) },
			`views: Sub of "a" [3 4] with Range(2, 1) in dimension 0, expected 0 <= begin <= end <= 3`},
		{"step", func() (any, error) { return a.Sub(views.All().By(0), views.All()) },
			`views: Sub of "a" [3 4] with All().By(0) in dimension 0, expected a step of at least 1`},
		{"step of an index", func() (any, error) { return a.Sub(views.Index(1).By(2), views.All()) },
			`views: Sub of "a" [3 4] with Index(1).By(2) in dimension 0, expected By on a Range or on All`},
		{"permutation", func() (any, error) { return a.Permute(0, 0) },
			`views: Permute[0 0] of "a" [3 4], expected each of the dimensions 0 to 1 once`},
		{"short permutation", func() (any, error) { return a.Permute(0) },
			`views: Permute[0] of "a" [3 4], expected each of the dimensions 0 to 1 once`},
		{"long permutation", func() (any, error) { return a.Permute(0, 1, 2) },
			`views: Permute[0 1 2] of "a" [3 4], expected each of the dimensions 0 to 1 once`},
		{"reshape to another length", func() (any, error) { return a.Reshape(5, 2) },
			`views: Reshape of "a" [3 4] to [5 2], 10 elements, expected 12`},
		{"reshape that copies", func() (any, error) { return a.Transpose().Reshape(12) },
			`views: Reshape of "a" [4 3] with strides [1 4] to [12] needs a copy`},
		{"copy of other extents", func() (any, error) { return nil, views.DeepCopy(b, a) },
			`views: DeepCopy of "a" [3 4] to "b" [4 3], expected equal extents`},
		{"copy of other rank", func() (any, error) { return nil, views.DeepCopy(views.View[float64]{}, a) },
			`views: DeepCopy of "a" [3 4] to a zero view, expected equal extents`},
		{"copy to a scalar of none", func() (any, error) {
			return nil, views.DeepCopy(views.Must(views.New[float64]("s", nil)), views.View[float64]{})
		}, `views: DeepCopy of a zero view to "s" [], expected equal extents`},
		{"copy to the elements in another order", func() (any, error) { return nil, views.DeepCopy(square, square.Transpose()) },
			`views: DeepCopy of "square" [3 3] to "square" [3 3], which have elements in common`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := c.got()
			require.EqualError(t, err, c.want)
		})
	}
	assert.Equal(t, make([]float64, 12), x)
}

// All that can be done with a view works on one without elements.
func TestZeroExtents(t *testing.T) {
	const huge = math.MaxInt
	for _, extents := range [][]int{{0}, {0, 3}, {3, 0}, {2, 0, 4}, {huge, 0, huge}, {0, huge, huge, huge}} {
		for _, layout := range []views.Layout{views.Right, views.Left, make(views.Stride, len(extents))} {
			v, err := views.New[int]("v", extents, layout)
			require.NoError(t, err)
			assert.Equal(t, extents, v.Extents())
			assert.Zero(t, v.Len())
			assert.Equal(t, views.Right, v.Layout())
			for d := range extents {
				assert.Zero(t, v.Stride(d))
			}
			for range v.All() {
				t.Fail()
			}
			for range v.Values() {
				t.Fail()
			}
			for range v.Runs() {
				t.Fail()
			}
			require.NoError(t, views.Fill(v, 1))
			require.NoError(t, views.DeepCopy(v, v))
			assert.Zero(t, v.Transpose().Len())
			sum := 7
			require.NoError(t, exec.ParallelFold(views.Source(v), builtin.Sum(&sum)))
			assert.Zero(t, sum)
			flat, err := views.As1(v.Reshape(0))
			require.NoError(t, err)
			assert.Zero(t, flat.Len())
			_, err = v.Reshape(1)
			require.Error(t, err)
		}
	}
	v := views.Must(views.New2[int]("v", 3, 0))
	assert.Empty(t, v.Row(2))
	w := views.Must(views.As2(views.Must(views.New2[int]("w", 3, 4)).Sub(views.All(), views.Range(4, 4))))
	assert.Empty(t, w.Row(2))
	assert.Equal(t, []int{3, 0}, w.Extents())
}

func TestZeroView(t *testing.T) {
	var v views.View2[int]
	assert.Zero(t, v.Len())
	assert.Zero(t, v.Rank())
	assert.Equal(t, "", v.Label())
	assert.Zero(t, v.Transpose().Len())
	require.NoError(t, views.Fill(v, 1))
	require.NoError(t, views.DeepCopy(v, v))
	sub, err := v.Sub()
	require.NoError(t, err)
	assert.Zero(t, sub.Len())
	for range v.All() {
		t.Fail()
	}
}

func TestRankZero(t *testing.T) {
	v := views.Must(views.New[int]("scalar", nil))
	assert.Equal(t, 1, v.Len())
	v.Set(nil, 5)
	assert.Equal(t, 5, v.At())
	w := views.Must(views.New[int]("other", nil))
	require.NoError(t, views.DeepCopy(w, v))
	assert.Equal(t, 5, w.At())
	r := views.Must(v.Reshape(1, 1, 1))
	assert.Equal(t, 5, r.At(0, 0, 0))
}

// Copies in tiles, with edges that tiles do not divide, on every space.
func TestDeepCopyOnSpaces(t *testing.T) {
	workers := exec.NewGoroutines(3)
	defer workers.Close()
	for _, space := range []exec.Space{exec.Serial{}, workers, exec.NewSimGPU(gpu.Device{})} {
		for _, n := range [][3]int{{1, 1, 1}, {2, 300, 70}, {1, 17, 513}, {3, 8, 256}, {1, 64, 9}, {1, 9, 1100}} {
			src := views.Must(views.New3[int32]("src", n[0], n[1], n[2]))
			for x := range src.All() {
				src.Set(x.I, x.J, x.K, int32(x.I*1e6+x.J*1000+x.K))
			}
			for _, layout := range []views.Layout{views.Right, views.Left, views.Stride{1, 5 * n[0], 11 * n[0] * n[1]}} {
				dst := views.Must(views.AsStrided3(views.New[int32]("dst", src.Extents(), layout)))
				require.NoError(t, views.DeepCopy(dst, src, policy.On(space)))
				for x, want := range src.All() {
					require.Equal(t, want, dst.At(x.I, x.J, x.K))
				}
				var sum, want int32
				require.NoError(t, exec.ParallelFold(views.Source(dst, policy.On(space)), builtin.Sum(&sum)))
				for x := range src.Values() {
					want += x
				}
				require.Equal(t, want, sum)
				require.NoError(t, views.Fill(dst, 3, policy.On(space)))
				for x := range dst.Values() {
					require.EqualValues(t, 3, x)
				}
			}
		}
	}
}

// Copies between parts with gaps in every dimension, on one side or on both, whichever
// dimension is the fastest.
func TestDeepCopyOfParts(t *testing.T) {
	const n = 24
	memory := func(label string) views.View[int] {
		v := views.Must(views.New4[int](label, 4, 5, n, n))
		for i := range v.All() {
			v.Set(i.I, i.J, i.K, i.L, ((i.I*5+i.J)*n+i.K)*n+i.L)
		}
		return v.View
	}
	every := func(v views.View[int], step int) views.View[int] {
		return views.Must(v.Sub(views.Range(1, 4), views.Range(1, 4), views.Range(0, 11*step).By(step), views.Range(0, 10*step).By(step)))
	}
	swapped := func(v views.View[int]) views.View[int] { return views.Must(v.Permute(0, 1, 3, 2)) }
	across := func(v views.View[int], step int) views.View[int] {
		return swapped(views.Must(v.Sub(views.Range(1, 4), views.Range(1, 4), views.Range(0, 10*step).By(step), views.Range(0, 11*step).By(step))))
	}
	for _, to := range []int{1, 2} {
		for _, from := range []int{1, 2} {
			for name, src := range map[string]views.View[int]{"along": every(memory("src"), from), "across": across(memory("src"), from)} {
				dst := every(memory("dst"), to)
				require.NoError(t, views.DeepCopy(dst, src))
				for i, want := range src.All() {
					require.Equal(t, want, dst.At(i...), "%s %d %d %v", name, to, from, i)
				}
			}
		}
	}
}

// A fold has the same bits on any layout.
func TestSourceBits(t *testing.T) {
	const n, m = 61, 67
	a := views.Must(views.New2[float64]("a", n, m))
	for i := range a.All() {
		a.Set(i.I, i.J, math.Sin(float64(i.I*m+i.J)))
	}
	var want float64
	require.NoError(t, exec.ParallelFold(views.Source(a), builtin.Sum(&want)))
	for _, layout := range []views.Layout{views.Left, views.Stride{m + 3, 1}, views.Stride{2, 2*n + 1}} {
		b := views.Must(views.New[float64]("b", []int{n, m}, layout))
		require.NoError(t, views.DeepCopy(b, a))
		var got float64
		require.NoError(t, exec.ParallelFold(views.Source(b), builtin.Sum(&got)))
		assert.Equal(t, math.Float64bits(want), math.Float64bits(got))
	}
}

// A view that is its own mirror is copied to itself.
func TestDeepCopyToItself(t *testing.T) {
	v := views.Must(views.Of2("v", []int{1, 2, 3, 4}, 2, 2))
	require.NoError(t, views.DeepCopy(v, v))
	require.NoError(t, views.DeepCopy(v.Transpose(), v.Transpose()))
	require.NoError(t, views.DeepCopy(v, v.Transpose().Transpose()))
	require.Error(t, views.DeepCopy(v, v.Transpose()))
	assert.Equal(t, []int{1, 2}, v.Row(0))
	one := views.Must(v.Sub(views.Range(0, 1), views.Range(0, 1)))
	require.NoError(t, views.DeepCopy(one, one.Transpose()))
	require.Error(t, views.DeepCopy(views.Must(v.Sub(views.All(), views.Index(0))), views.Must(v.Sub(views.Index(0), views.All()))))
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	v := views.Must(views.New1[int]("v", 10))
	on := policy.On(nil).WithContext(ctx)
	w := views.Must(views.New1[int]("w", 10))
	require.ErrorContains(t, views.Fill(v, 1, on), `launch of "Fill of \"v\" [10]" cancelled`)
	require.ErrorIs(t, views.DeepCopy(v, w, on), context.Canceled)
	sum := 0
	require.ErrorIs(t, exec.ParallelFold(views.Source(v, on), builtin.Sum(&sum)), context.Canceled)
	assert.Zero(t, v.At(0))
}

// Memory beyond a view is out of its reach, by append too.
func TestSubviewKeepsToItself(t *testing.T) {
	x := []int{1, 2, 3, 4, 5, 6}
	v := views.Must(views.As1(views.Must(views.Of1("x", x)).Sub(views.Range(1, 3))))
	part, ok := v.Slice()
	require.True(t, ok)
	_ = append(part, 0)
	a := views.Must(views.Of2("a", x, 2, 3))
	_ = append(a.Row(0), 0)
	first, ok := views.Must(views.Of("first", x, []int{3}, views.Stride{1})).Slice()
	require.True(t, ok)
	_ = append(first, 0)
	for run := range v.Runs() {
		_ = append(run, 0)
	}
	assert.Equal(t, []int{1, 2, 3, 4, 5, 6}, x)
	assert.Panics(t, func() { v.At(2) })
}

func TestMust(t *testing.T) {
	assert.PanicsWithError(t, `views: "v" has extent -1 in dimension 0, expected at least 0`, func() {
		views.Must(views.New1[int]("v", -1))
	})
}

// Loops over a view can end early.
func TestBreak(t *testing.T) {
	v := views.Must(views.AsStrided4(views.New[int]("v", []int{2, 3, 2, 3}, views.Stride{2, 200, 4, 2000})))
	n := 0
	count := func() bool { n++; return n%3 == 0 }
	for range v.View.All() {
		if count() {
			break
		}
	}
	for range v.Values() {
		if count() {
			break
		}
	}
	for range v.Runs() {
		if count() {
			break
		}
	}
	for range v.All() {
		if count() {
			break
		}
	}
	w := views.Must(views.New2[int]("w", 4, 5))
	for range views.Must(w.Sub(views.All(), views.Range(0, 2))).Runs() {
		if count() {
			break
		}
	}
	for range w.All() {
		if count() {
			break
		}
	}
	assert.Equal(t, 18, n)
}

// Messages about long lists are short.
func TestLongLists(t *testing.T) {
	long := make([]int, 100_000)
	v := views.Must(views.New2[int]("v", 2, 3))
	for name, f := range map[string]func() error{
		"extents":   func() error { _, err := views.New[int]("v", long); return err },
		"layouts":   func() error { _, err := views.New[int]("v", []int{2}, make([]views.Layout, len(long))...); return err },
		"strides":   func() error { _, err := views.New[int]("v", []int{2}, views.Stride(long)); return err },
		"a Stride":  func() error { return errors.New(views.Stride(long).String()) },
		"Sub":       func() error { _, err := v.Sub(make([]views.Selector, len(long))...); return err },
		"Permute":   func() error { _, err := v.Permute(long...); return err },
		"Reshape":   func() error { _, err := v.Reshape(long...); return err },
		"Resize":    func() error { return views.Resize(&v, long...) },
		"Realloc":   func() error { return views.Realloc(&v, long...) },
		"an index":  func() error { return caught(t, func() { views.As(v).At(long...) }) },
		"of no one": func() error { return caught(t, func() { views.View[int]{}.At(long...) }) },
	} {
		err := f()
		require.Error(t, err, name)
		assert.Less(t, len(err.Error()), 200, name)
	}
}
