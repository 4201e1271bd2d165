package gonum_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/gonum"
	"github.com/gokkos/gokkos/views/random"
)

// numbered returns a matrix whose elements are 10·i + j.
func numbered(n, m int) *mat.Dense {
	a := mat.NewDense(n, m, nil)
	a.Apply(func(i, j int, _ float64) float64 { return float64(10*i + j) }, a)
	return a
}

// same writes each element on one side and reads it on the other, both ways, and returns the
// number of elements.
func same(t *testing.T, a mat.Mutable, at func(i, j int) float64, set func(i, j int, x float64)) int {
	t.Helper()
	n, m := a.Dims()
	for i := range n {
		for j := range m {
			assert.Equal(t, a.At(i, j), at(i, j))
			a.Set(i, j, -1-float64(10*i+j))
			assert.Equal(t, -1-float64(10*i+j), at(i, j))
			set(i, j, 0.5+float64(i-j))
			assert.Equal(t, 0.5+float64(i-j), a.At(i, j))
		}
	}
	return n * m
}

func TestDense(t *testing.T) {
	for name, c := range map[string]struct {
		a      func() *mat.Dense
		n, m   int
		stride int
	}{
		"whole":          {func() *mat.Dense { return numbered(4, 5) }, 4, 5, 5},
		"slice":          {func() *mat.Dense { return numbered(4, 5).Slice(1, 4, 2, 4).(*mat.Dense) }, 3, 2, 5},
		"column":         {func() *mat.Dense { return numbered(4, 5).Slice(0, 4, 4, 5).(*mat.Dense) }, 4, 1, 5},
		"row":            {func() *mat.Dense { return numbered(4, 5).Slice(3, 4, 1, 5).(*mat.Dense) }, 1, 4, 5},
		"single element": {func() *mat.Dense { return numbered(4, 5).Slice(3, 4, 4, 5).(*mat.Dense) }, 1, 1, 5},
	} {
		t.Run(name, func(t *testing.T) {
			a := c.a()
			v, err := gonum.OfDense("a", a)
			require.NoError(t, err)
			assert.Equal(t, []int{c.n, c.m}, v.Extents())
			assert.Equal(t, "a", v.Label())
			assert.Equal(t, c.stride, v.Stride(0))
			assert.Equal(t, c.n*c.m, same(t, a, v.At, v.Set))
			b, err := gonum.Dense(v)
			require.NoError(t, err)
			assert.True(t, mat.Equal(a, b))
			assert.Equal(t, c.n*c.m, same(t, b, v.At, v.Set))
			assert.Len(t, b.RawMatrix().Data, (c.n-1)*b.RawMatrix().Stride+c.m)
			if c.n > 1 {
				assert.Equal(t, c.stride, b.RawMatrix().Stride)
			} else {
				assert.Equal(t, c.m, b.RawMatrix().Stride)
			}
			w, err := gonum.OfGeneral("w", b.RawMatrix())
			require.NoError(t, err)
			assert.Equal(t, slices.Collect(v.Values()), slices.Collect(w.Values()))
		})
	}
}

// Elements around the part of a matrix that is written stay as they are, on either side.
func TestGaps(t *testing.T) {
	a := numbered(4, 5)
	v, err := gonum.OfDense("a", a.Slice(1, 3, 1, 4).(*mat.Dense))
	require.NoError(t, err)
	require.NoError(t, random.FillUniform(v, random.New(1), -9, -8))
	whole := views.Must(views.New2[float64]("b", 4, 5))
	part, err := whole.Sub(views.Range(1, 3), views.Range(1, 4))
	require.NoError(t, err)
	b, err := gonum.Dense(part)
	require.NoError(t, err)
	b.Copy(a.Slice(1, 3, 1, 4))
	for i := range 4 {
		for j := range 5 {
			inside := i >= 1 && i < 3 && j >= 1 && j < 4
			assert.Equal(t, inside, a.At(i, j) < -7)
			assert.Equal(t, inside, a.At(i, j) == whole.At(i, j) && whole.At(i, j) != 0 || !inside && whole.At(i, j) != 0)
		}
	}
}

func TestVecDense(t *testing.T) {
	for name, c := range map[string]struct {
		x      *mat.VecDense
		n, inc int
	}{
		"whole":  {mat.NewVecDense(4, []float64{1, 2, 3, 4}), 4, 1},
		"slice":  {mat.NewVecDense(4, []float64{1, 2, 3, 4}).SliceVec(1, 3).(*mat.VecDense), 2, 1},
		"column": {numbered(4, 5).ColView(2).(*mat.VecDense), 4, 5},
		"part":   {numbered(4, 5).ColView(2).(*mat.VecDense).SliceVec(1, 4).(*mat.VecDense), 3, 5},
		"single": {numbered(1, 5).ColView(2).(*mat.VecDense), 1, 5},
	} {
		t.Run(name, func(t *testing.T) {
			v, err := gonum.OfVecDense("x", c.x)
			require.NoError(t, err)
			at := func(i, _ int) float64 { return v.At(i) }
			set := func(i, _ int, x float64) { v.Set(i, x) }
			assert.Equal(t, c.n, same(t, column{c.x}, at, set))
			y, err := gonum.VecDense(v)
			require.NoError(t, err)
			assert.True(t, mat.Equal(c.x, y))
			assert.Len(t, y.RawVector().Data, (c.n-1)*y.RawVector().Inc+1)
			assert.Equal(t, c.n, same(t, column{y}, at, set))
			if c.n > 1 {
				assert.Equal(t, c.inc, y.RawVector().Inc)
			} else {
				assert.Equal(t, 1, y.RawVector().Inc)
			}
			assert.Equal(t, blas64.Nrm2(c.x.RawVector()), blas64.Nrm2(y.RawVector()))
		})
	}
	one, err := gonum.Vector(views.Must(views.Of1("x", []float64{3, 4})))
	require.NoError(t, err)
	assert.Equal(t, 5.0, blas64.Nrm2(one))
}

