package witness

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A Verdict says how a join treats its identity.
type Verdict uint8

// The verdicts, from better to worse.
const (
	Neutral  Verdict = iota
	Compares         // a comparison with the identity has decided, and a value was lost
	Lost             // the identity has swallowed a value
)

// A judge watches a join of an identity and a sample. An event is a condition, a minimum or a product in
// which both sides meet. If the join loses a value, but not when one event has the opposite result, that
// event is the cause.
type judge struct {
	kinds  []Verdict // of the events
	flip   int       // the event that has the opposite result, or -1
	asked  bool      // a condition of the sample alone was asked: it may be empty
	unsure bool      // the join has tested a condition with an unknown result
	counts bool      // integers of both sides were added: they count something
	stored map[uint64]bool
}

// both has the marks of a value that depends on both sides.
const both = left | right

// event notes an event, and reports whether the event has the opposite result.
func (j *judge) event(kind Verdict) bool {
	j.kinds = append(j.kinds, kind)
	return len(j.kinds)-1 == j.flip
}

// asks notes a condition, and returns it as it comes out.
func (j *judge) asks(c value) value {
	switch {
	case j == nil:
	case c.mark&both == both:
		if j.event(Compares) {
			c.n ^= 1
		}
	case c.mark&right != 0:
		j.asked = true
	}
	return c
}

// swallows reports whether a product of both sides is zero although one of the sides is not zero.
func (j *judge) swallows(op token.Token, x, y value) bool {
	return j != nil && (op == token.MUL || op == token.AND) && (x.mark|y.mark)&both == both &&
		x.isNumber() && y.isNumber() && x.isZero() != y.isZero()
}

func (v value) isNumber() bool { return v.kind == number || v.kind == float }

func (v value) isZero() bool { return v.n == 0 && (v.kind != float || v.x.(float64) == 0) }

// or returns the number of the two that is not zero, with the marks of both.
func (v value) or(w value) value {
	if v.isZero() {
		v, w = w, v
	}
	v.mark |= w.mark
	return v
}

// and returns the number of the two that is zero, with the marks of both.
func (v value) and(w value) value {
	if !v.isZero() {
		v, w = w, v
	}
	v.mark |= w.mark
	return v
}

func isRank(v value) bool {
	_, is := v.x.(rank)
	return is
}

// A leaf is a number, a text or a bool in a value, by its place.
type leaf struct {
	value
	t types.Type
}

// leaves returns the leaves of a place.
func (m *machine) leaves(p value, t types.Type) (list []leaf) {
	switch u := under(t).(type) {
	case *types.Struct:
		if m.foreign(t) {
			break
		}
		for k := range u.NumFields() {
			list = append(list, m.leaves(p.field(k), u.Field(k).Type())...)
		}
		return list
	case *types.Array:
		for k := range min(u.Len(), most) {
			list = append(list, m.leaves(p.element(integer(k)), u.Elem())...)
		}
		return list
	}
	return []leaf{{p, t}}
}

// A fate records what joins have done to a leaf.
type fate struct{ stored, lost, kept bool }

// Join returns the verdict on a reducer's method Join with zero as the identity. It samples no negative
// values.
func (p *Program) Join(f *types.Func) Verdict {
	fn := p.prog.FuncValue(f)
	if fn == nil {
		return Neutral
	}
	return p.machine(environments[0], once()).joins(&closure{fn: fn}, nil, true)
}

// Reducers calls report for the calls of reducers.New whose join loses values, and says whether they are
// given an Init.
func (p *Program) Reducers(report func(at token.Pos, v Verdict, init bool)) {
	p.judged = report
	for _, fn := range p.functions() {
		for _, c := range calls(fn) {
			callee := c.Call.StaticCallee()
			if callee == nil {
				continue
			}
			if obj, ok := callee.Object().(*types.Func); ok && isNew(obj) {
				p.machine(environments[0], once()).host(target{Instruction: c})
			}
		}
	}
}

func isNew(f *types.Func) bool {
	return f.Pkg() != nil && f.Pkg().Path() == module+"reducers" && f.Name() == "New"
}

// An option is one of reducers.New.
type option struct{ init *closure }

// reducerCall models reducers.New and its options.
func (m *machine) reducerCall(i ssa.CallInstruction, f *types.Func, args []value) (value, bool) {
	switch f.Name() {
	case "Init":
		c, _ := args[0].x.(*closure)
		return value{id: 179, x: option{c}}, c != nil
	case "Final":
		return value{id: 181, x: option{}}, true
	case "New":
	default:
		return value{}, false
	}
	join, ok := args[1].x.(*closure)
	if !ok || !m.live || m.judged == nil || join.fn == nil {
		return value{}, false
	}
	init, ok := m.initOf(args[2])
	if !ok {
		return value{}, false
	}
	if v := m.joins(join, init, init != nil); v != Neutral {
		m.judged(i.Pos(), v, init != nil)
	}
	return value{}, false
}

