package lane_test

import (
	"fmt"

	"github.com/gokkos/gokkos/internal/lane"
)

// total is what the lanes of a scope share to add up.
type total struct{ in, sum int }

func (x *total) Combine(*lane.Scope) { x.sum, x.in = x.in, 0 }

// Sum returns the sum of the v of all lanes of s, to each of them.
//
//go:noinline
func Sum(l *lane.Lane, s *lane.Scope, v int) int {
	slot := s.Slot()
	if *slot == nil {
		*slot = &total{}
	}
	x := (*slot).(*total)
	x.in += v
	l.Meet(s, lane.Site(), lane.Op{Kind: "sum"}, x)
	return x.sum
}

func Example() {
	e := lane.New()
	defer e.Close()
	err := e.Do(func() {
		err := e.Run(lane.Block{Lanes: 6}, func(l *lane.Lane) {
			all := Sum(l, l.All(), l.Rank())
			group := Sum(l, l.Group(4), l.Rank())
			fmt.Println(l.Rank(), all, group)
		})
		fmt.Println(err)
	})
	fmt.Println(err)
	// Output:
	// 0 15 6
	// 1 15 6
	// 2 15 6
	// 3 15 6
	// 4 15 9
	// 5 15 9
	// <nil>
	// <nil>
}
