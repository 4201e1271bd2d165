package watch

import (
	"bytes"
	"slices"
	"sync/atomic"
	"unsafe"
)

// A view on the host and its mirror on a device are to have the same content, where a space is asked
// to hold that: who reads the older of two elements has forgotten to copy. Contents are compared, so
// that it does not matter who wrote them.

// mirror is two memories whose bytes belong together.
type mirror struct {
	device       uintptr // whose memory the second one is
	host, remote region
	size         uintptr        // of an element
	keep         unsafe.Pointer // the memory on the host
	was          []byte         // what both had when they were copied last, nil if never
	wrote        []byte         // what was written since then at each element: onHost, onDevice
	found        []wrong
}

const (
	onHost = 1 << iota
	onDevice
)

// mirrors are guarded as the host is. Accesses look at them if there are any.
var mirrors struct {
	any     atomic.Bool
	wanted  atomic.Bool
	devices []uintptr
	all     []*mirror
	left    []wrong // of mirrors that are gone
}

//go:norace
func lockHost() {
	for !host.busy.CompareAndSwap(false, true) {
	}
}

// WantMirrors says that mirrors in the memory of a device are to be held against their views.
//
//go:norace
func WantMirrors(device uintptr) {
	lockHost()
	if !slices.Contains(mirrors.devices, device) {
		mirrors.devices = append(mirrors.devices, device)
	}
	mirrors.wanted.Store(Possible)
	host.busy.Store(false)
}

// WantsMirrors reports whether Mirrored and Copied are to be called.
//
//go:norace
func WantsMirrors() bool { return mirrors.wanted.Load() }

// Mirrored says that memory on the host and on a device belongs together, elements of a size.
//
//go:norace
func Mirrored(h, remote unsafe.Pointer, bytes, size uintptr) {
	all := devices.Load()
	at := uintptr(remote)
	if all == nil || bytes == 0 {
		return
	}
	n := after(*all, at)
	if n == 0 || !(*all)[n-1].has(at) {
		return
	}
	lockHost()
	for _, d := range mirrors.devices {
		if d == (*all)[n-1].id {
			m := &mirror{d, region{uintptr(h), uintptr(h) + bytes}, region{at, at + bytes}, size, h, nil, make([]byte, bytes/size), nil}
			mirrors.all = append(mirrors.all, m)
			mirrors.any.Store(true)
			break
		}
	}
	host.busy.Store(false)
}

// Copied says that one memory was copied to another. A memory that gets its content from elsewhere is
// no mirror any more, nor is one whose view was copied to other memory of the host as well: its old
// content may be wanted.
//
//go:norace
func Copied(dst, src Block, toHost bool) {
	lockHost()
	d, s := region{dst.Begin, dst.End}, region{src.Begin, src.End}
	left := mirrors.all[:0]
	for _, m := range mirrors.all {
		switch {
		case (d == m.host && s == m.remote || d == m.remote && s == m.host) && bytes.Equal(m.bytes(m.host), m.bytes(m.remote)):
			m.was = append(m.was[:0], m.bytes(m.host)...)
			clear(m.wrote)
		case d.meets(m.host) || d.meets(m.remote) || toHost && s.meets(m.remote):
			continue
		}
		left = append(left, m)
	}
	clear(mirrors.all[len(left):])
	mirrors.all = left
	mirrors.any.Store(len(left) > 0)
	host.busy.Store(false)
}

//go:norace
func (r region) meets(o region) bool { return r.begin < o.end && o.begin < r.end }

// bytes returns the content of one of the two memories.
//
//go:norace
func (m *mirror) bytes(r region) []byte {
	if r == m.host {
		return unsafe.Slice((*byte)(m.keep), r.end-r.begin)
	}
	return unsafe.Slice((*byte)(remoteAt(r.begin)), r.end-r.begin)
}

// remoteAt returns a pointer to memory that its device keeps.
//
//go:norace
func remoteAt(addr uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&addr)) }

// unmirror forgets the mirrors in a memory that is gone, but not what was found.
//
//go:norace
func unmirror(addr uintptr) {
	lockHost()
	left := mirrors.all[:0]
	for _, m := range mirrors.all {
		if m.remote.begin == addr {
			mirrors.left = append(mirrors.left, m.found...)
		} else {
			left = append(left, m)
		}
	}
	clear(mirrors.all[len(left):])
	mirrors.all = left
	mirrors.any.Store(len(left) > 0)
	host.busy.Store(false)
}

// at returns the number of an element, and where its bytes begin and end.
//
//go:norace
func (m *mirror) at(offset uintptr) (n, begin, end uintptr) {
	n = offset / m.size
	return n, n * m.size, min((n+1)*m.size, uintptr(len(m.was)))
}

// isStale looks at an access by one side to an element at an offset. It reports whether it reads what
// only the other side has changed since the two were copied.
//
//go:norace
func (m *mirror) isStale(offset uintptr, k kind, side byte) bool {
	if m.was == nil {
		return false
	}
	n, begin, end := m.at(offset)
	if k&write != 0 {
		m.wrote[n] |= side
	}
	if k&read == 0 || m.wrote[n]&side != 0 {
		return false
	}
	mine, other := m.host, m.remote
	if side == onDevice {
		mine, other = other, mine
	}
	return bytes.Equal(m.bytes(mine)[begin:end], m.was[begin:end]) && !bytes.Equal(m.bytes(other)[begin:end], m.was[begin:end])
}

// throughMirrors looks at an access by the running thread.
//
//go:norace
func throughMirrors(addr uintptr, site uint32, k kind) {
	if sites[site].through || !host.busy.CompareAndSwap(false, true) { // our own copy of a view
		return
	}
	stale := false
	for _, m := range mirrors.all {
		stale = stale || m.remote.has(addr) && m.isStale(addr-m.remote.begin, k, onDevice)
	}
	host.busy.Store(false)
	if stale {
		find(Stale, addr, site, k)
	}
}

// hostsMirrors looks at an access where no thread runs.
//
//go:norace
func hostsMirrors(c *caller, addr uintptr, k kind) {
	if !host.busy.CompareAndSwap(false, true) {
		return
	}
	for _, m := range mirrors.all {
		if !m.host.has(addr) {
			continue
		}
		if s := hostSite(c); s > 0 && m.isStale(addr-m.host.begin, k, onHost) {
			m.found = told(m.found, m.device, addr, s, k, Stale)
		}
	}
	host.busy.Store(false)
}

// StaleReads returns what the host has read of mirrors of a device that were not copied, once.
//
//go:norace
func StaleReads(device uintptr) (found []*Finding) {
	lockHost()
	for _, m := range mirrors.all {
		if m.device == device {
			mirrors.left, m.found = append(mirrors.left, m.found...), nil
		}
	}
	found, mirrors.left = ofDevice(mirrors.left, device)
	host.busy.Store(false)
	return found
}
