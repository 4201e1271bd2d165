package machine

import (
	"fmt"
	"math/bits"
	"strconv"
)

// Shared memory belongs to a block. Behind a barrier of the block, a thread may load values that another
// thread has stored. Only behind a barrier may it store to an address that another thread has stored to or
// loaded.

// maxShared is the number of bytes that a block can have without asking for more at its launch.
const maxShared = 48 << 10

// maxLaunched is the greatest number of bytes that a block can have.
const maxLaunched = 227 << 10

// A shared is the memory of a block.
type shared struct {
	bytes []byte
	cells []cell // of each byte
}

// A cell is who has used a byte, and behind how many barriers.
type cell struct{ stored, loaded use }

// A use is by threads of a warp, or of several.
type use struct {
	by      mask // the threads; 0: nobody
	warp    *warp
	several bool
	barrier int
	synced  int  // how often the threads had waited for others of their warp
	atomic  bool // by atomic operations
}

// others reports whether another thread was at it that has met this one neither at a barrier nor in their warp.
func (u *use) others(w *warp, l int) bool {
	if u.by == 0 || u.barrier != w.block.barriers {
		return false
	}
	others := u.by &^ (1 << l)
	return u.several || u.warp != w || others != 0 && (others&^w.with[l] != 0 || u.synced >= w.synced[l])
}

// take notes a use.
func (u *use) take(w *warp, l int, atomic bool) {
	if u.others(w, l) {
		u.several = u.several || u.warp != w
		u.by |= 1 << l
		u.synced = max(u.synced, w.synced[l])
		u.atomic = u.atomic && atomic
		return
	}
	*u = use{1 << l, w, false, w.block.barriers, w.synced[l], atomic}
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
		b, err := w.shared(in, w.rows[in.src[0]][l]+uint64(in.offset), l)
		switch {
		case err != nil:
			return w.fail(1<<l, "%v", err)
		case in.atomic != nil:
			w.atomic(in, b, l)
		case len(in.dst) == 0:
			set(b, w.rows[in.src[1]][l])
		case in.signed:
			w.rows[in.dst[0]][l] = uint64(uint32(signed(get(b), 8*uint(in.bytes))))
		default:
			w.rows[in.dst[0]][l] = get(b)
		}
	}
	return nil
}

// shared returns bytes of shared memory for a thread.
func (w *warp) shared(in *instr, at uint64, l int) ([]byte, error) {
	bytes, stores, atomic, volatile := in.bytes, len(in.dst) == 0, in.atomic != nil || in.volatile, in.volatile

	m := w.block.shared
	if at%uint64(bytes) != 0 || at > uint64(len(m.bytes)) || uint64(len(m.bytes))-at < uint64(bytes) {
		return nil, fmt.Errorf("%d bytes at %#x of shared memory, which has %d", bytes, at, len(m.bytes))
	}
	for k := at; k < at+uint64(bytes); k++ {
		c := &m.cells[k]
		switch {
		case !stores && c.stored.by == 0:
			return nil, fmt.Errorf("byte %#x of shared memory is loaded before it is stored", k)
		case c.stored.others(w, l) && !(atomic && c.stored.atomic):
			return nil, fmt.Errorf("byte %#x of shared memory was stored by another thread, without a barrier", k)
		case (stores || atomic) && !volatile && c.loaded.others(w, l):
			return nil, fmt.Errorf("byte %#x of shared memory was loaded by another thread, without a barrier", k)
		case volatile: // by which nobody learns of other stores
		case stores || atomic:
			c.stored.take(w, l, atomic)
		default:
			c.loaded.take(w, l, false)
		}
	}
	return m.bytes[at : at+uint64(bytes)], nil
}

func init() {
	doing["ld.volatile.shared.u32"] = shares
	forms["ld.volatile.shared.u32"] = func(p *parser, in *instr) {
		forms["ld.shared.u32"](p, in)
		in.volatile = true
	}
	for typ, m := range elements {
		doing["ld.shared."+typ], doing["st.shared."+typ] = shares, shares
		forms["ld.shared."+typ] = func(p *parser, in *instr) {
			in.bytes, in.signed, in.dst = m.bytes, typ[0] == 's', []int{p.register(m.class)}
			p.expect(",")
			p.address(in)
		}
		if typ[0] != 's' {
			forms["st.shared."+typ] = func(p *parser, in *instr) {
				in.bytes = m.bytes
				p.address(in)
				p.expect(",")
				in.src = append(in.src, p.register(m.class))
			}
		}
	}
}
