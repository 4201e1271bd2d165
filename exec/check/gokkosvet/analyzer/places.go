package analyzer

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"strings"
)

// A place is a variable, or a part of one: fields (.a), elements ([3], [i], or [?] for any), and what a
// pointer or a slice refers to (*).
type place struct {
	root types.Object
	path string
}

// A tree is a value: what is known of its parts, by their paths.
type tree map[string]leaf

func (t tree) leaf() leaf { return t[""] }

// part returns a part of a value.
func (t tree) part(path string) tree {
	part := tree{}
	for at, l := range t {
		if rest, ok := within(at, path); ok {
			part[rest] = l
		}
	}
	return part
}

// within returns the rest of a path that leads through another one.
func within(path, through string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(path, through)
	return rest, ok && (rest == "" || strings.ContainsRune(".[*", rune(rest[0])))
}

var indexed = regexp.MustCompile(`\[[^]]*\]`)

// any returns a path with any element for each of its elements.
func anyElement(path string) string { return indexed.ReplaceAllString(path, "[?]") }

// at returns what is in a place.
func (f *flow) at(p place) tree {
	t := tree{}
	if f.now == nil {
		return t
	}
	some := strings.Contains(p.path, "[?]")
	seen := map[string]bool{}
	for at, l := range f.now.leaves {
		path := at.path
		if some {
			path = anyElement(path)
		}
		rest, ok := within(path, p.path)
		if at.root != p.root || !ok || strings.Contains(rest, "*") {
			continue
		}
		if old, twice := t[rest]; seen[rest] && (!twice || old != l) {
			delete(t, rest)
			continue
		}
		t[rest], seen[rest] = l, true
	}
	return t
}

// put sets a place to a value.
func (f *flow) put(p place, t tree) {
	if f.now == nil {
		return
	}
	if strings.Contains(p.path, "[?]") {
		f.forget()
		return
	}
	for at := range f.now.leaves {
		_, under := within(at.path, p.path)
		if under && at.root == p.root || strings.Contains(at.path, mention(p.root)) {
			delete(f.now.leaves, at)
		}
	}
	if f.inMemory(p) {
		maps.DeleteFunc(f.now.leaves, func(at place, _ leaf) bool { return f.inMemory(at) && !disjoint(at, p) })
		f.now.memory = f.stored()
	}
	for path, l := range t {
		if l != (leaf{}) {
			f.now.leaves[place{p.root, p.path + path}] = l
		}
	}
}

// meet returns what two values have alike.
func meet(x, y tree) tree {
	m := maps.Clone(x)
	maps.DeleteFunc(m, func(path string, l leaf) bool { return l != y[path] })
	return m
}

// place returns the place that an expression means, if it means one.
func (f *flow) place(e ast.Expr) (p place, ok bool) {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := f.pass.TypesInfo.ObjectOf(x).(*types.Var)
		return place{root: v}, ok && x.Name != "_"
	case *ast.StarExpr:
		return f.pointed(x.X)
	case *ast.SelectorExpr:
		s := f.pass.TypesInfo.Selections[x]
		if s == nil {
			v, ok := f.pass.TypesInfo.Uses[x.Sel].(*types.Var)
			return place{root: v}, ok
		}
		if s.Kind() != types.FieldVal {
			return p, false
		}
		return f.field(x.X, s.Index())
	case *ast.IndexExpr:
		switch f.under(x.X).(type) {
		case *types.Array:
			p, ok = f.place(x.X)
		case *types.Slice, *types.Pointer:
			p, ok = f.pointed(x.X)
		}
		if index := f.index(x.Index); ok && index != "" {
			p.path += index
			return p, true
		}
	}
	return p, false
}

func (f *flow) under(e ast.Expr) types.Type {
	if t := f.pass.TypesInfo.TypeOf(e); t != nil {
		return t.Underlying()
	}
	return nil
}

// pointed returns the place that a pointer or a slice refers to.
func (f *flow) pointed(e ast.Expr) (place, bool) {
	if l := f.value(e).leaf(); l.to.root != nil {
		return l.to, true
	}
	p, ok := f.place(e)
	p.path += "*"
	return p, ok
}

