// Mandelbrot draws the Mandelbrot set:
//
//	go -C examples run ./mandelbrot -size 2000 -out /tmp/mandelbrot.png
//
// It runs one functor over the pixels, as a closure and compiled (see docs/kernels.md): a loop in Go, and loops in
// vector instructions, where pixels that have left wait in their lanes for the others. It prints the times, and
// exits with status 1 unless all pictures are the same.
package main

import (
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"os"

	"github.com/gokkos/gokkos/examples/internal/arguments"
	"github.com/gokkos/gokkos/examples/internal/levels"
	"github.com/gokkos/gokkos/examples/internal/spaces"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// noCard says why -space cuda is an error.
const noCard = "it compares the levels of loops on the host: use goroutines"

func main() {
	size := flag.Int("size", 800, "width and height of the picture, in pixels")
	most := flag.Int("rounds", 1000, "rounds after which a point counts as one of the set")
	out := flag.String("out", "", "file to write the picture to, as PNG")
	spaces.Choice{Name: "goroutines", Workers: 1, Timed: true, NoCard: noCard}.Main("mandelbrot", func(w io.Writer, on exec.Space) ([]any, error) {
		return run(w, on, *size, *most, *out)
	})
}

// run draws a square picture of the whole set, and writes it to a file unless out is "".
func run(w io.Writer, space exec.Space, size, most int, out string) ([]any, error) {
	if size < 1 || most < 1 || most > math.MaxInt32 {
		return nil, fmt.Errorf("a picture of %d pixels and %d rounds, expected at least one of each, and rounds below 2^31", size, most)
	}
	if err := arguments.Fits(16, size, size); err != nil { // counts, those to compare, and a picture
		return nil, fmt.Errorf("-size %d: %w", size, err)
	}
	counts, err := draw(w, space, size, most)
	memory, _ := counts.Slice()
	if err != nil || out == "" {
		return []any{memory}, err
	}
	file, err := os.Create(out)
	if err != nil {
		return nil, err
	}
	if err := png.Encode(file, coloured(counts, most)); err != nil {
		file.Close()
		return nil, err
	}
	return []any{memory}, file.Close()
}

// draw returns the rounds of each pixel.
func draw(w io.Writer, space exec.Space, size, most int) (views.View2[int32], error) {
	counts, err := views.New2[int32]("counts", size, size)
	if err != nil {
		return counts, err
	}
	whole := window{left: -2.25, top: 1.5, step: 3 / float64(size)}
	pixels := policy.MDRange2([2]int{}, [2]int{size, size}).On(space).WithLabel("escape")
	f := Escape(whole, most, counts)
	memory, _ := counts.Slice()
	_, err = levels.Compare(w, 3, memory, func() error { return exec.ParallelFor(pixels, f) })
	return counts, err
}

// coloured returns a picture of rounds: what never leaves is black.
func coloured(counts views.View2[int32], most int) image.Image {
	p := image.NewRGBA(image.Rect(0, 0, counts.Extent(1), counts.Extent(0)))
	for i := range counts.Extent(0) {
		for j, k := range counts.Row(i) {
			p.SetRGBA(j, i, shade(int(k), most))
		}
	}
	return p
}

// shade returns the colour of a number of rounds.
func shade(k, most int) color.RGBA {
	if k >= most {
		return color.RGBA{A: 255}
	}
	t := math.Log2(1 + float64(k))
	wave := func(phase float64) uint8 { return uint8(127.5 + 127.5*math.Cos(t+phase)) }
	return color.RGBA{wave(3.5), wave(3), wave(2), 255}
}
