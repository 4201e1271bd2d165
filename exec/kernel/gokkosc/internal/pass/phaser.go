package pass

import (
	"fmt"
	"go/token"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// A phaser makes a kernel by team.
type phaser struct {
	k              *ir.Kernel
	differ         map[*ir.Value]bool
	to             map[*ir.Value]*ir.Value // stand-ins of values that are the same for all members
	homes          map[*ir.Value]*home     // where other values are kept
	defined        map[*ir.Value]*segment  // in which they stand
	of             map[*ir.Value]*ir.Value // ifs and loops of the team
	block          *ir.Block               // of the team, which is written
	seg            *segment                // the loop over members behind it; nil: none
	size           *ir.Value               // members of a team
	vector         *ir.Value               // vector lanes of a member
	room           map[ir.Type]int         // memories for kept values
	words          [3]int                  // of those, see [ir.Kernel.Room]
	results        map[place]*ir.Value     // keys of homes
	folds          map[*ir.Value][]*ir.Value
	askedByMembers map[*ir.Value]bool
	inLanes        bool
	except         map[token.Position]bool
}

// A segment is a loop over members.
type segment struct {
	*scope
	body   *ir.Block
	first  []*ir.Value // values computed in front of the body
	stored [ir.Bool + 1]bool
	checks bool
	once   bool // member 0 alone runs it, without a loop

	counted
}

// A scope maps values of the kernel to the values that stand for them in a part of the new body.
type scope struct {
	local map[*ir.Value]*ir.Value
	rank  *ir.Value // of the member that computes; nil: none does
}

// A home is an array with an element for each member.
type home struct {
	mem    int
	base   *ir.Value
	stride int
}

// number returns a scalar that is a part of the team.
func (p *phaser) number(path []ir.Step) *ir.Value {
	param := len(p.k.Params) - 1
	for n, s := range p.k.Scalars {
		if p.k.PathString(s.Param, s.Path) == p.k.PathString(param, path) {
			for _, v := range p.k.Setup.Values {
				if v.Op == ir.Uniform && v.Index == n {
					return v
				}
			}
		}
	}
	v := p.k.NewValue(ir.Uniform, ir.I64)
	v.Index = len(p.k.Scalars)
	p.k.Scalars = append(p.k.Scalars, ir.Scalar{Param: param, Path: path, Type: ir.I64, GoType: "int"})
	p.k.Setup.Values = append(p.k.Setup.Values, v)
	p.to[v] = v
	return v
}

func (p *phaser) constant(t ir.Type, bits uint64) *ir.Value {
	v := constant(p.k, t, bits)
	p.to[v] = v
	return v
}

func (p *phaser) integer(n int) *ir.Value { return p.constant(ir.I64, uint64(n)) }

// emit appends a value to a block.
func (p *phaser) emit(b *ir.Block, op ir.Op, t ir.Type, args ...*ir.Value) *ir.Value {
	v := p.k.NewValue(op, t, args...)
	b.Values = append(b.Values, v)
	return v
}

// A Refusal is the reason why a kernel of teams is not compiled.
type Refusal struct {
	Pos          token.Position
	Reason, Help string
}

func (r *Refusal) Error() string { return fmt.Sprintf("%v: %s; %s", r.Pos, r.Reason, r.Help) }

func (p *phaser) refuse(at token.Position, reason, help string) {
	panic(&Refusal{at, reason, help})
}

// segment returns the loop over members.
func (p *phaser) segment() *segment {
	if p.seg == nil {
		rank := p.k.NewValue(ir.Arg, ir.I64)
		rank.Name = "rank"
		p.seg = &segment{scope: &scope{map[*ir.Value]*ir.Value{}, rank}, body: &ir.Block{}}
	}
	return p.seg
}

// flush ends the loop over members.
func (p *phaser) flush() {
	s := p.seg
	if p.seg = nil; s == nil {
		return
	}
	values := append(s.first, s.body.Values...)
	if s.once {
		p.block.Values = append(p.block.Values, values...)
		return
	}
	s.body.Values = values
	p.members(s)
}
