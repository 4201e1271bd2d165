package lane

// An Observer is told what happens in a block, as it happens, by whoever makes it happen; it
// must not meet.
type Observer interface {
	Begin(lanes int)                        // the block begins
	Complete(s *Scope, site uintptr, op Op) // a meeting is complete and combined
	End(fault error)                        // the block has ended: a *Panic, *Divergence, *Exit or nil
}

// A LaneObserver is an Observer that is told what every lane does, too, which takes time for each.
type LaneObserver interface {
	Observer
	Resume(rank int)                                // a lane starts, or goes on after a meeting
	Arrive(rank int, s *Scope, site uintptr, op Op) // the running lane arrives at a meeting
}
