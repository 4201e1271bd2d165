// Package driver calls the driver of NVIDIA's devices, libcuda, which is loaded when the program runs: nothing
// of it is needed to build.
//
// Calls of a device are made with its context, whichever thread they come from, and any goroutine may make
// them. A call that fails is an error that names it and says what to do. Some failures leave a device unusable:
// all calls behind such a one fail with [ErrLost] and the first cause, and the process lives on.
package driver

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"unsafe"
)

// Variable names the library to load, where it is not found.
const Variable = "GOKKOS_CUDA"

// minVersion is the oldest driver that the texts of kernels are for: that of CUDA 11.0.
const minVersion = 11000

// names are where the library may be, the likeliest first.
var names = []string{"libcuda.so.1", "/usr/local/nvidia/lib64/libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1", "/usr/lib64/nvidia/libcuda.so.1"}

// A function is one of the library.
type function struct {
	name string
	at   uintptr
}

// functions are those that are called, by their names in the library.
type functions struct {
	Init               function `cu:"cuInit"`
	DriverGetVersion   function `cu:"cuDriverGetVersion"`
	GetErrorName       function `cu:"cuGetErrorName"`
	GetErrorString     function `cu:"cuGetErrorString"`
	DeviceGetCount     function `cu:"cuDeviceGetCount"`
	DeviceGet          function `cu:"cuDeviceGet"`
	DeviceGetName      function `cu:"cuDeviceGetName"`
	DeviceGetAttribute function `cu:"cuDeviceGetAttribute"`
	DeviceTotalMem     function `cu:"cuDeviceTotalMem_v2"`
	PrimaryCtxRetain   function `cu:"cuDevicePrimaryCtxRetain"`
	PrimaryCtxRelease  function `cu:"cuDevicePrimaryCtxRelease_v2"`
	CtxGetCurrent      function `cu:"cuCtxGetCurrent"`
	CtxSetCurrent      function `cu:"cuCtxSetCurrent"`
	CtxEnablePeer      function `cu:"cuCtxEnablePeerAccess"`
	MemAlloc           function `cu:"cuMemAlloc_v2"`
	MemFree            function `cu:"cuMemFree_v2"`
	MemGetInfo         function `cu:"cuMemGetInfo_v2"`
	MemHostAlloc       function `cu:"cuMemHostAlloc"`
	MemFreeHost        function `cu:"cuMemFreeHost"`
	MemcpyHtoD         function `cu:"cuMemcpyHtoDAsync_v2"`
	MemcpyDtoH         function `cu:"cuMemcpyDtoHAsync_v2"`
	MemcpyDtoD         function `cu:"cuMemcpyDtoDAsync_v2"`
	MemcpyPeer         function `cu:"cuMemcpyPeerAsync"`
	MemsetD8           function `cu:"cuMemsetD8Async"`
	MemGranularity     function `cu:"cuMemGetAllocationGranularity"`
	MemAddressReserve  function `cu:"cuMemAddressReserve"`
	MemAddressFree     function `cu:"cuMemAddressFree"`
	MemCreate          function `cu:"cuMemCreate"`
	MemRelease         function `cu:"cuMemRelease"`
	MemMap             function `cu:"cuMemMap"`
	MemUnmap           function `cu:"cuMemUnmap"`
	MemSetAccess       function `cu:"cuMemSetAccess"`
	StreamCreate       function `cu:"cuStreamCreate"`
	StreamDestroy      function `cu:"cuStreamDestroy_v2"`
	StreamSynchronize  function `cu:"cuStreamSynchronize"`
	ModuleLoadDataEx   function `cu:"cuModuleLoadDataEx"`
	ModuleUnload       function `cu:"cuModuleUnload"`
	ModuleGetFunction  function `cu:"cuModuleGetFunction"`
	FuncSetAttribute   function `cu:"cuFuncSetAttribute"`
	LaunchKernel       function `cu:"cuLaunchKernel"`
}

// A Library is the driver, loaded and initialized.
type Library struct {
	Path    string
	Version int // of CUDA that it is for: 12020 is 12.2
	f       functions
}

// Load loads the driver that [Variable] names, or else the system's, and initializes it.
func Load() (*Library, error) {
	if path := os.Getenv(Variable); path != "" {
		handle, err := open(path)
		if err != nil {
			return nil, fmt.Errorf("cuda: cannot load what %s names: %w", Variable, err)
		}
		return load(path, handle)
	}
	var failures []error
	for _, path := range names {
		handle, err := open(path)
		if err == nil {
			return load(path, handle)
		}
		if errors.Is(err, errors.ErrUnsupported) {
			return nil, err
		}
		failures = append(failures, err)
	}
	return nil, fmt.Errorf("cuda: the driver of NVIDIA's devices, libcuda.so.1, cannot be loaded: install it, or set %s to its path: %w", Variable, failures[0])
}

// load finds the functions of a library and initializes it.
func load(path string, handle uintptr) (*Library, error) {
	l := &Library{Path: path}
	f := reflect.ValueOf(&l.f).Elem()
	for k := range f.NumField() {
		name := f.Type().Field(k).Tag.Get("cu")
		at, err := symbol(handle, name)
		if err != nil || at == 0 {
			return nil, fmt.Errorf("cuda: %s has no function %s: it is no driver of CUDA %s or newer", path, name, versionText(minVersion))
		}
		f.Field(k).Set(reflect.ValueOf(function{name, at}))
	}
	var version int32
	if code := call(l.f.DriverGetVersion.at, uintptr(unsafe.Pointer(&version))); code != 0 {
		return nil, l.errorOf(&l.f.DriverGetVersion, code)
	}
	l.Version = int(version)
	if l.Version < minVersion {
		return nil, fmt.Errorf("cuda: the driver %s is for CUDA %s, expected %s or newer: install a newer driver", path, versionText(l.Version), versionText(minVersion))
	}
	if code := call(l.f.Init.at, 0); code != 0 {
		return nil, l.errorOf(&l.f.Init, code)
	}
	return l, nil
}

// Names returns the functions of the driver that are called.
func Names() (names []string) {
	f := reflect.TypeFor[functions]()
	for k := range f.NumField() {
		names = append(names, f.Field(k).Tag.Get("cu"))
	}
	return names
}

func versionText(v int) string { return fmt.Sprintf("%d.%d", v/1000, v%1000/10) }

// Devices returns the number of devices that the process may use.
func (l *Library) Devices() (int, error) {
	var n int32
	if code := call(l.f.DeviceGetCount.at, uintptr(unsafe.Pointer(&n))); code != 0 {
		return 0, l.errorOf(&l.f.DeviceGetCount, code)
	}
	return int(n), nil
}
