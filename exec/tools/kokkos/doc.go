// Package kokkos lets the tools of Kokkos watch a program: libraries such as kp_kernel_timer.so, as they are.
// The command line names one, and a program that ends it on its way out can be watched without a rebuild:
//
//	KOKKOS_TOOLS_LIBS=/opt/tools/kp_kernel_timer.so ./program
//
//	func main() {
//		finalize, err := kokkos.Start()
//		if err != nil {
//			log.Fatal(err)
//		}
//		defer finalize()
//		// launches
//	}
//
// A library is told what a [tools.Listener] is, by these of its functions, as far as it has them:
//
//	ParallelFor                 kokkosp_begin_parallel_for, kokkosp_end_parallel_for
//	ParallelReduce, a fold      kokkosp_begin_parallel_reduce, kokkosp_end_parallel_reduce
//	ParallelScan                kokkosp_begin_parallel_scan, kokkosp_end_parallel_scan
//	views.DeepCopy              kokkosp_begin_deep_copy, kokkosp_end_deep_copy
//	a view                      kokkosp_allocate_data
//	tools.StartRegion, its end  kokkosp_push_profile_region, kokkosp_pop_profile_region
//
// Kernels have the label of their policy, or else their functor's place in the source. Devices have the numbers
// of Kokkos: Serial is 0, Goroutines are its threads, a card is its Cuda.
//
// What differs from Kokkos:
//
//   - Views are freed by the garbage collector, of which a library hears nothing: what it says of memory in use is
//     what has been allocated so far. Addresses of views are numbers that count bytes, those of copies are nil.
//   - The functions of a library are called one at a time, on the thread that the goroutine of the event has just
//     then, which may be another one at the end of an event.
//   - Regions and copies end without a name: those of several goroutines that overlap are told as if the last one
//     that began ended first.
//
// The interface is that of https://github.com/kokkos/kokkos-tools. Libraries are loaded without cgo on Linux and
// macOS, amd64 and arm64; elsewhere [Load] is an error.
package kokkos
