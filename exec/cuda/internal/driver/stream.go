package driver

import "unsafe"

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

// FromPeer copies from the memory of another device. The driver takes the link between the two after [Device.Reach], and
// memory of the host if there is no link.
func (s *Stream) FromPeer(dst Address, peer *Device, src Address, bytes uint64) error {
	return s.device.do(&s.device.l.f.MemcpyPeer, uintptr(dst), s.device.context, uintptr(src), peer.context, uintptr(bytes), s.handle)
}

// Set sets bytes to a value.
func (s *Stream) Set(dst Address, value byte, bytes uint64) error {
	return s.device.do(&s.device.l.f.MemsetD8, uintptr(dst), uintptr(value), uintptr(bytes), s.handle)
}

// ScratchWords is how many words a launch needs besides its parameters.
const ScratchWords = 6

// Launch runs a function of a module with parameters of 64 bits each, in blocks of threads with so many bytes of shared memory. in is memory of [Device.AllocateHost], of a multiple of 8
// bytes, that the call writes its arguments to: 8 for each parameter and [ScratchWords].
func (s *Stream) Launch(f Function, blocks, threads, shared int, in []byte, parameters []uint64) error {
	return s.device.do(&s.device.l.f.LaunchKernel, s.arguments(f, blocks, threads, shared, in, parameters)...)
}

// Run is Launch and [Stream.Wait].
func (s *Stream) Run(f Function, blocks, threads, shared int, in []byte, parameters []uint64) error {
	l := &s.device.l.f
	return s.device.both(&l.LaunchKernel, s.arguments(f, blocks, threads, shared, in, parameters), &l.StreamSynchronize, s.handle)
}

// arguments returns those of a launch. What the driver calls extra is the parameters, their size, the end; it reads them
// during the call, where no garbage collector moves them.
func (s *Stream) arguments(f Function, blocks, threads, shared int, in []byte, parameters []uint64) []uintptr {
	at := unsafe.Pointer(unsafe.SliceData(in))
	words := unsafe.Slice((*uint64)(at), len(in)/8)
	base := uint64(uintptr(at))
	copy(words, []uint64{1, base + 8*ScratchWords, 2, base + 40, 0, uint64(8 * len(parameters))})
	copy(words[ScratchWords:ScratchWords+len(parameters)], parameters)
	return []uintptr{uintptr(f), uintptr(blocks), 1, 1, uintptr(threads), 1, 1, uintptr(shared), s.handle, 0, uintptr(at)}
}
