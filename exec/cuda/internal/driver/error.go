package driver

import (
	"errors"
	"fmt"
	"unsafe"
)

// ErrOutOfMemory is what an [Error] is if the device, or the host, has no room.
var ErrOutOfMemory = errors.New("out of memory")

// ErrLost is what all calls of a device fail with once it is unusable.
var ErrLost = errors.New("the device is lost")

// An Error is that of a call.
type Error struct {
	Call   string // "cuMemAlloc_v2"
	Device int    // the number of the device, or -1 if the call is of none
	Code   int
	Name   string // "CUDA_ERROR_OUT_OF_MEMORY"
	Text   string // "out of memory"
	Log    string // of the compiler of texts
}

// Error names the device and the call, and says what to do.
func (e *Error) Error() string {
	s := "cuda: "
	if e.Device >= 0 {
		s += fmt.Sprintf("device %d: ", e.Device)
	}
	s += fmt.Sprintf("%s: %s (%s, code %d)", e.Call, e.Text, e.Name, e.Code)
	if what := advice[e.Code]; what != "" {
		s += "; " + what
	}
	if e.Log != "" {
		s += ":\n" + e.Log
	}
	return s
}

// Is reports whether e is an [ErrOutOfMemory].
func (e *Error) Is(target error) bool { return target == ErrOutOfMemory && e.Code == outOfMemory }

const outOfMemory = 2

// advice says by code what to do.
var advice = map[int]string{
	outOfMemory: "free views in the memory of the device, or end other processes on it, which nvidia-smi lists",
	34:          "the library is a stub of the toolkit, for linking only: load that of the driver, see LD_LIBRARY_PATH",
	46:          "another process has the device for itself: nvidia-smi lists it",
	100:         "nvidia-smi -L lists the devices of the machine, and CUDA_VISIBLE_DEVICES may hide them",
	101:         "nvidia-smi -L lists the devices of the machine, and CUDA_VISIBLE_DEVICES may hide them",
	200:         "the text was not made for this device",
	209:         "the text was not made for this device",
	214:         "the memory of the device is broken: nvidia-smi -q -d ECC tells more",
	218:         "this is a bug of whatever wrote the text of the kernel",
	222:         "install a newer driver",
	700:         "a kernel has read or written outside of its memory; the program has to be started again to use the device",
	702:         "a kernel ran for too long on a device that also shows a screen; the program has to be started again to use the device",
	716:         "a kernel has read or written at an odd address; the program has to be started again to use the device",
	719:         "a kernel has failed; the program has to be started again to use the device",
	802:         "start nvidia-fabricmanager",
	803:         "the library and the kernel module of the driver have different versions: load the new module, or restart the machine",
	804:         "the library is a compatibility package that is not for this device: load that of the driver",
	999:         "nvidia-smi may tell more; without the kernel module nvidia_uvm, nvidia-modprobe -u loads it",
}

// lasting are the codes behind which a context stays unusable.
var lasting = map[int]bool{
	4: true, 46: true, 214: true, 220: true, 226: true,
	700: true, 702: true, 709: true, 710: true, 714: true, 715: true, 716: true, 717: true, 718: true, 719: true, 721: true,
}

// errorOf returns the error of a call that is of no device.
func (l *Library) errorOf(f *function, code int32) *Error {
	return &Error{Call: f.name, Device: -1, Code: int(code), Name: l.textOf(&l.f.GetErrorName, code, "unknown"), Text: l.textOf(&l.f.GetErrorString, code, "unknown error")}
}

// textOf asks the library for a text about a code.
func (l *Library) textOf(f *function, code int32, otherwise string) string {
	var text unsafe.Pointer
	if call(f.at, uintptr(code), uintptr(unsafe.Pointer(&text))) != 0 || text == nil {
		return otherwise
	}
	n := 0
	for *(*byte)(unsafe.Add(text, n)) != 0 {
		n++
	}
	return string(unsafe.Slice((*byte)(text), n))
}
