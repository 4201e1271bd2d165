package driver

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"unsafe"
)

// An Address is one in the memory of a device, which the host must not look at.
type Address uintptr

// A Device is one that the process may use, with its primary context. Its methods may be called by any
// goroutine.
type Device struct {
	Number       int
	Name         string // "NVIDIA H200"
	Major, Minor int    // of its compute capability
	Processors   int
	Shared       int    // bytes of shared memory that a block can have
	Bytes        uint64 // of memory
	l            *Library
	handle       int32
	context      uintptr
	lost         atomic.Pointer[Error]
}

// minMajor is the oldest compute capability that texts are for.
const minMajor = 7

// Open opens the device of a number.
func (l *Library) Open(number int) (*Device, error) {
	n, err := l.Devices()
	if err != nil {
		return nil, err
	}
	if number < 0 || number >= n {
		return nil, fmt.Errorf("cuda: device %d, expected 0 to %d: nvidia-smi -L lists the devices of the machine, and CUDA_VISIBLE_DEVICES may hide them", number, n-1)
	}
	v := &Device{Number: number, l: l}
	if code := call(l.f.DeviceGet.at, uintptr(unsafe.Pointer(&v.handle)), uintptr(number)); code != 0 {
		return nil, v.errorOf(&l.f.DeviceGet, code)
	}
	if err := v.describe(); err != nil {
		return nil, err
	}
	if v.Major < minMajor {
		return nil, fmt.Errorf("cuda: device %d, %s, has the compute capability %d.%d, expected %d.0 or newer", number, v.Name, v.Major, v.Minor, minMajor)
	}
	if code := call(l.f.PrimaryCtxRetain.at, uintptr(unsafe.Pointer(&v.context)), uintptr(v.handle)); code != 0 {
		return nil, v.errorOf(&l.f.PrimaryCtxRetain, code)
	}
	return v, nil
}

// describe asks what the device is.
func (v *Device) describe() error {
	l := v.l
	name := make([]byte, 256)
	if code := call(l.f.DeviceGetName.at, uintptr(unsafe.Pointer(&name[0])), uintptr(len(name)), uintptr(v.handle)); code != 0 {
		return v.errorOf(&l.f.DeviceGetName, code)
	}
	v.Name = cString(name)
	if code := call(l.f.DeviceTotalMem.at, uintptr(unsafe.Pointer(&v.Bytes)), uintptr(v.handle)); code != 0 {
		return v.errorOf(&l.f.DeviceTotalMem, code)
	}
	for attribute, to := range map[int]*int{75: &v.Major, 76: &v.Minor, 16: &v.Processors, 97: &v.Shared} { // as in cuda.h
		var value int32
		if code := call(l.f.DeviceGetAttribute.at, uintptr(unsafe.Pointer(&value)), uintptr(attribute), uintptr(v.handle)); code != 0 {
			return v.errorOf(&l.f.DeviceGetAttribute, code)
		}
		*to = int(value)
	}
	return nil
}

// Close gives the context back. All that was made of the device must be closed before.
func (v *Device) Close() error {
	if code := call(v.l.f.PrimaryCtxRelease.at, uintptr(v.handle)); code != 0 && v.lost.Load() == nil {
		return v.errorOf(&v.l.f.PrimaryCtxRelease, code)
	}
	return nil
}

// Lost returns why the device is unusable, or nil. It wraps [ErrLost].
func (v *Device) Lost() error {
	if first := v.lost.Load(); first != nil {
		return fmt.Errorf("cuda: device %d, %s: %w, since %w", v.Number, v.Name, ErrLost, first)
	}
	return nil
}

// do makes a call with the context of the device.
//
//go:uintptrescapes
func (v *Device) do(f *function, args ...uintptr) error {
	if err := v.Lost(); err != nil {
		return err
	}
	return v.doAnyway(f, args...)
}

// doAnyway is do on a device that may be lost, to give something back.
//
//go:uintptrescapes
func (v *Device) doAnyway(f *function, args ...uintptr) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before, err := v.enter()
	if err != nil {
		return err
	}
	code := call(f.at, args...)
	v.leave(before)
	if code == 0 {
		return nil
	}
	return v.failed(f, code)
}

