package pass

import "github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"

// region lowers an if or a loop of the team.
func (p *phaser) region(v *ir.Value) {
	p.flush()
	if v.Op == ir.If {
		p.branch(v)
	} else {
		p.loop(v)
	}
}

func (p *phaser) branch(v *ir.Value) {
	out := p.k.NewValue(ir.If, ir.None, p.get(v.Args[0], nil))
	out.Pos, p.of[v] = v.Pos, out
	before := p.block
	for n, b := range v.Blocks {
		own := &ir.Block{}
		out.Blocks = append(out.Blocks, own)
		p.block = own
		p.team(b.Values)
		var results []*ir.Value
		for m := range b.Yield {
			if r := p.resultOf(v, m); p.isKept(v, m) {
				if n == 0 {
					p.homes[r] = p.newHome(r.Type)
				}
				results = append(results, r)
			}
		}
		p.keep(results, b.Yield)
		p.flush()
		for m, y := range b.Yield {
			if !p.isKept(v, m) {
				own.Yield = append(own.Yield, p.get(y, nil))
			}
		}
	}
	p.block = before
	p.block.Values = append(p.block.Values, out)
}

// isKept reports whether result n of an if or a loop of the team may differ among members.
func (p *phaser) isKept(v *ir.Value, n int) bool {
	if v.Op == ir.Loop {
		return p.differ[v.Head().Params[n]]
	}
	return p.differ[v.Then().Yield[n]] || p.differ[v.Else().Yield[n]]
}

// resultOf returns a key of result n of a value: the parameter of a loop, or a key of its own.
func (p *phaser) resultOf(v *ir.Value, n int) *ir.Value {
	if v.Op == ir.Loop {
		return v.Head().Params[n]
	}
	if p.results == nil {
		p.results = map[place]*ir.Value{}
	}
	if p.results[place{v, n}] == nil {
		p.results[place{v, n}] = p.k.NewValue(ir.Result, v.Then().Yield[n].Type, v)
		p.results[place{v, n}].Index = n
	}
	return p.results[place{v, n}]
}

// result lowers a result of an if or a loop of the team.
func (p *phaser) result(r *ir.Value) {
	v, n := r.Args[0], r.Index
	if p.isKept(v, n) {
		p.homes[r] = p.homes[p.resultOf(v, n)]
		return
	}
	out := p.emit(p.block, ir.Result, r.Type, p.of[v])
	out.Name, p.to[r] = r.Name, out
	for m := range n {
		if !p.isKept(v, m) {
			out.Index++
		}
	}
}

func (p *phaser) loop(v *ir.Value) {
	out := p.k.NewValue(ir.Loop, ir.None)
	out.Pos, p.of[v] = v.Pos, out
	head, body := &ir.Block{}, &ir.Block{}
	out.Blocks = []*ir.Block{head, body}
	var kept, first []*ir.Value
	for n, q := range v.Head().Params {
		if p.isKept(v, n) {
			p.homes[q] = p.newHome(q.Type)
			kept, first = append(kept, q), append(first, v.Args[n])
			continue
		}
		c := p.k.NewValue(ir.Arg, q.Type)
		c.Name, c.Index = q.Name, len(head.Params)
		head.Params, out.Args = append(head.Params, c), append(out.Args, p.get(v.Args[n], nil))
		p.to[q] = c
	}
	p.keepAs(kept, first)
	p.flush()
	before := p.block
	p.block = head
	p.team(v.Head().Values)
	p.flush()
	head.Yield = []*ir.Value{p.get(v.Head().Yield[0], nil)}
	p.block = body
	p.team(v.LoopBody().Values)
	var next []*ir.Value
	for n, y := range v.LoopBody().Yield {
		if p.isKept(v, n) {
			next = append(next, y)
		} else {
			body.Yield = append(body.Yield, p.get(y, nil))
		}
	}
	p.keepAs(kept, next)
	p.flush()
	p.block = before
	p.block.Values = append(p.block.Values, out)
}
