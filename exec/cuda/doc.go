// Package cuda runs launches on NVIDIA's devices, with the bits of exec.Serial: the reduction tree belongs to
// the policy, a part of a warp walks a leaf, and every operation is rounded as Go rounds it.
//
//	on, err := cuda.Open(0)
//	...
//	defer on.Close()
//	x, err := views.MirrorCopy(views.MemoryOf(on), host)
//	err = exec.ParallelReduce(policy.Range(0, n).On(on), Sum(x), builtin.Sum(&sum))
//
// The driver, libcuda, is loaded when the program runs: no toolkit and no cgo is needed to build. It must be for
// CUDA 11.0 or newer, and the device of compute capability 7.0 or newer, on Linux on amd64 or arm64. The package
// builds everywhere, and elsewhere Open is an error. A program that imports the package may be told to use it by
// GOKKOS_SPACE=cuda, with the device GOKKOS_DEVICE, 0 by default. Several devices with commas between them, or all, are
// one space: see [Together].
//
// # What runs
//
// Functors that gokkosc has compiled for devices, see package kernel, over policy.Range, over the points of
// policy.MDRange2 to MDRange6 in the orders Left and Right, with or without tiles, and over the rows of these:
// ParallelFor, and ParallelReduce to ParallelReduce4 with reducers of package builtin that join by sum, product,
// minimum, maximum, and, or, exclusive or. Any other launch is an error that names the functor.
//
// Folds, exec.ParallelFold of views.Source, of views of integers, floats and bools with all reducers of package builtin
// whose locations are ints, several of them in one pass. Their texts come with the package.
//
// Scans, algorithms.ExclusiveScan and InclusiveScan, of views of integers, floats and bools by sum, product, minimum,
// maximum, and, or, exclusive or. tensor.Reduce of views of these, and of float16 and bfloat16 that tensor.Map makes
// float32 by their method Float32, with the reducers of folds; what is done with accumulators then, such as
// tensor.IntoMap, is done on the host.
//
// Algorithms of package algorithms: sorts by keys that are integers or floats, and what drops or moves elements without a
// function of the user's. The page docs/cards.md lists them.
//
// random.FillUniform and random.FillNormal make their numbers on the device, of all integers and floats.
//
// Threads beside each other have items beside each other, so a launch is fast where the dimension that varies
// fastest is that of neighbours in memory. A functor that gets rows runs point by point where the rounds of its loop do
// not depend on each other, and else a row in a thread, which is slow; a reduction over rows runs a leaf in a thread.
//
// # Memory
//
// The memory of a device is a views.MemorySpace: views.NewIn, Mirror, MirrorView, MirrorCopy, DeepCopy, Fill and
// Resize work on it, for any layout on both sides. The host cannot touch it: At and Set panic, and say which view it
// was. A kernel can touch nothing else: a slice, or a view elsewhere, that a functor has captured is an error that
// names the parameter.
//
// Memory is given back once nothing refers to its view any more, or at once by views.Free.
//
// # What goes wrong
//
// An index that is out of range, and whatever else the functor would panic at, ends the launch with an exec.Panic
// that has the lowest item which failed, as on the host. Results keep their old content. All other items have run,
// or have not, and what the item itself has stored before stays stored.
//
// A device can be lost, by a failure of its memory, say. All launches and copies then return an error that wraps
// [ErrLost] and the first cause, and the process lives on.
package cuda
