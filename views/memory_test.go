package views_test

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

func newGPU(t *testing.T) *exec.SimGPU {
	sim := exec.NewSimGPU(gpu.H200())
	t.Cleanup(func() { require.NoError(t, sim.Close()) })
	return sim
}

// accesses returns every exported access to elements of a view of extents 2 and rank 1 to 4,
// in a memory space.
func accesses(t *testing.T, space views.MemorySpace) map[string]func() {
	in := func(rank int) (views.View[int], error) {
		return views.NewIn[int](space, "v", slices.Repeat([]int{2}, rank))
	}
	v := views.Must(in(2))
	a1, s1 := views.Must(views.As1(in(1))), views.Must(views.AsStrided1(in(1)))
	a2, s2 := views.Must(views.As2(in(2))), views.Must(views.AsStrided2(in(2)))
	a3, s3 := views.Must(views.As3(in(3))), views.Must(views.AsStrided3(in(3)))
	a4, s4 := views.Must(views.As4(in(4))), views.Must(views.AsStrided4(in(4)))
	part := views.Must(v.Sub(views.Index(1), views.All()))
	return map[string]func(){
		"View.At": func() { v.At(1, 1) }, "View.Set": func() { v.Set([]int{1, 1}, 1) }, "View.Ptr": func() { v.Ptr(1, 1) },
		"View.Slice": func() { v.Slice() }, "View.Slice of another layout": func() { v.Transpose().Slice() },
		"View.All": func() { collect(v.All()) }, "View.Values": func() { _ = slices.Collect(v.Values()) },
		"View.Runs": func() { _ = slices.Collect(v.Runs()) },
		"Sub":       func() { part.At(1) }, "Transpose": func() { v.Transpose().At(1, 1) },
		"Permute": func() { views.Must(v.Permute(1, 0)).At(1, 1) }, "Reshape": func() { views.Must(v.Reshape(4)).At(3) },
		"View1.At": func() { a1.At(1) }, "View1.Set": func() { a1.Set(1, 1) }, "View1.Ptr": func() { a1.Ptr(1) }, "View1.Row": func() { a1.Row() }, "View1.All": func() { collect(a1.All()) },
		"View2.At": func() { a2.At(1, 1) }, "View2.Set": func() { a2.Set(1, 1, 1) }, "View2.Ptr": func() { a2.Ptr(1, 1) }, "View2.All": func() { collect(a2.All()) },
		"View3.At": func() { a3.At(1, 1, 1) }, "View3.Set": func() { a3.Set(1, 1, 1, 1) }, "View3.Ptr": func() { a3.Ptr(1, 1, 1) }, "View3.All": func() { collect(a3.All()) },
		"View4.At": func() { a4.At(1, 1, 1, 1) }, "View4.Set": func() { a4.Set(1, 1, 1, 1, 1) }, "View4.Ptr": func() { a4.Ptr(1, 1, 1, 1) }, "View4.All": func() { collect(a4.All()) },
		"View2.Row": func() { a2.Row(1) }, "View3.Row": func() { a3.Row(1, 1) }, "View4.Row": func() { a4.Row(1, 1, 1) },
		"View2.Transpose": func() { a2.Transpose().At(1, 1) }, "Strided2.Transpose": func() { s2.Transpose().At(1, 1) },
		"Strided1.At": func() { s1.At(1) }, "Strided1.Set": func() { s1.Set(1, 1) }, "Strided1.Ptr": func() { s1.Ptr(1) }, "Strided1.All": func() { collect(s1.All()) },
		"Strided2.At": func() { s2.At(1, 1) }, "Strided2.Set": func() { s2.Set(1, 1, 1) }, "Strided2.Ptr": func() { s2.Ptr(1, 1) }, "Strided2.All": func() { collect(s2.All()) },
		"Strided3.At": func() { s3.At(1, 1, 1) }, "Strided3.Set": func() { s3.Set(1, 1, 1, 1) }, "Strided3.Ptr": func() { s3.Ptr(1, 1, 1) }, "Strided3.All": func() { collect(s3.All()) },
		"Strided4.At": func() { s4.At(1, 1, 1, 1) }, "Strided4.Set": func() { s4.Set(1, 1, 1, 1, 1) }, "Strided4.Ptr": func() { s4.Ptr(1, 1, 1, 1) }, "Strided4.All": func() { collect(s4.All()) },
	}
}

