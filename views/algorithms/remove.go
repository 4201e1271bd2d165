package algorithms

import (
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// CopyIf copies the elements of src for which pred returns true to dst, in their order, and
// returns how many they are; elements of dst behind keep their content. pred is called once
// for each element.
//
// It is an error if dst has no room for them, or an element of src. Memory: a bool for each
// element.
func CopyIf[T any](dst, src views.Viewer[T], pred func(x T) bool, on ...policy.Launch) (int, error) {
	return copyIf("CopyIf", dst, src, pred, true, on)
}

// RemoveCopyIf copies the elements of src for which pred returns false to dst; see [CopyIf].
func RemoveCopyIf[T any](dst, src views.Viewer[T], pred func(x T) bool, on ...policy.Launch) (int, error) {
	return copyIf("RemoveCopyIf", dst, src, pred, false, on)
}

// RemoveCopy copies the elements of src that do not equal x to dst; see [CopyIf].
func RemoveCopy[T comparable](dst, src views.Viewer[T], x T, on ...policy.Launch) (int, error) {
	if s, ok := far[device.Rearranger](on, memoryIn(dst), memoryIn(src)); ok {
		return farChoose("RemoveCopy", s, device.Rearrangement{Rule: "remove", Key: x}, dst, src, on)
	}
	return copyIf("RemoveCopy", dst, src, func(e T) bool { return e == x }, false, on)
}

func copyIf[T any](name string, dst, src views.Viewer[T], pred func(x T) bool, want bool, on []policy.Launch) (int, error) {
	c := newCall(name, on, pred == nil)
	d, s := vectorOf(c, dst), vectorOf(c, src)
	apart(c, d, s)
	return copyChosen(c, d, s, c.choose(s.n, where(s, pred, want)))
}

// Remove moves the elements that do not equal x to the front of v, in their order, and returns
// how many they are; elements behind keep their content.
//
// On an error v keeps its content. Memory: a bool for each element, and what is kept.
//
// Integers and floats in the memory of a card that has code for it, see [device.Rearranger], are moved there.
func Remove[T comparable](v views.Viewer[T], x T, on ...policy.Launch) (int, error) {
	if s, ok := far[device.Rearranger](on, memoryIn(v)); ok {
		return farRearrange[T, struct{}]("Remove", s, device.Rearrangement{Rule: "remove", Key: x}, v, nil, on)
	}
	return removeIf("Remove", v, func(e T) bool { return e == x }, on)
}

// RemoveIf moves the elements for which pred returns false to the front of v; see [Remove].
// pred is called once for each element.
func RemoveIf[T any](v views.Viewer[T], pred func(x T) bool, on ...policy.Launch) (int, error) {
	return removeIf("RemoveIf", v, pred, on)
}

func removeIf[T any](name string, v views.Viewer[T], pred func(x T) bool, on []policy.Launch) (int, error) {
	c := newCall(name, on, pred == nil)
	x := vectorOf(c, v)
	return compact(c, x, c.choose(x.n, where(x, pred, false)))
}
