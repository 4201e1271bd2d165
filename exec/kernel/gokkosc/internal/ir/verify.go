package ir

import "fmt"

// Verify returns an error that names the first value which breaks a rule of the README, or nil.
func (k *Kernel) Verify() error {
	w := &verifier{k: k, scope: map[*Value]bool{}, placed: map[*Value]bool{}, ids: map[int]*Value{}}
	w.index()
	w.parameters()
	w.apart()
	w.enter(k.Setup, 0)
	w.yields("setup", k.Setup, nil)
	w.setup()
	w.block(k.Body, len(k.Accs))
	w.yields("body", k.Body, accTypes(k.Accs))
	return w.err
}

type verifier struct {
	k      *Kernel
	scope  map[*Value]bool // values that can be used here
	placed map[*Value]bool // values that stand in a block
	ids    map[int]*Value
	err    error
}

func (w *verifier) fail(v *Value, format string, a ...any) {
	if w.err == nil {
		what := "kernel " + w.k.Name
		if v != nil {
			what += fmt.Sprintf(": %s = %s", v, w.k.Describe(v))
		}
		w.err = fmt.Errorf("ir: %s: %s", what, fmt.Sprintf(format, a...))
	}
}

// index checks that runs go along a dimension.
func (w *verifier) index() {
	i := w.k.Index
	if i.Rank < 0 || i.Rank > 0 && (i.Dim < NoDim || i.Dim >= i.Rank) || i.Rank == 0 && i.Dim != 0 {
		w.fail(nil, "has indices of %d coordinates in runs along %d, expected one of them, and neither for an int", i.Rank, i.Dim)
	}
}

// parameters checks that scalars and memories are parts of parameters.
func (w *verifier) parameters() {
	for n, u := range w.k.Scalars {
		if u.Param < 0 || u.Param >= len(w.k.Params) || u.Type == None {
			w.fail(nil, "scalar %d is part of parameter %d, expected one of %d and a type", n, u.Param, len(w.k.Params))
		}
	}
	for n, a := range w.k.Accs {
		if a.Lanes < 0 || a.Lanes >= len(w.k.Lanes) || a.Elem.Value() != a.Type {
			w.fail(nil, "accumulator %d, a %s kept as %s, is part of pointer %d, expected one of %d and types that go together", n, a.Type, a.Elem, a.Lanes, len(w.k.Lanes))
		}
	}
	for n, m := range w.k.Mems {
		if m.Far || m.Local > 0 {
			if m.Param != -1 || m.Array || m.Far && m.Local > 0 || m.Own != (m.Local > 0) || m.Elem == None || m.Path != nil {
				w.fail(nil, "memory %d is all memory or an item's own, and part of parameter %d, expected -1 and a type", n, m.Param)
			}
			continue
		}
		if m.Table != nil {
			if m.Param != -1 || !m.Array || m.Elem == None {
				w.fail(nil, "memory %d of constants is part of parameter %d, expected -1, an array and a type", n, m.Param)
			}
			continue
		}
		if n > 0 && w.k.Mems[n-1].Param < 0 {
			w.fail(nil, "memory %d stands behind one that is no part of a parameter, expected it before all of these", n)
		}
		if m.Param < 0 || m.Param >= len(w.k.Params) || m.Elem == None {
			w.fail(nil, "memory %d is part of parameter %d, expected one of %d and a type", n, m.Param, len(w.k.Params))
		}
	}
}

// apart checks pairs of memories.
func (w *verifier) apart() {
	for _, pair := range w.k.Apart {
		if pair[0] < 0 || pair[0] >= pair[1] || pair[1] >= len(w.k.Captured()) {
			w.fail(nil, "memories %d and %d are asked whether they overlap, expected two of %d, the lower one first", pair[0], pair[1], len(w.k.Captured()))
		}
	}
}

// setup checks the values that are computed once, and the conditions on indices.
func (w *verifier) setup() {
	w.k.Setup.Walk(func(v *Value) {
		switch v.Op {
		case Item, Store, Atomic, Combine, Member, Lane, Across: // Coord and Stop are the same for a run
			w.fail(v, "stands in the setup, which no item runs")
		}
	})
	for n, c := range w.k.Checks {
		for _, v := range []*Value{c.Base, c.Step, c.Limit} {
			if v == nil || v.Type != I64 || !w.scope[v] {
				w.fail(v, "is part of condition %d on the index, expected an i64 of the setup", n)
			}
		}
		if c.When != nil && (c.When.Type != Bool || !w.scope[c.When]) {
			w.fail(c.When, "says when condition %d on the index holds, expected a bool of the setup", n)
		}
	}
}

