package graph_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/graph"
	"github.com/gokkos/gokkos/policy"
)

// A time step, built once and run many times.
func Example() {
	x, y := make([]float64, 1000), make([]float64, 1000)
	p := policy.Range(0, len(x))
	var dot float64
	var g graph.Graph
	grow := func(x []float64, by float64) func(ctx context.Context) error {
		return func(ctx context.Context) error {
			return exec.ParallelFor(p.WithContext(ctx), func(i int) { x[i] += by })
		}
	}
	a := g.Add("x", grow(x, 1))
	b := g.Add("y", grow(y, 2))
	product := g.Add("dot", func(ctx context.Context) error {
		return exec.ParallelReduce(p.WithContext(ctx), func(i int, acc *float64) { *acc += float64(x[i] * y[i]) }, builtin.Sum(&dot))
	}, a, b)
	g.Add("print", func(context.Context) error {
		fmt.Println(dot)
		return nil
	}, product)
	for range 3 {
		exec.Must(g.Run(context.Background()))
	}
	// Output:
	// 2000
	// 8000
	// 18000
}

func ExampleGraph_Add() {
	step := func(name string) func(context.Context) error {
		return func(context.Context) error {
			fmt.Println(name)
			return nil
		}
	}
	var g graph.Graph
	read := g.Add("read", step("read"))
	check := g.Add("check", nil, read) // Kokkos' when_all, of one
	g.Add("solve", step("solve"), check)
	fmt.Println(g.Run(context.Background()))
	// Output:
	// read
	// solve
	// <nil>
}

func ExampleGraph_Run() {
	var g graph.Graph
	open := g.Add("open", func(context.Context) error { return errors.New("no such mesh") })
	g.Add("solve", func(context.Context) error { panic("is not run") }, open)
	fmt.Println(g.Run(context.Background()))
	// Output: graph: node 0 "open": no such mesh
}
