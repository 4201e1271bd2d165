package machine

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// specials are the special registers that there are.
var specials = []string{"%tid.x", "%ntid.x", "%ctaid.x", "%nctaid.x"}

// The actions of instructions, other than computing a value.
const (
	accesses = iota // memory
	branches
	returns
	syncs
	votes
	fences
	shuffles
	packs
	shares
	loadsParam
)

// ballot gives threads of a warp a bit of each, from the lowest on.
const ballot = "vote.sync.ballot.b32"

var doing = map[string]uint8{"bra": branches, "ret": returns, "bar.sync": syncs, "bar.red.or.pred": votes, "bar.warp.sync": shuffles, "fence.acq_rel.gpu": fences, "shfl.sync.down.b32": shuffles, "shfl.sync.idx.b32": shuffles, ballot: shuffles, "pack": packs, "unpack": packs}

// instruction reads an instruction with its operands.
func (p *parser) instruction() {
	in := instr{guard: -1, line: p.tokens[p.next].line}
	if p.accept("@") {
		in.not = p.accept("!")
		in.guard = p.register('p')
	}
	in.op = p.take()
	if f := forms[in.op]; f != nil {
		f(p, &in)
	} else {
		p.operation(&in)
	}
	in.does = doing[in.op]
	if strings.HasPrefix(in.op, "ld.param") {
		in.does = loadsParam
	}
	p.expect(";")
	p.e.code = append(p.e.code, in)
}

// operation reads the operands of an instruction that computes a value and does nothing else.
func (p *parser) operation(in *instr) {
	op, ok := table[in.op]
	if !ok {
		p.fail("instruction %q is not in the subset", in.op)
	}
	in.pure = op
	in.dst = []int{p.register(op.sig[0])}
	for k := 1; k < len(op.sig); k++ {
		p.expect(",")
		in.src = append(in.src, p.operand(op.sig[k]))
	}
	p.magnitude(in)
}

// magnitude refuses the minimum and the maximum of a number of 32 bits and its negation. If the result goes
// into another minimum or maximum, ptxas of CUDA 13.0 drops the negation.
func (p *parser) magnitude(in *instr) {
	dst := in.dst[0]
	switch in.op {
	case "neg.s32":
		if in.src[0] != dst {
			p.negated[dst] = in.src[0]
			return
		}
	case "min.s32", "max.s32":
		a, b := in.src[0], in.src[1]
		if x, ok := p.negated[a]; ok && x == b {
			p.fail("%s of a number and its negation, which ptxas gets wrong", in.op)
		}
		if x, ok := p.negated[b]; ok && x == a {
			p.fail("%s of a number and its negation, which ptxas gets wrong", in.op)
		}
	}
	maps.DeleteFunc(p.negated, func(of, x int) bool { return of == dst || x == dst })
}

// fits reports whether a register of a class fits a signature.
func fits(sig, class byte) bool {
	switch sig {
	case 'L':
		return class == 'l' || class == 'd'
	case 'W':
		return class == 'w' || class == 'f'
	}
	return sig == class
}

var classText = map[byte]string{
	'd': ".f64", 'f': ".f32", 'l': ".b64", 'w': ".b32", 'h': ".b16", 'p': ".pred", 'L': ".b64 or .f64", 'W': ".b32 or .f32",
}

// register reads a register of a class that is in the signature.
func (p *parser) register(sig byte) int {
	t := p.take()
	n, ok := p.names[t]
	switch {
	case !ok || slices.Contains(specials, t):
		p.fail("register %s is not declared", t)
	case !fits(sig, p.e.rows[n].class):
		p.fail("register %s is a %s, expected a %s", t, classText[p.e.rows[n].class], classText[sig])
	}
	return n
}

// operand reads a register or a constant.
func (p *parser) operand(sig byte) int {
	if strings.HasPrefix(p.peek(), "%") {
		return p.register(sig)
	}
	t := p.take()
	name := string(sig) + t
	if n, ok := p.names[name]; ok {
		return n
	}
	bits, ok := constant(sig, t)
	if !ok {
		p.fail("%q, expected a register or a constant of type %s", t, classText[sig])
	}
	n := p.row(name, sig)
	var all [32]uint64
	for l := range all {
		all[l] = bits
	}
	p.e.rows[n].fixed = &all
	return n
}

// constant returns the bits of a constant.
func constant(sig byte, t string) (bits uint64, ok bool) {
	var err error
	switch {
	case sig == 'd' && strings.HasPrefix(t, "0d"), sig == 'f' && strings.HasPrefix(t, "0f"):
		bits, err = strconv.ParseUint(t[2:], 16, 64)
		return bits, err == nil
	case sig == 'd' || sig == 'f' || strings.HasPrefix(t, "0d") || strings.HasPrefix(t, "0f"):
		return 0, false
	case strings.HasPrefix(t, "-"):
		var x int64
		x, err = strconv.ParseInt(t, 0, 64)
		bits, ok = uint64(x), x >= math.MinInt32 || sig == 'l' || sig == 'L'
	default:
		bits, err = strconv.ParseUint(t, 0, 64)
		ok = bits <= math.MaxUint32 || sig == 'l' || sig == 'L'
	}
	switch sig {
	case 'w', 'W':
		bits = uint64(uint32(bits))
	case 'p':
		ok = ok && (t == "0" || t == "-1")
		bits &= 1
	}
	return bits, ok && err == nil
}

