package witness

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// model calls a function of gokkos, or of Go, that is known, and reports whether it is one.
func (m *machine) model(i ssa.CallInstruction, f *types.Func, args []value) (value, bool) {
	if f.Pkg() == nil {
		return value{}, false
	}
	path := f.Pkg().Path()
	if m.depth == 0 && launches(f) {
		if m.live {
			m.launch(i, f, args)
		}
		return value{}, false
	}
	switch path {
	case "sync":
		return m.locking(i, f, args)
	case "math":
		if name := f.Name(); name == "Min" || name == "Max" {
			return m.extremeOf(name == "Min", args)
		}
		return mathematics(f.Name(), args)
	case "slices":
		if s, ok := under(f.Signature().Params().At(0).Type()).(*types.Slice); ok && len(args) == 1 {
			return m.listed(f, args, elementOf(i.Common().Args[0].Type(), s))
		}
	case module + "reducers":
		return m.reducerCall(i, f, args)
	case module + "policy":
		return m.policyCall(i, f, args)
	case module + "team", module + "team/group":
		return m.teamCall(i, f, args)
	case module + "views":
		return m.viewCall(i, f, args)
	}
	return value{}, false
}

// locking models locks, which exclude those who write while they hold one.
func (m *machine) locking(i ssa.CallInstruction, f *types.Func, args []value) (value, bool) {
	if len(args) == 0 || m.depth == 0 {
		return value{}, false
	}
	lock := args[0]
	if lock.kind == boxed {
		lock = lock.x.(value)
	}
	switch f.Name() {
	case "Lock":
		if lock.obj == nil || lock.obj.owner == 0 {
			m.held = append(m.held, lock.hash())
		}
	case "Unlock":
		for k, l := range m.held {
			if l == lock.hash() {
				m.held = append(append([]uint64{}, m.held[:k]...), m.held[k+1:]...)
				break
			}
		}
	case "Do":
		held := m.held
		m.held = append(append([]uint64{}, held...), lock.hash())
		if c, ok := args[1].x.(*closure); ok && c.fn != nil && len(c.fn.Blocks) > 0 {
			m.call(c.fn, nil, c.bound, i)
		}
		m.held = held
	default:
		return value{}, false
	}
	return value{}, true
}

// viewCall models the methods of views that read and write elements.
func (m *machine) viewCall(i ssa.CallInstruction, f *types.Func, args []value) (value, bool) {
	if f.Signature().Recv() == nil || len(args) == 0 {
		return value{}, false
	}
	v := args[0]
	p := value{kind: pointer, id: v.hash(), shape: v.form(), tag: v.tag, mark: v.mark & passed}
	p.obj = m.objectOf(p.id, p.shape)
	indices := args[1:]
	if f.Name() == "Set" {
		indices = args[1 : len(args)-1]
	}
	for _, k := range indices {
		if k.kind != number {
			return value{}, false
		}
		p = p.element(k)
	}
	results := f.Signature().Results()
	if results.Len() == 1 {
		results = i.Common().Signature().Results()
	}
	switch f.Name() {
	case "Set":
		x := args[len(args)-1]
		m.write(i, p, "", true)
		m.store(p, x, i.Common().Signature().Params().At(len(indices)).Type())
		return value{}, true
	case "At":
		return m.load(p, results.At(0).Type()), true
	case "Ptr":
		return p, true
	case "Row":
		n := value{kind: number, n: m.length, mark: made}
		p.kind, p.x = slice, extent{integer(0), n, n}
		return p, true
	}
	return value{}, false
}

// launches reports whether a function runs functors.
func launches(f *types.Func) bool {
	if f.Pkg() == nil || f.Signature().Recv() != nil {
		return false
	}
	switch path, name := f.Pkg().Path(), f.Name(); path {
	case module + "exec":
		return strings.HasPrefix(name, "Parallel") && name != "ParallelFold" || name == "Map" || name == "Fill"
	case module + "views", module + "views/algorithms":
		return f.Exported() // others may call a function once
	}
	return false
}

// elementOf returns the type of the elements of a slice.
func elementOf(t types.Type, or *types.Slice) types.Type {
	if s, ok := under(t).(*types.Slice); ok {
		return s.Elem()
	}
	return or.Elem()
}
