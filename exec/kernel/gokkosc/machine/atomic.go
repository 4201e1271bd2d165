package machine

import "fmt"

// becomes has the functions of atomic operations, by their names: from the old value and operands of one
// class to the new value.
func becomes(width uint) map[string]func(old, x, y uint64) uint64 {
	of := func(x uint64) int64 { return signed(x, width) }
	all := map[string]func(old, x, y uint64) uint64{}
	for name, do := range map[string]func(old, x, y uint64) uint64{
		"add.u":  func(old, x, _ uint64) uint64 { return old + x },
		"min.u":  func(old, x, _ uint64) uint64 { return min(old, x) },
		"max.u":  func(old, x, _ uint64) uint64 { return max(old, x) },
		"min.s":  func(old, x, _ uint64) uint64 { return uint64(min(of(old), of(x))) },
		"max.s":  func(old, x, _ uint64) uint64 { return uint64(max(of(old), of(x))) },
		"and.b":  func(old, x, _ uint64) uint64 { return old & x },
		"or.b":   func(old, x, _ uint64) uint64 { return old | x },
		"xor.b":  func(old, x, _ uint64) uint64 { return old ^ x },
		"exch.b": func(_, x, _ uint64) uint64 { return x },
		"cas.b": func(old, x, y uint64) uint64 {
			if old == x {
				return y
			}
			return old
		},
	} {
		all[fmt.Sprint(name, width)] = do
	}
	return all
}

// atomic does an atomic operation for a thread.
func (w *warp) atomic(in *instr, b []byte, l int) {
	old, y := get(b), uint64(0)
	if len(in.src) > 2 {
		y = w.rows[in.src[2]][l]
	}
	set(b, in.atomic(old, w.rows[in.src[1]][l], y))
	w.rows[in.dst[0]][l] = old
}

func init() {
	for width, class := range map[uint]byte{32: 'w', 64: 'l'} {
		for name, do := range becomes(width) {
			form := func(p *parser, in *instr) {
				in.bytes, in.atomic = int(width/8), do
				in.dst = []int{p.register(class)}
				p.expect(",")
				p.address(in)
				for p.accept(",") {
					in.src = append(in.src, p.operand(class))
				}
				if want := map[bool]int{false: 2, true: 3}[name[:3] == "cas"]; len(in.src) != want {
					p.fail("%d operands, expected %d", len(in.src), want)
				}
			}
			forms["atom.global."+name], forms["atom.sys.global."+name], forms["atom.shared."+name] = form, form, form
			doing["atom.shared."+name] = shares
		}
	}
}
