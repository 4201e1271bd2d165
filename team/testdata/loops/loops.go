// Package loops is here for the compiler to say what it does with it.
package loops

import (
	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/team"
)

// Loops has every loop that a functor can own.
func Loops(m *team.Member, x []float64) (sum float64) {
	for i := range team.ThreadRange(m, len(x)).All() {
		x[i]++
	}
	for i := range team.VectorRange2(m, len(x), 1).All() {
		x[i.I]++
	}
	team.Reduce(team.Shares(team.ThreadRange(m, len(x))), func(r team.Range[int], acc *float64) {
		for i := range r.All() {
			sum += x[i]
		}
		*acc = sum
	}, builtin.Sum(&sum))
	team.ReduceLanes(team.VectorRange(m, len(x)), func(l team.Lanes[float64]) {
		for i, acc := range l.Items() {
			*acc += x[i]
		}
	}, builtin.Sum(&sum))
	return sum
}
