package main

import (
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
)

// launchForKernel does nothing to one item.
var launchForKernel = kernel{
	name: "launch_for", sizes: []int{1}, fixed: true,
	make: implementations{
		"gokkos-index": func(s setup) implementation {
			p := s.items()
			return func() float64 {
				must(exec.ParallelFor(p, func(int) {}))
				return 0
			}
		},
		"gokkos-span": func(s setup) implementation {
			p := s.spans()
			return func() float64 {
				must(exec.ParallelFor(p, func(policy.Span) {}))
				return 0
			}
		},
		"loop":     nothingBy(func(n, _ int, f func(worker, begin, end int)) { f(0, 0, n) }),
		"errgroup": nothingBy(byErrgroup),
		"conc":     nothingBy(byConc),
	},
}

func nothingBy(by sharer) func(s setup) implementation {
	return func(s setup) implementation {
		return func() float64 {
			by(s.n, s.workers, func(int, int, int) {})
			return 0
		}
	}
}

// launchReduceKernel sums one item, or few.
var launchReduceKernel = kernel{
	name: "launch_reduce", sizes: []int{1, 1000}, fixed: true,
	make: sumKernel.make,
}

// launchIdleKernel sums few items when all that helps has gone to sleep.
var launchIdleKernel = kernel{
	name: "launch_idle", sizes: []int{1000}, fixed: true, idle: true,
	make: sumKernel.make,
}
