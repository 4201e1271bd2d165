// Fuzz tries kernels that are written by hand, and then random ones, up to a number of kernels or of
// failures. It makes the failing kernels smaller, and prints them.
//
//	go run ./internal/random/fuzz -n 100000 -seed 1
package main

import (
	"flag"
	"fmt"
	"log"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/random"
)

func main() {
	n := flag.Int("n", 100_000, "how many random kernels")
	seed := flag.Uint64("seed", 1, "the seed of the first; the next ones count up")
	batch := flag.Int("batch", 300, "how many are compiled at a time")
	shrink := flag.Int("shrink", 3, "how many that fail are made smaller")
	written := flag.Bool("written", true, "begin with the kernels that are written by hand")
	place := flag.Bool("place", false, "kernels are literals, compiled where they stand")
	ofTeams := flag.Bool("teams", false, "functors of teams, on spaces alone")
	flag.Parse()
	log.SetFlags(0)
	if *ofTeams {
		teams(*seed, *n, *batch)
		return
	}
	all, compiled, vectors, bodies := 0, 0, 0, 0
	for done := 0; done == 0 || done < *n; done += *batch {
		first, some := *seed+uint64(done), min(*batch, *n-done)
		of, kernels := fmt.Sprintf("kernels of seeds from %d to %d", first, first+uint64(some)-1), random.Seeds(first, some)
		if done == 0 && *written {
			of, kernels = of+", and written ones", append(random.Written(), kernels...)
		}
		r, err := random.Try(kernels, *place, *shrink)
		if err != nil {
			log.Fatalf("%s: %v", of, err)
		}
		var failed []string
		for _, f := range r.Failures {
			fmt.Println(f)
			failed = append(failed, f.Name+" as "+f.Way)
		}
		if len(failed) > 0 {
			log.Fatalf("%s: %d fail: %s", of, len(failed), strings.Join(failed, ", "))
		}
		all += len(kernels)
		compiled += r.Compiled
		vectors += r.Vectors
		bodies += r.Bodies
		log.Printf("%d kernels, %d have Go loops, %d loops in vectors, %d loops with the functor's body: the same bits", all, compiled, vectors, bodies)
	}
}

// teams tries random functors of teams.
func teams(seed uint64, n, batch int) {
	all := 0
	for done := 0; done < n; done += batch {
		first, some := seed+uint64(done), min(batch, n-done)
		r, err := random.TryTeams(first, some)
		if err != nil {
			log.Fatalf("kernels of seeds from %d on: %v", first, err)
		}
		if r.Differ != "" {
			log.Fatalf("kernels of seeds from %d on:\n%s", first, r.Differ)
		}
		all += r.Compiled
		log.Printf("%d functors of teams, %d have Go loops, which leave %d of %d teams, and %d of the last %d texts for cards: the same bits", done+some, all, r.Left, r.Done+r.Left, r.Cards, r.Compiled)
		for _, why := range r.Refused {
			log.Print(why)
		}
	}
}
