// Command _generate writes the kernels of package simd: run go generate there.
package main

import (
	"flag"
	"log"

	. "github.com/mmcloughlin/avo/build"
)

const (
	// lanes is the number of values in a row, one for each lane.
	lanes = 32
	// ahead is how many bytes before their use values are fetched into the cache: a
	// piece of a launch with several folds, so that the next piece comes while the
	// other folds work on this one. Memory after x may be fetched, but is not read.
	ahead = 8192
	// piece is the number of values in a piece. Longer slices come alone, and are
	// fetched by the processor itself, to which more would be in the way.
	piece = 1024
	// line is the size of a cache line in bytes.
	line = 64
)

// An elem is a type of values.
type elem struct {
	name  string
	bytes int
	float bool
}

var (
	float64s = elem{"float64", 8, true}
	float32s = elem{"float32", 4, true}
	int64s   = elem{"int64", 8, false}
	int32s   = elem{"int32", 4, false}
	uint64s  = elem{"uint64", 8, false}
	uint32s  = elem{"uint32", 4, false}

	floats  = []elem{float64s, float32s}
	ints    = []elem{int64s, int32s}
	all     = append(floats, ints...)
	ordered = append(all, uint64s, uint32s)
)

// title returns the name as a part of another.
func (e elem) title() string { return title(e.name) }

func main() {
	sideBySide := flag.Bool("rows", false, "write the kernels of rows, not those of folds")
	flag.Parse()
	ConstraintExpr("!noasm")
	if *sideBySide {
		writeRows()
	} else {
		writeFolds()
	}
	Generate()
	if !*sideBySide {
		if err := writeTables("../ztables_amd64.go"); err != nil {
			log.Fatal(err)
		}
	}
}

// writeFolds writes the kernels that join values into lanes, and lanes with each other.
func writeFolds() {
	for _, wide := range []bool{false, true} {
		for _, k := range kernels {
			for _, e := range k.elems {
				v := vec{elem: e, wide: wide}
				k.fold(v)
				if k.additive() {
					k.leavesOf(v)
				}
				if k.additive() && e.float && !wide {
					v.nodes(k.name+"Nodes", k.body)
				}
				if k.forms >= joined {
					k.join(v)
				}
				if k.forms >= reduced {
					k.reduce(v)
				}
			}
		}
		for _, e := range ints {
			index(vec{elem: e, wide: wide}, false)
			index(vec{elem: e, wide: wide}, true)
		}
		for _, e := range floats {
			multiply(vec{elem: e, wide: wide})
			dot(vec{elem: e, wide: wide})
			dotLeaves(vec{elem: e, wide: wide})
			if !wide { // few values: wider registers would be half empty
				joinLeaves(vec{elem: e})
				vec{elem: e}.nodes("sumAndSqNodes", sum, sumSq)
			}
			minMax(vec{elem: e, wide: wide})
			moments(vec{elem: e, wide: wide})
		}
	}
	for _, e := range all {
		scan(e, false)
		scan(e, true)
		for _, s := range scannings {
			if e.float {
				e.inStep(s)
			} else {
				e.inRow(s)
			}
		}
	}
}
