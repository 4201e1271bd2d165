package foldtext

import (
	"encoding/binary"
	"math"
	"reflect"

	"github.com/gokkos/gokkos/reducers/concept"
)

// A part is a number of a partial result, in a register.
type part struct {
	element
	identity uint64
}

// A column is what a reducer does.
type column struct {
	parts  []part
	item   func(a *asm, acc []string, x, at string) // joins a value at a location
	join   func(a *asm, dst, src []string)
	bytes  func(b []byte, parts []uint64) []byte // appends the bytes of a partial result, as its form has them
	plain  bool                                  // these are those of its only part
	at     bool                                  // locations matter
	tables string                                // declarations of constants, or ""
}

// columns are what the reducers of a fold do. Registers of a partial result are those of all parts, in their order.
type columns []column

// columnsOf returns what operations on values are, all of which are known.
func columnsOf(e element, ops []concept.Operation) (all columns) {
	for _, op := range ops {
		c, _ := columnOf(e, op)
		all = append(all, c)
	}
	return all
}

func (all columns) parts() (parts []part) {
	for _, c := range all {
		parts = append(parts, c.parts...)
	}
	return parts
}

// bytes returns those of the value of each part.
func (all columns) bytes() (bytes []int) {
	for _, p := range all.parts() {
		bytes = append(bytes, p.class.Bytes())
	}
	return bytes
}

// tables returns the declarations of the constants, of which there is one kind.
func (all columns) tables() string {
	for _, c := range all {
		if c.tables != "" {
			return c.tables
		}
	}
	return ""
}

// clear moves the identity to registers.
func (all columns) clear(a *asm, dst []string) {
	for k, p := range all.parts() {
		a.set(p, dst[k], p.literal(p.identity))
	}
}

// item joins a value at a location, which is asked for once if it matters.
func (all columns) item(a *asm, acc []string, x string, location func() string) {
	at := ""
	for _, c := range all {
		if c.at && at == "" {
			at = location()
		}
		c.item(a, acc[:len(c.parts)], x, at)
		acc = acc[len(c.parts):]
	}
}

func (all columns) join(a *asm, dst, src []string) {
	for _, c := range all {
		n := len(c.parts)
		c.join(a, dst[:n], src[:n])
		dst, src = dst[n:], src[n:]
	}
}

// isStored reports whether the bytes of a partial result are those that a device stores.
func (c *column) isStored() bool {
	return c.plain && c.parts[0].size == c.parts[0].class.Bytes()
}

// read returns number n of those that a device has stored.
func (p part) read(from []byte, n int) uint64 {
	if p.class.Bytes() == 8 {
		return binary.LittleEndian.Uint64(from[8*n:])
	}
	return uint64(binary.LittleEndian.Uint32(from[4*n:]))
}

// columnOf returns what an operation on values is. It is not ok if there is no text for it.
func columnOf(e element, op concept.Operation) (c column, ok bool) {
	mapped, of, ok := mapOf(e, op.Map)
	if !ok {
		return c, false
	}
	switch op.Join {
	case concept.OpSum, concept.OpProd, concept.OpMin, concept.OpMax, concept.OpAnd, concept.OpOr, concept.OpXor:
		c, ok = simple(of, op)
	case concept.OpMinMax:
		c, ok = minMax(of), isReal(of)
	case concept.OpAverage:
		c, ok = average(of), isReal(of)
	case concept.OpMoments:
		c, ok = moments(of), of.float()
	case concept.OpMinFirst, concept.OpMinLast, concept.OpMaxFirst, concept.OpMaxLast:
		ends := []end{{op.Join == concept.OpMinFirst || op.Join == concept.OpMinLast, op.Join == concept.OpMinLast || op.Join == concept.OpMaxLast}}
		c, ok = located(of, ends), isReal(of)
	case concept.OpMinMaxFirst:
		c, ok = located(of, []end{{true, false}, {false, false}}), isReal(of)
	case concept.OpMinMaxLast:
		c, ok = located(of, []end{{true, false}, {false, true}}), isReal(of)
	case concept.OpFirst, concept.OpLast:
		c, ok = found([]search{{op.Join == concept.OpLast, true}}), isBool(of)
	case concept.OpPartition:
		c, ok = found([]search{{true, true}, {false, false}}), isBool(of)
	default:
		ok = false
	}
	item := c.item
	c.item = func(a *asm, acc []string, x, at string) { item(a, acc, mapped(a, x), at) }
	return c, ok
}

