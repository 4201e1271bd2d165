package cuda

import (
	"errors"
	"slices"
	"sort"
	"sync"

	"github.com/gokkos/gokkos/exec/cuda/internal/driver"
	"github.com/gokkos/gokkos/exec/space/device"
)

// A stretch is units begin to end-1 of some memory, such as items or bytes, which one card works on.
type stretch struct {
	on         *Space
	begin, end int
}

// cards returns the spaces of all cards, this one first.
func (s *Space) cards() []*Space { return append([]*Space{s}, s.others...) }

// stretches divides n units of memory among cards: each has the units that begin in its part. Unit k begins at the address
// at(k), which rises or falls with k; of other units the parts are uneven. The card of the middle has fewer bytes than
// [driver.LeastShared] alone.
func (s *Space) stretches(n, bytes int, at func(k int) driver.Address) []stretch {
	of := s.memory.spread(at(0))
	if of == nil || n == 0 {
		return []stretch{{s, 0, n}}
	}
	cards := s.cards()
	card := func(k int) int { return int(uint64(at(k)-of.At) / of.Part) }
	if bytes < driver.LeastShared {
		return []stretch{{cards[card(n/2)], 0, n}}
	}
	step := 1
	if card(n-1) < card(0) {
		step = -1
	}
	var all []stretch
	for c, begin := card(0), 0; begin < n; c += step {
		end := n
		if next := c + step; next >= 0 && next < len(cards) {
			end = begin + sort.Search(n-begin, func(k int) bool { return (card(begin+k)-c)*step > 0 })
		}
		if begin < end {
			all = append(all, stretch{cards[c], begin, end})
		}
		begin = end
	}
	return all
}

// each calls f(0) to f(n-1) at once and returns their errors.
func each(n int, f func(k int) error) error {
	failures := make([]error, n)
	var others sync.WaitGroup
	for k := 1; k < n; k++ {
		others.Go(func() { failures[k] = f(k) })
	}
	failures[0] = f(0)
	others.Wait()
	return errors.Join(failures...)
}

// onQueues lends f a queue of the card of each stretch. They are taken by the numbers of cards, so that two callers never
// wait for each other.
func onQueues(all []stretch, f func(queues []*queue) error) error {
	queues, order := make([]*queue, len(all)), make([]int, len(all))
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(i, j int) int { return all[i].on.driver.Number - all[j].on.driver.Number })
	var take func(order []int) error
	take = func(order []int) error {
		if len(order) == 0 {
			err := f(queues)
			for k := 0; err != nil && k < len(queues); k++ { // before any is closed, as others may use its memory
				_ = queues[k].Wait()
			}
			return err
		}
		return all[order[0]].on.onQueue(func(q *queue) error {
			queues[order[0]] = q
			return take(order[1:])
		})
	}
	return take(order)
}

// divide calls f for the stretches of a side of a copy at once, and waits for the work on their queues. The queue of a stretch
// is of the card that has it. Units are those of the first extent, and of a run alone bytes.
func (m *memory) divide(side device.Side, extents []int, bytes int, f func(d *card, q *queue, begin, end int) error) error {
	n, step := bytes, 1
	if len(extents) > 0 {
		n, step = extents[0], side.Strides[0]
	}
	all := m.owner.stretches(n, count(extents)*bytes, func(k int) driver.Address {
		return addressOf(side.Address) + driver.Address(k*step)
	})
	return each(len(all), func(k int) error {
		p := all[k]
		q, err := p.on.copies.take()
		if err != nil {
			return err
		}
		defer p.on.copies.give(q)
		return errors.Join(f(p.on.card, q, p.begin, p.end), q.Wait())
	})
}
