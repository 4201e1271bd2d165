package reducertest_test

import (
	"fmt"

	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/reducertest"
)

// printer is a [testing.T] that prints.
type printer struct{}

func (printer) Helper() {}

func (printer) Errorf(format string, args ...any) { fmt.Printf(format+"\n", args...) }

// longest keeps the longest string. Of two that are equally long it keeps the
// left one, so a + b is not always b + a.
type longest struct{ reducers.Base[string] }

func (longest) Join(dst, src *string) {
	if len(*src) > len(*dst) {
		*dst = *src
	}
}

func ExampleCheck() {
	var t printer // in a test, a *testing.T
	var result string
	r := longest{reducers.Into(&result)}
	samples := []string{"", "a", "bb", "cc"}

	reducertest.Check(t, r, samples)
	reducertest.Check(t, reducers.Ordered(r), samples)
	// Output:
	// reducertest: commutativity: reducertest_test.longest: a + b is not b + a, and the reducer is not marked Ordered
	// 	a     = bb
	// 	b     = cc
	// 	a + b = bb
	// 	b + a = cc
}

func ExampleULPs() {
	var t printer
	var result float64
	sum := reducers.New(&result, func(dst, src *float64) { *dst += *src })

	reducertest.Check(t, sum, []float64{0.1, 0.2, 0.3}, reducertest.ULPs(1))
	reducertest.Check(t, sum, []float64{0.1, 0.2, 0.3})
	// Output:
	// reducertest: associativity: reducers.Func[float64]: (a + b) + c is not a + (b + c); reducertest.ULPs(1) allows for rounding
	// 	a           = 0.1
	// 	b           = 0.2
	// 	c           = 0.3
	// 	(a + b) + c = 0.6000000000000001
	// 	a + (b + c) = 0.6
}

func ExampleEqual() {
	type fraction struct{ num, den int }
	var result fraction
	sum := reducers.New(&result, func(dst, src *fraction) {
		*dst = fraction{dst.num*src.den + src.num*dst.den, dst.den * src.den}
	}, reducers.Init(func(val *fraction) { *val = fraction{0, 1} }))

	var t printer
	reducertest.Check(t, sum, []fraction{{1, 2}, {-2, 4}, {3, 1}},
		reducertest.Equal(func(a, b fraction) bool { return a.num*b.den == b.num*a.den }))
	fmt.Println("all laws hold")
	// Output: all laws hold
}
