package pass

import "github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"

// A member has coordinates in the dimensions of its team. A loop over members that asks for them is one over rows, and within
// that one over the members of a row: coordinates count then, and take no division.

// teamDim is where a dimension of a team is in its parameter.
func teamDim(n int) []ir.Step {
	return []ir.Step{{Kind: ir.Field, Field: "Shape"}, {Kind: ir.Field, Field: "Dims"}, {Kind: ir.Elem, N: n}}
}

// isDim reports whether a value is a dimension of the team.
func (p *phaser) isDim(v *ir.Value, n int) bool {
	if v.Op != ir.Uniform {
		return false
	}
	s := p.k.Scalars[v.Index]
	param := len(p.k.Params) - 1
	return s.Param == param && p.k.PathString(param, s.Path) == p.k.PathString(param, teamDim(n))
}

// isRow reports whether a value is the number of the member's row, and isColumn whether it is its number there.
func (p *phaser) isRow(v *ir.Value) bool {
	return v.Op == ir.Div && v.Args[0].Op == ir.Member && p.isDim(v.Args[1], 0)
}

func (p *phaser) isColumn(v *ir.Value) bool {
	return v.Op == ir.Rem && v.Args[0].Op == ir.Member && p.isDim(v.Args[1], 0)
}

// ofRow reports whether a value is a coordinate that all members of a row share.
func (p *phaser) ofRow(v *ir.Value) bool {
	return p.isRow(v) || (v.Op == ir.Div || v.Op == ir.Rem) && p.isRow(v.Args[0]) && p.isDim(v.Args[1], 1)
}

// local returns a coordinate of the member, which the loop over members counts from now on; nil if the value is none.
func (p *phaser) local(v *ir.Value) *ir.Value {
	s := p.seg
	if s.once || !p.isRow(v) && !p.isColumn(v) {
		return nil
	}
	if s.row == nil {
		for _, c := range []**ir.Value{&s.row, &s.column} {
			*c = p.k.NewValue(ir.Arg, ir.I64)
		}
		s.row.Name, s.column.Name, s.columns = "row", "column", p.number(teamDim(0))
	}
	if p.isRow(v) {
		return s.row
	}
	return s.column
}

// members closes the loop over members, whose body is written.
func (p *phaser) members(s *segment) {
	zero, one := p.integer(0), p.integer(1)
	if s.row == nil {
		p.close(p.block, s.rank, zero, p.size, one, nil, s.body, nil)
		return
	}
	rows := p.emit(p.block, ir.Div, ir.I64, p.size, s.columns)
	row := &ir.Block{}
	first := p.emit(row, ir.Mul, ir.I64, s.row, s.columns)
	s.rank.Op, s.rank.Args = ir.Add, []*ir.Value{first, s.column}
	s.body.Values = append([]*ir.Value{s.rank}, s.body.Values...)
	p.close(row, s.column, zero, s.columns, one, nil, s.body, nil)
	p.close(p.block, s.row, zero, rows, one, nil, row, nil)
}
