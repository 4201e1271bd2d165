package main

import (
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

// plotTo draws, for each kernel, time per item over size.
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
	return save(name, panels)
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
	widen(&p.X, .5) // for the legend
	widen(&p.Y, 0)
	p.Legend.Top = true
	return p, nil
}

// widen extends an axis to decades, which have numbers, and by a part of them beyond the last one.
func widen(a *plot.Axis, beyond float64) {
	low, high := math.Floor(math.Log10(a.Min)), math.Ceil(math.Log10(a.Max))
	high = max(high, low+1)
	a.Min, a.Max = math.Pow(10, low), math.Pow(10, high+beyond*(high-low))
}

// save draws the panels, up to two in a row.
func save(name string, panels []*plot.Plot) (err error) {
	const width, height = 16 * vg.Centimeter, 12 * vg.Centimeter
	columns := min(len(panels), 2)
	var grid [][]*plot.Plot
	for row := range slices.Chunk(panels, columns) {
		grid = append(grid, append(row, make([]*plot.Plot, columns-len(row))...))
	}
	canvas, err := draw.NewFormattedCanvas(vg.Length(columns)*width, vg.Length(len(grid))*height, filepath.Ext(name)[1:])
	if err != nil {
		return err
	}
	tiles := draw.Tiles{Rows: len(grid), Cols: columns, PadX: vg.Centimeter, PadY: vg.Centimeter}
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
