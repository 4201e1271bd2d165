// Package random has pools of random numbers for parallel programs, which do not depend on
// who draws them, when, or on how many workers.
//
// A [Pool] has a stream of numbers for each item. A functor takes that of its item:
//
//	pool := random.New(seed)
//	err := exec.ParallelFor(policy.Range(0, n), func(i int) {
//		g := pool.At(i)
//		x[i], y[i] = g.Float64(), g.Normal()
//	})
//
// There is nothing to lock, to free or to keep between launches, since a number is a function
// of the seed, of the stream and of its place in there: the generator is counter-based.
// A pool has the same numbers each time, so each use takes its own: [Pool.Split].
//
// In terms of Kokkos::Random_XorShift64_Pool, [Pool.At] is get_state, [Generator.Uint64]
// urand64, [Generator.IntN] rand, [Generator.Float32] frand, [Generator.Float64] drand and
// [Generator.Normal] normal; [FillUniform] is Kokkos::fill_random.
//
// # Bits
//
// The bits are the same on every space and on every CPU. Whatever is not exact by IEEE 754 is
// computed here in a fixed order without fused operations, and functions of package math
// that differ between CPUs are not used. What a program goes on to compute is its own
// affair: x*y+z may be fused, float64(x*y)+z is not.
//
// # Generator
//
// Philox4x64-10 of J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random
// numbers: as easy as 1, 2, 3", SC 2011. The key is made of the seed, and the counter is the
// number of the stream and the place in it divided by 4. It passes the statistical tests known
// and is no cipher.
package random
