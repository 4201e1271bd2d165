package watch

import "runtime"

// A card cannot touch the memory of the host. Where a space is asked to tell, a functor may touch
// memory of the device, scratch memory and what is its own, and nothing else.

// A Block is memory from Begin to End.
type Block struct{ Begin, End uintptr }

// HostViews returns the memory of the views on the host that are remembered, in the order of its
// addresses and apart. Package views sets it.
var HostViews = noViews

//go:norace
func noViews() []Block { return nil }

// near is what a launch may touch where it may touch only memory of its device.
var near struct {
	device uintptr // whose memory it is
	blocks []Block // of that memory, as the launch begins
	views  []Block // on the host
}

// DeviceOnly says that the functor of the launch that begins may touch only the memory of a device,
// which has these blocks now, in the order of their addresses. It collects garbage, and returns an error
// if this release of Go does not let it tell older variables from those of the functor.
//
//go:norace
func DeviceOnly(device uintptr, blocks []Block) error {
	if !canTellAge() {
		return errAge
	}
	runtime.GC() // no thread runs yet
	forget()
	run.deviceOnly = true
	near.device, near.blocks, near.views = device, blocks, HostViews()
	return nil
}

// endDeviceOnly forgets pages, all of which are looked at closely.
//
//go:norace
func endDeviceOnly() {
	if run.deviceOnly {
		run.deviceOnly = false
		near.blocks, near.views = nil, nil
		forget()
	}
}

// foreign looks at an access to memory that a card might not have. What package views reads to find
// an element is no memory of the functor's, unless it is an element that is on the host.
//
//go:norace
func foreign(addr uintptr, site uint32, k kind) {
	if run.stack.has(addr) || constants.has(addr) || zeros.has(addr) || scratchAt(addr) >= 0 || has(near.blocks, addr) || isOfDevice(addr) {
		return
	}
	if sites[site].through || run.inViews && !has(near.views, addr) || isOwn(addr) {
		return
	}
	for n := range results {
		if results[n].has(addr) { // which is told already
			return
		}
	}
	if !run.inViews && !isOld(addr) {
		return
	}
	find(HostMemory, addr, site, k)
}

// isOfDevice reports whether memory was allocated on the device of the launch, by what it does.
//
//go:norace
func isOfDevice(addr uintptr) bool {
	all := devices.Load()
	if all == nil {
		return false
	}
	n := after(*all, addr)
	return n > 0 && (*all)[n-1].has(addr) && (*all)[n-1].id == near.device
}

// has reports whether an address is in one of the blocks.
//
//go:norace
func has(blocks []Block, addr uintptr) bool {
	low, high := 0, len(blocks)
	for low < high {
		if mid := (low + high) / 2; blocks[mid].Begin <= addr {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low > 0 && addr < blocks[low-1].End
}
