//go:build linux && (amd64 || arm64 || loong64 || ppc64le || riscv64)

package native

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gokkos/gokkos/exec/mpi/internal/link"
	"github.com/gokkos/gokkos/exec/mpi/internal/tuning"
)

// heard returns what a rank knows some time after others have ended, with so many collectives on c.
func heard(c *comm, turns uint64, ranks ...int) *endings {
	c.turn.Store(turns)
	e := &endings{}
	for _, rank := range ranks {
		e.learn(appendEnding(nil, rank, []*comm{c}))
	}
	e.pulse.Add(1 + tuning.MessagePatience)
	return e
}

// A call waits in vain for a message of those that have ended, and for their part in a later collective.
func TestWaitsInVain(t *testing.T) {
	for name, test := range map[string]struct {
		ended []int
		peer  int
		turn  uint64
		want  int
	}{
		"nobody has ended":                {nil, 1, 0, -1},
		"a message of a rank":             {[]int{1}, 1, 0, 1},
		"a message of another rank":       {[]int{1}, 2, 0, -1},
		"any message, of two that go on":  {[]int{1}, link.AnySource, 0, -1},
		"any message, of none":            {[]int{1, 2, 3}, link.AnySource, 0, 3},
		"a collective with its part":      {[]int{1, 3}, everyone, 5, -1},
		"a collective without its part":   {[]int{3}, everyone, 6, 3},
		"a collective after several ends": {[]int{3, 2}, everyone, 9, 2},
	} {
		c := &comm{rank: 0, size: 4, id: 7, name: "world"}
		e := heard(c, 5, test.ended...)
		assert.Equal(t, test.want, e.missing(&wait{c: c, peer: test.peer, turn: test.turn, since: 1}), name)
	}
}

// A rank may have sent a message just before it ended, and it may have closed a communicator while others
// still are in a collective of it.
func TestWaitsWithPatience(t *testing.T) {
	c := &comm{rank: 0, size: 4, id: 7, name: "world"}
	e := heard(c, 5, 1)
	old, young := &wait{c: c, peer: 1, since: 1}, &wait{c: c, peer: 1, since: 2}
	assert.Equal(t, []int{1, -1}, []int{e.missing(old), e.missing(young)})
	e.learn(appendEnding(nil, 2, nil))
	assert.Equal(t, -1, e.missing(&wait{c: c, peer: 2, since: 1}), "just heard")
	e.pulse.Add(tuning.MessagePatience)
	assert.Equal(t, 2, e.missing(&wait{c: c, peer: 2, since: 1}))
	other := &comm{rank: 0, size: 4, id: 8, name: "other"}
	assert.Equal(t, -1, e.missing(&wait{c: other, peer: everyone, turn: 99, since: 1}), "which no ending tells of")
}

// In a communicator of some ranks others are meant by the same numbers.
func TestWaitsInAPartOfTheWorld(t *testing.T) {
	c := &comm{rank: 0, size: 2, id: 7, name: "half", members: []int32{1, 3}}
	e := heard(c, 0, 1)
	assert.NoError(t, e.inVain(&wait{c: c, what: "Recv", peer: 1, since: 1}), "rank 3 of the world")
	e = heard(c, 0, 3)
	assert.EqualError(t, e.inVain(&wait{c: c, what: "Recv", peer: 1, since: 1}),
		"mpi: Recv on rank 0 of half: rank 1 of 2 (rank 3 of the world) has ended, and is waited for: "+
			"expected each rank to do its part before it ends")
}

// News reach each rank once, whichever has them first.
func TestNewsReachAllRanks(t *testing.T) {
	for _, size := range []int{1, 2, 3, 7, 10} {
		for first := range size {
			seen := make([]int, size)
			var visit func(rank, from int)
			visit = func(rank, from int) {
				seen[rank]++
				for _, k := range neighbours(rank, size) {
					if k != from {
						visit(k, rank)
					}
				}
			}
			visit(first, -1)
			assert.Equal(t, slices.Repeat([]int{1}, size), seen)
		}
	}
}
