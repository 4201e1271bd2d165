//go:build linux && (amd64 || arm64)

package cuda_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/cuda"
	"github.com/gokkos/gokkos/exec/cuda/internal/driver"
	"github.com/gokkos/gokkos/exec/cuda/internal/standin"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// What keeps a device from being opened is an error that says what to do.
func TestOpenErrors(t *testing.T) {
	lib := standin.Get(t)
	defer lib.Reset()
	for _, c := range []struct {
		path    string
		device  int
		prepare func()
		says    string
	}{
		{"/nowhere/libcuda.so.1", 0, func() {}, "cuda: cannot load what GOKKOS_CUDA names: "},
		{"libc.so.6", 0, func() {}, "cuda: libc.so.6 has no function cuInit: it is no driver of CUDA 11.0 or newer"},
		{lib.Path, 0, func() { lib.Version(10020) }, "is for CUDA 10.2, expected 11.0 or newer: install a newer driver"},
		{lib.Path, 0, func() { lib.Devices(0) }, "cuda: cuInit: a failure of the stand-in (CUDA_ERROR_NO_DEVICE, code 100); nvidia-smi -L lists the devices"},
		{lib.Path, 2, func() {}, "cuda: device 2, expected 0 to 1: nvidia-smi -L"},
		{lib.Path, -1, func() {}, "cuda: device -1, expected 0 to 1"},
		{lib.Path, 0, func() { lib.Major(6) }, "cuda: device 0, Stand-in 0, has the compute capability 6.0, expected 7.0 or newer"},
	} {
		lib.Reset()
		c.prepare()
		t.Setenv(driver.Variable, c.path)
		s, err := cuda.Open(c.device)
		assert.Nil(t, s)
		assert.ErrorContains(t, err, c.says)
	}
	nothing(t, lib)
}

func TestByName(t *testing.T) {
	lib := standin.Get(t)
	t.Setenv(driver.Variable, lib.Path)
	open := func(device string) (space.Space, error) {
		return space.Open("cuda", func(key string) string { return map[string]string{"GOKKOS_DEVICE": device}[key] })
	}
	for _, device := range []string{"", "0", "1"} {
		s, err := open(device)
		require.NoError(t, err)
		assert.Equal(t, "cuda", s.Name())
		assert.Equal(t, 1, s.Concurrency())
		assert.Equal(t, fmt.Sprintf("device %s, Stand-in %[1]s", max(device, "0")), s.(fmt.Stringer).String())
		require.NoError(t, s.(*cuda.Space).Close())
	}
	for device, says := range map[string]string{"x": `cuda: GOKKOS_DEVICE="x", expected the number of a device`, "-1": `GOKKOS_DEVICE="-1"`, "7": "cuda: device 7, expected 0 to 1"} {
		s, err := open(device)
		assert.ErrorContains(t, err, says)
		assert.Nil(t, s)
	}
	n, err := cuda.Devices()
	assert.Equal(t, 2, n)
	assert.NoError(t, err)
	nothing(t, lib)
}

// work is what uses every function of the driver.
func work() error {
	s, err := cuda.Open(0)
	if err != nil {
		return err
	}
	return errors.Join(workOn(s), s.Close(), spread())
}

// spread fills and copies views of which two cards have parts.
func spread() error {
	s, err := cuda.Together(0, 1)
	if err != nil {
		return err
	}
	return errors.Join(spreadOn(s), s.Close())
}

func spreadOn(s *cuda.Space) error {
	const n = 1 << 20
	x, err := views.NewIn[float64](s.Memory(), "x", []int{n})
	if err != nil {
		return err
	}
	y, err := views.NewIn[float64](s.Memory(), "y", []int{n})
	if err != nil {
		return err
	}
	h := views.Must(views.New[float64]("h", []int{n}))
	return errors.Join(views.Fill(x, 2), views.DeepCopy(y, x), views.DeepCopy(h, y), views.DeepCopy(x, h))
}

