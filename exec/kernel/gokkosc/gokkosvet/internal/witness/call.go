package witness

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// invoke runs a call, now or at the end of the function.
func (m *machine) invoke(f *frame, i ssa.CallInstruction) {
	c := i.Common()
	args := m.all(c.Args)
	fun := value{}
	if _, static := c.Value.(*ssa.Builtin); !static {
		fun = m.get(c.Value)
	}
	switch call := i.(type) {
	case *ssa.Defer:
		f.defers = append(f.defers, func() { m.apply(i, fun, args) })
	case *ssa.Call:
		if m.goal.is(f, i) {
			m.live = true
			for _, a := range args {
				if c, ok := a.x.(*closure); ok && c.fn != nil {
					m.handed = append(m.handed, c.fn)
				}
			}
			if made, ok := m.apply(i, fun, args).x.(*closure); ok && made.fn != nil && len(made.fn.Blocks) > 0 {
				m.call(made.fn, m.params(made.fn), made.bound, i) // the function that it returns launches later
			}
			panic(end{})
		}
		f.regs[f.code.registers[call]] = m.apply(i, fun, args)
	default:
		m.apply(i, fun, args)
	}
}

// apply calls the function that a call denotes.
func (m *machine) apply(i ssa.CallInstruction, fun value, args []value) value {
	c := i.Common()
	if b, ok := c.Value.(*ssa.Builtin); ok {
		return m.builtin(i, b.Name(), args)
	}
	if c.IsInvoke() {
		if fun.kind == boxed {
			if fn := m.methodOf(fun.typ, c.Method); fn != nil {
				return m.function(i, fn, append([]value{fun.x.(value)}, args...), nil)
			}
		}
		return m.other(i, c.Method, append([]value{fun}, args...))
	}
	if of, ok := fun.x.(*closure); ok {
		if of.run != nil {
			return of.run(m, args, i)
		}
		return m.function(i, of.fn, args, of.bound)
	}
	return m.other(i, nil, append([]value{fun}, args...))
}

// methodOf returns the method of a type.
func (p *Program) methodOf(t types.Type, method *types.Func) *ssa.Function {
	if s := p.prog.MethodSets.MethodSet(t).Lookup(method.Pkg(), method.Name()); s != nil {
		return p.prog.MethodValue(s)
	}
	return nil
}

// isWrapper reports whether a function only calls a method.
func isWrapper(fn *ssa.Function) bool {
	return strings.Contains(fn.Synthetic, "wrapper") || strings.Contains(fn.Synthetic, "bound") ||
		strings.Contains(fn.Synthetic, "thunk")
}

// function calls a function: by its model, by its text, or as one that nobody knows.
func (m *machine) function(i ssa.CallInstruction, fn *ssa.Function, args, bound []value) value {
	obj, _ := fn.Object().(*types.Func)
	if obj != nil && !isWrapper(fn) {
		if v, ok := m.model(i, obj, args); ok {
			return v
		}
	}
	if len(fn.Blocks) > 0 {
		return m.call(fn, args, bound, i)
	}
	return m.other(i, obj, args)
}

// other calls a function whose text is not known: nil of a value that may be any.
func (m *machine) other(i ssa.CallInstruction, obj *types.Func, args []value) value {
	h := uint64(73)
	if obj != nil {
		if v, ok := m.ordered(obj, args); ok {
			return v
		}
		h = mixText(h, obj.FullName())
	}
	id, shape, of := m.madeOf(h, args)
	if m.depth > 0 && m.mayClaim(obj, of) {
		m.visits++
		id, shape, of = mix(id, m.visits), mix(shape, m.visits), of|claim|item
		id = mix(id, m.actor)
	}
	m.callBack(i, args, id, shape, of)
	if obj == nil || !strings.HasPrefix(obj.FullName(), "math.") {
		m.fusing.forget()
		for _, a := range args {
			m.havoc(a, 0)
		}
	}
	t := i.Common().Signature().Results()
	switch t.Len() {
	case 0:
		return value{}
	case 1:
		v := m.unknown(t.At(0).Type(), id, shape, of, "")
		if of&claim != 0 && v.kind == opaque && obj != nil && strings.HasPrefix(obj.Name(), "CompareAndSwap") {
			if v = m.decided(v); v.n == 0 {
				v.mark &^= claim
			}
		}
		return v
	}
	return m.unknown(t, id, shape, of, "")
}

// madeOf returns the identity, the shape and the marks of what is made of values.
func (m *machine) madeOf(h uint64, args []value) (id, shape uint64, of mark) {
	id, shape = h, h
	for _, a := range args {
		id, shape, of = mix(id, a.hash()), mix(shape, a.form()), of|a.mark&passed
		if a.obj != nil && a.obj.owner > 0 {
			of |= item
		}
		for _, p := range a.parts() {
			of |= p.mark & passed
		}
	}
	return id, shape, of
}

// callBack runs the functions that a call is given, twice, with what nobody knows.
func (m *machine) callBack(i ssa.CallInstruction, args []value, id, shape uint64, of mark) {
	if m.depth == 0 {
		return
	}
	for _, a := range args {
		c, ok := a.x.(*closure)
		if !ok || c.fn == nil || len(c.fn.Blocks) == 0 {
			continue
		}
		m.doubt()
		for turn := range uint64(2) {
			var given []value
			for k, p := range c.fn.Params {
				n := turn<<8 + uint64(k)
				v := m.unknown(p.Type(), mix(mix(id, n), m.actor), mix(shape, n), of, p.Name())
				if v.obj != nil {
					v.obj.owner = m.depth
				}
				given = append(given, v)
			}
			m.call(c.fn, given, c.bound, i)
		}
	}
}

const module = "github.com/gokkos/gokkos/"

// claimants are packages whose operations on a shared place return a different result to each caller.
var claimants = []string{
	module + "views/atomics", module + "views/bitset", module + "views/hashmap", module + "views/token",
	"sync", "sync/atomic",
}

// readers are the operations of claimants that only read.
var readers = []string{
	"Load", "Test", "Count", "Size", "Len", "Find", "Contains", "All", "Capacity", "Failed", "Entries",
}

// mayClaim reports whether a function may return a different result to each caller. Function values and
// methods of interfaces may. So may operations of claimants, except readers. So may functions of a user's
// package that get an item, or an argument that they can change.
func (p *Program) mayClaim(f *types.Func, of mark) bool {
	if f == nil {
		return true
	}
	if f.Pkg() == nil {
		return false
	}
	path := f.Pkg().Path()
	switch {
	case slices.Contains(claimants, path):
		if strings.HasPrefix(f.Name(), "Load") && path == "sync/atomic" {
			return false
		}
		return !slices.Contains(readers, f.Name())
	case strings.HasPrefix(path, module) || p.standard(path):
		return false
	case of&item != 0:
		return true
	}
	given := slices.Collect(f.Signature().Params().Variables())
	if recv := f.Signature().Recv(); recv != nil {
		given = append(given, recv)
	}
	return slices.ContainsFunc(given, func(v *types.Var) bool { return changeable(v.Type(), 0) })
}

// standard reports whether a package is one of Go.
func (p *Program) standard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	own, _, _ := strings.Cut(p.pkg.Pkg.Path(), "/")
	return first != own && !strings.Contains(first, ".")
}

// changeable reports whether a function can change what callers share through a value, but for elements of
// slices.
func changeable(t types.Type, depth int) bool {
	switch u := t.Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Signature, *types.Chan:
		return true
	case *types.Struct:
		for field := range u.Fields() {
			if depth < 4 && changeable(field.Type(), depth+1) {
				return true
			}
		}
	}
	return false
}
