// Fuzz tries kernels that are written by hand, and then random ones until there are so many, or until some fail: those it
// makes smaller, and prints.
//
//	go run ./random/fuzz -n 100000 -seed 1
package main

import (
	"flag"
	"fmt"
	"log"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/random"
)

func main() {
	n := flag.Int("n", 100_000, "how many kernels")
	seed := flag.Uint64("seed", 1, "the seed of the first; the next ones count up")
	batch := flag.Int("batch", 300, "how many are compiled at a time")
	shrink := flag.Int("shrink", 3, "how many that fail are made smaller")
	flag.Parse()
	log.SetFlags(0)
	written, err := random.Written()
	check("written kernels", written, err)
	compiled, vectors := 0, 0
	for done := 0; done < *n; done += *batch {
		first := *seed + uint64(done)
		r, err := random.Try(first, min(*batch, *n-done), *shrink)
		check(fmt.Sprintf("kernels with seeds from %d on", first), r, err)
		compiled += r.Compiled
		vectors += r.Vectors
		log.Printf("%d kernels, %d of them have Go loops, %d loops in vectors: the same bits", min(done+*batch, *n), compiled, vectors)
	}
}

// check ends the program if kernels could not be tried, or some fail: these it prints.
func check(kernels string, r *random.Result, err error) {
	if err != nil {
		log.Fatalf("%s: %v", kernels, err)
	}
	for _, f := range r.Failures {
		fmt.Println(f)
	}
	if len(r.Failures) > 0 {
		log.Fatalf("%d of the %s fail", len(r.Failures), kernels)
	}
}
