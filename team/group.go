package team

import "github.com/gokkos/gokkos/team/internal/collective"

func init() { collective.Of = participantOf }

// participantOf returns the calling member as a participant in the next meeting of a Group.
func participantOf(group any) collective.Participant {
	m := memberOf(group)
	if m.exchange.Calling {
		misuse("the function of a collective must call no collective")
	}
	p := collective.Participant{Member: (*meeter)(m), Own: &m.exchange, Exchange: &m.exchange}
	switch g := group.(type) {
	case *Member:
		p.Scope, p.Rank, p.Size = g.all, g.rank, g.size
	case *SubGroup:
		p.Scope, p.Rank, p.Size = g.lanes, g.rank, g.size
	case Group:
		p.Scope, p.Rank, p.Size = g.scope(), g.Rank(), g.Size()
	}
	if p.Size == 1 {
		return p
	}
	slot := p.Scope.Slot()
	x, ok := (*slot).(*collective.Exchange)
	if !ok {
		x = new(collective.Exchange)
		*slot = x
	}
	p.Exchange = x
	return p
}

// memberOf returns the member that calls a collective of a Group.
func memberOf(group any) (m *Member) {
	switch g := group.(type) {
	case nil:
	case *Member:
		m = g
	case *SubGroup:
		if g != nil && g.m == nil {
			misuse(expired)
		}
		if g != nil {
			m = g.m
		}
	case Group: // a type of the caller's that embeds a Group
		m = g.member()
	}
	switch {
	case m == nil:
		misuse("the group is nil, expected the Member or its SubGroup")
	case m.run == nil:
		misuse(expired)
	}
	return m
}