func workOn(s *cuda.Space) error {
	h := views.Must(views.New[float64]("h", []int{3, 4}))
	d, err := views.NewIn[float64](s.Memory(), "d", []int{3, 4}, views.Left)
	if err != nil {
		return err
	}
	m := views.Must(views.New[float64]("m", []int{3, 4}))
	x, err := views.As1(views.NewIn[float64](s.Memory(), "x", []int{600_000})) // which takes two pieces
	if err != nil {
		return err
	}
	y, err := views.As1(views.NewIn[float64](s.Memory(), "y", []int{600_000}))
	if err != nil {
		return err
	}
	sum := 7.0
	for _, step := range []func() error{
		func() error { return views.DeepCopy(d, h) },
		func() error { return views.DeepCopy(m, d) },
		func() error { return views.Fill(x, 0) },
		func() error { return views.Fill(x, 2) },
		func() error { return views.DeepCopy(y, x) },
		func() error { return views.DeepCopy(views.Must(views.Mirror(x)), x) },
		func() error { return exec.ParallelFor(policy.Range(0, 1000).On(s), Axpy(1, x, x)) },
		func() error { return exec.ParallelFor(policy.Range(0, 1000).On(s), Table([4]float64{1, 2, 3, 4}, x)) },
		func() error { // more shared memory than a block has without asking
			return exec.ParallelFor(policy.Team(3, 2).Scratch(0, 100<<10, 0).On(s), Scratch(100<<10, y))
		},
		func() error { return exec.ParallelReduce(policy.Range(4, 1000).On(s), Dot(x, x), builtin.Sum(&sum)) },
		func() error { return views.Free(x) },
	} {
		if err := step(); err != nil {
			if sum != 7 {
				return fmt.Errorf("a result was written: %w", err)
			}
			return err
		}
	}
	if err := betweenCards(y); err != nil {
		return err
	}
	_, err = views.NewIn[float64](s.Memory(), "too large", []int{1 << 40})
	if !errors.Is(err, device.ErrOutOfMemory) {
		return fmt.Errorf("an allocation of 8 TB: %w", err)
	}
	return nil
}

// betweenCards copies a view to another card, as it is and with gaps.
func betweenCards(y views.View1[float64]) error {
	other, err := cuda.Open(1)
	if err != nil {
		return err
	}
	copies := func() error {
		z, err := views.As1(views.NewIn[float64](other.Memory(), "z", []int{600_000}))
		if err != nil {
			return err
		}
		half := views.Range(0, 600_000).By(2)
		return errors.Join(views.DeepCopy(z, y), views.DeepCopy(views.Must(z.Sub(half)), views.Must(y.Sub(half))))
	}
	return errors.Join(copies(), other.Close())
}

// quiet are functions that some calls are of whose failure nobody is told: what is freed when nothing refers to
// it any more, how much memory is left where there is too little.
var quiet = map[string]bool{"cuMemGetInfo_v2": true, "cuMemFree_v2": true, "cuCtxGetCurrent": true, "cuCtxSetCurrent": true}

// ofNoDevice are functions that are called before a device is chosen.
var ofNoDevice = map[string]bool{"cuInit": true, "cuDriverGetVersion": true, "cuDeviceGetCount": true}

