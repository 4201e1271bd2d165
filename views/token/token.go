// Package token gives each running item a number that no other one has at that time: Kokkos' UniqueToken. It is for
// memory that is too large to have for each item.
//
//	numbers, err := token.New(space.Concurrency())
//	scratch, err := views.New2[float64]("scratch", numbers.Size(), n)
//	err = exec.ParallelFor(policy.Spans(0, items).On(space), func(s policy.Span) {
//		number := numbers.Acquire()
//		defer numbers.Release(number)
//		row := scratch.Row(number) // this span's own until the release
//		...
//	})
//
// Which number an item gets depends on what else runs, so what a launch computes must not depend on it: write
// memory before it is read, or add up what is the same in any order, such as integers. Numbers are unique in
// one process: of several that share a launch, as ranks do, each has its own numbers and its own memory.
package token

import (
	"fmt"
	"sync/atomic"

	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/atomics"
)

// Unique has the numbers 0 to Size()-1.
type Unique struct {
	taken []uint32     // 1 where an item has the number, by package atomics: watched launches see who had it before
	held  atomic.Int64 // numbers that are taken, or will be by who looks for a free one
	turn  atomic.Uint64
}

// New returns so many numbers. A launch of items needs as many as run at one time, which is Concurrency of its
// space. It needs more where an item has several: by a launch inside of it, by members of a team that have numbers
// while they wait for one another, or where several launches share the numbers. It is an error if size is below 1.
func New(size int) (*Unique, error) {
	if size < 1 {
		return nil, fmt.Errorf("token: %d numbers, expected 1 or more", size)
	}
	v, err := views.New1[uint32]("token", size)
	if err != nil {
		return nil, fmt.Errorf("token: %d numbers: %w", size, err)
	}
	return &Unique{taken: v.Row()}, nil
}

// Size returns how many numbers there are.
func (u *Unique) Size() int { return len(u.taken) }

// Acquire returns a number that nobody has. It does not wait for one: if all are taken it panics, as who has the last
// one may be the item itself.
func (u *Unique) Acquire() int {
	if u.held.Add(1) > int64(len(u.taken)) {
		u.held.Add(-1)
		panic(fmt.Sprintf("token: all %d numbers are taken, expected one for each item that runs at the same time", len(u.taken)))
	}
	// One is free, or will be at once: fewer are held than there are.
	for {
		i := u.turn.Add(1) % uint64(len(u.taken)) // in turn: to take the lowest would order all items of a watched launch
		if _, free := atomics.CompareExchange(&u.taken[i], 0, 1); free {
			return int(i)
		}
	}
}

// Release gives a number back. It panics if nobody has it.
func (u *Unique) Release(number int) {
	if uint(number) >= uint(len(u.taken)) || atomics.Exchange(&u.taken[number], 0) == 0 {
		panic(fmt.Sprintf("token: number %d of %d is released, and nobody has it", number, len(u.taken)))
	}
	u.held.Add(-1)
}
