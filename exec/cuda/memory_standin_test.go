//go:build linux && (amd64 || arm64)

package cuda_test

import (
	"errors"
	"fmt"
	"runtime"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/cuda"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// transfers checks copies that take one piece and many, in layouts that are together on both sides, on one, on
// none: to a space, from there to the memory of another one or the same, and back.
func transfers(t *testing.T, s, last *cuda.Space) {
	for _, c := range []struct{ n, m int }{{1, 1}, {3, 5}, {70, 33}, {1500, 1100}, {2, 700_000}, {1_300_000, 1}} {
		for _, from := range []views.Layout{views.Right, views.Left} {
			for _, to := range []views.Layout{views.Right, views.Left} {
				what := fmt.Sprintf("%d x %d, %v to %v", c.n, c.m, from, to)
				extents := []int{c.n, c.m}
				h := views.Must(views.New[float64]("h", extents, from))
				require.NoError(t, views.FillFunc(h, func(s policy.Span, x []float64) {
					for k := range x {
						x[k] = float64(s.Begin+k) + 0.5
					}
				}, policy.On(exec.Serial{})))
				d := views.Must(views.NewIn[float64](s.Memory(), "d", extents, to))
				e := views.Must(views.NewIn[float64](last.Memory(), "e", extents, from))
				b := views.Must(views.New[float64]("b", extents, to))
				require.NoError(t, views.DeepCopy(d, h), what)
				require.NoError(t, views.DeepCopy(e, d), what)
				require.NoError(t, views.DeepCopy(b, e), what)
				same(t, what, h, b)
				if c.m > 2 && c.n > 2 { // a part that has gaps on the device and on the host
					part := func(v views.View[float64]) views.View[float64] {
						return views.Must(v.Sub(views.Range(1, c.n), views.Range(0, c.m-1).By(2)))
					}
					require.NoError(t, views.Fill(part(d), -1), what)
					require.NoError(t, views.Fill(part(h), -1))
					require.NoError(t, views.DeepCopy(b, d), what)
					same(t, what+", filled", h, b)
					require.NoError(t, views.Fill(b, 3))
					require.NoError(t, views.DeepCopy(part(d), part(b)), what)
					require.NoError(t, views.Fill(part(h), 3))
					require.NoError(t, views.DeepCopy(part(e), part(d)), what)
					require.NoError(t, views.DeepCopy(b, d), what)
					same(t, what+", a part", h, b)
					require.NoError(t, views.DeepCopy(part(b), part(e)), what)
					same(t, what+", a part back", h, b)
				}
				require.NoError(t, errors.Join(views.Free(d), views.Free(e)))
			}
		}
	}
}

// same compares two views on the host.
func same(t *testing.T, what string, want, got views.View[float64]) {
	a, b := views.Must(views.New[float64]("a", want.Extents())), views.Must(views.New[float64]("b", want.Extents()))
	require.NoError(t, errors.Join(views.DeepCopy(a, want), views.DeepCopy(b, got)))
	x, _ := a.Slice()
	y, _ := b.Slice()
	for k := range x {
		if x[k] != y[k] {
			t.Fatalf("%s: element %d is %v, expected %v", what, k, y[k], x[k])
		}
	}
}

func TestTransfers(t *testing.T) {
	s, _ := open(t)
	transfers(t, s, s)
}

func TestMirrorsAndResize(t *testing.T) {
	s, _ := open(t)
	d := on(t, s, 1, 2, 3)
	m, err := views.Mirror(d)
	require.NoError(t, err)
	assert.Equal(t, views.Host, m.MemorySpace())
	require.NoError(t, views.DeepCopy(m, d))
	assert.Equal(t, 3.0, m.At(2))
	v, err := views.MirrorView(m)
	require.NoError(t, err)
	assert.Equal(t, m.Address(), v.Address())
	require.NoError(t, views.Resize(&d, 5))
	assert.Equal(t, []float64{1, 2, 3, 0, 0}, back(t, d))
	assert.Equal(t, s.Memory(), views.MemoryOf(s))
	assert.Equal(t, "CUDA device 0, Stand-in 0", s.Memory().String())
}

// The host cannot touch the memory of a device, at any time.
func TestHostTouches(t *testing.T) {
	s, _ := open(t)
	d := on(t, s, 1, 2, 3)
	for _, touch := range []func(){func() { d.At(1) }, func() { d.Set(1, 4) }} {
		func() {
			defer func() {
				err, _ := recover().(runtime.Error)
				require.Error(t, err)
				assert.EqualError(t, err, `views: access to "x" [3] in the memory of CUDA device 0, Stand-in 0, which is for functors that run there; views.MirrorCopy or views.DeepCopy copies it`)
			}()
			touch()
		}()
	}
}

func TestFreed(t *testing.T) {
	s, lib := open(t)
	blocks := func() int {
		memory, _, _, _, _ := lib.Live()
		return memory
	}
	on(t, s, 1)
	before := blocks()
	d := on(t, s, 1, 2, 3)
	assert.Equal(t, before+1, blocks())
	require.NoError(t, views.Free(d))
	assert.Equal(t, before, blocks(), "at once")
	assert.Error(t, views.Free(d))
	assert.ErrorContains(t, exec.ParallelFor(policy.Range(0, 3).On(s), Axpy(1, d, d)), `the parameter x of cuda_test.axpy (kernels_test.go:19) is the view "x" [3], whose memory was freed`)

	for range 20 {
		on(t, s, 1, 2, 3)
	}
	for k := 0; blocks() > before && k < 12_000; k++ {
		runtime.GC()
		time.Sleep(5 * time.Millisecond)
	}
	assert.LessOrEqual(t, blocks(), before, "once nothing refers to them")
}

// A during is a job that runs on the host.
type during struct{ f func() }

func (during) Open(workers, slots int) {}
func (d during) Run(worker, first, last, slot int) bool {
	d.f()
	return true
}
func (during) Join(dst, src int) bool { return true }

// What is freed while something runs on the device is given back when that ends, or when there is no room.
func TestFreedMeanwhile(t *testing.T) {
	s, lib := open(t)
	d, e := on(t, s, 1, 2, 3), on(t, s, make([]float64, 1000)...)
	before, _, _, _, _ := lib.Live()
	require.NoError(t, s.Launch(space.NewGrid(1, 1, false), during{func() {
		require.NoError(t, views.Free(d))
		now, _, _, _, _ := lib.Live()
		assert.Equal(t, before, now)
		assert.ErrorContains(t, s.Close(), "cuda: a space was closed while 1 launches or copies ran on it")
	}}))
	after, _, _, _, _ := lib.Live()
	assert.Equal(t, before-1, after)
	require.NoError(t, s.Launch(space.NewGrid(1, 1, false), during{func() {
		require.NoError(t, views.Free(e))
		lib.Room(0)
		_, err := views.NewIn[float64](s.Memory(), "v", []int{1000})
		assert.ErrorIs(t, err, device.ErrOutOfMemory)
		now, _, _, _, _ := lib.Live()
		assert.Equal(t, before-2, now)
	}}))
}

func TestNoRoom(t *testing.T) {
	s, lib := open(t)
	on(t, s, 1)
	lib.Room(64 << 20)
	_, err := views.NewIn[float64](s.Memory(), "large", []int{10 << 20})
	assert.ErrorIs(t, err, device.ErrOutOfMemory)
	assert.Regexp(t, `views: "large" \[10485760\] in CUDA device 0, Stand-in 0: 83886080 bytes, of which \d+ are left on device 0, Stand-in 0: out of memory: cuda: device 0: cuMemAlloc_v2: out of memory \(CUDA_ERROR_OUT_OF_MEMORY, code 2\); free views`, err.Error())
	for range 10 { // of which 6 fit, once the garbage is collected
		_, err := views.NewIn[float64](s.Memory(), "v", []int{1 << 20})
		require.NoError(t, err)
	}
}

func TestClosed(t *testing.T) {
	s, lib := open(t)
	d := on(t, s, 1, 2, 3)
	m := s.Memory()
	require.NoError(t, s.Close())
	require.NoError(t, s.Close())
	nothing(t, lib)
	_, err := views.NewIn[float64](m, "v", []int{3})
	for _, err := range []error{err, exec.ParallelFor(policy.Range(0, 3).On(s), Axpy(1, d, d)), views.Fill(d, 1), views.DeepCopy(views.Must(views.Mirror(d)), d)} {
		assert.ErrorIs(t, err, space.ErrClosed)
	}
	_, err = s.Partition(2)
	assert.ErrorIs(t, err, space.ErrClosed)
	assert.NoError(t, views.Free(d), "which is gone already")
	assert.Error(t, m.Free(unsafe.Pointer(&err)))

	var none *cuda.Space
	for _, s := range []*cuda.Space{none, {}} {
		assert.ErrorContains(t, s.Close(), "a space that Open did not make")
		assert.ErrorContains(t, exec.ParallelFor(policy.Range(0, 3).On(s), func(int) {}), "a space that Open did not make")
		assert.Nil(t, s.Memory())
		assert.Equal(t, "no device", s.String())
	}
}
