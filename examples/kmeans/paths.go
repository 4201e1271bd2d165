package main

import "github.com/gokkos/gokkos/examples/internal/plot"

// paths are the ways of the centres from round to round.
type paths [][2][]float64

func newPaths(c *clusters) paths {
	p := make(paths, len(c.centres)/c.d)
	p.extend(c)
	return p
}

func (p paths) extend(c *clusters) {
	for k := range p {
		x, y := flat(c.centre(k))
		p[k] = [2][]float64{append(p[k][0], x), append(p[k][1], y)}
	}
}

// flat returns the first two coordinates of a point, 0 for one that it has not.
func flat(x []float64) (float64, float64) {
	if len(x) == 1 {
		return x[0], 0
	}
	return x[0], x[1]
}

// draw returns a plot of the points, 5000 at most, in the color of their cluster, and of the paths.
func (p paths) draw(c *clusters) plot.Chart {
	chart := plot.Chart{Title: "k-means", X: "column 1", Y: "column 2", Series: make([]plot.Series, len(p))}
	step := 1 + (c.len()-1)/5000
	for i := 0; i < c.len(); i += step {
		s := &chart.Series[c.nearest[i]]
		x, y := flat(c.at(i))
		s.X, s.Y = append(s.X, x), append(s.Y, y)
	}
	for _, path := range p {
		chart.Series = append(chart.Series, plot.Series{X: path[0], Y: path[1], Line: true})
	}
	return chart
}
