package random_test

import (
	"fmt"
	"log"
	"math/rand/v2"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/random"
)

// The part of the points of a square that are in the circle is π/4. Each item draws its own
// points, so the result is the same on every space.
func Example() {
	pool := random.New(1)
	inside := 0
	err := exec.ParallelReduce(policy.Range(0, 100_000), func(i int, acc *int) {
		g := pool.At(i)
		for range 10 {
			x, y := g.Float64(), g.Float64()
			if float64(x*x)+float64(y*y) < 1 { // nothing is fused: the same bits on every CPU
				*acc++
			}
		}
	}, builtin.Sum(&inside))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.3f\n", 4*float64(inside)/1e6)
	// Output: 3.145
}

func ExampleNew() {
	a, b := random.New(1).At(0), random.New(2).At(0)
	fmt.Println(a.IntN(100), b.IntN(100))
	// Output: 79 87
}

func ExamplePool_At() {
	pool := random.New(1)
	for i := range 3 {
		g := pool.At(i)
		fmt.Println(g.IntN(100), g.IntN(100))
	}
	// Output:
	// 79 63
	// 73 49
	// 62 11
}

func ExamplePool_Key() {
	fmt.Println(random.New(7).Key())
	// Output: [7 0]
}

func ExamplePool_Split() {
	pool := random.New(1)
	x := views.Must(views.New1[int]("x", 3))
	for step := range 2 {
		if err := random.FillUniform(x, pool.Split(step), 0, 100); err != nil {
			log.Fatal(err)
		}
		fmt.Println(x.At(0), x.At(1), x.At(2))
	}
	// Output:
	// 83 36 47
	// 75 80 53
}

// A generator drives the functions of package math/rand/v2.
func ExampleGenerator() {
	g := random.New(1).At(0)
	r := rand.New(&g)
	fmt.Println(r.Perm(5))
	// Output: [4 1 2 0 3]
}

func ExampleGenerator_Uint64() {
	g := random.New(1).At(0)
	fmt.Printf("%x %x\n", g.Uint64(), g.Uint64())
	// Output: cb7ea744cf19bb4c a34eacbe1377d650
}

func ExampleGenerator_Uint32() {
	g := random.New(1).At(0)
	fmt.Printf("%x %x\n", g.Uint32(), g.Uint32())
	// Output: cb7ea744 a34eacbe
}

func ExampleGenerator_Float64() {
	g := random.New(1).At(0)
	fmt.Println(g.Float64(), g.Float64())
	// Output: 0.794901327418393 0.6379192318013047
}

func ExampleGenerator_Float32() {
	g := random.New(1).At(0)
	fmt.Println(g.Float32(), g.Float32())
	// Output: 0.7949013 0.6379192
}

func ExampleGenerator_IntN() {
	g := random.New(1).At(0)
	fmt.Println(1+g.IntN(6), 1+g.IntN(6), 1+g.IntN(6))
	// Output: 5 4 6
}

func ExampleGenerator_Normal() {
	g := random.New(1).At(0)
	const mean, stddev = 170, 7
	fmt.Println(mean+float64(stddev*g.Normal()), mean+float64(stddev*g.Normal()))
	// Output: 166.22614578197445 162.37199114129902
}

func ExampleGenerator_Exp() {
	g := random.New(1).At(0)
	const rate = 2
	fmt.Println(g.Exp()/rate, g.Exp()/rate)
	// Output: 0.11476864424287063 0.2247717997870035
}

func ExampleFillUniform() {
	a := views.Must(views.New[float32]("a", []int{2, 2}, views.Left))
	if err := random.FillUniform(a, random.New(1), -1, 1); err != nil {
		log.Fatal(err)
	}
	for i, x := range a.All() {
		fmt.Println(i, x)
	}
	// Output:
	// [0 0] 0.5898027
	// [0 1] 0.27583846
	// [1 0] 0.81920797
	// [1 1] -0.5915661
}

func ExampleFillNormal() {
	x := views.Must(views.New1[float64]("x", 1_000_000))
	if err := random.FillNormal(x, random.New(1), 170, 7); err != nil {
		log.Fatal(err)
	}
	sum := 0.0
	if err := exec.ParallelFold(views.Source(x), builtin.Sum(&sum)); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.2f\n", sum/1e6)
	// Output: 170.00
}
