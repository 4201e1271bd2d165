package pass

import (
	"fmt"
	"go/token"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// Phases turns the body of a kernel by member into the body of a team: loops over members, which end at each
// meeting.
//
// Values that are the same for all members are computed once for the team. All others stand in loops over
// members, one for each phase. A range that is spread over members is one loop over all its items, in their
// order. Items of different members do not depend on one another. A range whose items depend on their member
// is the exception. An if and a loop with such a range or a meeting in it stay outside of loops over members.
// A value that a member uses in several phases is kept in an array, with an element for each member. If the
// value is cheap, it is computed again.
//
// Phases returns a [Refusal] if some members of a team might miss a meeting.
func Phases(k *ir.Kernel) error { return phases(&phaser{k: k}) }

// PhasesInLanes is Phases with reductions for vectors, if the number of lanes is a power of two. Such a
// reduction is a loop marked [ir.InLanes], whose rounds join into lanes in turn. Reductions at the positions
// in except are as in Phases.
func PhasesInLanes(k *ir.Kernel, except map[token.Position]bool) error {
	return phases(&phaser{k: k, inLanes: true, except: except})
}

func phases(p *phaser) (err error) {
	k := p.k
	defer func() {
		if r := recover(); r != nil {
			refusal, ok := r.(*Refusal)
			if !ok {
				panic(r)
			}
			err = refusal
		}
	}()
	p.differ, p.to, p.homes, p.defined = differs(k), map[*ir.Value]*ir.Value{}, map[*ir.Value]*home{}, map[*ir.Value]*segment{}
	p.askedByMembers = askedByMembers(k, p.differ)
	p.of, p.room, p.folds = map[*ir.Value]*ir.Value{}, map[ir.Type]int{}, map[*ir.Value][]*ir.Value{}
	for _, v := range k.Setup.Values {
		p.to[v] = v
	}
	p.size, p.vector = p.number(ir.TeamSize), p.number(ir.VectorLength)
	k.Body.Walk(func(v *ir.Value) {
		if v.Op == ir.Fold && v.Meets() || len(v.Blocks) == 0 && v.Meets() {
			k.Meets++
		}
	})
	for _, m := range k.Mems {
		if m.Far {
			p.refuse(k.Pos, "the functor of a team has an accumulator in memory", "accumulate numbers, or short structs and arrays of these")
		}
	}
	body := &ir.Block{}
	p.block = body
	p.memories()
	p.team(k.Body.Values)
	p.store(k.Body.Params, k.Body.Yield)
	k.Body, k.Accs, k.Team = body, nil, ir.ByTeam
	k.Room = p.words
	return nil
}

// team lowers values of a block that all members run.
func (p *phaser) team(values []*ir.Value) {
	for _, v := range values {
		switch {
		case v.Op == ir.Meet:
			p.flush()
		case v.Op == ir.Gather:
			p.gather(v)
		case v.Op == ir.Prefix:
			p.prefix(v)
		case v.Op == ir.Pass:
			p.pass(v)
		case v.Op == ir.Each:
			p.each(v)
		case v.Op == ir.Fold && ir.Level(v.Index) != ir.OverVector:
			p.fold(v)
		case v.Op == ir.Result && v.Args[0].Op != ir.Fold && p.of[v.Args[0]] != nil:
			p.result(v)
		case (v.Op == ir.If || v.Op == ir.Loop) && p.ofTeam(v):
			p.region(v)
		case p.single(v):
			p.onlyFirst(v)
		case p.differ[v] || anyOfBlocks(v, p.differ):
			p.member(v)
		default:
			p.same(v)
		}
	}
}

// ofTeam reports whether an if or a loop stays outside of loops over members.
func (p *phaser) ofTeam(v *ir.Value) bool {
	cond := v.Args
	if v.Op == ir.Loop {
		cond = v.Head().Yield
	}
	if p.differ[cond[0]] && v.Op == ir.If || v.Op == ir.Loop && p.differ[cond[0]] {
		p.refuseMeetings(v, cond[0])
		return false
	}
	return v.Nested()
}

// refuseMeetings refuses meetings in a branch or a loop that not all members run alike.
func (p *phaser) refuseMeetings(v, cond *ir.Value) {
	for _, b := range v.Blocks {
		b.Walk(func(x *ir.Value) {
			if x.Meets() && len(x.Blocks) == 0 || x.Op == ir.Fold && x.Meets() {
				what := "a condition"
				if v.Op == ir.Loop {
					what = "a loop"
				}
				p.refuse(x.Pos, fmt.Sprintf("the members of a team meet here, under %s of line %d that may differ among them", what, v.Pos.Line), "let all members decide alike, as by team.AllReduce")
			}
		})
	}
}

// same lowers a value that is the same for all members. The value goes in front of the loop over members, if
// nothing in that loop could change it. Else that loop ends, or each member loads the value.
func (p *phaser) same(v *ir.Value) {
	if s := p.seg; s != nil {
		types := stored(v)
		writes, loads, checks := types != [ir.Bool + 1]bool{}, loadedTypes(v), false
		for t, is := range loads {
			checks = checks || is && s.checks
			writes = writes || is && s.stored[t]
		}
		switch {
		case !writes && !checks:
		case p.askedByMembers[v]:
			p.member(v)
			return
		default:
			p.flush()
		}
	}
	p.copy(v, p.block, &scope{local: p.to})
}

// loadedTypes returns the types of the elements that a value and the values in its blocks load.
func loadedTypes(v *ir.Value) (types [ir.Bool + 1]bool) {
	note := func(v *ir.Value) {
		if v.Op == ir.Load {
			types[v.Type] = true
		}
	}
	note(v)
	for _, b := range v.Blocks {
		b.Walk(note)
	}
	return types
}

// member lowers a value in the loop over members.
func (p *phaser) member(v *ir.Value) {
	s := p.segment()
	if x := p.local(v); x != nil {
		s.scope.local[v], p.defined[v] = x, s
		return
	}
	p.copy(v, s.body, s.scope)
	p.defined[v] = s
	for t, is := range stored(v) {
		s.stored[t] = s.stored[t] || is
	}
	s.checks = s.checks || checks(v)
}

// single reports whether member 0 alone computes a value, and gives the others no result.
func (p *phaser) single(v *ir.Value) bool {
	return v.Op == ir.If && isFirst(v.Args[0]) && len(v.Then().Yield) == 0 && len(v.Else().Values) == 0
}

func isFirst(cond *ir.Value) bool {
	return cond.Op == ir.Eq && cond.Args[0].Op == ir.Member && isConst(cond.Args[1], 0)
}

func (p *phaser) onlyFirst(v *ir.Value) {
	p.flush()
	s := p.segment()
	s.once, s.rank = true, p.integer(0)
	for _, x := range v.Then().Values {
		p.copy(x, s.body, s.scope)
	}
	p.flush()
}
