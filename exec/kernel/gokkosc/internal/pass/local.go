package pass

import "github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"

// A member has coordinates in the dimensions of its team. A loop over members that asks for them is one over
// rows, and within that one over the members of a row. If the kernel asks for the coordinates of rows as
// well, the loop over rows becomes one over planes. Within it is a loop over the rows of a plane. Coordinates
// count then, and take no division.

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

// isAlong reports whether a value is the number of the member's row in its plane, and isPlane whether it is the number of the
// plane.
func (p *phaser) isAlong(v *ir.Value) bool {
	return v.Op == ir.Rem && p.isRow(v.Args[0]) && p.isDim(v.Args[1], 1)
}

func (p *phaser) isPlane(v *ir.Value) bool {
	return v.Op == ir.Div && p.isRow(v.Args[0]) && p.isDim(v.Args[1], 1)
}

// isLocal reports whether a value is a coordinate of the member.
func (p *phaser) isLocal(v *ir.Value) bool {
	return p.isRow(v) || p.isColumn(v) || p.isAlong(v) || p.isPlane(v)
}

// counted are the counters of a loop over members that asks for coordinates. Those of planes may be nil.
type counted struct{ row, column, along, plane *ir.Value }

// local returns a coordinate of the member, which the loop over members counts from now on; nil if the value is none.
func (p *phaser) local(v *ir.Value) *ir.Value {
	s := p.seg
	if s.once || !p.isLocal(v) {
		return nil
	}
	counter := func(of **ir.Value, name string) *ir.Value {
		if *of == nil {
			*of = p.k.NewValue(ir.Arg, ir.I64)
			(*of).Name = name
		}
		return *of
	}
	row, column := counter(&s.row, "row"), counter(&s.column, "column")
	switch {
	case p.isRow(v):
		return row
	case p.isColumn(v):
		return column
	}
	along, plane := counter(&s.along, "along"), counter(&s.plane, "plane")
	if p.isAlong(v) {
		return along
	}
	return plane
}

// members closes the loop over members, whose body is written.
func (p *phaser) members(s *segment) {
	zero, one := p.integer(0), p.integer(1)
	if s.row == nil {
		p.close(p.block, s.rank, zero, p.size, one, nil, s.body, nil)
		return
	}
	columns := p.number(teamDim(0))
	row := &ir.Block{}
	first := p.emit(row, ir.Mul, ir.I64, s.row, columns)
	s.rank.Op, s.rank.Args = ir.Add, []*ir.Value{first, s.column}
	s.body.Values = append([]*ir.Value{s.rank}, s.body.Values...)
	p.close(row, s.column, zero, columns, one, nil, s.body, nil)
	if s.plane == nil {
		rows := p.emit(p.block, ir.Div, ir.I64, p.size, columns)
		p.close(p.block, s.row, zero, rows, one, nil, row, nil)
		return
	}
	plane, rows := &ir.Block{}, p.number(teamDim(1))
	before := p.emit(plane, ir.Mul, ir.I64, s.plane, rows)
	s.row.Op, s.row.Args = ir.Add, []*ir.Value{before, s.along}
	row.Values = append([]*ir.Value{s.row}, row.Values...)
	p.close(plane, s.along, zero, rows, one, nil, row, nil)
	p.close(p.block, s.plane, zero, p.number(teamDim(2)), one, nil, plane, nil)
}
