// Kmeans finds clusters of points:
//
//	go -C examples run ./kmeans -k 5 -out /tmp/clusters.svg
//	go -C examples run ./kmeans -in /tmp/points.csv -k 3 -out /tmp/clusters.svg
//
// Each line of the CSV file is a point, a number per column; a first line without numbers is a header. Without a file
// it makes five clouds of points. The plot shows the first two columns and the way of the centres.
//
// A round is one launch over the points: each finds its nearest centre, and adds itself to the cells of that centre in a
// reduction over an array (reduction.Span), cells which the data choose. In the same pass it adds up the distances, and
// counts the points that have changed sides. The first centre is the first point, each further one the point that is
// farthest from those before (T. Gonzalez, Clustering to minimize the maximum intercluster distance, 1985).
package main

import (
	"flag"
	"fmt"
	"io"

	"github.com/gokkos/gokkos/examples/internal/spaces"
	"github.com/gokkos/gokkos/exec"
)

// options are what a run is told.
type options struct {
	in, out    string
	n, k, most int
}

// noCard says why -space cuda is an error.
const noCard = "its points are slices, and contribute to cells that the data choose: use goroutines"

func main() {
	var o options
	flag.StringVar(&o.in, "in", "", "points as CSV, or clouds at random if there is no file")
	flag.StringVar(&o.out, "out", "", "file for a plot, as SVG")
	flag.IntVar(&o.n, "n", 20_000, "points at random")
	flag.IntVar(&o.k, "k", 5, "clusters")
	flag.IntVar(&o.most, "rounds", 100, "the most rounds")
	spaces.Choice{Name: "all", NoCard: noCard}.Main("kmeans", func(w io.Writer, on exec.Space) ([]any, error) { return run(w, on, o) })
}

// run finds the clusters, and prints the centres with the number of their points.
func run(w io.Writer, on exec.Space, o options) ([]any, error) {
	p, err := load(on, o)
	if err != nil {
		return nil, err
	}
	if o.k < 1 || o.k > p.len() || o.most < 1 {
		return nil, fmt.Errorf("%d clusters of %d points in %d rounds, expected 1 to %d clusters and at least a round", o.k, p.len(), o.most, p.len())
	}
	c, err := newClusters(on, p, o.k)
	if err != nil {
		return nil, err
	}
	paths := newPaths(c)
	rounds, changed := 0, 1
	for ; changed > 0 && rounds < o.most; rounds++ {
		if changed, err = c.round(); err != nil {
			return nil, err
		}
		paths.extend(c)
	}
	fmt.Fprintf(w, "%d points, %d rounds, mean square distance %.6g\n", p.len(), rounds, c.distance/float64(p.len()))
	for k := range o.k {
		fmt.Fprintf(w, "%8d points around %.5g\n", c.count(k), c.centre(k))
	}
	if o.out != "" {
		if err := paths.draw(c).Save(o.out); err != nil {
			return nil, err
		}
	}
	return []any{c.centres, c.nearest, c.distance, rounds}, nil
}
