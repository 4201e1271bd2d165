// Package levels runs launches of compiled kernels as closures and at each level of loops, for programs that
// show the difference.
package levels

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"io"
	"time"

	"github.com/gokkos/gokkos/exec/kernel"
)

// Compare runs a launch at all levels that this machine has, some rounds each, and prints the shortest time
// and how many times as fast as the closure that is. The launch sets all of result. It returns the hash of
// that; other bits at one of the levels are an error.
func Compare[T any](w io.Writer, rounds int, result []T, launch func() error) (hash uint64, err error) {
	var closure time.Duration
	for level := kernel.Closure; level <= kernel.AVX512; level++ {
		use, undo := kernel.Limit(level)
		defer undo()
		if use < level {
			break
		}
		took, sum, err := run(rounds, result, launch)
		if err != nil {
			return 0, err
		}
		if level == kernel.Closure {
			closure, hash = took, sum
		}
		if sum != hash {
			return 0, fmt.Errorf("bits: %016x at level %v, %016x of the closure", sum, level, hash)
		}
		fmt.Fprintf(w, "%-8v %10v %6.1f\n", level, took.Round(time.Microsecond), float64(closure)/float64(took))
	}
	fmt.Fprintf(w, "bits: identical, %016x\n", hash)
	return hash, nil
}

// run returns the shortest of the times, and the hash of the result.
func run[T any](rounds int, result []T, launch func() error) (shortest time.Duration, sum uint64, err error) {
	for n := range max(rounds, 1) {
		clear(result)
		start := time.Now()
		if err := launch(); err != nil {
			return 0, 0, err
		}
		if took := time.Since(start); n == 0 || took < shortest {
			shortest = took
		}
	}
	h := fnv.New64a()
	if err := binary.Write(h, binary.LittleEndian, result); err != nil {
		return 0, 0, err
	}
	return shortest, h.Sum64(), nil
}
