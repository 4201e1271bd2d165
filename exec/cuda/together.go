package cuda

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"time"

	"github.com/gokkos/gokkos/exec/cuda/internal/driver"
)

// Together opens several devices as one space, all of the machine if no number is given. A program for one card runs on it
// unchanged, with the same bits. A view of at least 128 MiB for each device has a part on each of them, and all can access it.
// Smaller views are on the first device. Folds, scans, random numbers, fills and copies of a view are shared by the devices
// that have it. A launch of ParallelFor or ParallelReduce is shared if it takes one device longer than 0.1 ms, or 0.03 ms where
// views have parts: each device runs items that follow one another, which find most of their elements in its own memory.
//
// Errors: those of [Open]; a device is given twice; the devices cannot access the memory of each other. Such devices take
// part as ranks of a process each, see package mpi.
func Together(numbers ...int) (*Space, error) {
	l, err := driver.Load()
	if err != nil {
		return nil, err
	}
	if len(numbers) == 0 {
		n, err := l.Devices()
		if err != nil {
			return nil, err
		}
		for k := range max(n, 1) { // of none, Open says so
			numbers = append(numbers, k)
		}
	}
	s, err := openTogether(l, numbers)
	if err != nil {
		return nil, err
	}
	s.memory = newMemory(s)
	for _, o := range s.others {
		o.memory = s.memory
	}
	return s, nil
}

// openTogether opens devices as one space without a memory.
func openTogether(l *driver.Library, numbers []int) (s *Space, err error) {
	var all []*Space
	defer func() {
		if err == nil {
			return
		}
		s = nil
		for _, o := range all {
			err = errors.Join(err, o.driver.Close())
		}
	}()
	for k, n := range numbers {
		for _, before := range numbers[:k] {
			if n == before {
				return nil, fmt.Errorf("cuda: device %d is given twice, expected devices that differ", n)
			}
		}
		o, err := openCard(l, n)
		if err != nil {
			return nil, err
		}
		all = append(all, o)
	}
	s = all[0]
	if s.others = all[1:]; len(s.others) == 0 {
		return s, nil
	}
	for _, o := range all {
		s.drivers = append(s.drivers, o.driver)
	}
	return s, link(all)
}

// link lets the devices access the memory of each other.
func link(all []*Space) error {
	for _, o := range all {
		for _, peer := range all {
			if peer == o {
				continue
			}
			reached, err := o.driver.Reach(peer.driver)
			if err != nil {
				return err
			}
			if !reached {
				return fmt.Errorf("cuda: device %d cannot access the memory of device %d, as the devices of one space must: run a process on each as ranks, see package mpi", o.driver.Number, peer.driver.Number)
			}
		}
	}
	return nil
}

// spreads reports whether memory of so many bytes is spread over several cards: parts are pages of 2 MiB.
func (d *card) spreads(bytes uint64) bool {
	return len(d.drivers) > 0 && bytes >= driver.LeastPart*uint64(len(d.drivers))
}

// shareTime is how long a launch takes one card that several share. It costs them two goroutines and a wait for the last.
const shareTime = 100 * time.Microsecond

// stretches divides the leaves of a launch among cards: of one that reduces, in nodes, which a card runs at the same time.
func (l *launched) stretches(s *Space) ([]stretch, error) {
	if len(s.others) == 0 {
		return []stretch{{s, 0, l.grid.Leaves}}, nil
	}
	reduces, pieces := len(l.work.sizes()) > 0, 1024
	if reduces {
		pieces = 32 // as each node costs a launch
	}
	unit := max(widthOf(0, l.grid.Leaves)/pieces, 1)
	all, err := l.work.stretches(s, unit, (l.grid.Leaves+unit-1)/unit)
	if err != nil || len(all) == 1 {
		return all, err
	}
	var nodes []stretch
	for k, p := range all {
		all[k].begin, all[k].end = p.begin*unit, min(p.end*unit, l.grid.Leaves)
		if reduces {
			for first, last := range l.grid.Nodes(all[k].begin, all[k].end) {
				nodes = append(nodes, stretch{p.on, first, last})
			}
		}
	}
	if reduces {
		return nodes, nil
	}
	return all, nil
}