func collect[K, V any](all func(func(K, V) bool)) { all(func(K, V) bool { return true }) }

// Each access to device memory panics on the host and in kernels on other spaces, and works
// in kernels there. Host memory is open to all.
func TestWrongSide(t *testing.T) {
	sim, other := newGPU(t), newGPU(t)
	on := func(space exec.Space, f func()) func() error {
		return func() error { return exec.ParallelFor(policy.Range(0, 1).On(space), func(int) { f() }) }
	}
	const want = `in the memory of SimGPU H200`
	for name, access := range accesses(t, sim.Memory()) {
		t.Run(name, func(t *testing.T) {
			err := caught(t, access)
			assert.ErrorContains(t, err, `views: access to "v" [`)
			assert.ErrorContains(t, err, want)
			assert.ErrorContains(t, err, "views.MirrorCopy or views.DeepCopy")
			for _, space := range []exec.Space{exec.Serial{}, other} {
				var p *exec.Panic
				func() {
					defer func() { p, _ = recover().(*exec.Panic) }()
					_ = on(space, access)()
				}()
				require.NotNil(t, p, space.Name())
				assert.ErrorContains(t, errors.Unwrap(p), want)
			}
			assert.NoError(t, on(sim, access)())
			assert.NoError(t, on(sim.WithSchedule(3), access)())
			assert.Panics(t, access, "after a launch")
		})
	}
	for name, access := range accesses(t, views.Host) {
		assert.NotPanics(t, access, name)
		assert.NoError(t, on(sim, access)(), name)
	}
}

// What runs on a space of its own says so before anything runs.
func TestWrongSpace(t *testing.T) {
	sim, other := newGPU(t), newGPU(t)
	v := views.Must(views.NewIn[int](sim.Memory(), "v", []int{2, 3}, views.Left))
	for _, c := range []struct {
		space exec.Space
		name  string
	}{{exec.Serial{}, "serial"}, {other, "simgpu"}} {
		want := ` of "v" [2 3] in the memory of SimGPU H200 on the space ` + c.name + `, which cannot touch it; views.MirrorCopy or views.DeepCopy copies it`
		assert.EqualError(t, views.Fill(v, 1, policy.On(c.space)), "views: Fill"+want)
		sum := 7
		assert.EqualError(t, exec.ParallelFold(views.Source(v, policy.On(c.space)), builtin.Sum(&sum)), "views: Source"+want)
		assert.Equal(t, 7, sum)
	}
	_, ran := sim.LastReport()
	assert.False(t, ran)
	for _, on := range [][]policy.Launch{nil, {policy.On(sim)}, {policy.On(sim.WithSchedule(5))}} {
		for _, x := range []views.View[int]{v, v.Transpose()} {
			sum := 0
			require.NoError(t, views.Fill(x, 3, on...))
			require.NoError(t, exec.ParallelFold(views.Source(x, on...), builtin.Sum(&sum)))
			assert.Equal(t, 18, sum)
		}
	}
}

// DeepCopy is the way between any two memories, on any space.
func TestDeepCopyBetweenMemories(t *testing.T) {
	a, b := newGPU(t), newGPU(t)
	memories := []views.MemorySpace{views.Host, a.Memory(), b.Memory()}
	src := views.Must(views.New2[int]("src", 5, 7))
	for i := range src.All() {
		src.Set(i.I, i.J, 10*i.I+i.J)
	}
	want := slices.Collect(src.Values())
	for _, space := range []exec.Space{nil, exec.Serial{}, a} {
		for _, m := range memories {
			for _, n := range memories {
				for _, layout := range []views.Layout{views.Right, views.Left, views.Stride{20, 2}} {
					x := views.Must(views.NewIn[int](m, "x", src.Extents(), layout))
					y := views.Must(views.NewIn[int](n, "y", src.Extents()))
					back := views.Must(views.New[int]("back", src.Extents(), layout))
					require.NoError(t, views.DeepCopy(x, src, policy.On(space)))
					require.NoError(t, views.DeepCopy(y, x, policy.On(space)))
					require.NoError(t, views.DeepCopy(back, y, policy.On(space)))
					require.Equal(t, want, slices.Collect(back.Values()))
				}
			}
		}
	}
}

