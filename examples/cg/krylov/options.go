package krylov

import (
	"flag"
	"fmt"
)

// Options are what the programs are told.
type Options struct {
	File                 string
	Poisson, Most, Every int
	Tolerance            float64
	Timed                bool
}

// Flags declares the flags of the options.
func (o *Options) Flags() {
	flag.StringVar(&o.File, "file", "", "a matrix in the Matrix Market's format")
	flag.IntVar(&o.Poisson, "poisson", 100, "points along a side of the square, if there is no file")
	flag.IntVar(&o.Most, "most", 1000, "the most iterations")
	flag.IntVar(&o.Every, "every", 20, "iterations between two lines of output")
	flag.Float64Var(&o.Tolerance, "tolerance", 1e-10, "the residual to stop at, as a part of the first one")
	flag.BoolVar(&o.Timed, "time", false, "tell how long it takes")
}

// Check returns what is wrong with the options, or nil.
func (o *Options) Check() error {
	if o.Poisson < 1 || o.Most < 0 || o.Every < 1 || !(o.Tolerance >= 0 && o.Tolerance < 1) {
		return fmt.Errorf("%d points, %d iterations, a line for each %d and a tolerance of %v, "+
			"expected at least 1, 0, 1 and 0, and a tolerance below 1", o.Poisson, o.Most, o.Every, o.Tolerance)
	}
	return nil
}
