package witness

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A fusing follows products of floats to sums, as the compiler does to fuse the two into one instruction. A
// value that is a product refers to that product. A value with several ways to it refers to none. Nor does a
// result of a function that has several returns, or that the compiler never inlines.
type fusing struct {
	sum    func(sum, product token.Pos, left bool)
	square func(product token.Pos)  // of complex numbers, which is a sum, too
	stored map[uint64]value         // the places that have a product
	merges map[*ssa.BasicBlock]bool // blocks at which stores depend on the way taken
}

// Products runs the functors of the package once. It calls sum for each product that is the left or the right
// term of a sum, and square for each product of complex numbers.
func (p *Program) Products(sum func(sum, product token.Pos, left bool), square func(product token.Pos)) {
	clear(p.launched)
	direct := p.targets()
	for _, t := range direct {
		p.products(t, sum, square)
	}
	for _, t := range p.passed(p.passing) {
		p.products(t, sum, square)
	}
}

func (p *Program) products(t target, sum func(sum, product token.Pos, left bool), square func(product token.Pos)) {
	p.functors, p.spent = map[*ssa.Function]bool{}, 0
	explore := newExplorer()
	for n := 0; n < hosts && explore.begin(); n++ {
		m := p.machine(environments[0], explore)
		m.fusing = &fusing{sum, square, map[uint64]value{}, map[*ssa.BasicBlock]bool{}}
		m.aim(t)
		explore.end()
	}
}

// fuse notes an operation of floats, and returns its result with the product that it is.
func (f *fusing) fuse(i *ssa.BinOp, x, y, v value) value {
	b, ok := under(i.Type()).(*types.Basic)
	switch {
	case f == nil || !ok || b.Info()&(types.IsFloat|types.IsComplex) == 0:
	case b.Info()&types.IsComplex != 0:
		if i.Op == token.MUL && b.Kind() != types.Complex64 && !isAxis(i.X) && !isAxis(i.Y) {
			f.square(i.Pos())
		}
	case i.Op == token.ADD || i.Op == token.SUB:
		for k, term := range []value{x, y} {
			if term.product != nil {
				f.sum(i.Pos(), term.product.Pos(), k == 0)
			}
		}
		v.product = nil
	case i.Op == token.MUL && !vanishes(x) && !vanishes(y), i.Op == token.QUO && isPower(y):
		v.product = i
	default:
		v.product = nil
	}
	return v
}

// isAxis reports whether a factor is a constant that is real or imaginary, with which only one product is
// not zero.
func isAxis(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil &&
		(constant.Sign(constant.Real(c.Value)) == 0 || constant.Sign(constant.Imag(c.Value)) == 0)
}

// vanishes reports whether the compiler makes no product with a factor.
func vanishes(v value) bool {
	x, ok := v.x.(float64)
	return ok && v.mark == 0 && (x == 1 || x == -1 || x == 2)
}

// isPower reports whether the compiler multiplies in place of a division: by a power of two.
func isPower(v value) bool {
	x, ok := v.x.(float64)
	fraction, _ := math.Frexp(x)
	return ok && v.mark == 0 && math.Abs(fraction) == 0.5 && x != 1 && x != -1 && x != 0.5
}

// store notes that a place is set. Places that may overlap the place lose their products.
func (f *fusing) store(p, v value) {
	if f == nil {
		return
	}
	for id, q := range f.stored {
		if !disjoint(p, q) {
			delete(f.stored, id)
		}
	}
	if v.product != nil {
		f.stored[p.id] = p
	}
}

// disjoint reports whether the compiler knows that two places do not overlap: in other variables, other fields,
// and other elements of constant indices.
func disjoint(p, q value) bool {
	if p.obj != q.obj {
		return p.obj.owner > 0 && p.obj.zero || q.obj.owner > 0 && q.obj.zero
	}
	return p.id != q.id && p.n == 0 && q.n == 0
}

// load returns what a place has, with its product if the compiler knows it.
func (f *fusing) load(p, v value) value {
	if f == nil {
		return v
	}
	if q, ok := f.stored[p.id]; !ok || q.n != p.n {
		v.product = nil
	}
	return v
}

// forget drops the products of all places.
func (f *fusing) forget() {
	if f != nil {
		clear(f.stored)
	}
}

// arrive drops the products of all places where ways meet, if something is stored on one of them.
func (f *fusing) arrive(b *ssa.BasicBlock) {
	if f == nil || len(b.Preds) < 2 {
		return
	}
	merges, known := f.merges[b]
	if !known {
		merges = stores(b)
		f.merges[b] = merges
	}
	if merges {
		f.forget()
	}
}

// stores reports whether something is stored or called between a block and the one that dominates it.
func stores(b *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{b.Idom(): true}
	next := append([]*ssa.BasicBlock{}, b.Preds...)
	for len(next) > 0 {
		at := next[0]
		if next = next[1:]; seen[at] {
			continue
		}
		seen[at] = true
		for _, i := range at.Instrs {
			switch i.(type) {
			case *ssa.Store, ssa.CallInstruction, *ssa.MapUpdate:
				return true
			}
		}
		next = append(next, at.Preds...)
	}
	return false
}

// follows reports whether the compiler may inline a function.
func (f *fusing) follows(fn *ssa.Function) bool {
	if f == nil {
		return true
	}
	if decl, ok := fn.Syntax().(*ast.FuncDecl); ok && decl.Doc != nil {
		for _, c := range decl.Doc.List {
			if strings.HasPrefix(c.Text, "//go:noinline") {
				return false
			}
		}
	}
	for _, b := range fn.Blocks {
		for _, i := range b.Instrs {
			switch i.(type) {
			case *ssa.Defer, *ssa.Go, *ssa.Select:
				return false
			}
		}
	}
	return true
}

// apart returns values without their products.
func apart(list []value) (without []value) {
	for _, v := range list {
		v.product = nil
		without = append(without, v)
	}
	return without
}

// returned returns the result of a function, which is a product only if there is one return.
func (f *fusing) returned(fn *ssa.Function, v value) value {
	returns := 0
	for _, b := range fn.Blocks {
		if _, is := b.Instrs[len(b.Instrs)-1].(*ssa.Return); is && b != fn.Recover {
			returns++
		}
	}
	if f == nil || returns == 1 && f.follows(fn) {
		return v
	}
	if list := v.parts(); list != nil {
		v.x = apart(list)
	}
	v.product = nil
	return v
}
