//go:build linux && (amd64 || arm64)

package cuda_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/cuda"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/views"
)

// numbers returns n numbers whose sum depends on the order.
func numbers(n, seed int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = 1 / float64((i*7+seed)%1013+1)
	}
	return x
}

var sizes = []int{1, 2, 3, 31, 32, 33, 255, 256, 257, 1000, 4097, 100003}

// suite is what is checked on the stand-in and on a card.
func suite(t *testing.T, s *cuda.Space) {
	for _, n := range sizes {
		x, y := numbers(n, 1), numbers(n, 2)
		u, v := on(t, s, x...), on(t, s, y...)
		for _, p := range []policy.RangePolicy{policy.Range(0, n), policy.Range(n/3, n), policy.Range(0, n).Chunk(1), policy.Range(1, n).Chunk(100)} {
			if p.Plan().Err != nil {
				continue
			}
			want := append([]float64{}, y...)
			require.NoError(t, exec.ParallelFor(p.On(exec.Serial{}), func(i int) { want[i] += float64(3 * x[i]) }))
			require.NoError(t, exec.ParallelFor(p.On(s), Axpy(3, u, v)))
			require.Equal(t, want, back(t, v), "%d items", n)
			y = want

			var got, sum float64
			require.NoError(t, exec.ParallelReduce(p.On(exec.Serial{}), func(i int, acc *float64) { *acc += float64(x[i] * y[i]) }, builtin.Sum(&sum)))
			require.NoError(t, exec.ParallelReduce(p.On(s), Dot(u, v), builtin.Sum(&got)))
			require.Equal(t, math.Float64bits(sum), math.Float64bits(got), "%d items, %v and %v", n, sum, got)
		}
		require.NoError(t, views.Free(u))
		require.NoError(t, views.Free(v))
	}
	c := [4]float64{5, 6, 7, 8}
	v := on(t, s, make([]float64, 11)...)
	require.NoError(t, exec.ParallelFor(policy.Range(0, 11).On(s), Table(c, v)))
	assert.Equal(t, []float64{5, 6, 7, 8, 5, 6, 7, 8, 5, 6, 7}, back(t, v))
	require.NoError(t, exec.ParallelFor(policy.Range(3, 3).On(s), Axpy(1, v, v)))
	require.NoError(t, exec.ParallelFor(policy.Team(3, 2).Scratch(0, 100<<10, 0).On(s), Scratch(100<<10, v)))
	assert.Equal(t, []float64{100 << 10, 100 << 10, 100 << 10, 8}, back(t, v)[:4])
}

func TestLaunches(t *testing.T) {
	s, _ := open(t)
	suite(t, s)
}

// pieces checks launches of many items, which are several pieces: they are joined as the tree is.
func pieces(t *testing.T, s *cuda.Space) {
	for _, n := range []int{1<<20 + 1, 5<<18 + 4097, 3<<20 + 12345} {
		x := numbers(n, 3)
		u := on(t, s, x...)
		var got, sum float64
		require.NoError(t, exec.ParallelReduce(policy.Range(0, n).On(exec.Serial{}), func(i int, acc *float64) { *acc += float64(x[i] * x[i]) }, builtin.Sum(&sum)))
		require.NoError(t, exec.ParallelReduce(policy.Range(0, n).On(s), Dot(u, u), builtin.Sum(&got)))
		assert.Equal(t, math.Float64bits(sum), math.Float64bits(got))
		require.NoError(t, views.Free(u))
	}
}

func TestPieces(t *testing.T) {
	for range 2 {
		s, lib := open(t) // to which the kernel is new
		pieces(t, s)
		assert.Greater(t, lib.Launches(), int32(3), "several pieces until it is known how long they take")
		require.NoError(t, s.Close())
	}
}

// All operations that values are joined by, from the identity of each.
func TestJoins(t *testing.T) {
	s, _ := open(t)
	x := []float64{3, -1, 2.5, 7, -8, 1}
	u, ones := on(t, s, x...), on(t, s, 1, 1, 1, 1, 1, 1)
	for what, r := range map[string]func(*float64) reducers.Reducer[float64]{
		"sum":     func(to *float64) reducers.Reducer[float64] { return builtin.Sum(to) },
		"initial": func(to *float64) reducers.Reducer[float64] { return reducers.WithInitial(builtin.Sum(to)) },
	} {
		got, want := 100.0, 100.0
		p := policy.Range(0, len(x))
		require.NoError(t, exec.ParallelReduce(p.On(s), Dot(u, ones), r(&got)), what)
		require.NoError(t, exec.ParallelReduce(p.On(exec.Serial{}), func(i int, acc *float64) { *acc += x[i] }, r(&want)))
		assert.Equal(t, want, got, what)
	}
}

