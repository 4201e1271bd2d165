package driver

import (
	"runtime"
	"unsafe"
)

// A Stream is an order in which a device does what it is given. The methods return before it is done.
type Stream struct {
	device *Device
	handle uintptr
}

// nonBlocking streams do not wait for the one that all share.
const nonBlocking = 1

// NewStream makes a stream.
func (v *Device) NewStream() (*Stream, error) {
	s := &Stream{device: v}
	if err := v.do(&v.l.f.StreamCreate, uintptr(unsafe.Pointer(&s.handle)), nonBlocking); err != nil {
		return nil, err
	}
	return s, nil
}

// Close gives the stream back once all is done.
func (s *Stream) Close() error { return s.device.doAnyway(&s.device.l.f.StreamDestroy, s.handle) }

// Wait waits until all is done, and returns what went wrong in it.
func (s *Stream) Wait() error { return s.device.do(&s.device.l.f.StreamSynchronize, s.handle) }

// ToDevice copies bytes of [Device.AllocateHost], which must stay as they are until they are copied.
func (s *Stream) ToDevice(dst Address, src []byte) error {
	return s.device.do(&s.device.l.f.MemcpyHtoD, uintptr(dst), uintptr(unsafe.Pointer(unsafe.SliceData(src))), uintptr(len(src)), s.handle)
}

// ToHost copies to bytes of [Device.AllocateHost].
func (s *Stream) ToHost(dst []byte, src Address) error {
	return s.device.do(&s.device.l.f.MemcpyDtoH, uintptr(unsafe.Pointer(unsafe.SliceData(dst))), uintptr(src), uintptr(len(dst)), s.handle)
}

// Within copies within the memory of the device.
func (s *Stream) Within(dst, src Address, bytes uint64) error {
	return s.device.do(&s.device.l.f.MemcpyDtoD, uintptr(dst), uintptr(src), uintptr(bytes), s.handle)
}

// Set sets bytes to a value.
func (s *Stream) Set(dst Address, value byte, bytes uint64) error {
	return s.device.do(&s.device.l.f.MemsetD8, uintptr(dst), uintptr(value), uintptr(bytes), s.handle)
}

// Launch runs a function of a module with parameters of 64 bits each.
func (s *Stream) Launch(f Function, blocks, threads int, parameters []uint64) error {
	size := uintptr(8 * len(parameters))
	// What the driver calls extra: the buffer, its size, the end. It is read during the call.
	extra := [5]uintptr{1, uintptr(unsafe.Pointer(unsafe.SliceData(parameters))), 2, uintptr(unsafe.Pointer(&size)), 0}
	var pins runtime.Pinner
	defer pins.Unpin()
	if len(parameters) > 0 {
		pins.Pin(unsafe.SliceData(parameters))
	}
	pins.Pin(&size)
	return s.device.do(&s.device.l.f.LaunchKernel, uintptr(f), uintptr(blocks), 1, 1, uintptr(threads), 1, 1, 0, s.handle, 0, uintptr(unsafe.Pointer(&extra)))
}
