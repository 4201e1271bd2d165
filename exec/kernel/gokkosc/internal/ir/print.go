package ir

import (
	"fmt"
	"strconv"
	"strings"
)

// String returns the kernel as text, one value on a line, as the README explains.
func (k *Kernel) String() string {
	p := printer{k: k}
	p.line("kernel %s(%s)", k.Name, p.params())
	if i := k.Index; i.Rank > 0 {
		along := ""
		if i.Dim != NoDim {
			along = fmt.Sprintf(" along %d", i.Dim)
		}
		p.line("  index %s%s", i.Type, along)
	}
	for n, u := range k.Scalars {
		p.line("  scalar %d %s = %s", n, u.Type, k.PathString(u.Param, u.Path))
	}
	for n, a := range k.Accesses {
		p.line("  access %d of %s = %s%s", n, a.Elem, k.Lanes[a.Lanes].Name, PartString(a.Path))
	}
	for n, m := range k.Mems {
		constants := ""
		if m.Table != nil {
			constants = fmt.Sprintf(", %d constants", len(m.Table))
		}
		p.line("  mem %d []%s = %s%s", n, m.Elem, m.Name, constants)
	}
	for _, pair := range k.Apart {
		p.line("  apart %d, %d", pair[0], pair[1])
	}
	if len(k.Setup.Values) > 0 {
		p.line("setup {")
		p.block(k.Setup, 1)
		p.line("}")
	}
	for _, c := range k.Checks {
		when := ""
		if c.When != nil {
			when = fmt.Sprintf(" if %s", c.When)
		}
		p.line("items with %s + %s*item < %s%s", c.Base, c.Step, c.Limit, when)
	}
	p.line("body(%s) {", p.args(k.Body.Params))
	p.block(k.Body, 1)
	p.line("}")
	return p.text.String()
}

type printer struct {
	k    *Kernel
	text strings.Builder
}

func (p *printer) line(format string, a ...any) { fmt.Fprintf(&p.text, format+"\n", a...) }

func (p *printer) params() string {
	var s []string
	for _, q := range p.k.Params {
		s = append(s, q.Name+" "+q.Type)
	}
	return strings.Join(s, ", ")
}

func (p *printer) args(values []*Value) string {
	var s []string
	for _, v := range values {
		s = append(s, v.String()+" "+v.Type.String())
	}
	return strings.Join(s, ", ")
}

func (p *printer) block(b *Block, depth int) {
	for _, v := range b.Values {
		p.value(v, depth)
	}
	if len(b.Yield) > 0 {
		p.line("%syield %s", indent(depth), list(b.Yield))
	}
}

func (p *printer) value(v *Value, depth int) {
	in := indent(depth)
	switch v.Op {
	case If:
		p.line("%s%s = if %s {", in, v, v.Args[0])
		p.block(v.Then(), depth+1)
		if e := v.Else(); len(e.Values)+len(e.Yield) > 0 {
			p.line("%s} else {", in)
			p.block(e, depth+1)
		}
		p.line("%s}", in)
	case Loop:
		p.line("%s%s = loop(%s) head(%s) {", in, v, list(v.Args), p.args(v.Head().Params))
		p.block(v.Head(), depth+1)
		p.line("%s} body {", in)
		p.block(v.LoopBody(), depth+1)
		p.line("%s}", in)
	case Each, Fold:
		p.line("%s%s = %s(%s) {", in, v, p.k.Describe(v), p.args(v.Blocks[0].Params))
		p.block(v.Blocks[0], depth+1)
		p.line("%s}", in)
	case Store, Check, Meet, Wait:
		p.line("%s%s", in, p.k.Describe(v))
	default:
		p.line("%s%s %s = %s", in, v, v.Type, p.k.Describe(v))
	}
}

