package main

import (
	"fmt"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
)

// csrKernel multiplies a sparse matrix in compressed rows and a vector. An item is an entry, of which a row has that
// many in the mean.
func csrKernel(name string, mean int) kernel {
	return kernel{
		name: name, bytes: 12, sizes: []int{medium, 1e6}, writes: "z",
		shape: func(n int) string { return fmt.Sprintf("%s entries in rows of %d", count(n), mean) },
		make: transform{
			gokkos: loops{
				"gokkos-team":   func(s setup) func() error { return newSparse(s, mean).byTeams(s, team.Auto) },
				"gokkos-team-1": func(s setup) func() error { return newSparse(s, mean).byTeams(s, 1) },
				"gokkos-team-8": func(s setup) func() error { return newSparse(s, mean).byTeams(s, 8) },
				"gokkos-index": func(s setup) func() error {
					a, x, y, z := newSparse(s, mean), s.x, s.y, s.z
					begin, column := a.begin, a.column
					p := policy.Range(0, a.rows).On(s.space)
					return func() error {
						return exec.ParallelFor(p, func(i int) {
							sum := 0.
							for k := begin[i]; k < begin[i+1]; k++ {
								sum += x[k] * y[column[k]]
							}
							z[i] = sum
						})
					}
				},
			},
			over: func(n int) (begin, end int) { return 0, n / mean },
			loop: func(s setup, first, last int) {
				a := newSparse(s, mean)
				for i := first; i < last; i++ {
					sum := 0.
					for k := a.begin[i]; k < a.begin[i+1]; k++ {
						sum += s.x[k] * s.y[a.column[k]]
					}
					s.z[i] = sum
				}
			},
		}.implementations(),
	}
}

// sparse is which entries the rows of a matrix have. Their values are those of x.
type sparse struct {
	rows, mean int
	begin      []int32 // the first entry of each row, and the end
	column     []int32 // of each entry
}

// newSparse returns a matrix whose entries lie near the diagonal. Rows have up to twice the mean.
func newSparse(s setup, mean int) sparse {
	rows := s.n / mean
	if a := s.sparse; a.mean == mean && a.rows == rows {
		return a
	}
	a := sparse{rows: rows, mean: mean, begin: array[int32](rows + 1), column: array[int32](rows * mean)}
	for i := range rows {
		a.begin[i] = int32(i*mean + int(random(uint64(i))%uint64(mean)))
	}
	a.begin[0], a.begin[rows] = 0, int32(rows*mean)
	for i := range rows {
		for k := a.begin[i]; k < a.begin[i+1]; k++ {
			a.column[k] = int32((i + int(random(uint64(k))%1000)) % rows)
		}
	}
	s.sparse = a
	return a
}

// rowsOfTeam is how many rows a team takes.
const rowsOfTeam = 64

// byTeams returns the launch of teams of that size, whose members take a row each and spread its entries over lanes.
func (a sparse) byTeams(s setup, size int) func() error {
	rows, begin, column, x, y, z := a.rows, a.begin, a.column, s.x, s.y, s.z
	p := policy.Team((rows+rowsOfTeam-1)/rowsOfTeam, size).Vector(8).On(s.space)
	return func() error {
		return exec.ParallelFor(p, func(t *team.Member) {
			first := t.LeagueRank() * rowsOfTeam
			team.For(team.ThreadRange(t, min(rowsOfTeam, rows-first)), func(r int) {
				i := first + r
				from := int(begin[i])
				var sum float64
				team.Reduce(team.VectorRange(t, int(begin[i+1])-from), func(k int, acc *float64) {
					*acc += float64(x[from+k] * y[column[from+k]])
				}, builtin.Sum(&sum))
				z[i] = sum
			})
		})
	}
}
