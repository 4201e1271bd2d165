package zz

import "github.com/gokkos/gokkos/exec/kernel/kmath"

//gokkos:kernel
func exps(x, y []float64) func(i int) { return func(i int) { y[i] = kmath.Exp(x[i]) } }

//gokkos:kernel
func logs(x, y []float64) func(i int) { return func(i int) { y[i] = kmath.Log(x[i]) } }

//gokkos:kernel
func sins(x, y []float64) func(i int) { return func(i int) { y[i] = kmath.Sin(x[i]) } }

//gokkos:kernel
func coss(x, y []float64) func(i int) { return func(i int) { y[i] = kmath.Cos(x[i]) } }
