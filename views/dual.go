package views

import (
	"fmt"

	"github.com/gokkos/gokkos/policy"
)

// A Dual is a view on the host and one in another memory, and knows which of the two has newer content. It is
// Kokkos::DualView. A program says what it has changed, and copies when it needs the other side:
//
//	d, err := views.NewDual(sim.Memory(), x)
//	err = d.ModifiedHost()     // after the host has written to d.Host()
//	err = d.SyncDevice()       // copies, if the host is newer
//	err = exec.ParallelFor(... d.Device() ...)
//	err = d.ModifiedDevice()
//
// If the memory is the host's, both sides are one view and nothing is ever copied. Copies of a Dual share
// which side is newer. Several goroutines may not use one at a time.
type Dual[T any, V ViewOf[T, V]] struct {
	host, device V
	one          bool // both are one view
	newer        *side
}

// side is which side of a Dual is newer than the other.
type side uint8

const (
	neither side = iota
	hostSide
	deviceSide
)

func (s side) String() string { return [...]string{"neither", "the host", "the device"}[s] }

// NewDual returns a dual view of v, on the host, and of a copy of it in the memory. The other side is v
// itself if the memory is the host's. It is an error if v is not in host memory, and what is an error of
// [MirrorCopy].
func NewDual[T any, V ViewOf[T, V]](in MemorySpace, v V, on ...policy.Launch) (Dual[T, V], error) {
	if m := v.view().MemorySpace(); m != Host {
		return Dual[T, V]{}, fmt.Errorf("views: NewDual of %v in %v, expected a view in host memory", v.view(), m)
	}
	device, err := MirrorCopy[T](in, v, on...)
	if err != nil {
		return Dual[T, V]{}, err
	}
	return Dual[T, V]{host: v, device: device, one: orHost(in) == Host, newer: new(side)}, nil
}

// Host returns the view on the host. It is Kokkos' view_host.
func (d Dual[T, V]) Host() V { return d.host }

// Device returns the view in the other memory. It is Kokkos' view_device.
func (d Dual[T, V]) Device() V { return d.device }

// ModifiedHost says that the host side was changed. It is Kokkos' modify_host. It is an error if the device
// side is newer, as one of the two contents would be lost; nothing changes then.
func (d Dual[T, V]) ModifiedHost() error { return d.modified(hostSide) }

// ModifiedDevice says that the device side was changed, as [Dual.ModifiedHost] does of the host's.
func (d Dual[T, V]) ModifiedDevice() error { return d.modified(deviceSide) }

func (d Dual[T, V]) modified(by side) error {
	switch {
	case d.newer == nil:
		return fmt.Errorf("views: a Dual that NewDual has not made")
	case d.one:
		return nil
	case *d.newer != neither && *d.newer != by:
		return fmt.Errorf("views: %v of %v was changed while %v is newer, expected a sync before", by, d.host.view(), *d.newer)
	}
	*d.newer = by
	return nil
}

// NeedsSyncHost reports whether the device side is newer. It is Kokkos' need_sync_host.
func (d Dual[T, V]) NeedsSyncHost() bool { return d.newer != nil && *d.newer == deviceSide }

// NeedsSyncDevice reports whether the host side is newer. It is Kokkos' need_sync_device.
func (d Dual[T, V]) NeedsSyncDevice() bool { return d.newer != nil && *d.newer == hostSide }

// SyncHost copies to the host side if the device side is newer. It is Kokkos' sync_host. After an error of
// [DeepCopy] the device side is still the newer one.
func (d Dual[T, V]) SyncHost(on ...policy.Launch) error {
	if !d.NeedsSyncHost() {
		return nil
	}
	return d.synced(DeepCopy[T](d.host, d.device, on...))
}

// SyncDevice copies to the device side if the host side is newer, as [Dual.SyncHost] does to the host's.
func (d Dual[T, V]) SyncDevice(on ...policy.Launch) error {
	if !d.NeedsSyncDevice() {
		return nil
	}
	return d.synced(DeepCopy[T](d.device, d.host, on...))
}

func (d Dual[T, V]) synced(err error) error {
	if err == nil {
		*d.newer = neither
	}
	return err
}