func TestMemorySpaces(t *testing.T) {
	sim, other := newGPU(t), newGPU(t)
	workers := exec.NewGoroutines(2)
	defer workers.Close()
	assert.Equal(t, views.Host, views.MemoryOf(exec.Serial{}))
	assert.Equal(t, views.Host, views.MemoryOf(workers))
	assert.True(t, views.MemoryOf(sim) == sim.Memory())
	assert.True(t, sim.WithSchedule(1).Memory() == sim.Memory())
	assert.False(t, sim.Memory() == other.Memory())
	assert.False(t, sim.Memory() == views.Host)
	assert.Equal(t, "Host SimGPU H200", fmt.Sprint(views.Host, " ", sim.Memory()))
	assert.Equal(t, views.Host, views.View2[int]{}.MemorySpace())

	d := views.Must(views.NewIn[int](sim.Memory(), "d", []int{4, 6}))
	for _, v := range []views.View[int]{d, d.Transpose(), views.Must(d.Permute(1, 0)), views.Must(d.Reshape(24)),
		views.Must(d.Reshape(2, 2, 6)), views.Must(d.Sub(views.Index(1), views.All())), views.Must(d.Sub(views.All(), views.Range(2, 2)))} {
		assert.Equal(t, sim.Memory(), v.MemorySpace())
	}

	for _, bad := range []*exec.SimGPU{nil, {}} {
		_, err := views.NewIn[int](bad.Memory(), "v", []int{2})
		assert.EqualError(t, err, `views: "v" [2] in SimGPU: exec: a SimGPU space that NewSimGPU did not make`)
	}
	_, err := views.NewIn[int](exec.NewSimGPU(gpu.Device{SubGroup: 7}).Memory(), "v", []int{2})
	assert.ErrorContains(t, err, `views: "v" [2] in SimGPU`)
}

// Memory is open while any launch runs, from a launch in a launch to several at once.
func TestMemoryWhileLaunchesRun(t *testing.T) {
	sim := newGPU(t)
	v := views.Must(views.As1(views.NewIn[int64](sim.Memory(), "v", []int{1})))
	launch := func() error {
		return exec.ParallelFor(policy.Range(0, 50).On(sim), func(int) {
			_ = exec.ParallelFor(policy.Range(0, 2).On(sim), func(int) { atomic.AddInt64(v.Ptr(0), 1) })
			atomic.AddInt64(v.Ptr(0), 1)
		})
	}
	done := make(chan error)
	for range 4 {
		go func() { done <- launch() }()
	}
	for range 4 {
		require.NoError(t, <-done)
	}
	assert.Panics(t, func() { v.At(0) })
	host := views.Must(views.MirrorCopy(views.Host, v))
	assert.EqualValues(t, 4*50*3, host.At(0))

	assert.Panics(t, func() {
		_ = exec.ParallelFor(policy.Range(0, 1).On(sim), func(int) { panic("a functor's") })
	})
	assert.Panics(t, func() { v.At(0) }, "after a panic in a functor")
	require.NoError(t, sim.Close())
	assert.Panics(t, func() { v.At(0) })
	assert.ErrorIs(t, views.Fill(v, 1), space.ErrClosed)
	assert.Panics(t, func() { v.At(0) }, "after a launch that was refused")
}

func TestIndexOutOfRangeOnDevice(t *testing.T) {
	sim := newGPU(t)
	v := views.Must(views.NewIn[int](sim.Memory(), "v", []int{2, 3}))
	defer func() {
		p, _ := recover().(*exec.Panic)
		require.NotNil(t, p)
		assert.EqualError(t, p.Unwrap(), `views: index 3 of view "v" in dimension 1, expected 0 <= index < 3`)
	}()
	_ = exec.ParallelFor(policy.Range(0, 1).On(sim), func(int) { v.At(0, 3) })
}
