package driver

import (
	"errors"
	"unsafe"
)

// LeastPart is the bytes of the smallest part that one of several cards has of a view: reading a smaller one takes a card no
// longer than several cards need to begin. LeastShared is how many bytes several cards fill, copy or scan, in place of the one
// that has most of them: fewer take a card 10 µs, and another one begins 20 µs later. Tests lower them.
var (
	LeastPart   uint64 = 128 << 20
	LeastShared        = 16 << 20
)

// A Spread is memory at consecutive addresses, of which each of several devices has a part and which all of them can
// access.
type Spread struct {
	At      Address
	Part    uint64 // bytes of a part, a multiple of the pages of the devices
	devices []*Device
	parts   []part
}

// A part is the memory of one device.
type part struct {
	handle uint64
	mapped bool // at its addresses
}

// properties returns a CUmemAllocationProp for pinned memory of the device.
func (v *Device) properties() *[8]uint32 { return &[8]uint32{1, 0, 1, uint32(v.handle)} }

// Grain returns the bytes that parts of a [Spread] are a multiple of.
func (v *Device) Grain() (bytes uint64, err error) {
	const minimum = 0
	err = v.do(&v.l.f.MemGranularity, uintptr(unsafe.Pointer(&bytes)), uintptr(unsafe.Pointer(v.properties())), minimum)
	return bytes, err
}

// AllocateSpread returns memory of at least so many bytes, of which each device has an equal part. What it holds is not
// specified.
func AllocateSpread(devices []*Device, bytes uint64) (*Spread, error) {
	grain, err := devices[0].Grain()
	if err != nil {
		return nil, err
	}
	n := uint64(len(devices))
	s := &Spread{Part: ((bytes+n-1)/n + grain - 1) / grain * grain, devices: devices}
	l := &devices[0].l.f
	if err := devices[0].do(&l.MemAddressReserve, uintptr(unsafe.Pointer(&s.At)), uintptr(n*s.Part), uintptr(grain), 0, 0); err != nil {
		return nil, err
	}
	if err := s.fill(); err != nil {
		return nil, errors.Join(err, s.Free())
	}
	return s, nil
}

// fill maps the parts and lets all devices access them.
func (s *Spread) fill() error {
	type access struct{ kind, device, flags uint32 } // CUmemAccessDesc
	const ofDevice, readAndWrite = 1, 3
	var all []access
	for _, v := range s.devices {
		var p part
		if err := v.do(&v.l.f.MemCreate, uintptr(unsafe.Pointer(&p.handle)), uintptr(s.Part), uintptr(unsafe.Pointer(v.properties())), 0); err != nil {
			return err
		}
		s.parts = append(s.parts, p)
		if err := v.do(&v.l.f.MemMap, uintptr(s.At)+uintptr(uint64(len(all))*s.Part), uintptr(s.Part), 0, uintptr(p.handle), 0); err != nil {
			return err
		}
		s.parts[len(all)].mapped = true
		all = append(all, access{ofDevice, uint32(v.handle), readAndWrite})
	}
	v := s.devices[0]
	return v.do(&v.l.f.MemSetAccess, uintptr(s.At), uintptr(uint64(len(all))*s.Part), uintptr(unsafe.Pointer(&all[0])), uintptr(len(all)))
}

// Free gives the memory back. No device may use it any more.
func (s *Spread) Free() error {
	l := &s.devices[0].l.f
	var failures []error
	for k, p := range s.parts {
		v := s.devices[k] // another device may be lost
		if p.mapped {
			failures = append(failures, v.doAnyway(&l.MemUnmap, uintptr(s.At)+uintptr(uint64(k)*s.Part), uintptr(s.Part)))
		}
		failures = append(failures, v.doAnyway(&l.MemRelease, uintptr(p.handle)))
	}
	return errors.Join(append(failures, s.devices[0].doAnyway(&l.MemAddressFree, uintptr(s.At), uintptr(uint64(len(s.devices))*s.Part)))...)
}
