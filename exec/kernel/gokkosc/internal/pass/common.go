package pass

import (
	"fmt"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// Common removes a value that was computed before, and a check that was asked before.
func Common(k *ir.Kernel) {
	c := &common{k: k, to: replacement{}, known: map[string]*ir.Value{}, version: make([]int, len(k.Mems))}
	c.block(k.Setup)
	c.block(k.Body)
	c.to.all(k)
}

type common struct {
	k       *ir.Kernel
	to      replacement
	known   map[string]*ir.Value
	undo    []string // keys of known, to be forgotten at the end of a block
	version []int    // of the contents of each memory
	stores  int
}

// block replaces values of a block by equal ones before them. It forgets the values of the block.
func (c *common) block(b *ir.Block) {
	from := len(c.undo)
	c.open(b)
	c.forget(from)
}

func (c *common) forget(from int) {
	for _, key := range c.undo[from:] {
		delete(c.known, key)
	}
	c.undo = c.undo[:from]
}

// open replaces values of a block, and leaves them known.
func (c *common) open(b *ir.Block) {
	var out []*ir.Value
	for _, v := range b.Values {
		c.to.list(v.Args)
		switch v.Op {
		case ir.If:
			c.inner(v)
		case ir.Loop:
			c.loop(v)
		case ir.Store, ir.Atomic, ir.Meet, ir.Wait:
			c.clobber(v)
		default:
			if v.Op == ir.And && has(v.Args[0], v.Args[1]) { // conditions that were computed twice
				c.to[v] = v.Args[0]
				continue
			}
			if key := c.key(v); key != "" {
				if same := c.known[key]; same != nil {
					c.to[v] = same
					if same.Name == "" {
						same.Name = v.Name
					}
					continue
				}
				c.known[key] = v
				c.undo = append(c.undo, key)
			}
		}
		out = append(out, v)
	}
	b.Values = out
	c.to.list(b.Yield)
}

// has reports whether a conjunction has a value in it, or is that.
func has(v, x *ir.Value) bool {
	return v == x || v.Op == ir.And && v.Type == ir.Bool && (has(v.Args[0], x) || has(v.Args[1], x))
}

func (c *common) inner(v *ir.Value) {
	for _, b := range v.Blocks {
		c.block(b)
	}
	c.clobber(v)
}

func (c *common) loop(v *ir.Value) {
	c.clobber(v) // of rounds before
	from := len(c.undo)
	c.open(v.Head())
	c.block(v.LoopBody())
	c.forget(from)
	c.clobber(v)
}

// clobber forgets the loads of memories that a value may change.
func (c *common) clobber(v *ir.Value) {
	changes := changesOf(c.k, v)
	c.stores++
	for mem := range c.version {
		if changes.of(mem) {
			c.version[mem] = c.stores
		}
	}
}

// key returns a key that equal values share, or "" if nothing is known.
func (c *common) key(v *ir.Value) string {
	extra := 0
	switch {
	case v.Op == ir.Load:
		extra = c.version[v.Index]
	case v.Op == ir.Check, v.Op.Pure():
	default:
		return ""
	}
	var s strings.Builder
	fmt.Fprintf(&s, "%d %d %d %d %t %s %d", v.Op, v.Type, v.Index, v.Bits, v.Unsigned, v.Func, extra)
	for _, a := range v.Args {
		fmt.Fprintf(&s, " %d", c.to.get(a).ID)
	}
	return s.String()
}