// elements are the types of loads and stores.
var elements = map[string]struct {
	class byte
	bytes int
}{"f64": {'d', 8}, "f32": {'f', 4}, "u64": {'l', 8}, "u32": {'w', 4}, "u16": {'w', 2}, "s16": {'w', 2}, "u8": {'w', 1}, "s8": {'w', 1}}

// forms are the instructions with operands of their own.
var forms = map[string]func(p *parser, in *instr){}

func init() {
	forms["bra"] = func(p *parser, in *instr) { in.label = p.name() }
	forms["ret"] = func(*parser, *instr) {}
	forms["bar.sync"] = func(p *parser, _ *instr) { p.expect("0") }
	forms["bar.red.or.pred"] = func(p *parser, in *instr) {
		in.dst = []int{p.register('p')}
		p.expect(",", "0", ",")
		in.src = []int{p.register('p')}
	}
	forms["bar.warp.sync"] = func(p *parser, in *instr) { in.src = []int{p.operand('w')} }
	forms["fence.acq_rel.gpu"] = func(*parser, *instr) {}
	forms[ballot] = func(p *parser, in *instr) {
		in.dst = []int{p.register('w')}
		p.expect(",")
		in.src = []int{p.register('p')}
		p.expect(",")
		in.src = append(in.src, p.operand('w'))
	}
	for _, mode := range []string{"down", "idx"} {
		forms["shfl.sync."+mode+".b32"] = func(p *parser, in *instr) {
			in.dst = []int{p.register('w')}
			p.expect(",")
			in.src = []int{p.register('w')}
			for _, sig := range "www" { // distance or lane, clamp, members
				p.expect(",")
				in.src = append(in.src, p.operand(byte(sig)))
			}
		}
	}
	forms["mov.u32"] = func(p *parser, in *instr) { // of a special register
		in.pure = table["mov.b32"]
		in.dst = []int{p.register('w')}
		p.expect(",")
		t := p.take()
		if !slices.Contains(specials, t) {
			p.fail("%q, expected a special register", t)
		}
		in.src = []int{p.names[t]}
	}
	forms["mov.b64"] = halves
	forms["mov.u64"] = func(p *parser, in *instr) { // of the address of an array
		in.pure = table["mov.b64"]
		in.dst = []int{p.register('l')}
		p.expect(",")
		name := p.name()
		at, ok := p.m.tables[name]
		if own, shared := p.e.arrays[name]; shared {
			at, ok = own, true
		}
		if name == p.m.block {
			at, ok = uint64(p.e.shared+15)&^15, true
		}
		if !ok {
			p.fail("no array %s in constant or shared memory", name)
		}
		in.src = []int{p.placed(name, at)}
	}
	forms["atom.global.inc.u32"] = func(p *parser, in *instr) {
		p.e.tells = true
		in.bytes = 4
		in.dst = []int{p.register('w')}
		p.expect(",")
		p.address(in)
		p.expect(",")
		in.src = append(in.src, p.operand('w'))
	}
	for typ, m := range elements {
		for _, from := range []string{"global", "global.nc", "const"} {
			forms["ld."+from+"."+typ] = func(p *parser, in *instr) {
				in.bytes, in.nc, in.signed, in.table = m.bytes, from == "global.nc", typ[0] == 's', from == "const"
				in.dst = []int{p.register(m.class)}
				p.expect(",")
				p.address(in)
			}
		}
		if typ[0] == 's' {
			continue // stores need no sign
		}
		forms["st.global."+typ] = func(p *parser, in *instr) {
			in.bytes = m.bytes
			p.address(in)
			p.expect(",")
			in.src = append(in.src, p.register(m.class))
		}
		if m.bytes > 2 {
			forms["ld.param."+typ] = func(p *parser, in *instr) {
				in.bytes = m.bytes
				in.dst = []int{p.register(m.class)}
				p.expect(",", "[")
				name := p.name()
				n, ok := p.e.params[name]
				if !ok {
					p.fail("entry %s has no parameter %s", p.e.name, name)
				}
				in.target = n
				p.expect("]")
			}
		}
	}
}

// placed returns the row of the address of an array.
func (p *parser) placed(name string, at uint64) int {
	if n, ok := p.names["&"+name]; ok {
		return n
	}
	n := p.row("&"+name, 'l')
	p.e.rows[n].fixed = new([32]uint64)
	for l := range p.e.rows[n].fixed {
		p.e.rows[n].fixed[l] = at
	}
	return n
}

// address reads the address of global or constant memory: a register, or an array of constants, and an offset.
func (p *parser) address(in *instr) {
	p.expect("[")
	if at, ok := p.m.tables[p.peek()]; ok && in.table {
		in.src = append(in.src, p.placed(p.take(), at))
	} else {
		in.src = append(in.src, p.register('l'))
	}
	if p.accept("+") {
		n, err := strconv.ParseInt(p.take(), 0, 32)
		if err != nil {
			p.fail("an offset that is no number of 32 bits: %v", err)
		}
		in.offset = n
	}
	p.expect("]")
}

// halves reads a move of 64 bits, one of whose sides can be two registers of 32 bits.
func halves(p *parser, in *instr) {
	pair := func() []int {
		low := p.register('w')
		p.expect(",")
		high := p.register('w')
		p.expect("}")
		return []int{low, high}
	}
	if p.accept("{") {
		in.op, in.dst = "unpack", pair()
		p.expect(",")
		in.src = []int{p.register('L')}
		return
	}
	in.dst = []int{p.register('L')}
	p.expect(",")
	if p.accept("{") {
		in.op, in.src = "pack", pair()
		return
	}
	in.pure = table["mov.b64"]
	in.src = []int{p.operand('L')}
}
