package front

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// A place is what can be assigned to.
type place struct {
	load  func() tree
	store func(t tree)

	typ    types.Type               // of a record
	record bool                     // it is a part of an element of a slice of structs, which is loaded and stored by parts
	part   func(k int) *place       // of a record
	elem   func(i *ir.Value) *place // of a record that is an array, at an index that was checked
}

func (f *frame) assign(s *ast.AssignStmt) {
	if s.Tok != token.ASSIGN && s.Tok != token.DEFINE {
		p := f.place(s.Lhs[0])
		f.root(s.Lhs[0], func(key any) { f.reads(key, s.Pos()) })
		x := f.numberOf(p.load(), s.Lhs[0])
		op := opOf(s.Tok)
		if op == token.SHL || op == token.SHR {
			p.store(f.shift(op, x, s.Rhs[0], f.typeOf(s.Lhs[0])))
			return
		}
		y := f.numberOf(f.expr(s.Rhs[0]), s.Rhs[0])
		p.store(f.binary(op, x, y, f.typeOf(s.Lhs[0]), s.TokPos))
		return
	}
	loads := f.loads
	places := make([]*place, len(s.Lhs))
	for n, x := range s.Lhs {
		if id, ok := x.(*ast.Ident); ok && (id.Name == "_" || f.pkg.TypesInfo.Defs[id] != nil) {
			continue
		}
		places[n] = f.place(x)
	}
	loaded, stores := f.loads != loads, f.stores
	values := f.list(s.Rhs, len(s.Lhs))
	if loaded && f.stores != stores {
		f.refuse(s.Pos(), "load it in a statement before", "what stands left of an assignment loads, and a call right of it stores")
	}
	for n, t := range values {
		if id, ok := s.Lhs[n].(*ast.Ident); places[n] == nil {
			if ok {
				f.define(id, t)
			}
			continue
		}
		f.at = s.Lhs[n].Pos()
		places[n].store(t)
	}
}

// opOf returns the operator of an assignment such as +=.
func opOf(t token.Token) token.Token { return t - token.ADD_ASSIGN + token.ADD }

// list lowers the right side of an assignment to n variables.
func (f *frame) list(exprs []ast.Expr, n int) []tree {
	if len(exprs) == 1 {
		f.alone = ast.Unparen(exprs[0])
		t := f.expr(exprs[0])
		if n == 1 {
			return []tree{t}
		}
		return t.(*parts).list
	}
	out := make([]tree, len(exprs))
	for k, x := range exprs {
		out[k] = f.expr(x)
	}
	return out
}

// place returns what an expression on the left side stands for.
func (f *frame) place(x ast.Expr) *place {
	f.at = x.Pos()
	switch x := x.(type) {
	case *ast.ParenExpr:
		return f.place(x.X)
	case *ast.Ident:
		v, ok := f.pkg.TypesInfo.ObjectOf(x).(*types.Var)
		if x.Name == "_" {
			return &place{store: func(tree) {}}
		}
		if o, ok := f.vars[v].(owned); ok {
			return f.ownedPlace(o, x)
		}
		if _, known := f.vars[v]; ok && !known {
			if t, ok := f.capturedVar(x, v); ok {
				return &place{load: func() tree { return t }, store: func(tree) {
					f.refuse(x.Pos(), "items share it: use a slice, or a reduction", "the functor assigns to %s, which it captures", x.Name)
				}}
			}
		}
		if _, known := f.vars[v]; !ok || !known {
			f.refuse(x.Pos(), "items share it: use a slice, or a reduction", "the functor assigns to %s, which is no variable of its own", x.Name)
		}
		return &place{load: f.variable(v, x).load, store: func(t tree) {
			if f.captured[v] && !f.setup {
				f.refuse(x.Pos(), "items share it: use a slice, or a reduction", "the functor assigns to %s, which it captures", x.Name)
			}
			f.set(v, f.copied(t))
		}}
	case *ast.CallExpr:
		switch t := f.expr(x).(type) {
		case *reference, *pointer, accumulator, address, far:
			return &place{load: func() tree { return t }}
		}
	case *ast.StarExpr:
		if _, ok := f.typeOf(x.X).Underlying().(*types.Pointer); ok {
			return f.behindPointer(f.place(x.X))
		}
	case *ast.SelectorExpr:
		if sel := f.pkg.TypesInfo.Selections[x]; sel != nil && sel.Kind() == types.FieldVal {
			return f.field(f.place(x.X), sel.Index())
		}
	case *ast.IndexExpr:
		if _, ok := f.typeOf(x.X).Underlying().(*types.Slice); ok {
			return f.memoryPlace(x)
		}
		if k, ok := f.constantIndex(x.Index); ok {
			return f.field(f.place(x.X), []int{k})
		}
		return f.elementPlace(x)
	}
	f.refuse(x.Pos(), "assign to variables, elements of slices and accumulators", "the functor cannot assign to this")
	return nil
}

// elementPlace returns an element of an array at an index that is not constant.
func (f *frame) elementPlace(x *ast.IndexExpr) *place {
	outer := f.behindPointer(f.place(x.X))
	i := f.indexOf(x.Index)
	if outer.record {
		a, _ := arrayOf(f.typeOf(x.X))
		f.at = x.Index.Pos()
		f.emit(ir.Check, ir.None, i, f.integer(int(a.Len())))
		return outer.elem(i)
	}
	if a, ok := outer.load().(*array); ok && a.shared() {
		if mem, ok := f.memory(a); ok {
			n := f.integer(len(a.list))
			return f.inSlice(&slice{mem: mem, len: n, cap: n}, i, x)
		}
	}
	whole := f.partsOf(outer.load())
	if k, ok := known(i); ok && k < uint64(len(whole.list)) {
		return f.field(outer, []int{int(k)})
	}
	f.at = x.Index.Pos()
	f.inArray(whole, number{v: i}, x.Index)
	return &place{
		load: func() tree {
			f.at = x.Pos()
			return f.chosen(f.partsOf(outer.load()), number{v: i})
		},
		store: func(t tree) {
			f.at = x.Pos()
			outer.store(f.replaced(f.partsOf(outer.load()), number{v: i}, t))
		},
	}
}

