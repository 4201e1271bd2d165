package trial

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/interp"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/machine"
)

// A way is an entry, and how it is launched.
type way struct {
	entry           string
	index           []uint64 // the parameters that say which index an item has
	blocks, threads int
	points          bool // of rows, which it runs point by point
}

// device runs a case on the machine, as a space does on a card.
func (k *Kernel) device(params []any, c Case, by way) (*outcome, error) {
	args, err := interp.Bind(k.IR, params...)
	if err != nil {
		return nil, err
	}
	bound, err := interp.Bind(k.Code.IR, params...) // the same memory: passes leave out unused ones
	if err != nil {
		return nil, err
	}
	out := &outcome{args: args, status: none}
	mem := &machine.Memory{}
	flag := make([]uint64, 1)
	status := []uint64{none, mem.Map(bytesOf(flag))}
	values := append(slices.Clone(by.index), uint64(c.First), uint64(c.Items), mem.Map(bytesOf(status)))
	count := 0
	var outs, roots [][]byte
	if k.IR.Index.Row || len(k.IR.Accs) > 0 {
		values = append(values, uint64(c.Leaf))
	}
	if len(k.IR.Accs) > 0 {
		values = append(values, uint64(c.Lanes), mem.Map(bytesOf(make([]uint64, 1))))
		count = (max(c.Items-c.First, 0) + c.Leaf - 1) / c.Leaf
	}
	each := 1 // values of a leaf
	if c.apart() {
		each, count = c.Lanes, count*c.Lanes
	}
	for n, a := range k.IR.Accs {
		b := bytesOf(make([]uint64, count*a.Elem.Bytes()/8+1))[:count*a.Elem.Bytes()]
		outs = append(outs, b)
		at := mem.Map(b) - uint64(c.First/max(c.Leaf, 1)*each*a.Elem.Bytes()) // leaves keep their numbers
		root := bytesOf(make([]uint64, 1))
		roots = append(roots, root)
		values = append(values, at, mem.Map(root), c.Identities[n], uint64(c.Joins[n]))
	}
	values = append(values, bound.Scalars()...)
	for n := range k.Code.IR.Captured() {
		values = append(values, mem.Map(bound.Memory(n)))
	}
	for at := c.First; at < max(c.Items, c.First+1); at += by.blocks * by.threads {
		values[len(by.index)] = uint64(at) // a thread runs one item, unless it strides, and of reductions
		err = k.Module.Run(mem, machine.Launch{Entry: by.entry, Blocks: by.blocks, Threads: by.threads, Params: values, Seed: c.Seed})
		if err != nil {
			return nil, err
		}
		if len(k.IR.Accs) > 0 || by.entry == k.Code.Plain || by.entry == k.Code.Entry && k.Code.Strides {
			break
		}
	}
	if (status[0] != none) != (flag[0] != 0) {
		return nil, fmt.Errorf("the status is %#x, and the flag %#x", status[0], flag[0])
	}
	if status[0] != none {
		status[0] >>= 16
	}
	out.status = status[0]
	for n, a := range k.IR.Accs {
		if count > 0 {
			out.root = append(out.root, extended(a.Elem, load(roots[n], a.Elem.Bytes())))
		} else {
			out.root = append(out.root, 0)
		}
		var v column
		for l := range count {
			v = append(v, extended(a.Elem, load(outs[n][l*a.Elem.Bytes():], a.Elem.Bytes())))
		}
		out.leaves = append(out.leaves, v)
	}
	return out, nil
}

func bytesOf(x []uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), 8*len(x))
}
