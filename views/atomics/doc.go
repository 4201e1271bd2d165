// Package atomics has operations on elements of views, and on any other numbers in memory,
// that workers may do at the same time. They are Kokkos' atomics:
//
//	atomics.Add(&row[j], x)
//
// A name such as Add or Max returns what *p is now, as Kokkos::atomic_add_fetch does; with
// Fetch in front it returns what *p was, as Kokkos::atomic_fetch_add does. Integers wrap.
// Min and Max are those of Go: a NaN stays, and -0 is less than +0.
//
// # Order
//
// Each operation is whole: nobody sees a part of it. Among themselves they are as those of
// [sync/atomic], sequentially consistent. An element that some change with them at a time,
// the others must not read or write without; before and after the launch, all may.
//
// The order in which workers come to an element is not fixed. For integers, Min, Max, And,
// Or and Xor the content in the end does not depend on it. A floating-point sum or product
// does, so its bits may differ from run to run: for the same bits use a reduction, or
// package scatter.
//
// # Cost
//
// On 4 and 8 bytes, Load, Store, Exchange, and for integers Add, Sub, And and Or, are what
// the processor has. The others compare and exchange until nobody came in between. One and
// two bytes, and 8 bytes at an odd multiple of 4 on 32-bit processors, go through a lock.
package atomics