// A column is a vector as a matrix that can be written.
type column struct{ *mat.VecDense }

func (c column) Set(i, _ int, x float64) { c.SetVec(i, x) }

// What has no elements is nothing to mat, and no rows to BLAS.
func TestEmpty(t *testing.T) {
	for _, m := range []*mat.Dense{nil, {}} {
		_, err := gonum.OfDense("a", m)
		assert.EqualError(t, err, `gonum: the matrix for "a" is nil or empty, expected one with elements`)
	}
	for _, x := range []*mat.VecDense{nil, {}} {
		_, err := gonum.OfVecDense("x", x)
		assert.EqualError(t, err, `gonum: the vector for "x" is nil or empty, expected one with elements`)
	}
	for _, extents := range [][2]int{{0, 3}, {3, 0}, {0, 0}} {
		v := views.Must(views.New2[float64]("v", extents[0], extents[1]))
		_, err := gonum.Dense(v)
		assert.ErrorContains(t, err, "has no elements, expected some")
		g, err := gonum.General(v)
		require.NoError(t, err)
		assert.Equal(t, blas64.General{Rows: extents[0], Cols: extents[1], Stride: max(extents[1], 1)}, g)
		w, err := gonum.OfGeneral("w", g)
		require.NoError(t, err)
		assert.Equal(t, extents[:], w.Extents())
	}
	u := views.Must(views.New1[float64]("u", 0))
	_, err := gonum.VecDense(u)
	assert.EqualError(t, err, `gonum: "u" [0] has no elements, expected some`)
	x, err := gonum.Vector(u)
	require.NoError(t, err)
	assert.Equal(t, blas64.Vector{Inc: 1}, x)
	w, err := gonum.OfVector("w", x)
	require.NoError(t, err)
	assert.Zero(t, w.Len())
}

func TestErrors(t *testing.T) {
	data := make([]float64, 12)
	for _, g := range []blas64.General{
		{Rows: -1, Cols: 3, Stride: 3, Data: data},
		{Rows: 4, Cols: -3, Stride: 3, Data: data},
		{Rows: 4, Cols: 3, Stride: 2, Data: data},
		{Rows: 4, Cols: 3, Stride: 4, Data: data},
		{Rows: 4, Cols: 3, Stride: 3, Data: data[:11]},
		{Rows: 4, Cols: 3, Stride: 3},
	} {
		_, err := gonum.OfGeneral("g", g)
		assert.ErrorContains(t, err, `gonum: views: "g"`, "%v", g)
	}
	for _, x := range []blas64.Vector{
		{N: -1, Inc: 1, Data: data},
		{N: 2, Inc: 0, Data: data},
		{N: 2, Inc: -1, Data: data},
		{N: 4, Inc: 4, Data: data},
	} {
		_, err := gonum.OfVector("x", x)
		assert.ErrorContains(t, err, `gonum: views: "x"`, "%v", x)
	}
	a := views.Must(views.New2[float64]("a", 3, 4))
	_, err := gonum.Dense(a.Transpose())
	assert.EqualError(t, err, `gonum: views: "a" [4 3] has stride 4 in dimension 1, expected 1; AsStrided2 takes it`)
	_, err = gonum.VecDense(a)
	assert.EqualError(t, err, `gonum: views: "a" [3 4] has rank 2, expected 1`)
	_, err = gonum.Dense(views.View[float64]{})
	assert.ErrorContains(t, err, "has rank 0, expected 2")
	_, err = gonum.Dense(nil)
	assert.ErrorContains(t, err, "has rank 0, expected 2")

	sim := exec.NewSimGPU(gpu.H200())
	defer sim.Close()
	_, err = gonum.Dense(views.Must(views.MirrorCopy(sim.Memory(), a)))
	assert.EqualError(t, err, `gonum: the view "a" [3 4] is in the memory of SimGPU H200, expected Host`)
	_, err = gonum.VecDense(views.Must(views.NewIn[float64](sim.Memory(), "x", []int{2})))
	assert.EqualError(t, err, `gonum: the view "x" [2] is in the memory of SimGPU H200, expected Host`)
}

// A product is written through any stride, and read by a kernel.
func TestProduct(t *testing.T) {
	whole := views.Must(views.New2[float64]("c", 7, 9))
	part := views.Must(whole.Sub(views.Range(2, 6), views.Range(1, 7).By(1)))
	c, err := gonum.Dense(part)
	require.NoError(t, err)
	a, b := numbered(4, 3), numbered(3, 6)
	c.Mul(a, b)
	var want mat.Dense
	want.Mul(a, b)
	assert.True(t, mat.Equal(&want, c))
	v, err := gonum.OfDense("v", &want)
	require.NoError(t, err)
	require.NoError(t, views.DeepCopy(v, part, policy.On(exec.Serial{})))
	assert.True(t, mat.Equal(&want, c))
}
