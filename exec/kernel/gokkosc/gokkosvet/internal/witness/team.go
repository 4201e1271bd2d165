package witness

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A member is a member of a team.
type member struct {
	league, rank, leagues, size int64
	dims                        []int64
}

// A subGroup is the sub-group of a member.
type subGroup struct{ *member }

const subGroupSize = 32

// A spread is a range that a member shares with others, or that its lanes share.
type spread struct {
	member *member
	name   string
	dims   []value
}

func (m *machine) teamCall(i ssa.CallInstruction, f *types.Func, args []value) (value, bool) {
	if len(args) == 0 {
		return value{}, false
	}
	if f.Signature().Recv() != nil {
		return m.memberCall(f, args)
	}
	name := f.Name()
	if s, ok := args[0].x.(*spread); ok {
		switch {
		case name == "For" || strings.HasPrefix(name, "Reduce") || name == "Scan":
			m.spread(i, s, args[1])
			if name != "For" && !strings.HasPrefix(s.name, "VectorRange") {
				m.race.turn++
			}
			return value{}, true
		}
		return value{}, false
	}
	of := memberOf(args[0])
	if of == nil {
		return value{}, false
	}
	switch {
	case strings.HasSuffix(strings.TrimRight(name, "23"), "Range"):
		return value{id: 107, mark: item, x: &spread{of, name, args[1:]}}, true
	case strings.HasPrefix(name, "Single"):
		m.race.phase++
		rank := of.rank
		if isSubGroup(args[0]) {
			rank %= subGroupSize
		}
		var v value
		if c, ok := args[1].x.(*closure); ok && rank == 0 && c.fn != nil {
			v = m.call(c.fn, nil, c.bound, i)
		}
		m.race.turn++
		if name == "Single" {
			return v, true
		}
		return m.together(i, of, 0), true
	case strings.Contains(name, "Scratch"):
		return value{}, false
	}
	m.race.phase++
	rank := int64(0)
	if strings.Contains(name, "Scan") || strings.HasPrefix(name, "Shuffle") {
		rank = of.rank + 1
	}
	if _, _, marks := m.madeOf(0, args); marks&claim != 0 {
		m.claimed[i] = true
	}
	m.callBack(i, args, uint64(of.league), 1, item)
	if i.Common().Signature().Results().Len() == 0 {
		return value{}, true
	}
	return m.together(i, of, rank), true
}

// together returns an unknown value for the result that the members of a team compute together.
func (m *machine) together(i ssa.CallInstruction, of *member, rank int64) value {
	m.visits++
	shape := mix(109, m.visits)
	id := mix(mix(shape, uint64(of.league)), uint64(rank))
	marks := item
	if m.claimed[i] {
		marks |= claim
	}
	return m.unknown(i.Common().Signature().Results().At(0).Type(), id, shape, marks, "")
}

func isSubGroup(v value) bool {
	if b, ok := v.x.(value); ok && v.kind == boxed {
		v = b
	}
	if v.obj == nil {
		return false
	}
	_, is := v.obj.data.(*subGroup)
	return is
}

// memberOf returns the member that a value stands for, or nil.
func memberOf(v value) *member {
	if b, ok := v.x.(value); ok && v.kind == boxed {
		v = b
	}
	if v.obj == nil {
		return nil
	}
	switch d := v.obj.data.(type) {
	case *member:
		return d
	case *subGroup:
		return d.member
	}
	return nil
}

// alike returns a size, which all members have.
func alike(n int64) value { return value{kind: number, n: n, mark: made} }