func accTypes(accs []Acc) (types []Type) {
	for _, a := range accs {
		types = append(types, a.Type)
	}
	return types
}

// block checks the values of a block. The values are out of scope behind the block.
func (w *verifier) block(b *Block, params int) {
	w.enter(b, params)
	w.leave(b)
}

func (w *verifier) enter(b *Block, params int) {
	if len(b.Params) != params {
		w.fail(nil, "a block has %d parameters, expected %d", len(b.Params), params)
		return
	}
	for n, p := range b.Params {
		if p.Op != Arg || p.Index != n {
			w.fail(p, "parameter %d of a block, expected an arg with that index", n)
		}
		w.define(p)
	}
	for _, v := range b.Values {
		w.value(v)
	}
	for _, y := range b.Yield {
		w.use(nil, y)
	}
}

func (w *verifier) leave(b *Block) {
	for _, p := range b.Params {
		delete(w.scope, p)
	}
	for _, v := range b.Values {
		delete(w.scope, v)
	}
}

func (w *verifier) define(v *Value) {
	if w.placed[v] {
		w.fail(v, "stands in two places")
	}
	if other := w.ids[v.ID]; v.ID <= 0 || v.ID >= w.k.NumValues() || other != nil && other != v {
		w.fail(v, "has the number %d, expected one of its own below %d", v.ID, w.k.NumValues())
	}
	w.placed[v], w.scope[v], w.ids[v.ID] = true, true, v
}

func (w *verifier) use(by, v *Value) {
	if v == nil {
		w.fail(by, "has an argument that is nil")
	} else if !w.scope[v] {
		w.fail(by, "uses %s, which is not computed before it", v)
	}
}

func (w *verifier) value(v *Value) {
	if v.Op == Invalid || v.Op >= numOps {
		w.fail(nil, "v%d has the operation %d, expected one that there is", v.ID, v.Op)
		return
	}
	if n := ops[v.Op].args; n >= 0 && len(v.Args) != n {
		w.fail(v, "has %d arguments, expected %d", len(v.Args), n)
		return
	}
	for _, a := range v.Args {
		w.use(v, a)
	}
	if w.err != nil {
		return
	}
	if v.Op == Arg {
		w.fail(v, "is among the values of a block, expected it among the parameters")
	}
	if !ops[v.Op].rule(v) {
		w.fail(v, "has type %s of arguments of types %v", v.Type, typesOf(v.Args))
		return
	}
	w.special(v)
	w.define(v)
}

// special checks the rules of single operations.
func (w *verifier) special(v *Value) {
	switch v.Op {
	case Const:
		if v.Type == Bool && v.Bits > 1 || v.Type.Bytes() == 4 && v.Bits>>32 != 0 {
			w.fail(v, "has bits %#x, which are no %s", v.Bits, v.Type)
		}
	case Uniform:
		if v.Index < 0 || v.Index >= len(w.k.Scalars) || w.k.Scalars[v.Index].Type != v.Type {
			w.fail(v, "is of type %s, expected one of %d uniforms, of that type", v.Type, len(w.k.Scalars))
		}
	case Item:
		if i := w.k.Index; i.Row && i.Dim != NoDim {
			w.fail(v, "stands in a kernel of rows, which are items as a whole")
		}
	case Coord:
		if i := w.k.Index; v.Index < 0 || v.Index >= max(i.Rank, 1) || v.Index == i.Dim && !i.Row {
			w.fail(v, "expected one of the %d coordinates of a point, and not that along the run", i.Rank)
		}
	case Stop:
		if !w.k.Index.Row {
			w.fail(v, "stands in a kernel whose items are no rows")
		}
	case Load, Store, Atomic:
		w.access(v)
	case Cells:
		if d, rank := v.Extent(); v.Index < 0 || v.Index >= len(w.k.Accesses) || d >= rank {
			w.fail(v, "is extent %d of cells of rank %d of access %d, expected one of %d", d, rank, v.Index, len(w.k.Accesses))
		}
	case Combine:
		w.contribution(v)
	case Result:
		if types := v.Args[0].Results(); v.Index < 0 || v.Index >= len(types) || types[v.Index] != v.Type {
			w.fail(v, "has type %s, expected one of the results %v", v.Type, types)
		}
	case If:
		w.branches(v)
	case Loop:
		w.loop(v)
	case Member, Meet:
		if w.k.Team != ByMember && w.k.Team != ByThread {
			w.fail(v, "stands in a kernel whose body is not that of members of teams")
		}
	case Lane, Wait, Across, Joined, Apart:
		if w.k.Team != ByThread || v.Op == Joined && (v.Index < 0 || v.Index >= len(w.k.Accs)) {
			w.fail(v, "stands in a kernel whose body is not that of threads, or joins as accumulator %d, expected one of %d", v.Index, len(w.k.Accs))
		}
	case Gather, Prefix, Pass, Each, Fold:
		if w.k.Team != ByMember {
			w.fail(v, "stands in a kernel whose body is not that of members of teams")
		}
		switch {
		case v.Op == Each || v.Op == Fold:
			w.ranged(v)
		case (v.Op == Gather || v.Op == Prefix) && len(v.Joints()) != 1:
			w.fail(v, "joins by %q, expected an operation", v.Func)
		}
	default:
		if len(v.Blocks) > 0 {
			w.fail(v, "has %d blocks, expected none", len(v.Blocks))
		}
	}
}

