package front

import (
	"fmt"
	"go/types"
	"iter"
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// name returns the name of a variable, or "" without one.
func name(key any) string {
	switch key := key.(type) {
	case *types.Var:
		if key.Name() == "_" {
			return ""
		}
		return key.Name()
	case accumulator:
		return fmt.Sprintf("acc%d", key.n)
	case *flag:
		return key.name
	}
	return ""
}

// subject returns the words for a variable in a refusal: its name, or a description if the source gives it no
// name.
func (l *lowering) subject(key any) string {
	if f, ok := key.(*flag); ok && f.name == "result" && len(l.calls) > 0 {
		return "the result of " + fullName(l.calls[len(l.calls)-1])
	}
	if v, ok := key.(*types.Var); ok && name(v) != "" {
		return v.Name()
	}
	return "a variable"
}

// newFlag returns a flag that is false.
func (l *lowering) newFlag(name string) *flag {
	f := &flag{name}
	l.set(f, number{v: l.truth(false)})
	return f
}

// set sets a variable.
func (l *lowering) set(key any, t tree) {
	if _, ok := l.order[key]; !ok {
		l.order[key] = len(l.order)
	}
	if n, ok := t.(number); ok && n.v.Name == "" && n.v.Op != ir.Const && n.v.Op != ir.Uniform {
		n.v.Name = name(key)
	}
	l.put(key, t)
}

// put sets a variable that has its name and its place in the order.
func (l *lowering) put(key any, t tree) {
	l.logged(key)
	l.vars[key] = t
}

func (l *lowering) logged(key any) {
	was, there := l.vars[key]
	l.log = append(l.log, change{key, was, there})
}

// since returns the variables that were set or forgotten since the log had a length, each as it was then.
func (l *lowering) since(mark int) map[any]change {
	first := map[any]change{}
	for _, c := range l.log[mark:] {
		if _, ok := first[c.key]; !ok {
			first[c.key] = c
		}
	}
	return first
}

// forgetNew removes the variables that were none when the log had a length.
func (l *lowering) forgetNew(mark int) {
	for key, c := range l.since(mark) {
		if _, is := l.vars[key]; is && !c.there {
			l.logged(key)
			delete(l.vars, key)
		}
	}
}

// value returns the value of a flag.
func (l *lowering) value(f *flag) *ir.Value { return l.vars[f].(number).v }

// any returns the value that tells whether one of the flags is set.
func (l *lowering) any(flags []*flag) *ir.Value {
	v := l.truth(false)
	for _, f := range flags {
		switch x := l.value(f); {
		case v.Op == ir.Const && v.Bits == 0 || x.Op == ir.Const && x.Bits != 0:
			v = x
		case x.Op == ir.Const || v.Op == ir.Const:
		default:
			v = l.emit(ir.Or, ir.Bool, v, x)
		}
	}
	return v
}

// sorted returns the keys of variables in the order in which they were set first.
func (l *lowering) sorted(keys iter.Seq[any]) []any {
	return slices.SortedFunc(keys, func(a, b any) int { return l.order[a] - l.order[b] })
}