// memberCall models the methods of members, sub-groups and ranges.
func (m *machine) memberCall(f *types.Func, args []value) (value, bool) {
	if s, ok := args[0].x.(*spread); ok && f.Name() == "All" {
		return value{kind: function, x: &closure{run: func(m *machine, args []value, at ssa.Instruction) value {
			m.spread(at, s, args[0])
			return value{}
		}}}, true
	}
	of := memberOf(args[0])
	if of == nil {
		return value{}, false
	}
	group := isSubGroup(args[0])
	own := func(n int64, name string) value {
		return value{kind: number, n: n, mark: item, shape: mixText(113, name)}
	}
	switch f.Name() {
	case "LeagueRank":
		return own(of.league, "league"), true
	case "LeagueSize":
		return alike(of.leagues), true
	case "Rank":
		if group {
			return own(of.rank%subGroupSize, "lane"), true
		}
		return own(of.rank, "rank"), true
	case "ID":
		return own(of.rank/subGroupSize, "group"), true
	case "Size":
		if group {
			return alike(min(of.size, subGroupSize)), true
		}
		return alike(of.size), true
	case "Count":
		return alike((of.size + subGroupSize - 1) / subGroupSize), true
	case "MaxSize":
		return alike(subGroupSize), true
	case "VectorLength":
		return alike(1), true
	case "LocalID":
		x, y := of.rank, int64(0)
		z := y
		if d := of.dims; len(d) == 2 && d[0] > 0 && d[1] > 0 {
			x, y, z = x%d[0], x/d[0]%d[1], x/d[0]/d[1]
		}
		return several(own(x, "rank"), own(y, "rank y"), own(z, "rank z")), true
	case "LocalSize":
		return several(alike(of.size), alike(1), alike(1)), true
	case "SubGroup":
		p := to(m.objectOf(mix(args[0].id, 127), 127))
		p.obj.data, p.mark = &subGroup{of}, item
		return p, true
	case "Barrier":
		m.race.phase++
		return value{}, true
	}
	return value{}, false
}

// spread calls a functor for each item of a range that the member has. Lanes begin with the same memory.
func (m *machine) spread(i ssa.Instruction, s *spread, functor value) {
	c, ok := functor.x.(*closure)
	if !ok || c.fn == nil || len(c.fn.Blocks) == 0 {
		return
	}
	total := int64(1)
	for _, d := range s.dims {
		total *= max(d.n, 0)
	}
	own := mixText(149, c.fn.String()) // accumulators are not those of the functor around it
	lanes := strings.Contains(s.name, "VectorRange")
	shared := s.name != "" && !strings.HasPrefix(s.name, "VectorRange")
	var stored []map[uint64]cell
	if lanes {
		m.race.tables = append(m.race.tables[:m.depth], map[uint64][]writer{})
	}
	for _, k := range along(0, total, 2*m.length, nil) {
		if shared && k%max(s.member.size, 1) != s.member.rank {
			continue
		}
		args := m.given(c.fn, s.index(k, c.fn), mix(own, uint64(k)))
		if lanes {
			stored = append(stored, m.lane(int(k), func() { m.call(c.fn, args, c.bound, i) }))
		} else {
			m.call(c.fn, args, c.bound, i)
		}
	}
	for _, cells := range stored {
		for key, c := range cells {
			m.mem.set(key, c)
		}
	}
}

// lane runs a lane, and returns the cells that the lane has stored.
func (m *machine) lane(k int, run func()) map[uint64]cell {
	r := m.race
	log, held := len(m.mem.log), slices.Clone(m.held)
	r.names, r.actors = append(r.names, fmt.Sprintf("lane %d", k)), append(r.actors, k)
	m.depth++
	run()
	m.depth--
	r.names, r.actors = r.names[:m.depth], r.actors[:m.depth]
	m.held = held
	now := map[uint64]cell{}
	m.mem.back(log, now)
	return now
}

// index returns an item of a range.
func (s *spread) index(k int64, fn *ssa.Function) value {
	own := func(n int64, of uint64) value { return value{kind: number, n: n, mark: item, shape: mix(131, of)} }
	if len(s.dims) == 1 {
		return own(k, 0)
	}
	list := make([]value, len(s.dims))
	for d := len(s.dims) - 1; d >= 0; d-- {
		list[d] = own(k%max(s.dims[d].n, 1), uint64(d))
		k /= max(s.dims[d].n, 1)
	}
	return several(list...)
}