// both makes two calls, of which the second has one argument.
func (v *Device) both(f *function, args []uintptr, g *function, arg uintptr) error {
	if err := v.Lost(); err != nil {
		return err
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before, err := v.enter()
	if err != nil {
		return err
	}
	code := call(f.at, args...)
	if code == 0 {
		f, code = g, call(g.at, arg)
	}
	v.leave(before)
	if code == 0 {
		return nil
	}
	return v.failed(f, code)
}

// enter makes the context that of the thread, and returns the one before.
func (v *Device) enter() (before uintptr, err error) {
	if code := call(v.l.f.CtxGetCurrent.at, uintptr(unsafe.Pointer(&before))); code != 0 {
		return 0, v.failed(&v.l.f.CtxGetCurrent, code)
	}
	if before == v.context {
		return before, nil
	}
	if code := call(v.l.f.CtxSetCurrent.at, v.context); code != 0 {
		return 0, v.failed(&v.l.f.CtxSetCurrent, code)
	}
	return before, nil
}

// leave makes the context before that of the thread again: it is somebody else's, who may expect it.
func (v *Device) leave(before uintptr) {
	if before != 0 && before != v.context {
		call(v.l.f.CtxSetCurrent.at, before)
	}
}

// errorOf returns the error of a call of the device.
func (v *Device) errorOf(f *function, code int32) *Error {
	err := v.l.errorOf(f, code)
	err.Device = v.Number
	return err
}

// failed returns the error of a call, and keeps the first that lasts.
func (v *Device) failed(f *function, code int32) error {
	err := v.errorOf(f, code)
	if lasting[err.Code] && v.lost.CompareAndSwap(nil, err) {
		return v.Lost()
	}
	return err
}

// Allocate returns the address of memory, a multiple of 256. What it holds is not specified.
func (v *Device) Allocate(bytes uint64) (Address, error) {
	var a Address
	err := v.do(&v.l.f.MemAlloc, uintptr(unsafe.Pointer(&a)), uintptr(bytes))
	return a, err
}

// Free gives memory back. It may wait for all that runs on the device.
func (v *Device) Free(a Address) error { return v.doAnyway(&v.l.f.MemFree, uintptr(a)) }

// Room returns how much memory is free.
func (v *Device) Room() (bytes uint64, err error) {
	var all uint64
	err = v.do(&v.l.f.MemGetInfo, uintptr(unsafe.Pointer(&bytes)), uintptr(unsafe.Pointer(&all)))
	return bytes, err
}

// Codes of peer access.
const (
	invalidDevice     = 101 // no link, of older drivers
	peerUnsupported   = 217
	peerEnabled       = 704 // by an earlier call
	peerLimitExceeded = 711
)

// Reach lets kernels of the device access the memory of another one, and reports whether they can.
func (v *Device) Reach(peer *Device) (bool, error) {
	err := v.do(&v.l.f.CtxEnablePeer, peer.context, 0)
	if e := (*Error)(nil); errors.As(err, &e) {
		switch e.Code {
		case peerEnabled:
			return true, nil
		case invalidDevice, peerUnsupported, peerLimitExceeded:
			return false, nil
		}
	}
	return err == nil, err
}

// mapped lets kernels access memory of the host, at the address that it has there.
const mapped = 2

// AllocateHost returns memory of the host that the device copies from and to at the speed of the link, and that kernels
// can access.
func (v *Device) AllocateHost(bytes int) ([]byte, error) {
	var p unsafe.Pointer
	if err := v.do(&v.l.f.MemHostAlloc, uintptr(unsafe.Pointer(&p)), uintptr(bytes), mapped); err != nil {
		return nil, err
	}
	return unsafe.Slice((*byte)(p), bytes), nil
}

// FreeHost gives back what AllocateHost returned.
func (v *Device) FreeHost(b []byte) error {
	return v.doAnyway(&v.l.f.MemFreeHost, uintptr(unsafe.Pointer(unsafe.SliceData(b))))
}

// cString returns a text up to its zero.
func cString(b []byte) string {
	text, _, _ := strings.Cut(string(b), "\x00")
	return text
}
