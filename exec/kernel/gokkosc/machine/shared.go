package machine

import (
	"fmt"
	"math/bits"
	"strconv"
)

// Shared memory is that of a block. What a thread has stored another one may load behind a barrier of the block, and what
// a thread has stored or loaded another one may store to behind one.

// maxShared is how many bytes a block can have without asking for more at its launch.
const maxShared = 48 << 10

// A shared is the memory of a block.
type shared struct {
	bytes []byte
	cells []cell // of each byte
}

// A cell is who has used a byte, and behind how many barriers.
type cell struct{ stored, loaded use }

// A use is by a thread, or by several.
type use struct {
	by      int // the thread and 1; 0 is none
	several bool
	barrier int
}

// others reports whether another thread than by was at it behind the same barrier.
func (u *use) others(by, barrier int) bool {
	return u.by != 0 && u.barrier == barrier && (u.several || u.by != by)
}

// take notes a use.
func (u *use) take(by, barrier int) {
	u.several = u.others(by, barrier)
	u.by, u.barrier = by, barrier
}

func newShared(bytes int) *shared { return &shared{make([]byte, bytes), make([]cell, bytes)} }

// array reads the declaration of an array in shared memory, ".shared .align 8 .b8 x[64];".
func (p *parser) array() {
	p.expect(".shared", ".align", "8", ".b8")
	name := p.name()
	if _, twice := p.e.arrays[name]; twice {
		p.fail("array %s is there twice", name)
	}
	p.expect("[")
	n, err := strconv.Atoi(p.take())
	if err != nil || n < 1 || p.e.shared+n > maxShared {
		p.fail("array %s has no number of bytes, or there are more than %d", name, maxShared)
	}
	p.expect("]", ";")
	p.e.arrays[name] = uint64(p.e.shared)
	p.e.shared += (n + 7) &^ 7
}

// share loads from or stores to shared memory.
func (w *warp) share(in *instr, on mask) error {
	for s := on; s != 0; s &= s - 1 {
		l := bits.TrailingZeros32(s)
		b, err := w.shared(w.rows[in.src[0]][l]+uint64(in.offset), in.bytes, l, len(in.dst) == 0)
		switch {
		case err != nil:
			return w.fail(1<<l, "%v", err)
		case len(in.dst) == 0:
			set(b, w.rows[in.src[1]][l])
		default:
			w.rows[in.dst[0]][l] = get(b)
		}
	}
	return nil
}

// shared returns bytes of shared memory for a thread.
func (w *warp) shared(at uint64, bytes, l int, stores bool) ([]byte, error) {
	m, thread, now := w.block.shared, int(w.rows[0][l])+1, w.block.barriers
	if at%uint64(bytes) != 0 || at > uint64(len(m.bytes)) || uint64(len(m.bytes))-at < uint64(bytes) {
		return nil, fmt.Errorf("%d bytes at %#x of shared memory, which has %d", bytes, at, len(m.bytes))
	}
	for k := at; k < at+uint64(bytes); k++ {
		c := &m.cells[k]
		switch {
		case !stores && c.stored.by == 0:
			return nil, fmt.Errorf("byte %#x of shared memory is loaded before it is stored", k)
		case c.stored.others(thread, now):
			return nil, fmt.Errorf("byte %#x of shared memory was stored by another thread, without a barrier", k)
		case stores && c.loaded.others(thread, now):
			return nil, fmt.Errorf("byte %#x of shared memory was loaded by another thread, without a barrier", k)
		case stores:
			c.stored.take(thread, now)
		default:
			c.loaded.take(thread, now)
		}
	}
	return m.bytes[at : at+uint64(bytes)], nil
}

func init() {
	for typ, class := range map[string]byte{"f64": 'd', "f32": 'f', "u64": 'l', "u32": 'w'} {
		bytes := map[byte]int{'d': 8, 'f': 4, 'l': 8, 'w': 4}[class]
		doing["ld.shared."+typ], doing["st.shared."+typ] = shares, shares
		forms["ld.shared."+typ] = func(p *parser, in *instr) {
			in.bytes, in.dst = bytes, []int{p.register(class)}
			p.expect(",")
			p.address(in)
		}
		forms["st.shared."+typ] = func(p *parser, in *instr) {
			in.bytes = bytes
			p.address(in)
			p.expect(",")
			in.src = append(in.src, p.register(class))
		}
	}
}
