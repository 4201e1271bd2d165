package witness

import "golang.org/x/tools/go/ssa"

// A code is the result of analyzing a function.
type code struct {
	fn        *ssa.Function
	number    int
	shapes    uint64 // tells what it makes apart
	registers map[ssa.Value]int
	after     [][]bool // the blocks that each way from a block leads through
}

func (p *Program) codeOf(fn *ssa.Function) *code {
	c := p.codes[fn]
	if c == nil {
		c = &code{fn: fn, number: len(p.codes), registers: map[ssa.Value]int{}, shapes: mixText(71, fn.String())}
		p.codes[fn] = c
		for _, v := range fn.Params {
			c.registers[v] = len(c.registers)
		}
		for _, b := range fn.Blocks {
			for _, i := range b.Instrs {
				if v, ok := i.(ssa.Value); ok {
					c.registers[v] = len(c.registers)
				}
			}
		}
	}
	return c
}

// meets returns the first block that all ways from a block lead through, or -1.
func (c *code) meets(block int) int {
	if c.after == nil {
		c.postdominate()
	}
	best, most := -1, -1
	for k, is := range c.after[block] {
		if !is || k == block {
			continue
		}
		n := 0
		for _, also := range c.after[k] {
			if also {
				n++
			}
		}
		if n > most {
			best, most = k, n
		}
	}
	return best
}

// postdominate finds the blocks that each way from a block to a return leads through.
func (c *code) postdominate() {
	n := len(c.fn.Blocks)
	c.after = make([][]bool, n)
	for k := range c.after {
		c.after[k] = make([]bool, n)
		for j := range n {
			c.after[k][j] = j == k || !c.returns(k)
		}
	}
	for changed := true; changed; {
		changed = false
		for k := n - 1; k >= 0; k-- {
			for j := range n {
				is := j == k
				if !is && !c.returns(k) {
					is = true
					for _, s := range c.fn.Blocks[k].Succs {
						is = is && c.after[s.Index][j]
					}
				}
				if is != c.after[k][j] {
					c.after[k][j], changed = is, true
				}
			}
		}
	}
}

// returns reports whether a function returns from a block.
func (c *code) returns(block int) bool {
	list := c.fn.Blocks[block].Instrs
	_, is := list[len(list)-1].(*ssa.Return)
	return is
}
