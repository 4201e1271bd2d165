package kmath_test

import (
	"fmt"
	"math"

	"github.com/gokkos/gokkos/exec/kernel/kmath"
)

func ExampleExp() {
	fmt.Printf("%x %x\n", kmath.Exp(.1), kmath.Exp(float32(.1)))
	fmt.Println(kmath.Exp(1.) == math.E, kmath.Exp(-1000.), kmath.Exp(1000.))
	// Output:
	// 0x1.1aec7b35a00d4p+00 0x1.1aec7cp+00
	// true 0 +Inf
}

func ExampleExp2() {
	fmt.Println(kmath.Exp2(10.), kmath.Exp2(-.25))
	// Output: 1024 0.8408964152537145
}

func ExampleExpm1() {
	fmt.Println(kmath.Expm1(1e-20), kmath.Exp(1e-20)-1)
	// Output: 1e-20 0
}

func ExampleLog() {
	fmt.Println(kmath.Log(math.E), kmath.Log(0.), kmath.Log(-1.))
	// Output: 1 -Inf NaN
}

func ExampleLog2() {
	fmt.Println(kmath.Log2(1024.), kmath.Log2(0x1p-1074))
	// Output: 10 -1074
}

func ExampleLog1p() {
	fmt.Println(kmath.Log1p(1e-20), kmath.Log(1+1e-20))
	// Output: 1e-20 0
}

func ExampleSin() {
	fmt.Println(kmath.Sin(math.Pi/6), kmath.Sin(1e300))
	// Output: 0.5 -0.8178819121159085
}

func ExampleCos() {
	fmt.Println(kmath.Cos(math.Pi / 3))
	// Output: 0.4999999999999999
}

func ExampleSincos() {
	fmt.Println(kmath.Sincos(1.))
	// Output: 0.8414709848078965 0.5403023058681398
}

func ExampleTan() {
	fmt.Println(kmath.Tan(math.Pi / 4))
	// Output: 1
}

func ExampleAtan() {
	fmt.Println(4 * kmath.Atan(1.))
	// Output: 3.141592653589793
}

func ExampleAtan2() {
	fmt.Println(kmath.Atan2(0., -1.), kmath.Atan2(-1., 0.))
	// Output: 3.141592653589793 -1.5707963267948966
}

func ExampleTanh() {
	fmt.Println(kmath.Tanh(1.), kmath.Tanh(100.))
	// Output: 0.7615941559557649 1
}

func ExamplePow() {
	fmt.Println(kmath.Pow(2., -2), kmath.Pow(-8., 3), kmath.Pow(-8., .5))
	// Output: 0.25 -512 NaN
}

func ExampleCbrt() {
	fmt.Println(kmath.Cbrt(-27.), kmath.Cbrt(2.))
	// Output: -3 1.2599210498948732
}

func ExampleErf() {
	fmt.Println(kmath.Erf(.5))
	// Output: 0.5204998778130465
}

func ExampleHypot() {
	fmt.Println(kmath.Hypot(3., 4.), kmath.Hypot(3*0x1p999, 4*0x1p999)/0x1p999)
	// Output: 5 5
}
