package witness

import "go/types"

const (
	variants      = 9
	firstNegative = 4 // of the variants
)

// A sampler makes samples of types.
type sampler struct {
	*machine
	variant, n int
}

// of returns a sample of a type: numbers, bools and texts, and nothing that is referred to but bytes.
func (s *sampler) of(t types.Type) value {
	s.n++
	size := []int64{3, 1, 2, 5, -3, 2, -1, 4, 5}[s.variant]
	negative := size < 0 || s.variant == 8 || s.variant == 5 && s.n%2 == 0 || s.variant == 7 && s.n%2 == 1
	switch u := under(t).(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsUnsigned != 0:
			return integer(max(size, -size))
		case u.Info()&types.IsInteger != 0:
			return integer(size)
		case u.Info()&types.IsFloat != 0:
			f := float64(max(size, -size)) + 0.5
			if negative {
				f = -f
			}
			return value{kind: float, x: f}
		case u.Info()&types.IsBoolean != 0:
			return boolean(s.variant != 1 && s.variant != 6)
		case u.Info()&types.IsString != 0:
			return value{kind: text, x: "text"}
		}
	case *types.Struct:
		if s.foreign(t) {
			r := rank(1)
			if n, ok := types.Unalias(t).(*types.Named); negative && ok && n.Obj().Pkg().Path() != "time" {
				r = -1
			}
			return value{id: mixText(mix(5, uint64(r)), t.String()), x: r}
		}
		list := make([]value, u.NumFields())
		for k := range list {
			list[k] = s.of(u.Field(k).Type())
		}
		return several(list...)
	case *types.Array:
		if u.Len() <= most {
			list := make([]value, u.Len())
			for k := range list {
				list[k] = s.of(u.Elem())
			}
			return several(list...)
		}
	case *types.Slice:
		if b, ok := under(u.Elem()).(*types.Basic); ok && b.Kind() == types.Uint8 {
			p := to(s.allocate(4, "bytes"))
			s.store(p.element(integer(0)), integer('b'), u.Elem())
			p.kind, p.x = slice, extent{integer(0), integer(1), integer(1)}
			return p
		}
	}
	return s.zero(t)
}

// A rank is the known sign of a value of another package: zero, greater or less.
type rank int
