package interp

import (
	"iter"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// A League gives the shape of teams: members of a team, and vector lanes of a member.
type League struct{ Size, Vector int }

// Do runs the teams begin to end-1, and returns the first team that does not finish, or end. The members of a
// team run in turns, from meeting to meeting. A team does not finish if a member stops, or if its members
// come to different meetings. Such a team changes no memory but its scratch memory.
//
// accs are the accumulators of a team's members, as bits: accs[a][r] is accumulator a of member r. Do calls
// behind after each team, to set the accumulators for the next team.
func (l League) Do(k *ir.Kernel, a *Args, begin, end int, accs Lanes, behind func()) (next int) {
	for next = begin; next < end; next++ {
		t := &team{League: l, kernel: k}
		if !t.run(a, next, accs) {
			return next
		}
		behind()
	}
	return end
}

// A team is a running team, with its members and the elements that these have overwritten.
type team struct {
	League
	kernel  *ir.Kernel
	members []*machine
	undo    []undo
}

// A meeting is the operation at which a member waits, and the values that the member contributes.
type meeting struct {
	at *ir.Value
	x  []uint64
}

// run runs the members from meeting to meeting.
func (t *team) run(a *Args, league int, accs Lanes) (done bool) {
	ended, next := make([]bool, t.Size), make([]func() (meeting, bool), t.Size)
	for r := range t.Size {
		m := &machine{k: t.kernel, args: a, run: Run{At: []int{league}, Len: 1}, regs: make([]uint64, t.kernel.NumValues()), kept: map[*ir.Value][]uint64{}, index: league, rank: r, team: t}
		t.members = append(t.members, m)
		var stop func()
		next[r], stop = iter.Pull(func(yield func(meeting) bool) {
			m.meet = yield
			ended[r] = m.member(accs)
		})
		defer stop()
	}
	for {
		var meetings []meeting
		for r := range t.Size {
			x, meets := next[r]()
			if !meets && !ended[r] {
				return t.takeBack()
			}
			if meets {
				meetings = append(meetings, x)
			}
		}
		if len(meetings) == 0 {
			break
		}
		if !t.together(meetings) {
			return t.takeBack()
		}
	}
	for r, m := range t.members {
		for n, y := range t.kernel.Body.Yield {
			accs[n][r] = m.regs[y.ID]
		}
	}
	return true
}

func (t *team) takeBack() bool {
	for n := len(t.undo) - 1; n >= 0; n-- {
		u := t.undo[n]
		u.mem.store(u.at, u.bits)
	}
	return false
}

// member runs the body as one member, and reports whether the body finishes.
func (m *machine) member(accs Lanes) bool {
	m.block(m.k.Setup)
	for n, p := range m.k.Body.Params {
		m.regs[p.ID] = accs[n][m.rank]
	}
	return m.allowed(m.index) && m.block(m.k.Body)
}

// together gives all members the results of a meeting. It reports whether all members have come to the same
// meeting.
func (t *team) together(meetings []meeting) bool {
	v := meetings[0].at
	for _, x := range meetings {
		if x.at != v {
			return false
		}
	}
	if len(meetings) < t.Size {
		return false
	}
	var result []uint64
	switch v.Op {
	case ir.Pass:
		rank := meetings[0].x[1]
		for _, x := range meetings {
			if x.x[1] != rank {
				return false
			}
		}
		result = []uint64{meetings[rank].x[0]}
	case ir.Prefix:
		return t.prefixes(v, meetings)
	case ir.Gather:
		result = []uint64{joined(v, 0, meetings)}
	case ir.Fold:
		n := meetings[0].x[0]
		var with []meeting
		for r, x := range meetings {
			if x.x[0] != n {
				return false
			}
			if first, _ := t.share(v, r); first < int(n) {
				with = append(with, meeting{x: x.x[1:]})
			}
		}
		for k := range v.Args[1:] {
			if len(with) == 0 {
				result = append(result, meetings[0].x[1+k])
			} else {
				result = append(result, joined(v, k, with))
			}
		}
	}
	for _, m := range t.members {
		m.given = result
	}
	return true
}

// prefixes computes the results of a Prefix for each member.
func (t *team) prefixes(v *ir.Value, meetings []meeting) bool {
	identity, n := meetings[0].x[1], int(meetings[0].x[2])
	prefix, sums := make([]uint64, t.Size), make([]uint64, n)
	for r := range prefix {
		if prefix[r] = identity; int(meetings[r].x[2]) != n {
			return false
		}
	}
	for r := range sums {
		sums[r] = meetings[r].x[0]
	}
	joint, typed := v.Joints()[0], &ir.Value{Type: v.Type}
	does := &ir.Value{Op: joint.Op, Unsigned: joint.Unsigned, Type: v.Type, Args: []*ir.Value{typed, typed}}
	join := func(x, y uint64) uint64 { return Eval(does, [3]uint64{x, y}) }
	node := func(x uint64) uint64 {
		if ir.Scan(v.Index) != ir.OfMembers {
			return join(identity, x)
		}
		return x
	}
	for r := 1; r < n; r++ {
		w := 1
		for ; r&w == 0; w *= 2 {
			sums[r-2*w] = join(node(sums[r-2*w]), sums[r-w])
		}
		prefix[r] = join(join(identity, prefix[r-w]), sums[r-w])
	}
	total := identity
	for w := 1; w < n; w *= 2 {
		left := (n - 1) &^ (2*w - 1)
		if sums[left] = node(sums[left]); left+w < n {
			sums[left] = join(sums[left], sums[left+w])
		}
	}
	if n > 0 {
		total = sums[0]
	}
	for r, m := range t.members {
		if m.given = prefix[r : r+1]; ir.Scan(v.Index) == ir.TotalOfItems {
			m.given = []uint64{total}
		}
	}
	return true
}

// joined joins value k of members, or of lanes, as an aligned tree by the operation k of a value.
func joined(v *ir.Value, k int, of []meeting) uint64 {
	j := v.Joints()[k]
	t := v.Args[0].Type
	if v.Op == ir.Fold {
		t = v.Args[1+k].Type
	}
	typed := &ir.Value{Type: t}
	does := &ir.Value{Op: j.Op, Unsigned: j.Unsigned, Type: t, Args: []*ir.Value{typed, typed}}
	x := make([]uint64, len(of))
	for n := range of {
		x[n] = of[n].x[k]
	}
	for width := 1; width < len(x); width *= 2 {
		for n := 0; n+width < len(x); n += 2 * width {
			x[n] = Eval(does, [3]uint64{x[n], x[n+width]})
		}
	}
	return x[0]
}

// share returns the first item of a range that the member with a rank runs, and the number of consecutive
// items.
func (t *team) share(v *ir.Value, rank int) (first, width int) {
	switch ir.Level(v.Index) {
	case ir.OverThreads:
		return rank, 1
	case ir.OverBoth:
		return rank * t.Vector, t.Vector
	}
	return 0, t.Vector
}

// items calls a function for each item of a range that the member runs, with the item's lane. It reports
// whether no check has stopped an item.
func (m *machine) items(v *ir.Value, each func(lane int) bool) bool {
	n := int(m.regs[v.Args[0].ID])
	first, width := m.team.share(v, m.rank)
	stride := width
	if ir.Level(v.Index) != ir.OverVector {
		stride *= m.team.Size
	}
	for b := first; b < n; b += stride {
		for lane := 0; lane < width && b+lane < n; lane++ {
			m.regs[v.Blocks[0].Params[0].ID] = uint64(b + lane)
			if !each(lane) {
				return false
			}
		}
	}
	return true
}

// ofTeam runs an operation of teams.
func (m *machine) ofTeam(v *ir.Value) bool {
	var x []uint64
	switch v.Op {
	case ir.Each:
		return m.items(v, func(int) bool { return m.block(v.Blocks[0]) })
	case ir.Fold:
		var ok bool
		if x, ok = m.fold(v); !ok {
			return false
		}
		if !v.Meets() {
			m.kept[v] = x
			return true
		}
		x = append([]uint64{m.regs[v.Args[0].ID]}, x...)
	default:
		for _, a := range v.Args {
			x = append(x, m.regs[a.ID])
		}
	}
	if !m.meet(meeting{v, x}) {
		return false // a member stopped, or came to another meeting
	}
	switch v.Op {
	case ir.Fold:
		m.kept[v] = m.given
	case ir.Gather, ir.Prefix, ir.Pass:
		m.regs[v.ID] = m.given[0]
	}
	return true
}

// fold joins the member's items of a range within each lane, and then joins the lanes.
func (m *machine) fold(v *ir.Value) (x []uint64, ok bool) {
	params, yield := v.Blocks[0].Params[1:], v.Blocks[0].Yield
	var lanes []meeting
	ok = m.items(v, func(lane int) bool {
		if lane == len(lanes) {
			lanes = append(lanes, meeting{})
			for _, a := range v.Args[1:] {
				lanes[lane].x = append(lanes[lane].x, m.regs[a.ID])
			}
		}
		for k, p := range params {
			m.regs[p.ID] = lanes[lane].x[k]
		}
		if !m.block(v.Blocks[0]) {
			return false
		}
		for k, y := range yield {
			lanes[lane].x[k] = m.regs[y.ID]
		}
		return true
	})
	for k, a := range v.Args[1:] {
		if len(lanes) == 0 {
			x = append(x, m.regs[a.ID])
		} else {
			x = append(x, joined(v, k, lanes))
		}
	}
	return x, ok
}