func (w *verifier) contribution(v *Value) {
	if w.k.Team != NoTeam || w.k.Scan {
		w.fail(v, "stands in a kernel of teams or of a scan")
		return
	}
	if v.Index < 0 || v.Index >= len(w.k.Accesses) {
		w.fail(v, "contributes to access %d, expected one of %d", v.Index, len(w.k.Accesses))
		return
	}
	elem := w.k.Accesses[v.Index].Elem
	if n := IndexOf(v.Func); len(v.Args) > n && elem.Value() != v.Args[n].Type {
		w.fail(v, "contributes %s, expected %s", v.Args[n].Type, elem)
	}
}

func (w *verifier) access(v *Value) {
	if v.Index < 0 || v.Index >= len(w.k.Mems) {
		w.fail(v, "is of memory %d, expected one of %d", v.Index, len(w.k.Mems))
		return
	}
	m, t := w.k.Mems[v.Index], v.Type
	if v.Op == Store {
		t = v.Args[1].Type
	}
	if v.Writes() && m.Array {
		w.fail(v, "stores to an array, which is a copy")
	}
	if v.Op == Atomic && m.Elem.IsNarrow() {
		w.fail(v, "is of a %s, which no processor has atomic operations on", m.Elem)
	}
	if m.Elem.Value() != t {
		w.fail(v, "is of a %s, expected a %s, which memory %d has", t, m.Elem, v.Index)
	}
}

func (w *verifier) branches(v *Value) {
	if len(v.Blocks) != 2 {
		w.fail(v, "has %d blocks, expected 2", len(v.Blocks))
		return
	}
	w.block(v.Then(), 0)
	w.block(v.Else(), 0)
	w.yields("else", v.Else(), typesOf(v.Then().Yield))
}

func (w *verifier) loop(v *Value) {
	if len(v.Blocks) != 2 {
		w.fail(v, "has %d blocks, expected 2", len(v.Blocks))
		return
	}
	carried := typesOf(v.Args)
	w.enter(v.Head(), len(carried))
	if w.err != nil {
		return
	}
	for n, p := range v.Head().Params {
		if p.Type != carried[n] {
			w.fail(p, "has type %s, expected %s, which is carried", p.Type, carried[n])
		}
	}
	w.yields("head", v.Head(), []Type{Bool})
	w.block(v.LoopBody(), 0)
	w.yields("body of a loop", v.LoopBody(), carried)
	w.leave(v.Head())
}

func (w *verifier) yields(what string, b *Block, want []Type) {
	if w.err != nil {
		return
	}
	got := typesOf(b.Yield)
	if fmt.Sprint(got) != fmt.Sprint(want) {
		w.fail(nil, "%s yields %v, expected %v", what, got, want)
	}
}

func typesOf(values []*Value) []Type {
	types := make([]Type, len(values))
	for n, v := range values {
		types[n] = v.Type
	}
	return types
}