// Each call of each function of the driver fails once: that is an error which names it and the device, no result is
// written, nothing waits for ever, and what can be given back is.
func TestFailures(t *testing.T) {
	lib := standin.Get(t)
	t.Setenv(driver.Variable, lib.Path)
	smallParts(t)
	require.NoError(t, work())
	nothing(t, lib)
	calls := 0
	for _, name := range driver.Names() {
		if strings.HasPrefix(name, "cuGetError") {
			continue
		}
		lib.Reset()
		require.NoError(t, work())
		most := lib.Calls(name)
		require.Positive(t, most, name)
		for number := int32(1); number <= most; number++ {
			if most > 20 && number > 8 && number%5 != 0 { // of the ones that each call makes
				continue
			}
			calls++
			lib.Fail(name, number, 801)
			err := work()
			lib.Fail("", 0, 0)
			what := fmt.Sprintf("call %d of %s", number, name)
			if err == nil && quiet[name] {
				lib.Reset()
				continue
			}
			require.Error(t, err, what)
			assert.ErrorContains(t, err, name, what)
			if !ofNoDevice[name] {
				assert.Regexp(t, "cuda: device [01]: "+name+": ", err.Error(), what)
			}
			assert.ErrorContains(t, err, "code 801", what)
			assert.NotContains(t, err.Error(), "a result was written", what)
			memory, host, streams, modules, contexts := lib.Live()
			if left := memory + host + streams + modules + contexts; left > 0 {
				require.Contains(t, []string{"cuMemFree_v2", "cuMemUnmap", "cuMemRelease", "cuMemAddressFree", "cuMemFreeHost", "cuStreamDestroy_v2", "cuModuleUnload", "cuDevicePrimaryCtxRelease_v2", "cuCtxGetCurrent", "cuCtxSetCurrent"}, name, "%s: %v is left", what, []int{memory, host, streams, modules, contexts})
				lib.Forget()
			}
		}
	}
	t.Log(calls, "calls have failed")
}

// A device that is lost is an error of all calls behind, and the process lives on.
func TestLost(t *testing.T) {
	s, lib := open(t)
	d := on(t, s, 1, 2, 3)
	h := views.Must(views.Mirror(d))
	err := exec.ParallelFor(policy.Range(0, 3).WithLabel("wild").On(s), Wild(d))
	assert.ErrorIs(t, err, cuda.ErrLost)
	assert.ErrorContains(t, err, `exec: launch of "wild" on cuda device 0: cuda: device 0, Stand-in 0: the device is lost, since cuda: device 0: cuStreamSynchronize: an illegal memory access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS, code 700); a kernel has read or written outside of its memory`)
	_, later := views.NewIn[float64](s.Memory(), "v", []int{3})
	var sum float64
	for _, err := range []error{later, views.DeepCopy(h, d), views.DeepCopy(d, h), views.Fill(d, 1), exec.ParallelFor(policy.Range(0, 3).On(s), Axpy(1, d, d)), exec.ParallelReduce(policy.Range(0, 3).On(s), Dot(d, d), builtin.Sum(&sum))} {
		assert.ErrorIs(t, err, cuda.ErrLost)
		assert.ErrorContains(t, err, "code 700")
	}
	assert.NoError(t, views.Free(d))
	assert.NoError(t, s.Close(), "nothing of it is left")
	lib.Forget()

	lib.Reset()
	require.NoError(t, work(), "a device that is opened again")
	for _, code := range []int32{214, 702, 719} {
		s, err := cuda.Open(0)
		require.NoError(t, err)
		lib.Lose(code)
		assert.ErrorIs(t, workOn(s), cuda.ErrLost)
		assert.ErrorContains(t, workOn(s), fmt.Sprint("code ", code))
		assert.NoError(t, s.Close())
		lib.Reset()
		lib.Forget()
	}
}

// A launch that fails behind an item that stopped leaves nothing of it to the next one.
func TestStatusIsForgotten(t *testing.T) {
	s, lib := open(t)
	x, short := on(t, s, numbers(1000, 1)...), on(t, s, numbers(700, 1)...)
	shorter := on(t, s, numbers(5, 1)...)
	p := policy.Range(0, 1000).On(s)
	stop := func(short views.View1[float64]) (item int) {
		defer func() {
			if x, ok := recover().(*exec.Panic); ok {
				item = x.Begin
			}
		}()
		assert.ErrorContains(t, exec.ParallelFor(p, Axpy(1, x, short)), "code 801")
		return -1
	}
	assert.Equal(t, 700, stop(short))
	lib.Fail("cuMemcpyDtoHAsync_v2", 1, 801)
	assert.Equal(t, -1, stop(shorter), "whose status cannot be read")
	lib.Fail("", 0, 0)
	assert.Equal(t, 700, stop(short))
}
