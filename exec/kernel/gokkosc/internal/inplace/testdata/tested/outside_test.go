package tested_test

import (
	"os"
	"strings"
	"testing"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/inplace/testdata/tested"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/inplace/testdata/tested/beside"
)

type triple struct{ a, b, c int }

func TestOutside(t *testing.T) {
	p := make([]triple, 100)
	for _, f := range []func(int){
		func(i int) { p[i].a = 100 - i },          // loops
		func(i int) { p[i].c = p[i].a / (i + 1) }, // loops
	} {
		if err := tested.Apply(100, f); err != nil {
			t.Fatal(err)
		}
		if os.Getenv("TESTED") == "loops" && !strings.Contains(tested.Last, "functor_") {
			t.Errorf("%s runs", tested.Last)
		}
	}
	if err := tested.Scale(p, func(t triple) triple { t.b = 1; return t }); err != nil || p[9] != (triple{91, 1, 9}) {
		t.Error(p[9], err)
	}
	if n := beside.Counted(100); n != 4950 {
		t.Error(n)
	}
}
