package scan

import (
	"testing"

	"github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/stretchr/testify/require"
)

// Leaves leave the queue in the order in which they came, each with its sums, however many have waited
// before.
func TestLeavesWaitInLine(t *testing.T) {
	const unit = 4
	var w scanWorker[int]
	next, first := 0, 0
	for round := range 300 {
		for range 1 + round%3 {
			w.wait(launch.Node{First: next * unit, Last: (next + 1) * unit}, []int{next, -next, 7, next + 1}, unit)
			next++
		}
		for w.waits() && (next-first > 5+round%90 || round%100 == 99) {
			x := w.first()
			require.Equal(t, launch.Node{First: first * unit, Last: (first + 1) * unit}, x.Node)
			require.Equal(t, []int{first, -first, 7, first + 1}, w.sumsOf(x))
			w.drop()
			first++
		}
		require.Equal(t, first < next, w.waits())
		require.LessOrEqual(t, len(w.waiting), 64+2*(next-first)+3, "memory is used again")
	}
	w.Open(1, nil, nil)
	w.wait(launch.Node{First: 3, Last: 5}, []int{1, 2}, 1)
	require.Nil(t, w.sumsOf(w.first()), "leaves that share no unit")
	w.drop()
	require.False(t, w.waits())
}
