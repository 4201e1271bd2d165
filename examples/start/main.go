// Bifurcation draws what the logistic map x -> r·x·(1-x) does for ever, for each r.
package main

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"log"
	"math"
	"os"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/views"
)

// rate returns the r of a column of the picture.
func rate(i, width int) float64 { return 2.8 + float64(1.2*float64(i)/float64(width)) }

// step returns the next x. The conversion rounds: without it some compilers would fuse the product with the
// subtraction of the next step, and the bits would depend on the machine.
func step(r, x float64) float64 { return float64(r * x * (1 - x)) }

// visits counts, for each column and each row of a picture, how often x is there. An item is a column, which no other
// item writes to.
func visits(space exec.Space, width, height, rounds int) (views.View2[int32], error) {
	counts, err := views.New2[int32]("counts", width, height)
	if err != nil {
		return counts, err
	}
	err = exec.ParallelFor(policy.Range(0, width).On(space).WithLabel("visits"), func(i int) {
		r, x := rate(i, width), .5
		for range 500 { // until x has settled
			x = step(r, x)
		}
		column := counts.Row(i)
		for range rounds {
			x = step(r, x)
			column[min(int(x*float64(height)), height-1)]++
		}
	})
	return counts, err
}

// Chaos is what is known of some columns: in how many two neighbours part, and the lowest r where they do.
type Chaos struct {
	Columns int
	From    float64
}

// joined is a reducer of one's own: what no columns give, and how two parts of the columns become one.
func joined(result *Chaos) reducers.Reducer[Chaos] {
	return reducers.New(result, func(dst, src *Chaos) {
		dst.Columns += src.Columns
		dst.From = min(dst.From, src.From)
	}, reducers.Init(func(c *Chaos) { *c = Chaos{0, math.Inf(1)} }))
}

// chaos looks for columns where two starts that are 1e-9 apart end far from each other.
func chaos(space exec.Space, width int) (found Chaos, err error) {
	err = exec.ParallelReduce(policy.Range(0, width).On(space), func(i int, acc *Chaos) {
		r, x, y, far := rate(i, width), .4, .4+1e-9, 0.0
		for k := range 1000 {
			x, y = step(r, x), step(r, y)
			if k >= 900 {
				far = max(far, math.Abs(x-y))
			}
		}
		if far > 1e-3 {
			acc.Columns++
			acc.From = min(acc.From, r)
		}
	}, joined(&found))
	return found, err
}

// draw writes the picture: the darker a point, the more visits.
func draw(path string, counts views.View2[int32]) error {
	width, height := counts.Extent(0), counts.Extent(1)
	p := image.NewGray(image.Rect(0, 0, width, height))
	for i := range width {
		for j, n := range counts.Row(i) {
			p.SetGray(i, height-1-j, color.Gray{Y: uint8(255 / (1 + n))})
		}
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	return png.Encode(file, p)
}

func main() {
	if len(os.Args) > 1 {
		log.Fatalf("arguments %q, expected none", os.Args[1:])
	}
	on := exec.NewGoroutines(0) // a worker per core
	defer on.Close()
	counts, err := visits(on, 1200, 800, 1000)
	if err != nil {
		log.Fatal(err)
	}
	found, err := chaos(on, 1200)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d of 1200 columns are chaotic, from r = %.4f on\n", found.Columns, found.From)
	if err := draw("bifurcation.png", counts); err != nil {
		log.Fatal(err)
	}
}
