package ir

import "slices"

// Clone returns a copy of a kernel, whose values are its own.
func (k *Kernel) Clone() *Kernel {
	c := *k
	c.Scalars, c.Mems = slices.Clone(k.Scalars), slices.Clone(k.Mems)
	c.Apart = slices.Clone(k.Apart)
	of := map[*Value]*Value{}
	c.Setup = k.Setup.clone(of)
	c.Checks = append([]SpanCheck(nil), k.Checks...)
	for n := range c.Checks {
		s := &c.Checks[n]
		s.Base, s.Step, s.Limit, s.When = of[s.Base], of[s.Step], of[s.Limit], of[s.When]
	}
	c.Body = k.Body.clone(of)
	return &c
}

func (b *Block) clone(of map[*Value]*Value) *Block {
	return &Block{clones(b.Params, of), clones(b.Values, of), refer(b.Yield, of)}
}

func clones(values []*Value, of map[*Value]*Value) (out []*Value) {
	for _, v := range values {
		c := *v
		of[v] = &c
		c.Args = refer(v.Args, of)
		if v.Blocks != nil {
			c.Blocks = nil
			for _, b := range v.Blocks {
				c.Blocks = append(c.Blocks, b.clone(of))
			}
		}
		out = append(out, &c)
	}
	return out
}

// refer returns the copies of values.
func refer(values []*Value, of map[*Value]*Value) (out []*Value) {
	for _, v := range values {
		out = append(out, of[v])
	}
	return out
}
