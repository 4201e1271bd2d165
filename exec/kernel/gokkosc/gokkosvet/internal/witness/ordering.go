package witness

import (
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// ordered models functions of other packages that compare two values.
func (m *machine) ordered(f *types.Func, args []value) (value, bool) {
	args = m.pointed(f, args)
	if f.Name() == "IsZero" && len(args) == 1 {
		r, ok := args[0].x.(rank)
		v := boolean(r == 0)
		v.mark = args[0].mark
		return v, ok
	}
	path := ""
	if f.Pkg() != nil {
		path = f.Pkg().Path()
	}
	if path == "cmp" && f.Name() == "Or" && len(args) == 1 {
		list, of := m.elements(args[0]), mark(0)
		for k, v := range list {
			of |= v.mark
			if c, known := m.order(v, integer(0)); !known || c != 0 || k == len(list)-1 {
				v.mark |= of
				return v, known
			}
		}
	}
	if len(args) != 2 {
		return value{}, false
	}
	x, y := m.texts(args[0]), m.texts(args[1])
	compares := isRank(x) || x.kind == parts && m.judge != nil
	if !compares && !slices.Contains([]string{"cmp", "strings", "bytes"}, path) {
		return value{}, false
	}
	c, known := m.order(x, y)
	for k := 0; known && c == 2 && k < min(len(x.parts()), len(y.parts())); k++ {
		c, known = m.order(x.parts()[k], y.parts()[k])
		if c == 0 {
			c = 2
		}
		x.mark |= x.parts()[k].mark
		y.mark |= y.parts()[k].mark
	}
	if !known {
		return value{}, false
	}
	v := integer(int64(c))
	switch name := f.Name(); {
	case name == "Compare" || name == "Cmp":
	case name == "Less" || name == "LessThan" || name == "Before":
		v = boolean(c == -1)
	case name == "After" || strings.HasPrefix(name, "Greater"):
		v = boolean(c == 1)
	case name == "Equal":
		v = boolean(c == 0)
	default:
		return value{}, false
	}
	v.mark = x.mark | y.mark
	if v.mark&item != 0 {
		v.shape = mix(mix(uint64(token.LSS), x.form()), y.form())
	}
	return v, true
}

// pointed returns arguments with what pointers to values of another package point to.
func (m *machine) pointed(f *types.Func, args []value) []value {
	if m.judge == nil {
		return args
	}
	given := slices.Collect(f.Signature().Params().Variables())
	if recv := f.Signature().Recv(); recv != nil {
		given = append([]*types.Var{recv}, given...)
	}
	args = slices.Clone(args)
	for k, v := range given[:min(len(given), len(args))] {
		if p, ok := under(v.Type()).(*types.Pointer); ok && args[k].kind == pointer && m.foreign(p.Elem()) {
			args[k] = m.load(args[k], p.Elem())
		}
	}
	return args
}

// texts returns bytes as a text.
func (m *machine) texts(v value) value {
	switch s, ok := v.x.(extent); {
	case v.kind == null:
		return value{kind: text, x: "", mark: v.mark}
	case ok && v.kind == slice && s.len.mark&wide == 0 && s.len.n <= most:
		var b strings.Builder
		of := v.mark
		for k := range s.len.n {
			c := m.load(v.element(integer(k)), types.Typ[types.Uint8])
			if c.kind != number || c.mark&(wide|made) != 0 {
				return v
			}
			of |= c.mark
			b.WriteByte(byte(c.n))
		}
		return value{kind: text, x: b.String(), mark: of}
	}
	return v
}

// listed models functions of package slices over a few elements that are known.
func (m *machine) listed(f *types.Func, args []value, elem types.Type) (value, bool) {
	s, ok := args[0].x.(extent)
	if !ok || args[0].kind != slice || s.len.mark&(wide|made) != 0 || s.len.n == 0 || s.len.n > most {
		return value{}, false
	}
	list := make([]value, s.len.n)
	for k := range list {
		if list[k] = m.load(args[0].element(integer(int64(k))), elem); !list[k].isNumber() {
			return value{}, false
		}
	}
	switch f.Name() {
	case "Min", "Max":
		return m.extreme(f.Name() == "Min", list), true
	case "Sort":
		for k := range list {
			for j := k; j > 0; j-- {
				low, high := m.extreme(true, list[j-1:j+1]), m.extreme(false, list[j-1:j+1])
				list[j-1], list[j] = low, high
			}
		}
		for k, v := range list {
			m.store(args[0].element(integer(int64(k))), v, elem)
		}
		return value{}, true
	}
	return value{}, false
}

// extremeOf is extreme of two floats, whose minimum is a comparison.
func (m *machine) extremeOf(least bool, args []value) (value, bool) {
	if len(args) != 2 || args[0].kind != float || args[1].kind != float {
		return value{}, false
	}
	v := m.extreme(least, args)
	if j := m.judge; j != nil && v.mark&both == both {
		j.kinds[len(j.kinds)-1] = Compares
	}
	return v, true
}

// extreme returns the least or the greatest of numbers that are known.
func (m *machine) extreme(least bool, list []value) value {
	v := list[0]
	for _, w := range list[1:] {
		is, of := m.compare(token.LSS, w, v).n == 1, v.mark|w.mark
		if m.judge != nil && of&both == both && m.judge.event(Lost) {
			is = !is
		}
		if is == least {
			v = w
		}
		v.product = nil
		if v.mark = of; of&item != 0 && v.shape == 0 {
			v.shape = v.hash()
		}
	}
	return v
}
