package asm

// A flow is the instructions of a function in blocks: control enters one at its first instruction only, and leaves it at
// its last.
type flow struct {
	list   []*Instr
	blocks []block
	at     map[string]int // the block that a label begins
}

// A block is instructions from one to before another.
type block struct {
	from, to int
	next     []int // the blocks that may follow
}

// flow returns the blocks of a function. All labels of jumps must exist.
func (f *Function) flow() *flow {
	w := &flow{list: f.list, at: map[string]int{}}
	for n, i := range f.list {
		if n == 0 || i.Label != "" || f.list[n-1].jumps || f.list[n-1].ends {
			w.blocks = append(w.blocks, block{from: n})
		}
		if i.Label != "" {
			w.at[i.Label] = len(w.blocks) - 1
		}
		w.blocks[len(w.blocks)-1].to = n + 1
	}
	for n := range w.blocks {
		b := &w.blocks[n]
		last := f.list[b.to-1]
		if last.jumps {
			b.next = append(b.next, w.at[last.Args[0].text])
		}
		if !last.ends && n+1 < len(w.blocks) {
			b.next = append(b.next, n+1)
		}
	}
	return w
}

// solve calls visit for the first block, and then for each block whose predecessors' state has changed. Of
// several such blocks the first one in the function is next, so that blocks without loops are visited once.
// Visit computes the state behind a block. meet adds that state to the state in front of another block, and
// reports whether the latter has changed.
func (w *flow) solve(visit func(block int), meet func(from, to int) (changed bool)) {
	waits := make([]bool, len(w.blocks))
	waits[0] = true
	for n := 0; n < len(w.blocks); {
		if !waits[n] {
			n++
			continue
		}
		waits[n] = false
		visit(n)
		first := n
		for _, to := range w.blocks[n].next {
			if meet(n, to) {
				waits[to], first = true, min(first, to)
			}
		}
		n = first
	}
}
