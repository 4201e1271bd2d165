package watch

import (
	"sync"
	"sync/atomic"
)

// Other goroutines than that of the running thread are the host. What they touch while a thread
// runs is noted, and compared with what threads have touched when the launch ends. What anybody
// touches in the memory of a device while no launch runs there is a finding of the next launch.

// host is what others than threads did. It is guarded by a lock that nobody waits for in a hook:
// an access at the same time as another one is not noted.
var host struct {
	busy   atomic.Bool
	noted  []hostAccess
	recent [1 << 10]hostAccess // so that a loop notes nothing twice
	sites  []site
	siteAt map[uintptr]int
	wrong  []wrong
}

type hostAccess struct {
	addr, bytes uintptr
	kind        kind
	site        int
}

// maxNoted bounds what is noted in one launch.
const maxNoted = 1 << 16

// wrong is a finding in the memory of a device.
type wrong struct {
	device uintptr
	site   int
	*Finding
}

// maxWrong bounds the findings in the memory of devices.
const maxWrong = 100

//go:norace
func beginHost() {
	lockHost()
	for _, m := range mirrors.all {
		mark(m.remote)
	}
	host.noted = host.noted[:0]
	clear(host.recent[:])
	host.busy.Store(false)
}

// outside looks at an access where no thread runs, or on another stack than the running thread's.
//
//go:norace
//go:nosplit
//go:noinline
func outside(addr, bytes uintptr, k kind) {
	if !run.on && devices.Load() == nil {
		return
	}
	if room() < hookRoom {
		return
	}
	var c caller
	probe(&c, 1, depth)
	pin()
	elsewhere(&c, addr, bytes, k)
	unpin()
}

//go:norace
func elsewhere(c *caller, addr, bytes uintptr, k kind) {
	if launched && run.on && c.g == run.g { // its stack has grown
		shared := run.shared
		runOn(c.stack)
		share(shared)
		run.room = run.stack.end - run.low
		access(c, addr, bytes, k)
		return
	}
	if run.nested > 0 || c.stack.has(addr) {
		return
	}
	if mirrors.any.Load() && !(launched && run.on) {
		hostsMirrors(c, addr, k)
	}
	device := deviceOf(addr)
	if device == nil && !(launched && run.on) {
		return
	}
	if !host.busy.CompareAndSwap(false, true) {
		return
	}
	if s := hostSite(c); s > 0 {
		if device != nil {
			wrongSide(device.id, addr, s, k)
		} else {
			note(hostAccess{addr, bytes, k, s})
		}
	}
	host.busy.Store(false)
}

// hostSite returns the number of the site that accesses memory, or 0 if that is our own code.
//
//go:norace
func hostSite(c *caller) int {
	if host.siteAt == nil {
		host.siteAt, host.sites = map[uintptr]int{}, make([]site, 1)
	}
	for depth, pc := range c.pcs {
		if pc == 0 {
			break
		}
		s, ok := host.siteAt[pc]
		if !ok {
			host.sites = append(host.sites, resolve(pc, depth))
			s = len(host.sites) - 1
			host.siteAt[pc] = s
		}
		if host.sites[s].ours {
			return 0
		}
		if !host.sites[s].through {
			return s
		}
	}
	return 0
}

//go:norace
func note(a hostAccess) {
	if r := &host.recent[a.addr>>wordBits&uintptr(len(host.recent)-1)]; *r != a && len(host.noted) < maxNoted {
		*r = a
		host.noted = append(host.noted, a)
	}
}

// endHost finds what others did to the memory that the launch has worked with.
//
//go:norace
func endHost() {
	lockHost()
	for _, a := range host.noted {
		for addr, end := a.addr, a.addr+min(a.bytes, maxBytes); addr < end; addr += 1 << wordBits {
			p := known(addr)
			if p == nil {
				continue
			}
			c := &p.cells[addr&(pageSize-1)>>p.shift]
			other, k := c.write, write
			if other.point() < run.since && a.kind&write != 0 {
				other, k = c.reads[0], read
			}
			if other.point() < run.since {
				continue
			}
			key := findingKey{Host, uint32(a.site), other.site(), a.kind}
			f := findings[key]
			if f == nil {
				s := &host.sites[a.site]
				f = &Finding{Kind: Host, Now: Access{s.File, s.Line, s.Function, a.kind&write != 0, false}, Before: accessOf(other.site(), k == write, other.atomic())}
				findings[key] = f
				inOrder = append(inOrder, f)
			}
			if f.Count++; len(f.Pairs) < maxPairs {
				f.Pairs = append(f.Pairs, Pair{Addr: addr, Scratch: -1, before: pointAt(other.point())})
			}
		}
	}
	host.noted = host.noted[:0]
	host.busy.Store(false)
}

