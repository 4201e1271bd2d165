package simt

import (
	"math/rand/v2"
	"slices"

	"github.com/gokkos/gokkos/internal/schedule"
)

// order is the order of a schedule. Within a leaf, lanes take one item each in turn: in no
// schedule does a lane run ahead of others.
type order struct {
	schedule uint64
	random   *rand.Rand // of a random schedule
}

func newOrder(number uint64, items int) order {
	o := order{schedule: number}
	if number >= schedule.Random {
		o.random = rand.New(rand.NewPCG(number, uint64(items)))
	}
	return o
}

// of returns the numbers from 0 to n-1, of blocks or of warps.
func (o order) of(n int) []int {
	x := ascending(n)
	switch {
	case o.random != nil:
		o.shuffle(x)
	case o.schedule == schedule.LastWarpFirst:
		slices.Reverse(x)
	}
	return x
}

// lanes returns the order in which that many lanes of a leaf take their items, or nil for the
// ascending one. Lanes that have one item more than others come first, so that the last row
// is whole.
func (o order) lanes(lanes, items int) []int {
	if o.random == nil && o.schedule != schedule.LaneFirst {
		return nil
	}
	x := ascending(lanes)
	more := items % lanes
	for _, part := range [2][]int{x[:more], x[more:]} {
		if o.random != nil {
			o.shuffle(part)
		} else {
			slices.Reverse(part) // no loop has this order
		}
	}
	return x
}

func (o order) shuffle(x []int) {
	o.random.Shuffle(len(x), func(a, b int) { x[a], x[b] = x[b], x[a] })
}

func ascending(n int) []int {
	x := make([]int, n)
	for k := range x {
		x[k] = k
	}
	return x
}
