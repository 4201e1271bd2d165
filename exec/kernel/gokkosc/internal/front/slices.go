package front

import (
	"cmp"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// A slice is a slice of one memory, or of one of several memories under conditions.
type slice struct {
	mem           int
	off, len, cap *ir.Value // off is nil if it is 0
	among         []memoryIf
	flat          *records  // records of a slice of structs or arrays, with mem -1; else nil
	base          *ir.Value // address of element 0 of a slice in memory; else nil
}

func (s *slice) leaves() []*ir.Value {
	out := []*ir.Value{s.off, s.len, s.cap}
	if s.base != nil {
		out = append(out, s.base)
	}
	for _, m := range s.among {
		out = append(out, m.when)
	}
	return out
}

func (s *slice) with(take func() *ir.Value) tree {
	t := &slice{mem: s.mem, off: take(), len: take(), cap: take(), among: slices.Clone(s.among), flat: s.flat}
	if s.base != nil {
		t.base = take()
	}
	for n := range t.among {
		t.among[n].when = take()
	}
	return t
}

func (s *slice) differs(k *ir.Kernel, other tree) (says, help string) {
	if t, ok := other.(*slice); ok && !sameMemories(s, t) {
		return oneSlice(s.memoriesIn(k), t.memoriesIn(k))
	}
	return "", ""
}

// oneSlice is oneOf for slices, which the functor may have made.
func oneSlice(a, b string) (says, help string) {
	const copied = "copy the elements to one slice, which the functor makes first"
	switch {
	case a == madeName && b == madeName:
		return "is one of several slices that the functor makes", copied
	case a == madeName || b == madeName:
		return "is a slice of " + cmp.Or(strings.TrimPrefix(a, madeName), b) + " or one that the functor makes", copied
	}
	return oneOf("a slice", a, b)
}

// oneOf returns the text and the help of a refusal for a variable that is one of two things.
func oneOf(what, a, b string) (says, help string) {
	return "is " + what + " of " + a + " or of " + b, "choose between elements instead"
}

// memoriesIn names the memories of a slice.
func (s *slice) memoriesIn(k *ir.Kernel) string {
	if s.flat != nil && s.flat.far {
		return "memory that slices lead to"
	}
	if s.flat != nil {
		return k.PathString(s.flat.param, s.flat.path)
	}
	var names []string
	for _, m := range s.among {
		names = append(names, k.Mems[m.mem].Name)
	}
	return strings.Join(append(names, k.Mems[s.mem].Name), " or ")
}

// A memoryIf is the memory of a slice if its condition holds, and if no earlier condition in the list holds.
type memoryIf struct {
	when *ir.Value
	mem  int
}

// A shape is the field shape of a view, or of one of several views under conditions.
type shape struct {
	param, rank int
	path        []ir.Step
	among       []shapeIf
}

func (s shape) leaves() (out []*ir.Value) {
	for _, of := range s.among {
		out = append(out, of.when)
	}
	return out
}

func (s shape) with(take func() *ir.Value) tree {
	s.among = slices.Clone(s.among)
	for n := range s.among {
		s.among[n].when = take()
	}
	return s
}

func (s shape) differs(k *ir.Kernel, other tree) (says, help string) {
	if t, ok := other.(shape); ok && !sameShapes(s, t) {
		return oneOf("a view", k.PathString(s.param, s.path), k.PathString(t.param, t.path))
	}
	return "", ""
}

// A shapeIf is the shape if its condition holds, and if no earlier condition in the list holds.
type shapeIf struct {
	when  *ir.Value
	param int
	path  []ir.Step
}

// A dims is the strides or the extents of a view.
type dims struct {
	of   shape
	kind ir.StepKind
}

// A lazySlice is a slice that is a part of a parameter, once it is used.
type lazySlice struct {
	make func() *slice
	s    *slice
}

func (s *lazySlice) get() *slice {
	if s.s == nil {
		s.s = s.make()
	}
	return s.s
}

func (s *lazySlice) differs(k *ir.Kernel, other tree) (says, help string) {
	if t, ok := other.(*lazySlice); ok && s != t {
		return oneSlice(s.get().memoriesIn(k), t.get().memoriesIn(k))
	}
	return "", ""
}

// A records is a slice whose elements are made of numbers.
type records struct {
	param, rank int // rank of a view, 0 of a slice
	path        []ir.Step
	elem        types.Type
	mems        map[string]int // by the type of numbers
	far         bool           // the elements lie anywhere in memory
}

// sameMemories reports whether slices have the same memories. Their conditions may differ.
func sameMemories(x, y *slice) bool {
	return x.mem == y.mem && x.flat == y.flat && slices.EqualFunc(x.among, y.among, func(a, b memoryIf) bool { return a.mem == b.mem })
}

// sameShapes reports whether shapes belong to the same views. Their conditions may differ.
func sameShapes(x, y shape) bool {
	return x.param == y.param && slices.Equal(x.path, y.path) &&
		slices.EqualFunc(x.among, y.among, func(a, b shapeIf) bool { return a.param == b.param && slices.Equal(a.path, b.path) })
}

// memories returns the memories of a slice. For a slice of structs or arrays it returns the memories that the
// functor has touched.
func (s *slice) memories() []int {
	if s.flat == nil {
		return []int{s.mem}
	}
	return slices.Sorted(maps.Values(s.flat.mems))
}
