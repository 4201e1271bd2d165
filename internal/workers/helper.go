package workers

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
	alarm := make(chan struct{}, 1)
	for {
		l, left := p.find()
		if l == nil {
			l, left = p.rest(alarm)
		}
		switch {
		case l != nil:
			l.help(id, left)
		case p.closed.Load():
			ended = false
			return
		}
	}
}

// find returns a launch that asks for helpers, the latest first as far as that is known, and
// lets the calling helper in; or nil. It returns how many places that leaves.
func (p *Pool) find() (l *claims, left int) {
	for k := int(p.most.Load()) - 1; k >= 0; k-- {
		if l := p.posted[k].Load(); l != nil && l.asks() {
			if left, ok := l.door.enter(); ok {
				return l, left
			}
		}
	}
	return nil, 0
}

// rest returns what find does as soon as there is something, after a while only when the
// helper is called. It returns nil if the pool is closed, or to look again.
func (p *Pool) rest(alarm chan struct{}) (l *claims, left int) {
	Spin(func() bool {
		l, left = p.find()
		return l == nil && !p.closed.Load()
	})
	if l != nil || p.closed.Load() {
		return l, left
	}
	p.mu.Lock()
	p.alarms = append(p.alarms, alarm)
	p.parked.Store(int32(len(p.alarms)))
	// From here on launches call this helper. One that was posted before did not.
	if l, left = p.find(); l != nil || p.closed.Load() {
		p.alarms = p.alarms[:len(p.alarms)-1]
		p.parked.Store(int32(len(p.alarms)))
		p.mu.Unlock()
		return l, left
	}
	p.mu.Unlock()
	<-alarm
	return nil, 0
}
