package machine

import (
	"fmt"
	"math/bits"
	"strings"
)

// A mask has a bit for each thread of a warp.
type mask = uint32

// A warp is 32 threads, each of which has a program counter. Threads at the same instruction run it together.
type warp struct {
	g       *grid
	rows    [][warpSize]uint64
	written []mask // of each row: the threads that have written it
	pc      [warpSize]int
	live    mask // threads that have not ended
	waiting mask // threads at a barrier of the block
	arrived mask // threads at a shuffle, which wait for others
	at      int  // of the instruction that runs
	block   *blockOrder
	synced  [warpSize]int  // how often a thread has waited for others of its warp,
	with    [warpSize]mask // and for which the last time
	fenced  [warpSize]int  // one more than the barriers that a thread had met when it ran its last fence
}

func newWarp(g *grid, order *blockOrder, block, first int) *warp {
	e := g.entry
	w := &warp{g: g, block: order, rows: make([][warpSize]uint64, len(e.rows)), written: make([]mask, len(e.rows))}
	for n, r := range e.rows {
		if r.fixed != nil {
			w.rows[n], w.written[n] = *r.fixed, ^mask(0)
		}
	}
	for l := range warpSize {
		if first+l < g.launch.Threads {
			w.live |= 1 << l
		}
		for n, x := range []int{first + l, g.launch.Threads, block, g.launch.Blocks} { // see specials
			w.rows[n][l] = uint64(x)
		}
	}
	for n := range specials {
		w.written[n] = ^mask(0)
	}
	return w
}

// run runs threads until all have ended or wait at the barrier.
func (w *warp) run() error {
	for w.live != w.waiting {
		ready := w.live &^ w.waiting &^ w.arrived
		if ready == 0 {
			return w.fail(w.arrived, "threads %#x wait at a shuffle for others, which never come", w.arrived)
		}
		if err := w.together(ready); err != nil {
			return err
		}
	}
	return nil
}

// together runs the threads that are furthest behind, or sometimes others, until they part or may meet others.
func (w *warp) together(ready mask) error {
	pc := w.choose(ready)
	group, next := mask(0), len(w.g.entry.code)
	for s := ready; s != 0; s &= s - 1 {
		l := bits.TrailingZeros32(s)
		if w.pc[l] == pc {
			group |= 1 << l
		} else if w.pc[l] > pc {
			next = min(next, w.pc[l])
		}
	}
	for {
		to, group2, err := w.step(pc, group)
		if err != nil {
			return err
		}
		if to < 0 {
			return nil // they have parted, wait or have ended
		}
		group = group2
		if to <= pc || to >= next {
			for s := group; s != 0; s &= s - 1 {
				w.pc[bits.TrailingZeros32(s)] = to
			}
			return nil
		}
		pc = to
	}
}

// choose returns the instruction to go on at.
func (w *warp) choose(ready mask) int {
	if w.g.random.IntN(16) == 0 { // any thread: nothing may depend on who runs first
		for n := w.g.random.IntN(bits.OnesCount32(ready)); n > 0; n-- {
			ready &= ready - 1
		}
		return w.pc[bits.TrailingZeros32(ready)]
	}
	pc := len(w.g.entry.code)
	for s := ready; s != 0; s &= s - 1 {
		pc = min(pc, w.pc[bits.TrailingZeros32(s)])
	}
	return pc
}