func isBool(e element) bool { return e.kind == reflect.Bool }

func isReal(e element) bool { return !isBool(e) }

// mapOf returns what becomes of a value before it is joined, and its type then.
func mapOf(e element, op concept.Op) (mapped func(a *asm, x string) string, of element, ok bool) {
	switch op {
	case "":
		return func(_ *asm, x string) string { return x }, e, true
	case concept.MapSquare:
		return func(a *asm, x string) string { return a.narrow(e, a.multiply(e, x, x)) }, e, isReal(e)
	case concept.MapAbs:
		return func(a *asm, x string) string { return a.absolute(e, x) }, e, isReal(e)
	case concept.MapNot:
		return func(a *asm, x string) string { return a.To(b32, "xor.b32", x, "1") }, e, isBool(e)
	case concept.MapOne:
		return func(a *asm, x string) string { return a.Wide(x) }, integer(b64, false), isBool(e)
	}
	return nil, e, false
}

// set moves what is computed to the register of a part.
func (a *asm) set(p part, dst, x string) { a.Op("mov.%s %s, %s", p.class, dst, x) }

// bytes appends the bytes of a number.
func (e element) bytes(b []byte, bits uint64) []byte {
	return binary.LittleEndian.AppendUint64(b, bits)[:len(b)+e.size] // as devices and their hosts have them
}

// simple is an operation on numbers that joins items as it joins partial results.
func simple(e element, op concept.Operation) (c column, ok bool) {
	p := part{element: e}
	var do func(a *asm, x, y string) string
	switch op.Join {
	case concept.OpSum:
		do = func(a *asm, x, y string) string { return a.add(e, x, y) }
	case concept.OpProd:
		p.identity = e.one()
		do = func(a *asm, x, y string) string { return a.multiply(e, x, y) }
	case concept.OpMin:
		p.identity = e.most()
		do = func(a *asm, x, y string) string { return a.extreme(e, "min", x, y) }
	case concept.OpMax:
		if p.identity = e.least(); op.Map == concept.MapAbs {
			p.identity = 0
		}
		do = func(a *asm, x, y string) string { return a.extreme(e, "max", x, y) }
	default:
		name := map[concept.Op]string{concept.OpAnd: "and", concept.OpOr: "or", concept.OpXor: "xor"}[op.Join]
		if op.Join == concept.OpAnd {
			p.identity = math.MaxUint64
			if isBool(e) {
				p.identity = 1
			}
		}
		do = func(a *asm, x, y string) string { return a.To(e.class, name+"."+string(e.class), x, y) }
	}
	bits := op.Join == concept.OpAnd || op.Join == concept.OpOr || op.Join == concept.OpXor
	ok = isReal(e) && !(bits && e.float()) || isBool(e) && bits
	return column{
		parts: []part{p},
		item:  func(a *asm, acc []string, x, _ string) { a.set(p, acc[0], do(a, acc[0], x)) },
		join:  func(a *asm, dst, src []string) { a.set(p, dst[0], do(a, dst[0], src[0])) },
		bytes: func(b []byte, parts []uint64) []byte { return e.bytes(b, parts[0]) },
		plain: true,
	}, ok
}

// minMax is the minimum and the maximum.
func minMax(e element) column {
	low, high := part{e, e.most()}, part{e, e.least()}
	both := func(a *asm, dst []string, x, y string) {
		a.set(low, dst[0], a.extreme(e, "min", dst[0], x))
		a.set(high, dst[1], a.extreme(e, "max", dst[1], y))
	}
	return column{
		parts: []part{low, high},
		item:  func(a *asm, acc []string, x, _ string) { both(a, acc, x, x) },
		join:  func(a *asm, dst, src []string) { both(a, dst, src[0], src[1]) },
		bytes: func(b []byte, parts []uint64) []byte { return e.bytes(e.bytes(b, parts[0]), parts[1]) },
	}
}

