// Fuzz tries random kernels until there are so many, or until some fail: those it makes smaller, and prints.
//
//	go run ./random/fuzz -n 100000 -seed 1
package main

import (
	"flag"
	"fmt"
	"log"
	"os"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/random"
)

func main() {
	n := flag.Int("n", 100_000, "how many kernels")
	seed := flag.Uint64("seed", 1, "the seed of the first; the next ones count up")
	batch := flag.Int("batch", 300, "how many are compiled at a time")
	shrink := flag.Int("shrink", 3, "how many that fail are made smaller")
	flag.Parse()
	log.SetFlags(0)
	compiled, vectors := 0, 0
	for done := 0; done < *n; done += *batch {
		r, err := random.Try(*seed+uint64(done), min(*batch, *n-done), *shrink)
		if err != nil {
			log.Fatalf("seeds from %d on: %v", *seed+uint64(done), err)
		}
		for _, f := range r.Failures {
			fmt.Println(f)
		}
		if len(r.Failures) > 0 {
			log.Printf("%d of the kernels with seeds from %d on fail", len(r.Failures), *seed+uint64(done))
			os.Exit(1)
		}
		compiled += r.Compiled
		vectors += r.Vectors
		log.Printf("%d kernels, %d of them have Go loops, %d loops in vectors: the same bits", min(done+*batch, *n), compiled, vectors)
	}
}
