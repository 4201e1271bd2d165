package witness

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// builtin calls a function of the language.
func (m *machine) builtin(i ssa.CallInstruction, name string, args []value) value {
	t := i.Common().Signature().Results()
	if !slices.Contains([]string{"len", "cap", "min", "max", "append"}, name) {
		m.fusing.forget()
	}
	switch name {
	case "len", "cap":
		return m.lengthOf(args[0], name, i.Common().Args[0].Type())
	case "min", "max":
		if !slices.ContainsFunc(args, func(v value) bool { return v.kind == opaque || v.mark&wide != 0 }) {
			return m.extreme(name == "min", args)
		}
		id, shape, of := m.madeOf(mixText(83, name), args)
		return m.unknown(t.At(0).Type(), id, shape, of, "")
	case "append":
		return m.append(i, args)
	case "copy":
		return m.copy(i, args)
	case "clear", "delete":
		if _, isMap := under(i.Common().Args[0].Type()).(*types.Map); isMap {
			m.write(i, args[0], toMap, true)
		} else if s, ok := args[0].x.(extent); ok {
			m.bulk(i, args[0], s.len, name)
		}
		if args[0].obj != nil {
			m.mem.forget(args[0].obj)
		}
		return value{}
	case "ssa:wrapnilchk":
		return args[0]
	case "real", "imag", "complex", "recover":
		return m.other(i, nil, args)
	}
	if t.Len() == 0 {
		return value{}
	}
	return m.unknown(t.At(0).Type(), mixText(79, name), mixText(79, name), 0, "")
}

// lengthOf returns the length of a value.
func (m *machine) lengthOf(v value, name string, t types.Type) value {
	if s, ok := v.x.(extent); ok && v.kind == slice {
		if name == "cap" {
			return s.cap
		}
		return s.len
	}
	if p, ok := under(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	switch a, isArray := under(t).(*types.Array); {
	case isArray:
		return integer(a.Len())
	case v.kind == text:
		return integer(int64(len(v.x.(string))))
	case v.kind == null:
		return integer(0)
	}
	return m.unknown(types.Typ[types.Int], mix(v.hash(), 83), mix(v.form(), 83), v.mark&item, "")
}

// append calls append: the result refers to memory of its own.
func (m *machine) append(i ssa.CallInstruction, args []value) value {
	if m.depth > 0 && args[0].obj != nil && args[0].obj.owner == 0 {
		m.unseen(i, "append")
	}
	t := i.Common().Args[0].Type()
	n, more := m.lengthOf(args[0], "len", t), integer(0)
	if len(args) > 1 {
		more = m.lengthOf(args[1], "len", i.Common().Args[1].Type())
	}
	o := m.allocate(89, "append")
	p := to(o)
	p.tag = args[0].tag
	total := m.operate(token.ADD, n, more, types.Typ[types.Int])
	p.kind, p.x, p.mark = slice, extent{integer(0), total, total}, args[0].mark&^wide
	elem := under(t).(*types.Slice).Elem()
	if total.mark&wide == 0 && total.n <= most && args[0].kind != opaque {
		for k := range n.n {
			m.store(p.element(integer(k)), m.load(args[0].element(integer(k)), elem), elem)
		}
		for k := range more.n {
			m.store(p.element(integer(n.n+k)), m.load(args[1].element(integer(k)), elem), elem)
		}
	} else {
		o.zero = false
	}
	return p
}

// copy calls copy.
func (m *machine) copy(i ssa.CallInstruction, args []value) value {
	n := m.lengthOf(args[0], "len", i.Common().Args[0].Type())
	k := m.lengthOf(args[1], "len", i.Common().Args[1].Type())
	if k.mark&wide == 0 && (k.n < n.n || n.mark&wide != 0) {
		n = k
	}
	m.bulk(i, args[0], n, "copy")
	if args[0].obj != nil {
		m.mem.forget(args[0].obj)
	}
	return n
}

// bulk notes that a call writes elements of a slice.
func (m *machine) bulk(i ssa.CallInstruction, s value, n value, name string) {
	if m.depth == 0 || s.obj == nil {
		return
	}
	if s.obj.owner == 0 {
		m.unseen(i, name)
	}
	count := n.n
	if n.mark&wide != 0 {
		count = 1
	}
	for k := range min(count, 2*m.length) {
		m.write(i, s.element(integer(k)), name, true)
	}
}
