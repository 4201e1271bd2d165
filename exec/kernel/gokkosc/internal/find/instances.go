package find

import (
	"go/ast"
	"go/types"
)

// Instances holds the type arguments of generic functions and types in a program. For each declaration it has
// lists, in the order in which they are found.
type Instances struct {
	of   map[string][][]types.Type // by the name of the declaration
	open []open
	seen map[types.Type]bool
}

// An open list of type arguments mentions type parameters of the declaration in which it stands.
type open struct {
	of, within string
	params     []*types.TypeParam
	args       []types.Type
}

// maxInstances limits the instances of a declaration: some recursive functions have infinitely many.
const maxInstances = 16

// NewInstances returns the instances of packages.
func NewInstances(packages []*Package) *Instances {
	n := &Instances{of: map[string][][]types.Type{}, seen: map[types.Type]bool{}}
	for _, p := range packages {
		for _, file := range p.Files {
			for _, d := range file.Decls {
				n.read(p, d)
			}
		}
	}
	for n.spread() {
	}
	return n
}

// Of returns the type arguments of each instance of a declaration, by type parameter. A declaration without
// type parameters has one instance without type arguments.
func (n *Instances) Of(p *Package, d ast.Decl) []map[*types.TypeParam]types.Type {
	within, params := generic(p, d)
	if within == "" {
		return []map[*types.TypeParam]types.Type{nil}
	}
	var list []map[*types.TypeParam]types.Type
	for _, args := range n.of[within] {
		list = append(list, bound(params, args))
	}
	return list
}

func bound(params []*types.TypeParam, args []types.Type) map[*types.TypeParam]types.Type {
	m := map[*types.TypeParam]types.Type{}
	for k, p := range params {
		m[p] = args[k]
	}
	return m
}

// generic returns the name of a generic function, or for a method the name of its generic type, and the type
// parameters. For other declarations the name is "". A package that is built for tests as well has the same
// names in both builds.
func generic(p *Package, d ast.Decl) (string, []*types.TypeParam) {
	fn, ok := d.(*ast.FuncDecl)
	if !ok {
		return "", nil
	}
	f, ok := p.Info.Defs[fn.Name].(*types.Func)
	if !ok {
		return "", nil
	}
	var params []*types.TypeParam
	for t := range f.Signature().TypeParams().TypeParams() {
		params = append(params, t)
	}
	if len(params) > 0 {
		return f.FullName(), params
	}
	for t := range f.Signature().RecvTypeParams().TypeParams() {
		params = append(params, t)
	}
	if len(params) == 0 {
		return "", nil
	}
	t := f.Signature().Recv().Type()
	if q, ok := types.Unalias(t).(*types.Pointer); ok {
		t = q.Elem()
	}
	return typeName(types.Unalias(t).(*types.Named)), params
}

// read notes the instances in a declaration.
func (n *Instances) read(p *Package, d ast.Decl) {
	within, params := generic(p, d)
	ast.Inspect(d, func(x ast.Node) bool {
		id, isIdent := x.(*ast.Ident)
		if i, ok := p.Info.Instances[id]; isIdent && ok {
			if f, ok := p.Info.Uses[id].(*types.Func); ok {
				n.add(f.Origin().FullName(), within, params, list(i.TypeArgs))
			}
		}
		if e, ok := x.(ast.Expr); ok {
			n.types(p.Info.TypeOf(e), within, params)
		}
		if isIdent {
			if o := p.Info.Defs[id]; o != nil {
				n.types(o.Type(), within, params)
			}
		}
		return true
	})
}

// typeName returns the name of a generic type.
func typeName(t *types.Named) string {
	o := t.Origin().Obj()
	if o.Pkg() == nil {
		return o.Name()
	}
	return o.Pkg().Path() + "." + o.Name()
}

// types notes the instances of generic types within a type.
func (n *Instances) types(t types.Type, within string, params []*types.TypeParam) {
	if t == nil || n.seen[t] {
		return
	}
	n.seen[t] = true
	switch t := t.(type) {
	case *types.Alias:
		n.types(types.Unalias(t), within, params)
	case *types.Named:
		if t.TypeArgs().Len() > 0 {
			n.add(typeName(t), within, params, list(t.TypeArgs()))
		}
		for a := range t.TypeArgs().Types() {
			n.types(a, within, params)
		}
		n.types(t.Underlying(), within, params)
	case interface{ Elem() types.Type }: // a pointer, a slice, an array, a map or a channel
		n.types(t.Elem(), within, params)
	case *types.Struct:
		for v := range t.Fields() {
			n.types(v.Type(), within, params)
		}
	case *types.Signature:
		n.types(t.Params(), within, params)
		n.types(t.Results(), within, params)
	case *types.Tuple:
		for v := range t.Variables() {
			n.types(v.Type(), within, params)
		}
	}
}

func list(l *types.TypeList) (out []types.Type) {
	for t := range l.Types() {
		out = append(out, t)
	}
	return out
}

// add notes an instance that stands in a declaration.
func (n *Instances) add(of, within string, params []*types.TypeParam, args []types.Type) bool {
	for _, t := range args {
		if hasParams(t) {
			n.open = append(n.open, open{of, within, params, args})
			return false
		}
	}
	for _, known := range n.of[of] {
		same := true
		for k, t := range args {
			same = same && types.TypeString(t, nil) == types.TypeString(known[k], nil)
		}
		if same {
			return false
		}
	}
	if len(n.of[of]) == maxInstances {
		return false
	}
	n.of[of] = append(n.of[of], args)
	return true
}

// spread adds the instances that follow from known instances, and reports whether it has added any.
func (n *Instances) spread() (more bool) {
	all := n.open
	for _, o := range all {
		for _, outer := range n.of[o.within] {
			var args []types.Type
			for _, t := range o.args {
				args = append(args, Subst(t, bound(o.params, outer)))
			}
			n.open = n.open[:len(all)]
			more = n.add(o.of, o.within, o.params, args) || more
		}
	}
	n.open = all
	return more
}

// hasParams reports whether a type has type parameters in it.
func hasParams(t types.Type) bool {
	switch t := t.(type) {
	case *types.TypeParam:
		return true
	case *types.Alias:
		return hasParams(types.Unalias(t))
	case *types.Named:
		for a := range t.TypeArgs().Types() {
			if hasParams(a) {
				return true
			}
		}
	case *types.Map:
		return hasParams(t.Key()) || hasParams(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			if hasParams(f.Type()) {
				return true
			}
		}
	case *types.Signature:
		return hasParams(t.Params()) || hasParams(t.Results())
	case *types.Tuple:
		for v := range t.Variables() {
			if hasParams(v.Type()) {
				return true
			}
		}
	case interface{ Elem() types.Type }:
		return hasParams(t.Elem())
	}
	return false
}
