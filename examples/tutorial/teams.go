package main

import (
	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
)

// teams computes yᵀAx with a team for each row, whose members share the columns. team.Shares lets the functor own
// the loop over a member's share. One member of each team adds what came out.
func teams(on exec.Space) ([]any, error) {
	a, x, y, err := problem()
	if err != nil {
		return nil, err
	}
	var result float64
	err = exec.ParallelReduce(policy.Team(n, 4).On(on), func(t *team.Member, acc *float64) {
		i := t.LeagueRank()
		var sum float64
		team.Reduce(team.Shares(team.ThreadRange(t, m)), func(r team.Range[int], acc *float64) {
			total := *acc
			for j := range r.All() {
				total += float64(a.At(i, j) * x.At(j))
			}
			*acc = total
		}, builtin.Sum(&sum))
		team.Single(t, func() { *acc += float64(y.At(i) * sum) })
	}, builtin.Sum(&result))
	return []any{result}, err
}

// nested computes Σ yᵀAx over blocks of rows with three loops: a team for each block, a member for each row, a
// vector lane for each column.
func nested(on exec.Space) ([]any, error) {
	const rows = 10 // of a block
	a, x, y, err := problem()
	if err != nil {
		return nil, err
	}
	var result float64
	err = exec.ParallelReduce(policy.Team(n/rows, 2).Vector(8).On(on), func(t *team.Member, acc *float64) {
		var block float64
		team.Reduce(team.ThreadRange(t, rows), func(k int, acc *float64) {
			i := rows*t.LeagueRank() + k
			var sum float64
			team.Reduce(team.VectorRange(t, m), func(j int, acc *float64) {
				*acc += float64(a.At(i, j) * x.At(j))
			}, builtin.Sum(&sum))
			*acc += float64(y.At(i) * sum)
		}, builtin.Sum(&block))
		team.Single(t, func() { *acc += block })
	}, builtin.Sum(&result))
	return []any{result}, err
}

// scratchMemory lets a team load a piece of x with its edges once, wait until all of it is there, and compute moving
// averages from it. Without the barrier some member would read what another has not yet written.
func scratchMemory(on exec.Space) ([]any, error) {
	const size, piece, edge, members = 4096, 128, 3, 8
	x, y := make([]float64, size), make([]float64, size)
	for i := range x {
		x[i] = 1 / float64(i+1)
	}
	const window = piece + 2*edge
	p := policy.Team(size/piece, members).Scratch(0, team.ScratchBytes[float64](window), 0).On(on)
	if err := exec.ParallelFor(p, func(t *team.Member) {
		first := piece * t.LeagueRank()
		s := team.Scratch[float64](t, 0, window)
		for k := range team.ThreadRange(t, window).All() {
			s[k] = 0
			if i := first + k - edge; i >= 0 && i < size {
				s[k] = x[i]
			}
		}
		t.Barrier()
		for k := range team.ThreadRange(t, piece).All() {
			sum := 0.0
			for _, v := range s[k : k+2*edge+1] {
				sum += v
			}
			y[first+k] = sum / (2*edge + 1)
		}
	}); err != nil {
		return nil, err
	}
	var sum float64
	err := exec.ParallelFold(exec.Slice(policy.Range(0, size).On(on), y), builtin.Sum(&sum))
	return []any{y[0], y[piece], sum}, err
}