func panicOf(t *testing.T, launch func() error) (p *exec.Panic) {
	defer func() { p, _ = recover().(*exec.Panic) }()
	assert.NoError(t, launch())
	return nil
}

// faults checks how launches end whose indices are out of range.
func faults(t *testing.T, s *cuda.Space) {
	u, v := on(t, s, numbers(1000, 1)...), on(t, s, numbers(700, 1)...)
	for _, c := range []struct {
		begin, end, item int
		says             string
	}{
		{0, 1000, 700, "index of y out of range, at the index 700 of the kernel cuda_test."},
		{10, 2000, 690, "index of y out of range, at the index 700 "},
		{-3, 10, 0, "index of x out of range, at the index -3 "},
	} {
		sum := 7.0
		for _, launch := range []func() error{
			func() error {
				return exec.ParallelFor(policy.Range(c.begin, c.end).WithLabel("step").On(s), Axpy(1, u, v))
			},
			func() error {
				return exec.ParallelReduce(policy.Range(c.begin, c.end).WithLabel("step").On(s), Dot(u, v), builtin.Sum(&sum))
			},
		} {
			p := panicOf(t, launch)
			require.NotNil(t, p)
			assert.Equal(t, []any{c.item, c.item + 1, "step"}, []any{p.Begin, p.End, p.Label})
			assert.ErrorContains(t, errors.Unwrap(p), c.says)
			var e interface{ RuntimeError() }
			assert.ErrorAs(t, errors.Unwrap(p), &e)
		}
		assert.Equal(t, 7.0, sum)
	}
	suite(t, s) // as if nothing had been
}

func TestFaults(t *testing.T) {
	s, _ := open(t)
	faults(t, s)
	n := 3 << 20
	u, v := on(t, s, numbers(n, 1)...), on(t, s, numbers(2<<20+5, 1)...)
	for range 2 { // in pieces, and at once
		p := panicOf(t, func() error { return exec.ParallelFor(policy.Range(0, n).On(s), Axpy(1, u, v)) })
		require.NotNil(t, p)
		assert.Equal(t, 2<<20+5, p.Begin)
	}
}

