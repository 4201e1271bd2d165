package draw_test

import (
	"fmt"
	"math"

	"github.com/gokkos/gokkos/views/random"
	"github.com/gokkos/gokkos/views/random/draw"
)

// The words of a stream are those of a generator, four at a time.
func ExamplePhilox() {
	pool := random.New(1)
	key := pool.Key()
	w0, w1, w2, w3 := draw.Philox(0, 5, 0, 0, key[0], key[1])
	g := pool.At(5)
	fmt.Println(w0 == g.Uint64(), w1 == g.Uint64(), w2 == g.Uint64(), w3 == g.Uint64())
	// Output: true true true true
}

func ExampleUnit() {
	fmt.Println(draw.Unit(0), draw.Unit(1<<63), draw.Unit(math.MaxUint64) < 1)
	// Output: 0 0.5 true
}

// Few words make no number: that all numbers have as many words.
func ExampleBelow() {
	fmt.Println(draw.Below(1<<62, 6))
	fmt.Println(draw.Below(0, 6))
	// Output:
	// 1 true
	// 0 false
}

// Where a word makes no number, the words of a stream do.
func ExampleOthers() {
	key := random.New(1).Key()
	g := random.New(1).At(8)
	fmt.Println(draw.Others(8, 1000, key[0], key[1]) == uint64(g.IntN(1000)))
	// Output: true
}

func ExampleNormal() {
	fmt.Printf("%.3f %.3f\n", draw.Normal(1<<62), draw.Normal(1<<63))
	// Output: 0.674 -8.292
}

func ExampleLog() {
	fmt.Println(draw.Log(1), draw.Log(.5) == -math.Ln2)
	// Output: 0 true
}

// A float is rounded, and then no more than the last that there may be.
func ExampleUniform() {
	fmt.Println(draw.Uniform[float32](1<<63, 2, 4, 5.9999995), draw.Uniform[float32](math.MaxUint64, 2, 4, 5.9999995))
	// Output: 4 5.9999995
}

func ExampleGauss() {
	fmt.Printf("%.3f\n", draw.Gauss[float64](1<<62, 10, 2))
	// Output: 11.349
}
