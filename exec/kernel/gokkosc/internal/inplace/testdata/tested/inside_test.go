package tested

import (
	"os"
	"strings"
	"testing"
)

type pair struct{ a, b int }

type number int

// divisors are the same in the package and in its tests from outside.
var divisors = [...]int{3, 5, 7}

func TestInside(t *testing.T) {
	x, p := make([]int, 100), make([]pair, 100)
	for _, f := range []func(int){
		launched(x),
		func(i int) { p[i] = pair{x[i], x[i] / divisors[i%3]} }, // loops
		func(i int) { x[i] = p[i].a / (p[i].b + 1) },            // loops
	} {
		if err := Apply(100, f); err != nil {
			t.Fatal(err)
		}
		if os.Getenv("TESTED") == "loops" && !strings.Contains(Last, "functor_") {
			t.Errorf("%s runs", Last)
		}
	}
	y := []int32{7, 8}
	if err := Divide(y, 2); err != nil || y[0] != 3 || y[1] != 2 {
		t.Error(y, err)
	}
	z := []number{1}
	if err := Scale(z, func(n number) number { return n + 1 }); err != nil || z[0] != 2 || x[7] != 1 {
		t.Error(z, x[7], err)
	}
}

var kept func(i int)

// The functor and its loop are one allocation, beside that of the closure.
func TestAllocations(t *testing.T) {
	x := make([]int, 1)
	allocs := testing.AllocsPerRun(10, func() {
		kept = func(i int) { x[i]++ } // loops
	})
	if err := Apply(1, kept); err != nil || x[0] != 1 || allocs > 2 {
		t.Error(allocs, x, err)
	}
}

// Variables may have the names that generated code has.
func TestNames(t *testing.T) {
	v, unsafe, method, code, receiver, of := []int{1}, 2, 3, 4, 5, 6
	f := func(i int) { v[i] += unsafe + method + code + receiver + of } // loops
	if err := Apply(1, f); err != nil || v[0] != 21 {
		t.Error(v, err)
	}
}
