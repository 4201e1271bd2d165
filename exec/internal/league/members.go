package league

import (
	"reflect"
	"unsafe"

	"github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/internal/lane"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/internal/watch"
)

// Accs are the accumulators of the team that a worker runs, in rank order. A team of one member joins
// straight into a lane of the leaf.
type Accs struct {
	lanes reduce.Lanes
	accs  reduce.Lanes
}

// of returns the accumulator of a member.
func (w *Accs) of(rank int) unsafe.Pointer { return w.accs.Lane(rank) }

// members are the accumulators of the members of all running teams, for one column.
type members struct {
	column  launch.Column
	size    int // members per team
	watched bool
	workers []Accs
}

// beginTeams begins a leaf of that many teams.
func (c *members) beginTeams(worker, items int) {
	w := &c.workers[worker]
	w.lanes = c.column.Begin(worker, items)
	if c.size > 1 && w.accs.At == nil {
		w.accs = c.column.Make(c.size)
	}
}

// beginTeam begins one team of a leaf.
func (c *members) beginTeam(worker, item int) {
	w := &c.workers[worker]
	if c.size == 1 {
		w.accs = reduce.Lanes{At: w.lanes.OfItem(item), N: 1, Room: 1, Size: w.lanes.Size}
	} else {
		c.column.Identities(w.accs)
	}
	if c.watched { // accumulators begin anew
		for k := range w.accs.N {
			watch.RenewAll(reflect.ValueOf(c.column.Pointer(w.accs.Lane(k))))
		}
	}
}

// endTeam joins the accumulators of the members in rank order, and the result into the lane of the item.
func (c *members) endTeam(worker, item int) {
	w := &c.workers[worker]
	c.column.JoinTree(w.accs)
	c.column.JoinValues(w.lanes.OfItem(item), w.accs.At)
}

// observer passes the events of an engine's teams on to a space and, if watched, to package watch.
type observer struct {
	device.TeamObserver
	watched bool
}

func (observer) Begin(int) {}

func (o observer) Complete(s *lane.Scope, site uintptr, op lane.Op) {
	if o.watched {
		watch.Met(s.Begin(), s.Whole(), site)
	}
	o.Met(device.Meeting{Kind: op.Kind, Members: s.Size(), Whole: s.Whole(), Bytes: op.Bytes})
}

func (o observer) End(fault error) { o.TeamObserver.End(fault == nil) }