// field returns a part of a place, which is a struct or an array.
func (f *frame) field(p *place, path []int) *place {
	for _, k := range path {
		outer := f.behindPointer(p)
		if outer.record {
			p = outer.part(k)
			continue
		}
		p = &place{
			load: func() tree { return f.part(outer.load(), k) },
			store: func(t tree) {
				whole := f.partsOf(outer.load())
				list := append([]tree(nil), whole.list...)
				list[k] = t
				outer.store(&parts{whole.typ, list})
			},
		}
	}
	return p
}

func (f *frame) partsOf(t tree) *parts {
	switch t := t.(type) {
	case *parts:
		return t
	case *array:
		return t.parts
	case *table:
		return f.ofTable(t)
	}
	f.refuse(f.at, "", "the functor assigns to a part of something that has none")
	return nil
}

// copied returns what a variable gets: arrays are parts of their own then.
func (f *frame) copied(t tree) tree {
	if b, ok := t.(bad); ok {
		f.refuse(f.at, b.help, "a kernel cannot have %s", b.reason)
	}
	return t
}

// memoryPlace returns an element of a slice.
func (f *frame) memoryPlace(x *ast.IndexExpr) *place {
	s := f.sliceOf(f.expr(x.X), x.X)
	return f.inSlice(s, f.indexOf(x.Index), x)
}

// inSlice returns element i of a slice.
func (f *frame) inSlice(s *slice, i *ir.Value, x *ast.IndexExpr) *place {
	f.at = x.Index.Pos()
	f.emit(ir.Check, ir.None, i, s.len)
	if s.flat != nil {
		return f.recordPlace(s, i, x.Pos())
	}
	return f.storable(s, i, x)
}

// storable returns element i of a slice, which is in range.
func (f *frame) storable(s *slice, i *ir.Value, x ast.Expr) *place {
	mem := f.k.Mems[s.mem]
	return &place{
		load: func() tree { return f.loadAt(s, i) },
		store: func(t tree) {
			n := f.numberOf(t, x)
			f.at = x.Pos()
			if n.product != token.NoPos {
				f.products[mem.Elem.Value()] = n.product
			}
			at := f.element1(s, i)
			f.inMemory(s, func(mem int) { f.emit(ir.Store, ir.None, at, n.v).Index = mem })
		},
	}
}

// loadAt loads element i of a slice, which is in range.
func (f *frame) loadAt(s *slice, i *ir.Value) tree {
	if s.flat != nil {
		return f.recordPlace(s, i, f.at).load()
	}
	f.loads++
	elem := f.k.Mems[s.mem].Elem.Value()
	f.orderOfLoads(elem)
	at := f.element1(s, i)
	load := func(mem int) *ir.Value {
		v := f.emit(ir.Load, elem, at)
		v.Index = mem
		return v
	}
	if len(s.among) == 0 {
		return number{load(s.mem), f.products[elem]}
	}
	loaded := &flag{"loaded"}
	f.set(loaded, number{v: f.constant(elem, 0)})
	f.inMemory(s, func(mem int) { f.vars[loaded] = number{v: load(mem)} })
	v := f.value(loaded)
	delete(f.vars, loaded)
	return number{v, f.products[elem]}
}

// element1 returns the index in memory of element i of a slice of numbers.
func (f *frame) element1(s *slice, i *ir.Value) *ir.Value {
	at := f.offset(s, i)
	if s.base == nil {
		return at
	}
	return f.plus(f.elementsTo(s.base, f.k.Mems[s.mem].Elem), at)
}

func (f *frame) offset(s *slice, i *ir.Value) *ir.Value {
	if s.off == nil {
		return i
	}
	return f.emit(ir.Add, ir.I64, s.off, i)
}

// indexOf lowers an index: as unsigned i64 it is out of range if Go would find it out of range.
func (f *frame) indexOf(x ast.Expr) *ir.Value {
	n := f.numberOf(f.expr(x), x)
	if n.v.Type == ir.I64 {
		return n.v
	}
	_, unsigned, _ := numberType(f.typeOf(x))
	v := f.emit(ir.Conv, ir.I64, n.v)
	v.Unsigned = unsigned
	return v
}

func (f *frame) constantIndex(x ast.Expr) (int, bool) {
	tv := f.pkg.TypesInfo.Types[x]
	if tv.Value == nil {
		return 0, false
	}
	k, ok := constant.Int64Val(constant.ToInt(tv.Value))
	return int(k), ok
}

// zero returns the zero value of a type.
func (f *frame) zero(t types.Type, at token.Pos) tree {
	t = f.subst(t)
	if typ, _, ok := numberType(t); ok {
		return number{v: f.constant(typ, 0)}
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		p := &parts{typ: t}
		for field := range u.Fields() {
			if isBlank(field) {
				p.list = append(p.list, blank)
				continue
			}
			p.list = append(p.list, f.zero(field.Type(), at))
		}
		return p
	case *types.Array:
		if u.Len() <= maxArray {
			p := &parts{typ: t}
			for range u.Len() {
				p.list = append(p.list, f.zero(u.Elem(), at))
			}
			return p
		}
	}
	f.refuse(at, numberTypes, "a kernel cannot have variables of type %s", f.typeString(t))
	return nil
}
