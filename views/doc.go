// Package views has multi-dimensional arrays: extents, a layout, and memory.
//
// # Views
//
// A [View] has a rank of 0 to 12, known when the program runs. [View1] to [View4] have it in
// their type, with At and Set as fast as an index of a slice. They want rows without gaps,
// as [Right] has them; [Strided1] to [Strided4] take any [Layout]. Each of them embeds a
// View and has its methods.
//
// Views are small values. Copying one, cutting a part out of one ([View.Sub]) and changing
// its shape ([View.Transpose], [View.Permute], [View.Reshape]) copies no elements: all share
// the memory. Only [DeepCopy] copies, and it says so.
//
// # Memory
//
// Elements are in a [MemorySpace]: in [Host] memory, or in that of a device, such as an
// [exec.SimGPU], which is for the functors that run there. Touching it from the host or from
// another space panics; making, cutting and copying views does not touch it. [MirrorCopy] moves
// a view to the memory of the space that a kernel runs on and does nothing if it is there, so
// one program runs on every space. Host memory is open to all.
//
//	d, err := views.MirrorCopy(views.MemoryOf(space), h)
//	err = exec.ParallelFor(policy.Range(0, n).On(space), func(i int) { d.Set(i, ...) })
//	err = views.DeepCopy(h, d)
//
// The memory of a SimGPU is open while any launch runs on it, to all goroutines. To use it from
// the host at that time is a data race. A slice or an address that an accessor returned in a
// functor must not leave it.
//
// The memory of a card, which is a [device.Memory] without a guard, is never open, since a Go
// function cannot read it. What needs no functor works there: New and its like, [DeepCopy],
// [Fill], mirrors, [Resize], [Realloc], results of package tensor. What the card has code for runs on it: folds of a
// [Source], scans, reductions of tensors, random fills. [FillFunc] makes elements on the host and copies them. All else is
// an error that names the operation, the view and the memory. [View.Address] is for functions of the card itself.
//
// Elements in the memory of a device hold no pointers. It is freed some time after the last view
// of it is gone, or by [Free].
//
// # Loops
//
// From fast to convenient: over the slices of [View1.Row], [View2.Row] or [View.Runs], over At
// and Set, over [View2.All] with indices. [Source] is for folds in parallel. Sub and its like
// make a small object; inside a loop, take rows.
//
// # Launches
//
// What runs in parallel takes a [policy.Launch] last, if wanted: where to run, what can cancel
// it, and a label in place of the one that says what is done to which view.
//
//	err := views.DeepCopy(dst, src, policy.On(space).WithContext(ctx))
//
// A view is of one process. On a space of several, as ranks are, what fills, copies or changes a view does so
// in each of them, with all elements of the view that it is given there. It is an error to fill a view in the memory
// of a card on such a space: give the space of the card.
//
// # Errors
//
// What makes a view returns an error if its arguments do not fit, and then no view. [Must]
// turns that into a panic where a program is sure of them. An index out of range panics, as
// that of a slice does. Typed views leave the check to the slice, on every space and in every
// memory, so an index may be beyond its dimension and still in the memory of the view. Built
// with
//
//	go build -tags gokkos_bounds
//
// they check every dimension, and the panic names view, dimension and extent.
package views