// average is a sum, and the number of items.
func average(e element) column {
	sum, n := part{element: e}, part{element: integer(b64, false)}
	return column{
		parts: []part{sum, n},
		item: func(a *asm, acc []string, x, _ string) {
			a.set(sum, acc[0], a.add(e, acc[0], x))
			a.set(n, acc[1], a.add(n.element, acc[1], "1"))
		},
		join: func(a *asm, dst, src []string) {
			a.set(sum, dst[0], a.add(e, dst[0], src[0]))
			a.set(n, dst[1], a.add(n.element, dst[1], src[1]))
		},
		bytes: func(b []byte, parts []uint64) []byte { return n.bytes(e.bytes(b, parts[0]), parts[1]) },
	}
}

// An end is the minimum or the maximum, at the first or the last of equal values.
type end struct{ least, last bool }

// located are ends with their locations: a key that orders values, and the location, for each. An item has not been
// reached before where the location is that of no item.
func located(e element, ends []end) (c column) {
	k, at := e.keyed(), integer(b64, false)
	for _, x := range ends {
		key, loc := part{k, k.most()}, part{at, at.most()}
		if !x.least {
			key.identity = k.least()
		}
		if x.last {
			loc.identity = at.least()
		}
		c.parts = append(c.parts, key, loc)
	}
	take := func(a *asm, x end, dst []string, key, loc string) {
		better, farther := "gt", "gt"
		if x.least {
			better = "lt"
		}
		if !x.last {
			farther = "lt"
		}
		p := a.To(pred, "setp."+better+"."+k.compared(), key, dst[0])
		equal := a.To(pred, "setp.eq."+k.arithmetic(), key, dst[0])
		tie := a.To(pred, "and.pred", equal, a.To(pred, "setp."+farther+".s64", loc, dst[1]))
		p = a.To(pred, "or.pred", p, tie)
		a.Op("selp.%s %s, %s, %s, %s", k.class, dst[0], key, dst[0], p)
		a.Op("selp.b64 %s, %s, %s, %s", dst[1], loc, dst[1], p)
	}
	c.at = true
	c.item = func(a *asm, acc []string, x, loc string) {
		for n, of := range ends {
			take(a, of, acc[2*n:], a.key(e, x, of.least), loc)
		}
	}
	c.join = func(a *asm, dst, src []string) {
		for n, of := range ends {
			take(a, of, dst[2*n:], src[2*n], src[2*n+1])
		}
	}
	c.bytes = func(b []byte, parts []uint64) []byte {
		for n := range ends {
			b = e.bytes(b, e.value(parts[2*n]))
		}
		for n := range ends {
			b = at.bytes(b, parts[2*n+1])
		}
		return append(b, make([]byte, len(ends))...)
	}
	return c
}

// A search is for the first or the last item with a value.
type search struct{ last, value bool }

// found are the locations of items that were looked for.
func found(searches []search) (c column) {
	at := integer(b64, false)
	for _, s := range searches {
		p := part{at, at.most()}
		if s.last {
			p.identity = at.least()
		}
		c.parts = append(c.parts, p)
	}
	take := func(a *asm, n int, dst, loc string) {
		name := "min.s64"
		if searches[n].last {
			name = "max.s64"
		}
		a.Op("%s %s, %s, %s", name, dst, dst, loc)
	}
	c.at = true
	c.item = func(a *asm, acc []string, x, loc string) {
		is := a.To(pred, "setp.ne.s32", x, "0")
		for n, s := range searches {
			none := at.literal(c.parts[n].identity)
			if s.value {
				take(a, n, acc[n], a.To(b64, "selp.b64", loc, none, is))
			} else {
				take(a, n, acc[n], a.To(b64, "selp.b64", none, loc, is))
			}
		}
	}
	c.join = func(a *asm, dst, src []string) {
		for n := range searches {
			take(a, n, dst[n], src[n])
		}
	}
	c.bytes = func(b []byte, parts []uint64) []byte {
		for n, x := range parts {
			if x == c.parts[n].identity {
				b = append(b, make([]byte, 9)...)
			} else {
				b = append(at.bytes(b, x), 1)
			}
		}
		return b
	}
	return c
}
