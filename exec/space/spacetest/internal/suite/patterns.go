package suite

import (
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
)

func patternCases() []Case {
	// Cases of several reducers, or of rare types, differ from the others in leaves and lanes only, which few items have.
	few := slices.DeleteFunc(ranges(), func(d domain[int]) bool { return d.n > 5000 })
	return slices.Concat(
		policyCases("range", ranges()),
		policyCases("spans", spans()),
		policyCases("mdrange2", boxes2()),
		policyCases("mdrange3", boxes3()),
		policyCases("rows2", rows2()),
		policyCases("rows3", rows3()),
		policyCases("tiles2", tiles2()),
		[]Case{
			// Several accumulators mixed up, or reduced in another tree than alone.
			{"reduceN/range", overAll(few, reduceSeveral[int])},
			{"reduceN/mdrange2", overAll(boxes2(), reduceSeveral[policy.Index2])},
			{"reduceN/rows2", overAll(rows2(), reduceSeveral[policy.Row[policy.Index2]])},
			// Partial results of one type taken for those of another.
			{"reduce/types", overAll(few, reduceTypes)},
			{"scan/types", overAll(few, scanTypes)},
			// Lanes of a span that are not those of a Range.
			{"reduce/lanes", reduceLanes},
			// Lanes of a row that are not those of the points of a box.
			{"reduce/rowlanes", reduceRowLanes},
			// A worker's buffer of values handed to another worker, or the wrong
			// index told to a reducer that keeps one.
			{"fold/map", foldMap(ranges())},
			{"fold/map2", foldMap(boxes2())},
			{"fold/map3", foldMap(boxes3())},
			{"fold/slice", foldSlice},
			{"fold/fill", foldFill},
		},
	)
}

// policyCases are the cases that every policy has.
func policyCases[I any](name string, domains []domain[I]) []Case {
	return []Case{
		// An item left out, or visited by two workers.
		{"for/" + name, overAll(domains, forEach[I])},
		// A sum that depends on who computed what: joins in another order, a slot
		// lost or joined twice.
		{"reduce/" + name, overAll(domains, reduceEach[I])},
		// A prefix handed to the wrong leaf, the second pass before the first.
		{"scan/" + name, overAll(domains, scanEach[I])},
	}
}

// overAll makes a check of one domain one of many.
func overAll[I any](domains []domain[I], check func(*report, exec.Space, domain[I])) func(*report, exec.Space) {
	return func(t *report, s exec.Space) {
		for _, d := range domains {
			check(t, s, d)
		}
	}
}

func forEach[I any](t *report, s exec.Space, d domain[I]) {
	visits := make([]atomic.Int32, d.n)
	err := exec.ParallelFor(d.on(s), func(i I) {
		for k, end := d.items(i); k < end; k++ {
			visits[k].Add(1)
		}
	})
	if err != nil {
		t.fatalf("%s: %v", d.name, err)
	}
	once(t, d.name, visits)
}

// once ends the case unless every item was counted once.
func once(t *report, what string, visits []atomic.Int32) {
	for k := range visits {
		if n := visits[k].Load(); n != 1 {
			t.fatalf("%s: item %d of %d was visited %d times, expected once", what, k, len(visits), n)
		}
	}
}

// versus runs a launch on the space and on Serial, and ends the case unless both
// give the same bits. It returns the result.
func versus[A any](t *report, s exec.Space, what string, same func(a, b A) bool, run func(exec.Space) (A, error)) A {
	want, err := run(exec.Serial{})
	if err != nil {
		t.fatalf("%s: on Serial: %v", what, err)
	}
	got, err := run(s)
	if err != nil {
		t.fatalf("%s: %v", what, err)
	}
	if !same(got, want) {
		t.fatalf("%s: %.300s, but %.300s on Serial", what, fmt.Sprint(got), fmt.Sprint(want))
	}
	return got
}
