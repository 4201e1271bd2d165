package ptx

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// Addresses and checks are integers of 64 bits, and take most of the time of a short item. A card has half as
// many units for such integers as for floats. So addresses and checks of an item are sums of products. Terms
// of the item are apart from terms that are the same for all. If elements of one memory differ in the latter
// terms alone, they have one address, and an offset each.

// A sum is Σ times·x·by + constant, modulo 2⁶⁴. Its terms have an order that depends on their values alone.
type sum struct {
	terms    []term
	constant uint64
}

// A term is times·x·by, or times·x if by is nil.
type term struct {
	x, by *ir.Value
	times uint64
}

func (a term) less(b term) int {
	if a.x.ID != b.x.ID {
		return a.x.ID - b.x.ID
	}
	return id(a.by) - id(b.by)
}

func id(v *ir.Value) int {
	if v == nil {
		return -1
	}
	return v.ID
}

// plus returns a + times·b.
func (a sum) plus(b sum, times uint64) sum {
	s := sum{slices.Clone(a.terms), a.constant + times*b.constant}
	for _, t := range b.terms {
		if t.times *= times; t.times == 0 {
			continue
		}
		n, ok := slices.BinarySearchFunc(s.terms, t, term.less)
		if !ok {
			s.terms = slices.Insert(s.terms, n, t)
		} else if s.terms[n].times += t.times; s.terms[n].times == 0 {
			s.terms = slices.Delete(s.terms, n, n+1)
		}
	}
	return s
}

// sumOf returns a value as a sum. Values that are no sums are terms.
func (w *writer) sumOf(v *ir.Value) sum {
	if v.Type == ir.I64 {
		switch v.Op {
		case ir.Const:
			return sum{constant: v.Bits}
		case ir.Add:
			return w.sumOf(v.Args[0]).plus(w.sumOf(v.Args[1]), 1)
		case ir.Sub:
			return w.sumOf(v.Args[0]).plus(w.sumOf(v.Args[1]), ^uint64(0))
		case ir.Mul:
			if s, ok := w.product(v.Args[0], v.Args[1]); ok {
				return s
			}
			if s, ok := w.product(v.Args[1], v.Args[0]); ok {
				return s
			}
		case ir.Item:
			return sum{terms: []term{{w.index(), nil, 1}}, constant: uint64(w.away)}
		}
	}
	return sum{terms: []term{{v, nil, 1}}}
}

// product returns x·y as a sum, if y is the same for all items.
func (w *writer) product(x, y *ir.Value) (s sum, ok bool) {
	switch {
	case y.Op == ir.Const:
		return sum{}.plus(w.sumOf(x), y.Bits), true
	case w.varies(y):
		return sum{}, false
	}
	of := w.sumOf(x)
	if slices.ContainsFunc(of.terms, func(t term) bool { return t.by != nil }) {
		return sum{}, false
	}
	for _, t := range of.terms {
		s = s.plus(sum{terms: []term{{t.x, y, 1}}}, t.times)
	}
	return s.plus(sum{terms: []term{{y, nil, 1}}}, of.constant), true
}

// index returns the value that stands for the index of an item.
func (w *writer) index() *ir.Value {
	if w.item == nil {
		w.item = &ir.Value{ID: math.MaxInt, Op: ir.Item, Type: ir.I64}
	}
	return w.item
}

// varies reports whether a value is another one for other items.
func (w *writer) varies(v *ir.Value) bool {
	if v.Op == ir.Const || v.Op == ir.Uniform {
		return false
	}
	return !slices.Contains(w.k.Setup.Values, v) || slices.Contains(w.ofItem, v)
}

// split tells the terms that depend on the item from the others, whose sum has the constant.
func (w *writer) split(s sum) (of, same sum) {
	same.constant = s.constant
	for _, t := range s.terms {
		if w.varies(t.x) {
			of.terms = append(of.terms, t)
		} else {
			same.terms = append(same.terms, t)
		}
	}
	return of, same
}

func (s sum) key() string {
	var b strings.Builder
	for _, t := range s.terms {
		fmt.Fprintf(&b, "%d*%d*%d ", t.times, t.x.ID, id(t.by))
	}
	return b.String()
}

// made returns the register of the value that a key names; f writes that value if there is no register yet.
func (w *writer) made(key string, f func() string) string {
	if r := w.sums[key]; r != "" {
		return r
	}
	r := f()
	w.sums[key] = r
	return r
}

// total returns the register of a sum, without its constant; "" if there is nothing else.
func (w *writer) total(s sum) string {
	if len(s.terms) == 0 {
		return ""
	}
	return w.made(s.key(), func() (all string) {
		for _, t := range s.terms {
			x := w.reg[t.x]
			if x == "" {
				x = w.in(t.x)
			}
			if t.by != nil {
				x = w.To(b64, "mul.lo.s64", x, w.use(t.by))
			}
			minus := int64(t.times) == -1
			if t.times != 1 && !minus {
				x = w.To(b64, "mul.lo.s64", x, literal(ir.I64, t.times))
			}
			switch {
			case minus && all == "":
				all = w.To(b64, "neg.s64", x)
			case minus:
				all = w.To(b64, "sub.s64", all, x)
			case all == "":
				all = x
			default:
				all = w.To(b64, "add.s64", all, x)
			}
		}
		return all
	})
}

// place returns the address of an element of a memory as an operand. It adds the part that depends on the
// item, the offset of the other terms, and the constant.
func (w *writer) place(mem, size int, s sum) string {
	of, same := w.split(s)
	bytes := func(r string) string {
		if size == 1 {
			return r
		}
		return w.To(b64, "shl.b64", r, shiftOf(size))
	}
	at := w.mems[mem]
	key := fmt.Sprintf("[%d] %s", mem, of.key())
	if r := w.total(of); r != "" {
		at = w.made(key, func() string { return w.To(b64, "add.s64", w.mems[mem], bytes(r)) })
	}
	if r := w.total(same); r != "" {
		offset := w.made(fmt.Sprintf("%d bytes %s", size, same.key()), func() string { return bytes(r) })
		at = w.made(key+"+ "+same.key(), func() string { return w.To(b64, "add.s64", at, offset) })
	}
	constant := int64(same.constant) * int64(size)
	switch {
	case constant == 0:
		return "[" + at + "]"
	case int64(same.constant) < math.MaxInt32/8 && int64(same.constant) > math.MinInt32/8:
		return fmt.Sprintf("[%s+%d]", at, constant)
	}
	return "[" + w.To(b64, "add.s64", at, literal(ir.I64, uint64(constant))) + "]"
}

// inner runs f, and then forgets the values that f has made: the code of a block may not have run there.
func (w *writer) inner(f func()) {
	before := w.sums
	w.sums = maps.Clone(before)
	f()
	w.sums = before
}
