package workers

import "slices"

// A helper is a goroutine that takes part in launches.
type helper struct {
	pool   *Pool
	id     int           // its worker number, from 1 on
	alarm  chan struct{} // wakes it
	passed int           // looks in a row at launches that want others first
}

// hire starts the helper with the given worker number.
func (p *Pool) hire(id int) {
	p.helpers.Add(1)
	go p.help(id)
}

func (p *Pool) help(id int) {
	defer p.helpers.Done()
	ended := true
	defer func() {
		if ended { // a functor called runtime.Goexit
			p.hire(id)
		}
	}()
	h := &helper{pool: p, id: id, alarm: make(chan struct{}, 1)}
	for {
		l, seat := h.find()
		if l == nil {
			l, seat = h.rest()
		}
		switch {
		case l != nil:
			l.help(id, seat)
		case p.closed.Load():
			ended = false
			return
		}
	}
}

// find returns a launch that asks for helpers, the latest first as far as that is known, and
// lets the helper in; or nil. It returns the helper's seat.
//
// A launch that wants n helpers is first for those with the numbers 1 to n. So the same ones come
// again, each to the share of the work whose data it has in its cache, and the others do not look at
// its seats until they have passed it by often enough. They come if seats stay free.
func (h *helper) find() (l *claims, seat int) {
	p, passes := h.pool, false
	for k := int(p.most.Load()) - 1; k >= 0; k-- {
		l := p.posted[k].Load()
		switch {
		case l == nil || l.isSpent():
		default:
			if seat := l.door.enter(h.id, h.passed >= patience); seat > 0 {
				h.passed = 0
				return l, seat
			}
			passes = true
		}
	}
	if h.passed++; !passes {
		h.passed = 0
	}
	return nil, 0
}

// rest returns what find does as soon as there is something, after a while only when the
// helper is called. It returns nil if the pool is closed, or to look again.
func (h *helper) rest() (l *claims, seat int) {
	p := h.pool
	Spin(func() bool {
		l, seat = h.find()
		return l == nil && !p.closed.Load()
	})
	if l != nil || p.closed.Load() {
		return l, seat
	}
	p.mu.Lock()
	p.park(h)
	// From here on launches call this helper. One that was posted before did not.
	h.passed = patience
	if l, seat = h.find(); l != nil || p.closed.Load() {
		p.unpark(h)
		p.mu.Unlock()
		return l, seat
	}
	p.mu.Unlock()
	<-h.alarm
	return nil, 0
}

// park makes the helper one that launches wake, those with low numbers first. It must hold p.mu.
func (p *Pool) park(h *helper) {
	at, _ := slices.BinarySearchFunc(p.resting, h.id, func(x *helper, id int) int { return id - x.id })
	p.resting = slices.Insert(p.resting, at, h)
	p.parked.Store(int32(len(p.resting)))
}

// unpark undoes park.
func (p *Pool) unpark(h *helper) {
	at := slices.Index(p.resting, h)
	p.resting = slices.Delete(p.resting, at, at+1)
	p.parked.Store(int32(len(p.resting)))
}

// wake wakes n parked helpers, or as many as there are. It returns their number. It must hold p.mu.
func (p *Pool) wake(n int) (woken int) {
	for ; woken < n && len(p.resting) > 0; woken++ {
		last := len(p.resting) - 1
		p.resting[last].alarm <- struct{}{} // buffered
		p.resting[last] = nil
		p.resting = p.resting[:last]
	}
	p.parked.Store(int32(len(p.resting)))
	return woken
}
