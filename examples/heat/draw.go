package main

import (
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
)

// draw writes temperatures as a picture, from black over red and yellow to white at the 101 of the hottest point.
func draw(path string, rows [][]float64) error {
	p := image.NewRGBA(image.Rect(0, 0, len(rows[0]), len(rows)))
	for i, row := range rows {
		for j, t := range row {
			p.SetRGBA(j, i, glow(t/101))
		}
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := png.Encode(file, p); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}

// glow returns the color of a temperature between 0 and 1. The root shows where it is nearly cold.
func glow(t float64) color.RGBA {
	t = 3 * math.Sqrt(max(t, 0))
	part := func(from float64) uint8 { return uint8(math.Round(255 * min(max(t-from, 0), 1))) }
	return color.RGBA{part(0), part(1), part(2), 255}
}
