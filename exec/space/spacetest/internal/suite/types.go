package suite

import "github.com/gokkos/gokkos/exec"

// What follows is over ranges only: a job hides from the space of which types its partial
// results and its indices are, and each pair takes the compiler time.

// reduceTypes reduces the types that reduceEach leaves out.
func reduceTypes(t *report, s exec.Space, d domain[int]) {
	reduceWith(t, s, d, ints)
	reduceWith(t, s, d, floats32)
	reduceWith(t, s, d, complexes)
	reduceWith(t, s, d, texts)
	reduceWith(t, s, d, vectors)
	reduceWith(t, s, d, blocks)
}

// scanTypes scans the types that scanEach leaves out.
func scanTypes(t *report, s exec.Space, d domain[int]) {
	scanWith(t, s, d, ints)
	scanWith(t, s, d, floats)
	scanWith(t, s, d, texts)
}