// initOf returns the Init among options, and whether they are known.
func (m *machine) initOf(options value) (init *closure, known bool) {
	if options.kind == null {
		return nil, true
	}
	list := m.elements(options)
	for _, v := range list {
		o, ok := v.x.(option)
		if !ok || o.init != nil && (o.init.fn == nil || len(o.init.fn.Blocks) == 0) {
			return nil, false
		}
		if o.init != nil {
			init = o.init
		}
	}
	s, ok := options.x.(extent)
	return init, ok && int64(len(list)) == s.len.n
}

// joins is Join in an environment.
func (m *machine) joins(join, init *closure, positive bool) (worst Verdict) {
	params := join.fn.Signature.Params()
	list := slices.Collect(params.Variables())
	if recv := join.fn.Signature.Recv(); recv != nil && len(list) == 1 {
		list = append([]*types.Var{recv}, list...)
	}
	if len(list) < 2 || len(join.fn.Blocks) == 0 {
		return Neutral
	}
	of, ok := under(list[len(list)-1].Type()).(*types.Pointer)
	if !ok {
		return Neutral
	}
	j := joining{m, join, init, of.Elem(), len(join.fn.Params) == 3, map[int]fate{}}
	for variant := range variants {
		if positive && variant >= firstNegative {
			break
		}
		if worst = max(worst, j.judge(variant, false), j.judge(variant, true)); worst == Lost {
			break
		}
	}
	for _, f := range j.fates {
		if f.stored && f.lost && !f.kept && worst == Neutral {
			worst = Lost
		}
	}
	return worst
}

// A joining is a join that is judged.
type joining struct {
	*machine
	join, init *closure
	t          types.Type
	recv       bool // the join is the method of a reducer
	fates      map[int]fate
}

// judge returns the verdict of a sample that is joined into the identity, or the identity into it.
func (j *joining) judge(variant int, reverse bool) Verdict {
	first := j.run(variant, reverse, -1)
	if first == nil || !slices.Contains(first.lost, true) {
		return Neutral
	}
	for e, kind := range first.judge.kinds[:min(len(first.judge.kinds), 64)] {
		other := j.run(variant, reverse, e)
		for k, is := range first.lost {
			if is && other != nil && !other.lost[k] {
				return kind
			}
		}
	}
	for k, is := range first.lost {
		if is && !reverse && !first.judge.asked && first.stored[k] {
			return Lost
		}
	}
	return Neutral
}

// An outcome is the result of a join for a sample, leaf by leaf.
type outcome struct {
	judge        *judge
	lost, stored []bool
}

// run runs the join on a sample. It returns nil if the result is unknown.
func (j *joining) run(variant int, reverse bool, flip int) *outcome {
	m := j.machine
	log, up, fuel := len(m.mem.log), m.frame, m.left
	defer func() {
		m.mem.back(log, nil)
		m.frame, m.left, m.judge = up, fuel, nil
	}()
	dst, src := to(m.allocate(1, "dst")), to(m.allocate(2, "src"))
	j.identity(dst)
	sample := sampler{machine: m, variant: variant}
	m.store(src, sample.of(j.t), j.t)
	if reverse { // the sample is what has been joined into the identity
		if !j.call(dst, src) {
			return nil
		}
		j.identity(src)
	}
	at, from := m.leaves(dst, j.t), m.leaves(src, j.t)
	identity, sampled := m.sided(at, left), m.sided(from, right)
	if reverse {
		identity, sampled = sampled, identity
	}
	m.judge = &judge{flip: flip, stored: map[uint64]bool{}}
	if ended := j.call(dst, src); !ended || m.judge.unsure || m.judge.counts && variant >= firstNegative {
		return nil
	}
	o := &outcome{judge: m.judge}
	for k, l := range at {
		c, known := m.order(m.load(l.value, l.t), identity[k])
		differ, apart := m.order(identity[k], sampled[k])
		stored, counts := m.judge.stored[l.id], apart && differ != 0
		lost := counts && known && c == 0
		o.lost, o.stored = append(o.lost, lost), append(o.stored, stored)
		if f := j.fates[k]; flip < 0 {
			kept := counts && !lost && !reverse
			j.fates[k] = fate{f.stored || stored, f.lost || lost && !reverse, f.kept || kept}
		}
	}
	return o
}

// identity sets a place to zero, and to what Init sets.
func (j *joining) identity(p value) {
	j.store(p, j.zero(j.t), j.t)
	if j.init != nil {
		j.frame, j.left = nil, hostFuel
		j.attempt(func() { j.machine.call(j.init.fn, []value{p}, j.init.bound, nil) })
	}
}

// call calls the join, and reports whether it has returned.
func (j *joining) call(args ...value) (returned bool) {
	if j.recv {
		args = append([]value{j.unknown(j.join.fn.Params[0].Type(), 3, 3, 0, "")}, args...)
	}
	j.frame, j.left = nil, hostFuel
	j.attempt(func() {
		j.machine.call(j.join.fn, args, j.join.bound, nil)
		returned = true
	})
	return returned
}

// sided marks the leaves of a side, and returns what they had.
func (m *machine) sided(list []leaf, side mark) (had []value) {
	for _, l := range list {
		v := m.load(l.value, l.t)
		had = append(had, v)
		v.mark |= side
		m.mem.set(l.id, cell{v, 0, 0})
	}
	return had
}
