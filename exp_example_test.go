package gokkos_test

import (
	"fmt"
	"math"
)

// exp returns eˣ with the same bits on every CPU: each product is rounded before it is
// added. The result is at most 1 ulp from the true value.
//
// Source: FreeBSD, e_exp.c, as is that of package math.
func exp(x float64) float64 {
	const ln2Hi, ln2Lo = 6.93147180369123816490e-01, 1.90821492927058770002e-10
	x = min(max(x, -746), 710) // 0 and +Inf beyond
	k := math.Round(x * math.Log2E)
	hi, lo := x-float64(k*ln2Hi), float64(k*ln2Lo)
	r := hi - lo
	t := float64(r * r)
	p := -1.65339022054652515390e-06 + float64(t*4.13813679705723846039e-08)
	p = 6.61375632143793436117e-05 + float64(t*p)
	p = -2.77777777770155933842e-03 + float64(t*p)
	p = 1.66666666666666657415e-01 + float64(t*p)
	c := r - float64(t*p)
	y := 1 - ((lo - float64(r*c)/(2-c)) - hi)
	return math.Ldexp(y, int(k))
}

func Example_exp() {
	fmt.Printf("%x\n", exp(0.1))
	fmt.Println(exp(1) == math.E, exp(-1000), exp(1000), exp(math.NaN()))
	// Output:
	// 0x1.1aec7b35a00d4p+00
	// true 0 +Inf NaN
}
