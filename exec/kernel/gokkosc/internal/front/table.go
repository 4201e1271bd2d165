package front

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/sources"
)

// A package variable that is an array of constants becomes part of a kernel if no code can write it. Its name
// begins with a lower-case letter, and the package only indexes, ranges over or copies it.

// A table is such an array in a kernel, or an array within it.
type table struct {
	of  *constants
	typ types.Type // type of the table, an array
	off *ir.Value  // elements before it; nil for none
}

func (t *table) leaves() []*ir.Value { return []*ir.Value{t.off} }

func (t *table) with(take func() *ir.Value) tree { return &table{t.of, t.typ, take()} }

func (t *table) differs(_ *ir.Kernel, other tree) (says, help string) {
	if o, ok := other.(*table); ok && t.of == o.of && types.Identical(t.typ, o.typ) {
		return "", ""
	}
	return "is an array of the package, " + t.of.name + ", or another one", "choose between elements instead"
}

// isTable reports whether a functor in place has a variable of a package as a table.
func (f *frame) isTable(x *ast.Ident, v *types.Var) (t tree, ok bool) {
	if _, isArray := v.Type().Underlying().(*types.Array); !isArray || f.site == nil || v.Pkg() == nil || v.Parent() != v.Pkg().Scope() {
		return nil, false
	}
	if f.world.tables[v] == nil {
		if _, err := f.world.constants(f.pkg, v); err != nil {
			return nil, false
		}
	}
	return f.tableOf(x, v), true
}

// tableOf returns a variable of a package as a table.
func (f *frame) tableOf(x *ast.Ident, v *types.Var) tree {
	const help = "make it a parameter of the constructor"
	if _, isArray := v.Type().Underlying().(*types.Array); !isArray || v.Pkg() == nil || v.Parent() != v.Pkg().Scope() {
		f.refuse(x.Pos(), help, "the kernel uses %s, which is a variable of the package", x.Name)
	}
	w := f.world
	if w.tables[v] == nil {
		c, err := w.constants(f.pkg, v)
		if err != nil {
			f.refuse(x.Pos(), help+"; arrays of constants are part of a kernel, where the package only indexes them", "the kernel uses %s, which is a variable of the package: %v", x.Name, err)
		}
		w.tables[v] = c
	}
	return &table{of: w.tables[v], typ: v.Type()}
}

// constants returns a variable of a package as an array that is never written, and why it may be.
func (w *world) constants(p *packages.Package, v *types.Var) (*constants, error) {
	if v.Exported() {
		return nil, fmt.Errorf("other packages may write it")
	}
	c := &constants{name: v.Name(), elem: innermost(v.Type())}
	elem, ok := elemType(c.elem)
	if !ok {
		return nil, fmt.Errorf("its elements are of type %s, expected numbers", c.elem)
	}
	size := numbersIn(v.Type())
	if size == 0 || size > maxTable {
		return nil, fmt.Errorf("it has %d elements, expected 1 to %d", size, maxTable)
	}
	lit, err := w.literalOf(p, v)
	if err != nil {
		return nil, err
	}
	c.bits = make([]uint64, size)
	if err := w.fill(p, c.bits, lit, v.Type(), elem.Value()); err != nil {
		return nil, err
	}
	return c, w.neverWritten(p, v)
}

// literalOf returns the literal that a variable is declared with.
func (w *world) literalOf(p *packages.Package, v *types.Var) (*ast.CompositeLit, error) {
	for _, file := range p.Syntax {
		for _, d := range file.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			for _, s := range g.Specs {
				s := s.(*ast.ValueSpec)
				n := slices.IndexFunc(s.Names, func(id *ast.Ident) bool { return p.TypesInfo.Defs[id] == v })
				if n < 0 {
					continue
				}
				if n < len(s.Values) {
					if lit, ok := ast.Unparen(s.Values[n]).(*ast.CompositeLit); ok {
						return lit, nil
					}
				}
			}
		}
	}
	return nil, fmt.Errorf("it is not declared as an array of constants")
}