// step runs an instruction for a group of threads, and returns the place to go on at. If the threads do not
// go on together, step sets their program counters and returns -1.
func (w *warp) step(pc int, group mask) (next int, still mask, err error) {
	if w.g.steps++; w.g.steps > maxSteps {
		return 0, 0, w.fail(group, "the launch does not end")
	}
	w.at = pc
	in := &w.g.entry.code[pc]
	on := group
	if in.guard >= 0 {
		p, err := w.predicate(in.guard, group)
		if err != nil {
			return 0, 0, err
		}
		if in.not {
			p = ^p
		}
		on &= p
	}
	if w.g.launch.Count != nil {
		w.g.launch.Count[in.op] += bits.OnesCount32(on)
	}
	set := func(threads mask, to int) {
		for s := threads; s != 0; s &= s - 1 {
			w.pc[bits.TrailingZeros32(s)] = to
		}
	}
	switch in.does {
	case branches:
		switch on {
		case 0:
			return pc + 1, group, nil
		case group:
			return in.target, group, nil
		}
		set(on, in.target)
		set(group&^on, pc+1)
		return -1, 0, nil
	case returns:
		w.live &^= on
		w.arrived = 0 // a shuffle does not wait for threads that have ended
		set(group&^on, pc+1)
		return -1, 0, nil
	case syncs, votes:
		if in.does == votes {
			if err := w.vote(in, on, group); err != nil {
				return 0, 0, err
			}
		}
		w.waiting |= on
		set(group, pc+1)
		return -1, 0, nil
	case fences:
		w.fence(on)
		return pc + 1, group, nil
	case shuffles:
		return w.shuffle(in, pc, on, group)
	}
	return pc + 1, group, w.do(in, on)
}

// predicate returns the threads for which a predicate is true.
func (w *warp) predicate(n int, group mask) (p mask, err error) {
	if err := w.defined(n, group); err != nil {
		return 0, err
	}
	for l, x := range w.rows[n] {
		p |= mask(x&1) << l
	}
	return p, nil
}

func (w *warp) defined(n int, group mask) error {
	if missing := group &^ w.written[n]; missing != 0 {
		return w.fail(missing, "register %s is read before it is written", w.g.entry.rows[n].name)
	}
	return nil
}

// do runs an instruction that moves no threads.
func (w *warp) do(in *instr, on mask) error {
	for _, n := range in.src {
		if err := w.defined(n, on); err != nil {
			return err
		}
	}
	for _, n := range in.dst {
		w.written[n] |= on
	}
	if in.pure != nil {
		w.compute(in, on)
		return nil
	}
	switch in.does {
	case packs:
		w.halves(in, on)
		return nil
	case shares:
		return w.share(in, on)
	case loadsParam:
		x := w.g.launch.Params[in.target]
		if in.bytes == 4 {
			x = uint64(uint32(x))
		}
		for s := on; s != 0; s &= s - 1 {
			w.rows[in.dst[0]][bits.TrailingZeros32(s)] = x
		}
		return nil
	}
	return w.global(in, on)
}

func (w *warp) compute(in *instr, on mask) {
	none := &w.rows[0]
	x, y, z := none, none, none
	for n, r := range in.src {
		*[]**[warpSize]uint64{&x, &y, &z}[n] = &w.rows[r]
	}
	dst, do := &w.rows[in.dst[0]], in.pure.do
	for s := on; s != 0; s &= s - 1 {
		l := bits.TrailingZeros32(s) & (warpSize - 1)
		dst[l] = do(x[l], y[l], z[l])
	}
}

func (w *warp) halves(in *instr, on mask) {
	for s := on; s != 0; s &= s - 1 {
		l := bits.TrailingZeros32(s)
		if in.op == "pack" {
			w.rows[in.dst[0]][l] = w.rows[in.src[1]][l]<<32 | w.rows[in.src[0]][l]
		} else {
			x := w.rows[in.src[0]][l]
			w.rows[in.dst[0]][l], w.rows[in.dst[1]][l] = uint64(uint32(x)), x>>32
		}
	}
}

// global loads, stores or joins in global memory.
func (w *warp) global(in *instr, on mask) error {
	what, mem := uint8(0), w.g.mem
	switch {
	case in.atomic != nil:
		what = wasStored
	case in.table:
		mem = w.g.constants
	case in.nc:
		what = wasReadOnce
	case len(in.src) == 2:
		what = wasStored
	}
	for s := on; s != 0; s &= s - 1 {
		l := bits.TrailingZeros32(s)
		at := w.rows[in.src[0]][l] + uint64(in.offset)
		b, err := mem.access(at, in.bytes, what)
		if err == nil && mem == w.g.mem && !strings.HasPrefix(in.op, "atom.") {
			err = w.order(at, l, len(in.dst) == 0)
		}
		if err != nil {
			return w.fail(1<<l, "%v", err)
		}
		switch {
		case in.atomic != nil:
			w.atomic(in, b, l)
		case in.op == "atom.global.inc.u32":
			old := get(b)
			if set(b, old+1); old >= w.rows[in.src[1]][l] {
				set(b, 0)
			}
			w.rows[in.dst[0]][l] = old
			w.release(l)
		case len(in.dst) == 0:
			set(b, w.rows[in.src[1]][l])
		default:
			x := get(b)
			if in.signed {
				x = uint64(uint32(signed(x, 8*uint(in.bytes))))
			}
			w.rows[in.dst[0]][l] = x
		}
	}
	return nil
}

