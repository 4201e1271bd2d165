// Picture draws the picture of README: the reduction tree of a sum, who may run which of its leaves on four spaces, and
// what comes out.
//
//	go -C examples run ./picture > docs/tree.svg
//
// The tree is that of the launch, and the sums are those of the spaces. Which worker runs which leaf differs from run to
// run, and the picture shows one way.
package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"strings"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/examples/internal/arguments"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
)

func main() {
	arguments.Parse("picture")
	if err := draw(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "picture:", err)
		os.Exit(1)
	}
}

// sum returns Σ √i of 10000 items, and the number of leaves of its tree.
func sum(on exec.Space) (total float64, leaves int, err error) {
	seen := &watcher{Space: on}
	err = exec.ParallelReduce(policy.Range(0, 10_000).On(seen), func(i int, acc *float64) {
		*acc += math.Sqrt(float64(i))
	}, builtin.Sum(&total))
	return total, seen.leaves, err
}

// A watcher is a space that keeps the number of leaves of the last launch.
type watcher struct {
	exec.Space
	leaves int
}

func (w *watcher) Launch(g space.Grid, j space.Job) error {
	w.leaves = g.Leaves
	return w.Space.Launch(g, j)
}

// A row is a space of the picture. Its workers, or the warps of a device, take some neighbouring leaves each.
type row struct {
	name   string
	space  exec.Space
	shares int
}

var colors = []string{"#4c78a8", "#f58518", "#54a24b", "#e45756", "#72b7b2", "#b279a2", "#9d755d"}

const (
	wide, high  = 760, 400
	left, right = 160, 590
	ground      = 230 // where the leaves are
)

// draw writes the picture. It is an error if two spaces give other bits.
func draw(w io.Writer) error {
	two, seven := exec.NewGoroutines(2), exec.NewGoroutines(7)
	defer two.Close()
	defer seven.Close()
	device := exec.NewSimGPU(gpu.H200())
	defer device.Close()
	rows := []row{{"Serial", exec.Serial{}, 1}, {"Goroutines, 2 workers", two, 2}, {"Goroutines, 7 workers", seven, 7}, {"SimGPU, a warp per leaf", device, 20}}
	first, leaves, err := sum(exec.Serial{})
	if err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">`+"\n", wide, high)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="white"/>`+"\n", wide, high)
	top := tree(&b, leaves)
	text(&b, 12, ground+4, fmt.Sprintf("%d leaves of 512 items", leaves))
	text(&b, 12, top+4, "joined in pairs")
	text(&b, right+20, ground+4, "the same bits:")
	for k, r := range rows {
		total, _, err := sum(r.space)
		if err != nil {
			return err
		}
		if math.Float64bits(total) != math.Float64bits(first) {
			return fmt.Errorf("the sum is %x on %s, and %x on Serial", total, r.name, first)
		}
		y := float64(ground + 30 + 34*k)
		text(&b, 12, y+14, r.name)
		for leaf := range leaves {
			a, end := place(leaf, leaves), place(leaf+1, leaves)
			fmt.Fprintf(&b, `<rect x="%.1f" y="%.1f" width="%.1f" height="20" fill="%s"/>`+"\n", a+1, y, end-a-2, colors[leaf*r.shares/leaves%len(colors)])
		}
		text(&b, right+20, y+14, fmt.Sprintf("%x", total))
	}
	b.WriteString("</svg>\n")
	_, err = io.WriteString(w, b.String())
	return err
}

// place returns where a leaf begins.
func place(leaf, leaves int) float64 {
	return left + float64((right-left)*leaf)/float64(leaves)
}

// tree draws the nodes: neighbours in pairs, and one without a right neighbour as it is. It returns where the root is.
func tree(b *strings.Builder, leaves int) (top float64) {
	at := make([]float64, leaves)
	for leaf := range at {
		at[leaf] = (place(leaf, leaves) + place(leaf+1, leaves)) / 2
	}
	for y := float64(ground); ; y -= 40 {
		for _, x := range at {
			fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="4" fill="#333"/>`+"\n", x, y)
		}
		if len(at) == 1 {
			return y
		}
		var up []float64
		for k := 0; k < len(at); k += 2 {
			x := at[k]
			if k+1 < len(at) {
				x = (at[k] + at[k+1]) / 2
				fmt.Fprintf(b, `<path d="M%.1f %.1f L%.1f %.1f L%.1f %.1f" fill="none" stroke="#999"/>`+"\n", at[k], y, x, y-40, at[k+1], y)
			} else {
				fmt.Fprintf(b, `<path d="M%.1f %.1f V%.1f" stroke="#999" stroke-dasharray="3 3"/>`+"\n", x, y, y-40)
			}
			up = append(up, x)
		}
		at = up
	}
}

func text(b *strings.Builder, x, y float64, s string) {
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f">%s</text>`+"\n", x, y, s)
}