// deviceMemory is memory that may be touched while its device is open.
type deviceMemory struct {
	region
	id   uintptr // of the device
	open func() bool
}

// devices are looked at by hooks, and replaced where one is added or taken away. They are in the order
// of their addresses, and apart.
var (
	devices       atomic.Pointer[[]deviceMemory]
	changeDevices sync.Mutex
	wanted        atomic.Bool
)

// Want says that there is a space that watches: what is allocated from now on in the memory of
// devices is looked at.
//
//go:norace
func Want() { wanted.Store(true) }

// Allocated says that memory of a device may be touched while open says so.
//
//go:norace
func Allocated(id, addr, bytes uintptr, open func() bool) {
	if !Possible || !wanted.Load() || bytes == 0 {
		return
	}
	changeDevices.Lock()
	var all []deviceMemory
	if old := devices.Load(); old != nil {
		all = *old
	}
	n := after(all, addr)
	added := append(make([]deviceMemory, 0, len(all)+1), all[:n]...)
	added = append(added, deviceMemory{region{addr, addr + bytes}, id, open})
	added = append(added, all[n:]...)
	devices.Store(&added)
	changeDevices.Unlock()
}

// Freed says that memory of a device is gone.
//
//go:norace
func Freed(addr uintptr) {
	if old := devices.Load(); old == nil {
		return
	}
	unmirror(addr)
	changeDevices.Lock()
	var left []deviceMemory
	for _, d := range *devices.Load() {
		if d.begin != addr {
			left = append(left, d)
		}
	}
	if devices.Store(&left); len(left) == 0 {
		devices.Store(nil)
	}
	changeDevices.Unlock()
}

// after returns how many memories begin up to an address.
//
//go:norace
func after(all []deviceMemory, addr uintptr) int {
	low, high := 0, len(all)
	for low < high {
		if mid := (low + high) / 2; all[mid].begin <= addr {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// armed reports whether there is memory of a device to look at.
//
//go:norace
func armed() bool {
	all := devices.Load()
	return all != nil && len(*all) > 0
}

// deviceOf returns the memory of a device at an address that nobody may touch now, or nil.
//
//go:norace
func deviceOf(addr uintptr) *deviceMemory {
	all := devices.Load()
	if all == nil {
		return nil
	}
	if n := after(*all, addr); n > 0 {
		if d := &(*all)[n-1]; d.has(addr) && !d.open() {
			return d
		}
	}
	return nil
}

//go:norace
func wrongSide(device, addr uintptr, s int, k kind) {
	host.wrong = told(host.wrong, device, addr, s, k, Side)
}

// told adds an access of the host to findings in the memory of devices.
//
//go:norace
func told(to []wrong, device, addr uintptr, s int, k kind, what int) []wrong {
	for n := range to {
		if w := &to[n]; w.device == device && w.site == s && w.Now.Write == (k&write != 0) {
			w.Count++
			return to
		}
	}
	if len(to) == maxWrong {
		return to
	}
	at := &host.sites[s]
	f := &Finding{Kind: what, Count: 1, Now: Access{at.File, at.Line, at.Function, k&write != 0, false}, Pairs: []Pair{{Addr: addr, Scratch: -1}}}
	f.name()
	return append(to, wrong{device, s, f})
}

// WrongSide returns what was found in the memory of a device while no launch ran there, since it
// was asked for last.
//
//go:norace
func WrongSide(device uintptr) (found []*Finding) {
	lockHost()
	found, host.wrong = ofDevice(host.wrong, device)
	host.busy.Store(false)
	return found
}

// ofDevice takes the findings in the memory of a device out of a list.
//
//go:norace
func ofDevice(list []wrong, device uintptr) (found []*Finding, left []wrong) {
	left = list[:0]
	for _, w := range list {
		if w.device == device {
			found = append(found, w.Finding)
		} else {
			left = append(left, w)
		}
	}
	return found, left
}