// shuffle waits for all threads that take part. It gives each thread the value of the thread some places
// above, or its own value if there is none. Another form gives all of them the value of one thread, and a
// ballot the predicates of all. A bar.warp.sync has nothing to give.
func (w *warp) shuffle(in *instr, pc int, on, group mask) (next int, still mask, err error) {
	if on != group {
		return 0, 0, w.fail(group, "a shuffle that some threads of a warp do not take part in")
	}
	for _, n := range in.src {
		if err := w.defined(n, on); err != nil {
			return 0, 0, err
		}
	}
	w.arrived |= on
	for s := on; s != 0; s &= s - 1 {
		w.pc[bits.TrailingZeros32(s)] = pc
	}
	masks := w.rows[in.src[len(in.src)-1]]
	value := w.rows[in.src[0]]
	for left := on; left != 0; {
		members := mask(masks[bits.TrailingZeros32(left)])
		if left&members == 0 || members&on&^left != 0 {
			return 0, 0, w.fail(left, "a shuffle of the threads %#x, expected the thread among them, and the same of all of them", members)
		}
		here := mask(0)
		for s := w.arrived & members; s != 0; s &= s - 1 {
			if l := bits.TrailingZeros32(s); w.pc[l] == pc && mask(masks[l]) == members {
				here |= 1 << l
			}
		}
		left &^= members
		if here == w.live&members {
			if err := w.exchange(in, pc, here, value); err != nil {
				return 0, 0, err
			}
		}
	}
	return -1, 0, nil
}

// exchange lets threads go on from a shuffle that all of them have reached.
func (w *warp) exchange(in *instr, pc int, here mask, value [warpSize]uint64) error {
	var yes mask
	for s := here; s != 0 && in.op == ballot; s &= s - 1 {
		l := bits.TrailingZeros32(s)
		yes |= mask(value[l]) << l
	}
	for s := here; s != 0; s &= s - 1 {
		l := bits.TrailingZeros32(s)
		w.pc[l] = pc + 1
		if len(in.dst) == 0 {
			w.synced[l]++
			w.with[l] = here
			continue
		}
		if in.op == ballot {
			w.rows[in.dst[0]][l] = uint64(yes)
			continue
		}
		if w.rows[in.src[2]][l] != warpSize-1 {
			return w.fail(here, "a shuffle of a part of a warp, which is not in the subset")
		}
		from := l + int(min(w.rows[in.src[1]][l], warpSize))
		if in.op == "shfl.sync.idx.b32" {
			from = int(w.rows[in.src[1]][l] % warpSize)
		}
		switch {
		case from >= warpSize:
			from = l
		case here&(1<<from) == 0:
			w.rows[in.dst[0]][l] = unspecified & (1<<32 - 1)
			continue
		}
		w.rows[in.dst[0]][l] = value[from]
	}
	if len(in.dst) > 0 {
		w.written[in.dst[0]] |= here
	}
	w.arrived &^= here
	return nil
}

// fail returns an error that names the line and the first of the threads.
func (w *warp) fail(threads mask, format string, a ...any) error {
	in := w.g.entry.code[w.at]
	l := bits.TrailingZeros32(threads)
	return fmt.Errorf("machine: %s, line %d (%s), block %d, thread %d: %s", w.g.entry.name, in.line,
		strings.TrimSpace(w.g.entry.source[in.line-1]), w.rows[2][l], w.rows[0][l], fmt.Sprintf(format, a...))
}
