// Package kernel is what compiled kernels import: code that runs many items of a launch in one
// call, in place of a functor that is called for each.
//
// Command gokkosc writes such code beside the functor, in files whose names begin with z_. The
// functor stays what it is, a func that can be called, tested and passed on, and a launch of it is
// written as any other:
//
//	err := exec.ParallelFor(policy.Range(0, n).On(space), Axpy(a, x, y))
//
// # The functor and its loops
//
// A kernel is a type with the parameters of the constructor and the closure that this returns. Its
// method at is the functor. Loops are further types of the same fields with a method Span, so that
// a launch makes nothing:
//
//	type axpyKernel struct {
//		a    float64
//		x, y []float64
//		f    func(i int)
//	}
//
//	func (k *axpyKernel) at(i int) { k.f(i) }
//
//	type axpyGo axpyKernel
//
//	func (k *axpyGo) Span(begin, end int) (next int) { ... }
//
//	func init() {
//		kernel.Attach(kernel.Go, axpySource, func(k *axpyKernel) func(int) { return k.at }, func(k *axpyKernel) kernel.For { return (*axpyGo)(k) })
//	}
//
// A loop does what the functor does for each item, with the same bits. Where it cannot, at an index
// out of range or a division by zero, it stops in front of the item: the functor runs that one, and
// panics if it must, and the loop goes on behind it. So the value of a panic, its items and the
// content of memory are those of the functor.
//
// The loops of functors whose index has several coordinates, or is a row of a box, have a method Runs in
// place of Span, see [ForRuns]. Those of functors that return a value set many, see [Values], [ValuesRuns] and [Map].
//
// Items of a launch run in no promised order, see exec.ParallelFor: a loop may load the values of
// several items before it stores any of theirs.
//
// # When the functor runs
//
// The functor runs for all items where there is no loop of the [Level] in use, in programs built
// with -race or with the tag gokkos_bounds, on a SimGPU that checks, under a policy of integers
// without [policy.Runs] or one of points that is not of package policy, and in patterns that have no loops here. It has the same results there.
package kernel
