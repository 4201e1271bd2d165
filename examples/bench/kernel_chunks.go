package main

import (
	"fmt"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
)

// chunk is how many items a team filters.
const chunk = 1024

func chunks(n int) (begin, end int) { return 0, (n + chunk - 1) / chunk }

// filterKernel moves the positive numbers of each chunk to its front.
var filterKernel = kernel{
	name: "filter", bytes: 12, sizes: []int{medium, 1e6}, writes: "z", exact: true,
	make: transform{
		gokkos: loops{
			"gokkos-team": func(s setup) func() error {
				n, x, z := s.n, s.x, s.z
				_, teams := chunks(n)
				p := policy.Team(teams, 8).On(s.space)
				return func() error {
					return exec.ParallelFor(p, func(t *team.Member) {
						first, kept := t.LeagueRank()*chunk, 0
						team.Scan(team.ThreadRange(t, min(chunk, n-first)), func(i int, acc *int, final bool) {
							if v := x[first+i]; v > 0 {
								if final {
									z[first+*acc] = v
								}
								*acc++
							}
						}, builtin.Sum(&kept))
					})
				}
			},
			"gokkos-index": func(s setup) func() error {
				n, x, z := s.n, s.x, s.z
				p := policy.Range(chunks(n)).On(s.space)
				return func() error {
					return exec.ParallelFor(p, func(c int) {
						to := c * chunk
						for i := c * chunk; i < min((c+1)*chunk, n); i++ {
							if v := x[i]; v > 0 {
								z[to] = v
								to++
							}
						}
					})
				}
			},
		},
		over: chunks,
		loop: func(s setup, begin, end int) {
			for c := begin; c < end; c++ {
				to := s.z[c*chunk:]
				for _, v := range s.x[c*chunk : min((c+1)*chunk, s.n)] {
					if v > 0 {
						to[0], to = v, to[1:]
					}
				}
			}
		},
	}.implementations(),
}

// luKernel factorises matrices of 8 x 8, each in its place. An item is an element.
var luKernel = kernel{
	name: "lu", bytes: 16, sizes: []int{medium, 1e6}, writes: "z", exact: true,
	shape: func(n int) string { return fmt.Sprintf("%s matrices of 8 x 8", count(n/64)) },
	make: transform{
		gokkos: loops{
			"gokkos-team": func(s setup) func() error { // of a member for each row
				x, z := s.x, s.z
				p := policy.Team(s.n/64, 8).Scratch(0, team.ScratchBytes[float64](64), 0).On(s.space)
				return func() error {
					return exec.ParallelFor(p, func(t *team.Member) {
						a := team.Scratch[float64](t, 0, 64)
						from, i := t.LeagueRank()*64, t.Rank()
						for j := range 8 {
							a[8*i+j] = x[from+8*i+j]
						}
						a[8*i+i] += 8
						for k := range 7 {
							t.Barrier()
							if i > k {
								l := a[8*i+k] / a[8*k+k]
								a[8*i+k] = l
								for j := k + 1; j < 8; j++ {
									a[8*i+j] -= float64(l * a[8*k+j])
								}
							}
						}
						for j := range 8 {
							z[from+8*i+j] = a[8*i+j]
						}
					})
				}
			},
			"gokkos-index": func(s setup) func() error { // of the matrices
				x, z := s.x, s.z
				p := policy.Range(0, s.n/64).On(s.space)
				return func() error {
					return exec.ParallelFor(p, func(m int) {
						var a [64]float64
						for k := range a {
							a[k] = x[64*m+k]
						}
						for i := range 8 {
							a[8*i+i] += 8
						}
						for k := range 7 {
							for i := k + 1; i < 8; i++ {
								l := a[8*i+k] / a[8*k+k]
								a[8*i+k] = l
								for j := k + 1; j < 8; j++ {
									a[8*i+j] -= float64(l * a[8*k+j])
								}
							}
						}
						for k, v := range a {
							z[64*m+k] = v
						}
					})
				}
			},
		},
		over: func(n int) (begin, end int) { return 0, n / 64 },
		loop: func(s setup, begin, end int) {
			for m := begin; m < end; m++ {
				factorise((*[64]float64)(s.z[64*m:]), (*[64]float64)(s.x[64*m:]))
			}
		},
	}.implementations(),
}

// factorise sets to to the factors of a matrix, whose diagonal is made large first.
func factorise(to, of *[64]float64) {
	*to = *of
	for i := range 8 {
		to[8*i+i] += 8
	}
	for k := range 7 {
		for i := k + 1; i < 8; i++ {
			l := to[8*i+k] / to[8*k+k]
			to[8*i+k] = l
			for j := k + 1; j < 8; j++ {
				to[8*i+j] -= float64(l * to[8*k+j])
			}
		}
	}
}
