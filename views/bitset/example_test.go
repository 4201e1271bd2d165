package bitset_test

import (
	"fmt"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views/bitset"
)

// Which nodes the edges of a graph lead to.
func Example() {
	to := []int{3, 1, 3, 4, 1}
	visited, err := bitset.New(6)
	exec.Must(err)
	exec.Must(exec.ParallelFor(policy.Range(0, len(to)), func(e int) { visited.Set(to[e]) }))
	for node := range visited.All() {
		fmt.Println(node)
	}
	// Output:
	// 1
	// 3
	// 4
}

func ExampleNew() {
	_, err := bitset.New(-1)
	fmt.Println(err)
	// Output: bitset: -1 bits, expected 0 or more
}

// A sieve: each number that is not struck out strikes out its multiples.
func ExampleBits_Reset() {
	primes, err := bitset.New(30)
	exec.Must(err)
	primes.Fill()
	primes.Reset(0)
	primes.Reset(1)
	exec.Must(exec.ParallelFor(policy.Range(2, 6), func(i int) {
		for k := 2 * i; k < primes.Size(); k += i {
			primes.Reset(k)
		}
	}))
	for p := range primes.All() {
		fmt.Print(p, " ")
	}
	// Output: 2 3 5 7 11 13 17 19 23 29
}

func ExampleBits_Set() {
	b, err := bitset.New(8)
	exec.Must(err)
	fmt.Println(b.Set(5), b.Set(5), b.Test(5), b.Test(4), b.Count())
	b.Clear()
	fmt.Println(b.Count())
	// Output:
	// true false true false 1
	// 0
}