// What a device cannot run is an error that says why.
func TestRefusals(t *testing.T) {
	s, _ := open(t)
	other, err := cuda.Open(1)
	require.NoError(t, err)
	defer other.Close()
	u, far, h := on(t, s, 1, 2, 3), on(t, other, 1, 2, 3), views.Must(views.New1[float64]("h", 3))
	p := policy.Range(0, 3).On(s)
	var sum float64
	const (
		launch = `exec: launch on cuda device 0: `
		noCode = `on cuda device 0: the functor at launch_standin_test\.go:\d+ \(github.com/gokkos/gokkos/exec/cuda_test\.` +
			`TestRefusals\.func\d+\) has no ptx code: gokkosc -ptx makes it of functors with a comment gokkos:kernel, ` +
			`for builds with the constraint of z_kernels_ptx\.go`
		here   = `CUDA device 0, Stand-in 0`
		copies = `; views\.MirrorCopy or views\.DeepCopy copies it`
	)
	for _, c := range []struct {
		says string
		err  error
	}{
		{`exec: launch of "step" ` + noCode, exec.ParallelFor(p.WithLabel("step"), func(int) {})},
		{`exec: launch ` + noCode, exec.ParallelReduce(p, func(int, *float64) {}, builtin.Sum(&sum))},
		{`exec: launch ` + noCode, exec.ParallelScan(p, func(int, *float64, bool) {}, builtin.Sum(&sum))},
		{`exec: launch ` + noCode, exec.ParallelFor(policy.Team(2, 2).On(s), func(*team.Member) {})},
		{`exec: launch ` + noCode, exec.ParallelFor(policy.MDRange2([2]int{0, 0}, [2]int{2, 2}).On(s), func(policy.Index2) {})},
		{launch + `it folds values in the memory of the host, expected views\.Source of a view in that of ` + here + `; views\.MirrorCopy copies one`, exec.ParallelFold(exec.Slice(p, []float64{1, 2, 3}), builtin.Sum(&sum))},
		{`exec: launch ` + noCode, exec.ParallelFold(exec.Map(p, func(i int) float64 { return 1 }), builtin.Sum(&sum))},
		{launch + `the parameter x of cuda_test\.ofSlice \(kernels_test\.go:\d+\) is a slice, whose memory is the host's; expected a view in the memory of ` + here + `: views\.MirrorCopy copies one there`, exec.ParallelFor(p, OfSlice([]float64{1, 2, 3}))},
		{launch + `the parameter x of cuda_test\.axpy \(kernels_test\.go:\d+\) is the view "h" \[3\] in the memory of Host, expected one in that of ` + here + copies, exec.ParallelFor(p, Axpy(1, h, u))},
		{launch + `the parameter y of cuda_test\.axpy \(kernels_test\.go:\d+\) is the view "x" \[3\] in the memory of CUDA device 1, Stand-in 1, expected one in that of ` + here + copies, exec.ParallelFor(p, Axpy(1, u, far))},
		{launch + `the kernel cuda_test\.broken \(kernels_test\.go:\d+\): cuda: device 0: cuModuleLoadDataEx: a failure of the stand-in \(CUDA_ERROR_INVALID_PTX, code 218\); this is a bug of whatever wrote the text of the kernel:\nptxas: line 1: expected \.version`, exec.ParallelFor(p, Broken(u))},
		{launch + `the device cannot give back accumulator 1, of float64, to a cuda_test\.written: its values leave the process as "float64 by cuda_test\.written", expected the numbers themselves`, exec.ParallelReduce(p, Dot(u, u), written{reducers.Into(&sum)})},
	} {
		if assert.Error(t, c.err, c.says) {
			assert.Regexp(t, "^"+c.says+"$", c.err.Error())
		}
	}
	assert.Zero(t, sum)
	assert.Equal(t, []float64{1, 2, 3}, back(t, u))
}

// A written reducer has bytes of its own for its values.
type written struct{ reducers.Base[float64] }

func (written) Join(dst, src *float64) { *dst += *src }
func (written) AppendValue(buf []byte, _ *float64) ([]byte, error) {
	return append(buf, make([]byte, 8)...), nil
}
func (written) SetValue(_ *float64, data []byte) (rest []byte, err error) { return data[8:], nil }

// A fold that a device cannot do is an error that says why, and no result is written.
func TestFoldRefusals(t *testing.T) {
	const launch = `exec: launch on cuda device 0: `
	s, _ := open(t)
	other, err := cuda.Open(1)
	require.NoError(t, err)
	defer other.Close()
	u, away := on(t, s, numbers(1000, 1)...), on(t, other, 1, 2, 3)
	c := views.Must(views.NewIn[complex128](s.Memory(), "c", []int{3}))
	sum, z := 7.0, complex128(7)
	source := views.Source(u)
	var many []reducers.Folder[float64]
	for range 24 {
		many = append(many, builtin.Sum(new(float64)))
	}
	for _, x := range []struct {
		says string
		err  error
	}{
		{launch + `it folds values in the memory of CUDA device 1, Stand-in 1, expected that of CUDA device 0, Stand-in 0`, exec.ParallelFold(exec.Slice(policy.Range(0, 3).On(s), make([]float64, 3)).In(other.Memory(), away), builtin.Sum(&sum))},
		{`views: Source of "x" \[1000\] in the memory of CUDA device 0, Stand-in 0 on the space serial, which cannot touch it; views\.MirrorCopy or views\.DeepCopy copies it`, exec.ParallelFold(views.Source(u, policy.On(exec.Serial{})), builtin.Sum(&sum))},
		{launch + `the device cannot fold values of type complex128 by reducer 1, a builtin\.sum\[complex128\]; expected one of package builtin, of integers, floats or bools`, exec.ParallelFold(views.Source(c), builtin.Sum(&z))},
		{launch + `the device cannot fold values of type float64 by reducer 2, a cuda_test\.last; expected one of package builtin, of integers, floats or bools`, exec.ParallelFold(source, builtin.Sum(new(float64)), last{reducers.Into(&sum)})},
		{launch + `the device cannot join values in order, as reducer 1, the reducers\.Modified\[float64\], wants`, exec.ParallelFold(source, reducers.Ordered(builtin.Sum(&sum)))},
		{launch + `the device folds up to 24 numbers in a pass, and these 25 reducers have 25: expected fewer of them`, exec.ParallelFold(source, builtin.Sum(&sum), many...)},
		{`views: Source of "x" \[500\] in the memory of CUDA device 0, Stand-in 0, whose layout is Stride\[2\], expected Right; views\.DeepCopy to a view of that makes it so`, exec.ParallelFold(views.Source(views.Must(u.Sub(views.Range(0, 1000).By(2)))), builtin.Sum(&sum))},
	} {
		if assert.Error(t, x.err, x.says) {
			assert.Regexp(t, "^"+x.says+"$", x.err.Error())
		}
	}
	assert.Equal(t, []any{7.0, complex128(7)}, []any{sum, z})
}

