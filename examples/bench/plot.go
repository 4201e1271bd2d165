package main

import (
	"fmt"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// flops is how many operations an item of a kernel takes, for the roofline.
var flops = map[string]float64{
	"sum": 1, "dot": 2, "min": 1, "minloc": 1, "minmax": 2, "fused4": 5, "axpy": 2, "triad": 2,
	"scan": 1, "scan_inclusive": 1, "scan_int32": 1, "stencil2": 5, "stencil3": 7, "residual": 7,
	"gemv": 2, "tensor": 3, "team_vector_loop": 2,
	"scatter1e3": 1, "scatter16e3": 1, "scatter64e3": 1, "scatter1e6": 1,
}

// plotTo draws, for each kernel, time per item over size, and below a roofline: operations
// per second over operations per byte, of the largest size of each kernel, with the rate of
// memory as the best that was measured.
func plotTo(name string, all []measurement) error {
	all = slices.DeleteFunc(slices.Clone(all), func(m measurement) bool { return m.Missing != "" })
	var names []string
	for _, m := range all {
		if !slices.Contains(names, m.Kernel) {
			names = append(names, m.Kernel)
		}
	}
	var panels []*plot.Plot
	for _, name := range names {
		p, err := overSize(name, all)
		if err != nil {
			return err
		}
		panels = append(panels, p)
	}
	roof, err := roofline(all)
	if err != nil {
		return err
	}
	return save(name, append(panels, roof))
}

// style returns the color and the shape that an implementation has in all panels.
func style(impl string) (color.Color, draw.GlyphDrawer) {
	k := slices.Index(impls, impl)
	return plotutil.Color(k), plotutil.Shape(k)
}

func overSize(kernel string, all []measurement) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text = kernel
	p.X.Label.Text, p.Y.Label.Text = "items", "ns per item"
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = plot.LogTicks{Prec: -1}, plot.LogTicks{Prec: -1}
	for _, impl := range impls {
		var points plotter.XYs
		for _, m := range all {
			if m.Kernel == kernel && m.Impl == impl {
				points = append(points, plotter.XY{X: float64(m.N), Y: m.Median})
			}
		}
		if len(points) == 0 {
			continue
		}
		line, marks, err := plotter.NewLinePoints(points)
		if err != nil {
			return nil, err
		}
		line.Color, marks.Shape = style(impl)
		marks.Color = line.Color
		p.Add(line, marks)
		p.Legend.Add(impl, line, marks)
	}
	widen(&p.X)
	p.Legend.Top = true
	return p, nil
}

// widen extends an axis to decades, and by half for the legend.
func widen(a *plot.Axis) {
	low, high := math.Floor(math.Log10(a.Min)), math.Ceil(math.Log10(a.Max))
	high = max(high, low+1)
	a.Min, a.Max = math.Pow(10, low), math.Pow(10, high+(high-low)/2)
}

// roofline draws how many operations the implementations do in a time, over how many they do
// for a byte that moves, and as a line the most that memory allows for.
func roofline(all []measurement) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text = "roofline, largest size of each kernel"
	p.X.Label.Text, p.Y.Label.Text = "operations per byte", "operations per ns"
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = plot.LogTicks{Prec: -1}, plot.LogTicks{Prec: -1}
	largest := map[string]int{}
	for _, m := range all {
		largest[m.Kernel] = max(largest[m.Kernel], m.N)
	}
	points, rate := map[string]plotter.XYs{}, 0.
	for _, m := range all {
		ops := flops[m.Kernel]
		if m.N != largest[m.Kernel] || ops == 0 {
			continue
		}
		rate = max(rate, m.Rate)
		if m.Impl != readLimit {
			bytes := m.Rate * m.Median
			points[m.Impl] = append(points[m.Impl], plotter.XY{X: ops / bytes, Y: ops / m.Median})
		}
	}
	for _, impl := range impls {
		if len(points[impl]) == 0 {
			continue
		}
		marks, err := plotter.NewScatter(points[impl])
		if err != nil {
			return nil, err
		}
		marks.Color, marks.Shape = style(impl)
		p.Add(marks)
		p.Legend.Add(impl, marks)
	}
	if rate > 0 {
		widen(&p.X)
		roof, err := plotter.NewLine(plotter.XYs{{X: p.X.Min, Y: rate * p.X.Min}, {X: p.X.Max, Y: rate * p.X.Max}})
		if err != nil {
			return nil, err
		}
		p.Add(roof)
		p.Legend.Add(fmt.Sprintf("%.0f GB/s", rate), roof)
		p.Legend.Left, p.Legend.Top = true, true
	}
	return p, nil
}

// save draws the panels, two in a row.
func save(name string, panels []*plot.Plot) (err error) {
	const width, height = 16 * vg.Centimeter, 12 * vg.Centimeter
	grid := make([][]*plot.Plot, (len(panels)+1)/2)
	for k := range grid {
		grid[k] = make([]*plot.Plot, 2)
		copy(grid[k], panels[2*k:min(2*k+2, len(panels))])
	}
	canvas, err := draw.NewFormattedCanvas(2*width, vg.Length(len(grid))*height, filepath.Ext(name)[1:])
	if err != nil {
		return err
	}
	tiles := draw.Tiles{Rows: len(grid), Cols: 2, PadX: vg.Centimeter, PadY: vg.Centimeter}
	for r, row := range plot.Align(grid, tiles, draw.New(canvas)) {
		for c, area := range row {
			if p := grid[r][c]; p != nil {
				p.Draw(area)
			}
		}
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	if _, err := canvas.WriteTo(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