// field returns the place of a field, through those that are embedded.
func (f *flow) field(of ast.Expr, index []int) (p place, ok bool) {
	t := f.pass.TypesInfo.TypeOf(of)
	if pointer, is := t.Underlying().(*types.Pointer); is {
		t = pointer.Elem()
		p, ok = f.pointed(of)
	} else {
		p, ok = f.place(of)
	}
	for k, n := range index {
		s, is := t.Underlying().(*types.Struct)
		if !is || !ok {
			return p, false
		}
		t = s.Field(n).Type()
		p.path += "." + s.Field(n).Name()
		if pointer, is := t.Underlying().(*types.Pointer); is && k < len(index)-1 {
			if l := f.at(p).leaf(); l.to.root != nil {
				p = l.to
			} else {
				p.path += "*"
			}
			t = pointer.Elem()
		}
	}
	return p, ok
}

// index returns an index as a part of a path, "" if the compiler does not know whether it is the same as
// another one.
func (f *flow) index(e ast.Expr) string {
	if v := f.value(e).leaf().val; v != nil && v.Kind() == constant.Int {
		return "[" + v.ExactString() + "]"
	}
	var text func(e ast.Expr) (string, bool)
	text = func(e ast.Expr) (string, bool) {
		if v := f.pass.TypesInfo.Types[e].Value; v != nil {
			return v.ExactString(), true
		}
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			return mention(f.pass.TypesInfo.ObjectOf(x)), true
		case *ast.BinaryExpr:
			a, ok := text(x.X)
			b, too := text(x.Y)
			return "(" + a + x.Op.String() + b + ")", ok && too
		}
		return "", false
	}
	if s, ok := text(e); ok {
		return "[" + s + "]"
	}
	return ""
}

// store sets what an expression means.
func (f *flow) store(e ast.Expr, t tree) {
	if p, ok := f.place(e); ok {
		f.put(p, t)
	} else if !isBlank(e) && f.now != nil {
		f.forget()
	}
}

func isBlank(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "_"
}

// assign follows an assignment.
func (f *flow) assign(s *ast.AssignStmt) {
	if op, ok := operators[s.Tok]; ok {
		y := f.value(s.Rhs[0]).leaf()
		f.store(s.Lhs[0], tree{"": f.operate(s, op, f.value(s.Lhs[0]).leaf(), y)})
		return
	}
	f.set(s.Lhs, s.Rhs)
}

func (f *flow) set(left, right []ast.Expr) {
	var to []tree
	if len(right) == 1 {
		to = f.values(right[0])
	} else {
		for _, e := range right {
			to = append(to, f.value(e))
		}
	}
	for k, e := range left {
		var t tree
		if k < len(to) {
			t = to[k]
		}
		f.store(e, t)
	}
}

var operators = map[token.Token]token.Token{
	token.ADD_ASSIGN: token.ADD, token.SUB_ASSIGN: token.SUB, token.MUL_ASSIGN: token.MUL,
	token.QUO_ASSIGN: token.QUO, token.REM_ASSIGN: token.REM, token.AND_ASSIGN: token.AND,
	token.OR_ASSIGN: token.OR, token.XOR_ASSIGN: token.XOR, token.AND_NOT_ASSIGN: token.AND_NOT,
	token.SHL_ASSIGN: token.SHL, token.SHR_ASSIGN: token.SHR,
}

// declare follows a declaration.
func (f *flow) declare(s *ast.DeclStmt) {
	d, ok := s.Decl.(*ast.GenDecl)
	if !ok || d.Tok != token.VAR {
		return
	}
	for _, spec := range d.Specs {
		spec := spec.(*ast.ValueSpec)
		var names []ast.Expr
		for _, name := range spec.Names {
			names = append(names, name)
		}
		if len(spec.Values) > 0 {
			f.set(names, spec.Values)
			continue
		}
		for _, name := range names {
			if !isBlank(name) {
				f.store(name, nil)
			}
		}
	}
}
