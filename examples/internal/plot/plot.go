// Package plot draws points and lines as SVG, for programs that show their results. The same numbers give the same
// bytes.
package plot

import (
	"fmt"
	"io"
	"math"
	"os"
	"strings"
)

// A Series is points, or a line through them, in one color.
type Series struct {
	Name string // for the legend, or ""
	X, Y []float64
	Line bool
}

// A Chart is some series over common axes.
type Chart struct {
	Title, X, Y string
	Series      []Series
}

// The size of a chart and of its margins, in pixels.
const (
	width, height           = 640, 420
	left, right, top, below = 80, 20, 36, 48
)

var colors = []string{"#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b", "#e377c2", "#7f7f7f", "#bcbd22", "#17becf"}

// Save writes a chart to a file.
func (c Chart) Save(path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := c.Write(file); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}

// Write writes a chart as SVG. It is an error if a series has other numbers of X and Y, or a number that is not
// finite.
func (c Chart) Write(w io.Writer) error {
	x, y, err := c.axes()
	if err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">`+"\n", width, height)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="white"/>`+"\n", width, height)
	text(&b, width/2, 22, "middle", "", c.Title)
	text(&b, (left+width-right)/2, height-10, "middle", "", c.X)
	text(&b, 16, (top+height-below)/2, "middle", fmt.Sprintf(` transform="rotate(-90 16 %d)"`, (top+height-below)/2), c.Y)
	for _, t := range x.ticks() {
		at := x.at(t)
		fmt.Fprintf(&b, `<path d="M%.1f %d V%d" stroke="#ddd"/>`+"\n", at, top, height-below)
		text(&b, at, height-below+16, "middle", "", x.label(t))
	}
	for _, t := range y.ticks() {
		at := y.at(t)
		fmt.Fprintf(&b, `<path d="M%d %.1f H%d" stroke="#ddd"/>`+"\n", left, at, width-right)
		text(&b, left-6, at+4, "end", "", y.label(t))
	}
	for k, s := range c.Series {
		s.draw(&b, x, y, colors[k%len(colors)])
		if s.Name != "" {
			text(&b, left+8, float64(top+16+14*k), "start", fmt.Sprintf(` fill="%s"`, colors[k%len(colors)]), s.Name)
		}
	}
	b.WriteString("</svg>\n")
	_, err = io.WriteString(w, b.String())
	return err
}

// axes returns axes that hold all series.
func (c Chart) axes() (x, y axis, err error) {
	x, y = empty(left, width-right), empty(height-below, top)
	for k, s := range c.Series {
		if len(s.X) != len(s.Y) {
			return x, y, fmt.Errorf("plot: series %d has %d X and %d Y, expected as many", k, len(s.X), len(s.Y))
		}
		for i := range s.X {
			if sum := s.X[i] + s.Y[i]; math.IsNaN(sum) || math.IsInf(sum, 0) {
				return x, y, fmt.Errorf("plot: point %d of series %d is (%v, %v), expected finite numbers", i, k, s.X[i], s.Y[i])
			}
			x.hold(s.X[i])
			y.hold(s.Y[i])
		}
	}
	x.round()
	y.round()
	return x, y, nil
}

func (s Series) draw(b *strings.Builder, x, y axis, color string) {
	if !s.Line {
		fmt.Fprintf(b, `<g fill="%s" fill-opacity=".6">`+"\n", color)
		for i := range s.X {
			fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="2"/>`+"\n", x.at(s.X[i]), y.at(s.Y[i]))
		}
		b.WriteString("</g>\n")
		return
	}
	b.WriteString(`<polyline points="`)
	for i := range s.X {
		fmt.Fprintf(b, "%.1f,%.1f ", x.at(s.X[i]), y.at(s.Y[i]))
	}
	fmt.Fprintf(b, `" fill="none" stroke="%s" stroke-width="1.5"/>`+"\n", color)
}

var escape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

func text(b *strings.Builder, x, y float64, anchor, attributes, s string) {
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="%s"%s>%s</text>`+"\n", x, y, anchor, attributes, escape.Replace(s))
}