// last is a reducer whose operation nobody knows.
type last struct{ reducers.Base[float64] }

func (last) Init(val *float64)              { *val = 0 }
func (last) Join(dst, src *float64)         { *dst = *src }
func (r last) Fold() reducers.Fold[float64] { return reducers.NewFold[float64, float64](r, nil) }

func (last) AddValues(lanes []float64, _ int, x []float64) {
	for k, v := range x {
		lanes[k%len(lanes)] = v
	}
}

// Many goroutines launch at once, on parts of the space too.
func TestManyLaunches(t *testing.T) {
	s, lib := open(t)
	parts, err := s.Partition(3)
	require.NoError(t, err)
	x := numbers(5000, 1)
	u := on(t, s, x...)
	var want float64
	require.NoError(t, exec.ParallelReduce(policy.Range(0, 5000).On(exec.Serial{}), func(i int, acc *float64) { *acc += float64(x[i] * x[i]) }, builtin.Sum(&want)))
	all := append(parts, s)
	var wait sync.WaitGroup
	for k := range 24 {
		wait.Go(func() {
			y := views.Must(views.As1(views.NewIn[float64](s.Memory(), "y", []int{5000})))
			for range 10 {
				var got float64
				on := all[k%len(all)]
				assert.NoError(t, exec.ParallelReduce(policy.Range(0, 5000).On(on), Dot(u, u), builtin.Sum(&got)))
				assert.Equal(t, want, got)
				assert.NoError(t, exec.ParallelFor(policy.Range(0, 5000).On(on), Axpy(1, u, y)))
				assert.NoError(t, views.Fill(y, 1))
			}
			assert.NoError(t, views.Free(y))
		})
	}
	wait.Wait()
	_, _, streams, modules, _ := lib.Live()
	assert.LessOrEqual(t, streams, 8+3+4)
	assert.Equal(t, 3, modules, "of two kernels, and one that fills")

	assert.ErrorContains(t, parts[0].Close(), "Close of a part of a space")
	for _, n := range []int{0, -1, 129} {
		_, err := s.Partition(n)
		assert.EqualError(t, err, fmt.Sprintf("cuda: a partition of device 0, Stand-in 0 into %d spaces, expected 1 to 128", n))
	}
	require.NoError(t, s.Close())
	assert.Error(t, exec.ParallelFor(policy.Range(0, 3).On(parts[0]), Axpy(1, u, u)))
}

func TestCancel(t *testing.T) {
	s, lib := open(t)
	u := on(t, s, numbers(1000, 1)...)
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errors.New("enough"))
	err := exec.ParallelFor(policy.Range(0, 1000).WithContext(ctx).On(s), Axpy(1, u, u))
	assert.ErrorContains(t, err, "enough")
	assert.Equal(t, numbers(1000, 1), back(t, u), "nothing has begun")
	n := 3 << 20
	big := on(t, s, numbers(n, 1)...)
	before := lib.Launches()
	sum := 7.0
	err = exec.ParallelReduce(policy.Range(0, n).WithContext(ctx).On(s), Dot(big, big), builtin.Sum(&sum))
	assert.ErrorContains(t, err, "enough")
	assert.Equal(t, 7.0, sum)
	assert.Equal(t, before, lib.Launches())
}