// Describe returns the operation of a value and its arguments: "add v3, v4".
func (k *Kernel) Describe(v *Value) string {
	s := v.Op.String()
	if v.Unsigned {
		s += ".u"
	}
	switch v.Op {
	case Const:
		return s + " " + v.constant()
	case Uniform, Coord:
		return fmt.Sprintf("%s %d", s, v.Index)
	case Result:
		return fmt.Sprintf("%s %s, %d", s, v.Args[0], v.Index)
	case Call:
		s = fmt.Sprintf("%s %s(%s)", s, v.Func, list(v.Args))
		if v.Index > 0 {
			s += fmt.Sprintf(", %d", v.Index)
		}
		return s
	case Atomic:
		return fmt.Sprintf("%s %s %d[%s]%s", s, v.Func, v.Index, v.Args[0], tail(v.Args[1:]))
	case Prefix:
		s += fmt.Sprintf(" %s %d", v.Func, v.Index)
	case Each, Fold, Gather:
		if s += " " + v.Func; v.Op != Gather {
			s = strings.TrimSpace(s) + " " + Level(v.Index).String()
		}
		return s + " " + list(v.Args)
	case Cells:
		d, rank := v.Extent()
		return fmt.Sprintf("%s %d, %d of %d", s, v.Index, d, rank)
	case Combine:
		return fmt.Sprintf("%s %d.%s(%s)", s, v.Index, v.Func, list(v.Args))
	case Load, Store:
		return fmt.Sprintf("%s %d[%s]%s", s, v.Index, v.Args[0], tail(v.Args[1:]))
	}
	return strings.TrimSpace(s + " " + list(v.Args))
}

// String returns the name that a value has in the text of its kernel.
func (v *Value) String() string {
	if v == nil {
		return "nil"
	}
	if v.Name != "" {
		return fmt.Sprintf("v%d.%s", v.ID, v.Name)
	}
	return "v" + strconv.Itoa(v.ID)
}

func (v *Value) constant() string {
	switch {
	case v.Type.IsFloat():
		return strconv.FormatFloat(v.Float(), 'g', -1, 8*v.Type.Bytes())
	case v.Type == Bool:
		return strconv.FormatBool(v.Bits != 0)
	}
	return strconv.FormatInt(v.Int(), 10)
}

// PartString returns a part of an accumulator as one would write it behind its name: ".Min".
func PartString(path []Step) (s string) {
	for _, step := range path {
		if step.Kind == Field {
			s += "." + step.Field
		} else {
			s += fmt.Sprintf("[%d]", step.N)
		}
	}
	return s
}

// PathString returns a part of a parameter as one would write it in Go, more or less:
// "p.origin[0]", "len(x)", "v.Stride(0)".
func (k *Kernel) PathString(param int, path []Step) string {
	return pathString(k.Params[param].Name, path)
}

// Expr returns a part of a parameter as Go, in a method of a struct k whose fields are the parameters.
func (k *Kernel) Expr(param int, path []Step) string {
	return pathString("k."+k.Params[param].Name, path)
}

func pathString(s string, path []Step) string {
	for n, step := range path {
		switch step.Kind {
		case Field:
			s += "." + step.Field
		case Elem:
			s += fmt.Sprintf("[%d]", step.N)
		case Len:
			s = "len(" + s + ")"
		case Cap:
			s = "cap(" + s + ")"
		case Stride:
			s += fmt.Sprintf(".Stride(%d)", step.N)
		case Extent:
			s += fmt.Sprintf(".Extent(%d)", step.N)
		case Method:
			s += "." + step.Field + "()"
		case Deref:
			if n+1 == len(path) || !selects(path[n+1].Kind) {
				s = "(*" + s + ")"
			}
		case Flat:
			s = "[]" + step.Field + "(" + s + ")"
		case Whole:
			s += "[:]"
		case NotNil:
			s = "(" + s + " != nil)"
		case Real:
			s = "real(" + s + ")"
		case Imag:
			s = "imag(" + s + ")"
		}
	}
	return s
}

// selects reports whether Go selects a part of that kind through a pointer.
func selects(kind StepKind) bool {
	return kind == Field || kind == Elem || kind == Whole || kind == Stride || kind == Extent || kind == Method
}

func tail(values []*Value) string {
	if len(values) == 0 {
		return ""
	}
	return ", " + list(values)
}

func list(values []*Value) string {
	s := make([]string, len(values))
	for n, v := range values {
		s[n] = v.String()
	}
	return strings.Join(s, ", ")
}

func indent(depth int) string { return strings.Repeat("  ", depth) }