// fill sets the elements of an array that a literal has.
func (w *world) fill(p *packages.Package, bits []uint64, lit *ast.CompositeLit, t types.Type, typ ir.Type) error {
	elem := t.Underlying().(*types.Array).Elem()
	size, next := 1, 0
	if _, isArray := elem.Underlying().(*types.Array); isArray {
		size = numbersIn(elem)
	}
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			k, _ := constant.Int64Val(constant.ToInt(p.TypesInfo.Types[kv.Key].Value))
			next, e = int(k), kv.Value
		}
		if (next+1)*size > len(bits) {
			return fmt.Errorf("it does not compile")
		}
		at := bits[next*size : (next+1)*size]
		next++
		if value := p.TypesInfo.Types[e].Value; value != nil {
			at[0] = constantBits(value, typ)
			continue
		}
		inner, ok := ast.Unparen(e).(*ast.CompositeLit)
		if !ok {
			at := w.fset.Position(e.Pos())
			return fmt.Errorf("%s:%d: an element is no constant", filepath.Base(at.Filename), at.Line)
		}
		if err := w.fill(p, at, inner, elem, typ); err != nil {
			return err
		}
	}
	return nil
}

// neverWritten returns an error with the place at which a variable may be written. It searches all files of
// the folder. In files of tests and of other builds, any variable of that name counts.
func (w *world) neverWritten(p *packages.Package, v *types.Var) error {
	seen := map[string]bool{}
	for _, file := range p.Syntax {
		seen[filepath.Base(w.path(p, file))] = true
		if id := sources.Writes(file, func(id *ast.Ident) bool { return p.TypesInfo.Uses[id] == v }); id != nil {
			return w.mayWrite(id)
		}
	}
	folder := filepath.Dir(w.fset.PositionFor(v.Pos(), false).Filename)
	for file := range w.files(folder, parser.SkipObjectResolution, func(name string) bool { return seen[name] }) {
		if file.Syntax == nil || file.Syntax.Name.Name != p.Name {
			continue
		}
		if file.Err != nil {
			return fmt.Errorf("%s cannot be read, and may write it", file.Name)
		}
		if id := sources.Writes(file.Syntax, func(id *ast.Ident) bool { return id.Name == v.Name() }); id != nil {
			return w.mayWrite(id)
		}
	}
	if file := sources.InAssembly(folder, v.Name()); file != "" {
		return fmt.Errorf("%s may write it", file)
	}
	return nil
}

func (w *world) mayWrite(id *ast.Ident) error {
	at := w.fset.Position(id.Pos())
	return fmt.Errorf("%s:%d may write it", filepath.Base(at.Filename), at.Line)
}

// inTable returns an element of a table: a number, or an array again. The index is in range.
func (f *frame) inTable(t *table, i *ir.Value) tree {
	elem := t.typ.Underlying().(*types.Array).Elem()
	_, isArray := elem.Underlying().(*types.Array)
	off := i
	if isArray {
		off = f.times(i, numbersIn(elem))
	}
	off = f.plus(t.off, off)
	if isArray {
		return &table{t.of, elem, off}
	}
	typ, _ := elemType(t.of.elem)
	if k, ok := known(off); ok && k < uint64(len(t.of.bits)) {
		return number{v: f.constant(typ.Value(), t.of.bits[k])}
	}
	v := f.emit(ir.Load, typ.Value(), off)
	v.Index = f.tableMemory(t.of)
	return number{v: v}
}

// tableMemory returns the number of a table as memory.
func (l *lowering) tableMemory(c *constants) int {
	n := slices.IndexFunc(l.k.Mems, func(m ir.Mem) bool { return m.Table != nil && &m.Table[0] == &c.bits[0] })
	if n >= 0 {
		return n
	}
	elem, _ := elemType(c.elem)
	l.k.Mems = append(l.k.Mems, ir.Mem{Param: -1, Elem: elem, GoElem: c.elem.Underlying().String(), Array: true, Name: c.name, Table: c.bits})
	return len(l.k.Mems) - 1
}

// elementOf returns an element of a table behind the check of its index.
func (f *frame) elementOf(t *table, i *ir.Value) tree {
	n := int(t.typ.Underlying().(*types.Array).Len())
	if k, ok := known(i); ok && k < uint64(n) {
		return f.inTable(t, f.integer(int(k)))
	}
	f.emit(ir.Check, ir.None, i, f.integer(n))
	return f.inTable(t, i)
}

// ofTable returns a table as the elements that it has.
func (f *frame) ofTable(t *table) *parts {
	n := int(t.typ.Underlying().(*types.Array).Len())
	if n > maxArray {
		f.refuse(f.at, "index it where it is", "a kernel copies an array of %d elements", n)
	}
	p := &parts{typ: t.typ}
	for k := range n {
		x := f.inTable(t, f.integer(k))
		if inner, ok := x.(*table); ok {
			x = f.ofTable(inner)
		}
		p.list = append(p.list, x)
	}
	return p
}