// equally divides n units among all cards.
func (s *Space) equally(n int) (all []stretch) {
	cards := s.cards()
	for k, on := range cards {
		if begin, end := (k*n+len(cards)-1)/len(cards), ((k+1)*n+len(cards)-1)/len(cards); begin < end {
			all = append(all, stretch{on, begin, end})
		}
	}
	return all
}

// share runs a launch on several cards. The values of nodes are taken in their order, so the tree is that of one card.
func (l *launched) share(all []stretch) error {
	for _, p := range all { // or the first launch would tell of the time that this takes
		if _, err := l.work.load(p.on); err != nil {
			return err
		}
	}
	l.job.Open(1, bits.Len(uint(l.grid.Leaves))+1)
	parts := make([]part, len(all))
	before := time.Now()
	err := each(len(all), func(k int) error {
		same := func(p stretch) bool { return p.on == all[k].on }
		parts[k] = part{stretch: all[k], crowded: slices.IndexFunc(all, same) != k || slices.ContainsFunc(all[k+1:], same)}
		return parts[k].run(l)
	})
	if c, _ := l.work.load(all[0].on); err == nil {
		c.pace.sharedBy(l.grid.Items, time.Since(before))
	}
	return l.join(parts, err)
}

// A part is what one card of several has made of its share of a launch.
type part struct {
	stretch // of leaves
	nodes   []computed
	status  uint64 // of its lowest item that has failed
	ended   bool   // the launch was cancelled
	crowded bool   // the card runs other parts of the launch, too
}

// run runs the part on its card.
func (p *part) run(whole *launched) error {
	p.status = math.MaxUint64
	return p.on.onQueue(func(q *queue) (err error) {
		l := &launched{grid: whole.grid, job: whole.job, work: whole.work.again(), queue: q, crowded: p.crowded}
		if l.code, err = l.work.load(p.on); err != nil {
			return err
		}
		if err := l.work.place(q); err != nil {
			return err
		}
		if len(l.work.sizes()) == 0 {
			return p.leaves(l)
		}
		return p.reduce(l)
	})
}

// leaves runs the part of a launch that reduces nothing, in as few pieces as there can be.
func (p *part) leaves(l *launched) error {
	for first := p.begin; first < p.end; {
		last := min(first+l.code.pace.width(l.grid), p.end)
		if _, err := p.piece(l, first, last); err != nil || p.over() {
			return err
		}
		first = last
	}
	for first, last := range l.grid.Nodes(p.begin, p.end) {
		p.nodes = append(p.nodes, computed{first, last, widthOf(first, last), nil})
	}
	return nil
}

// reduce runs the part of a launch that reduces, a node, in pieces that are nodes.
func (p *part) reduce(l *launched) error {
	most := min(l.widest(), widthOf(p.begin, p.end))
	for first := p.begin; first < p.end; {
		width := l.width(first, most)
		end := min(first+width, p.end)
		value, err := p.piece(l, first, end)
		if err != nil || p.over() {
			return err
		}
		p.nodes = append(p.nodes, computed{first, end, width, value})
		first = end
	}
	return nil
}

// piece runs leaves, unless the launch is cancelled.
func (p *part) piece(l *launched, first, last int) (value []byte, err error) {
	if p.ended = l.job.Cancelled(); p.ended {
		return nil, nil
	}
	value, p.status, err = l.compute(first, last)
	return value, err
}

// over reports whether the share ends before its last leaf.
func (p *part) over() bool { return p.ended || p.status != math.MaxUint64 }

// widthOf returns the width of a node, of which the last ones of a tree have fewer leaves.
func widthOf(first, last int) int { return 1 << bits.Len(uint(last-first-1)) }

// join gives the job what cards have computed, or the lowest item that has failed.
func (l *launched) join(parts []part, err error) error {
	ended, status := false, uint64(math.MaxUint64)
	for _, p := range parts {
		ended = ended || p.ended
		status = min(status, p.status)
	}
	switch {
	case err != nil || ended:
		return err
	case status != math.MaxUint64:
		l.work.fail(status)
		return nil
	}
	s := stack{job: l.job}
	for _, p := range parts {
		for _, c := range p.nodes {
			if !l.accept(c, &s) {
				return nil
			}
		}
	}
	return nil
}
