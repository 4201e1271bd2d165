package analyzer

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
)

// A flow follows values through a function, and through functions of the package that it calls: from each
// assignment to each use, along all branches, and around loops until nothing new comes. It is the flow of
// products, see there.
type flow struct {
	*checker
	now     *state // nil where nothing comes to
	targets []*target
	frames  []*frame
	quiet   int // passes over loops that are not the last one
	steps   int // statements that have been followed
	stores  int // numbers the states of memory

	variables map[ast.Expr]types.Object // that stand for what expressions make
	alone     map[ast.Node]bool         // the functions that have been followed with nothing known
}

const tooMany = 1 << 18 // steps, after which a flow ends

// A state is what is known of the content of places where the program is.
type state struct {
	leaves map[place]leaf
	memory int // two states with the same number have the same memory
}

// A target is a statement that break and continue are for.
type target struct {
	label     string
	loop      bool
	out, back *state
}

// A frame is a call.
type frame struct {
	body    ast.Node
	results []types.Object // with names
	out     *state
	values  []tree
	known   bool // a return has been seen
}

func (s *state) clone() *state {
	if s == nil {
		return nil
	}
	c := *s
	c.leaves = maps.Clone(s.leaves)
	return &c
}

// merge returns what is known where two states meet.
func (f *flow) merge(a, b *state) *state {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	m := a.clone()
	maps.DeleteFunc(m.leaves, func(at place, x leaf) bool {
		y, ok := b.leaves[at]
		return !ok || x != y
	})
	if a.memory != b.memory {
		f.now, m = m, f.now
		f.forget()
		f.now, m = m, f.now
	}
	return m
}

func (f *flow) block(list []ast.Stmt) {
	for _, s := range list {
		f.stmt(s, "")
	}
}

// stmt follows a statement with a label.
func (f *flow) stmt(s ast.Stmt, label string) {
	if f.steps++; f.steps > tooMany {
		f.now = nil
	}
	if l, ok := s.(*ast.LabeledStmt); ok {
		f.labeled(l)
		return
	}
	if f.now == nil || s == nil {
		return
	}
	switch s := s.(type) {
	case *ast.BlockStmt:
		f.block(s.List)
	case *ast.ExprStmt:
		f.values(s.X)
	case *ast.AssignStmt:
		f.assign(s)
	case *ast.IncDecStmt:
		op := map[token.Token]token.Token{token.INC: token.ADD, token.DEC: token.SUB}[s.Tok]
		f.store(s.X, tree{"": f.operate(s, op, f.value(s.X).leaf(), one)})
	case *ast.DeclStmt:
		f.declare(s)
	case *ast.ReturnStmt:
		f.leave(s)
	case *ast.BranchStmt:
		f.branch(s)
	case *ast.IfStmt:
		f.stmt(s.Init, "")
		f.choose(s.Cond, func() { f.stmt(s.Body, "") }, func() { f.stmt(s.Else, "") })
	case *ast.ForStmt:
		f.stmt(s.Init, "")
		f.loop(label, s.Cond, nil, s.Body, s.Post)
	case *ast.RangeStmt:
		f.ranged(s, label)
	case *ast.SwitchStmt:
		f.switched(s, label)
	case *ast.TypeSwitchStmt:
		f.stmt(s.Init, "")
		f.stmt(s.Assign, "")
		f.clauses(s.Body, label)
	case *ast.SelectStmt:
		f.clauses(s.Body, label)
	case *ast.GoStmt:
		f.later(s.Call)
	case *ast.DeferStmt:
		f.later(s.Call)
	case *ast.SendStmt:
		f.value(s.Chan)
		f.value(s.Value)
	}
}

// labeled follows a statement with a label. Where a goto may lead, nothing is known.
func (f *flow) labeled(s *ast.LabeledStmt) {
	switch s.Stmt.(type) {
	case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
	default:
		if f.steps <= tooMany {
			f.now = &state{leaves: map[place]leaf{}, memory: f.stored()}
		}
	}
	f.stmt(s.Stmt, s.Label.Name)
}

// choose follows both branches of a condition, or the one that it chooses.
func (f *flow) choose(cond ast.Expr, then, otherwise func()) {
	c := f.value(cond).leaf()
	if f.now == nil {
		return
	}
	if truth, known := c.truth(); known {
		if truth {
			then()
		} else {
			otherwise()
		}
		return
	}
	yes, no := f.now.clone(), f.now.clone()
	f.now = yes
	then()
	yes, f.now = f.now, no
	otherwise()
	f.now = f.merge(yes, f.now)
}

// loop follows a loop: next, if it is not nil, sets the variables of a range.
func (f *flow) loop(label string, cond ast.Expr, next func(), body *ast.BlockStmt, post ast.Stmt) {
	head := f.now
	round := func() (out *state) {
		t := &target{label: label, loop: true}
		f.targets = append(f.targets, t)
		turn := func() {
			if next != nil {
				next()
			}
			f.stmt(body, "")
			f.now = f.merge(f.now, t.back)
			f.stmt(post, "")
		}
		f.now = head.clone()
		switch {
		case cond != nil:
			var back *state
			f.choose(cond, func() { turn(); back, f.now = f.now, nil }, func() {})
			out, f.now = f.now, back
		case next != nil:
			out = head.clone()
			turn()
		default:
			turn()
		}
		f.targets = f.targets[:len(f.targets)-1]
		return f.merge(out, t.out)
	}
	f.quiet++
	for range 32 {
		round()
		met := f.merge(head.clone(), f.now)
		same := maps.Equal(met.leaves, head.leaves)
		if head = met; same {
			break
		}
	}
	f.quiet--
	f.now = round()
}

func (f *flow) ranged(s *ast.RangeStmt, label string) {
	over := f.value(s.X)
	if l := over.leaf(); f.now == nil || l.none || l.val != nil && isZero(l.val) {
		return // no turn
	}
	f.loop(label, nil, func() {
		set := func(e ast.Expr, t tree) {
			if e != nil && !isBlank(e) {
				f.store(e, t)
			}
		}
		set(s.Key, nil)
		set(s.Value, nil)
	}, s.Body, nil)
}

// switched follows a switch as conditions one after the other.
func (f *flow) switched(s *ast.SwitchStmt, label string) {
	f.stmt(s.Init, "")
	t := &target{label: label}
	f.targets = append(f.targets, t)
	var fall *state // from the clause before
	var after func(clauses []ast.Stmt)
	var rest *ast.CaseClause
	run := func(c *ast.CaseClause) {
		f.now = f.merge(f.now, fall)
		fall = nil
		f.block(c.Body)
		if n := len(c.Body); n > 0 {
			if b, ok := c.Body[n-1].(*ast.BranchStmt); ok && b.Tok == token.FALLTHROUGH {
				fall, f.now = f.now, nil
			}
		}
	}
	after = func(clauses []ast.Stmt) {
		if len(clauses) == 0 {
			if rest != nil {
				run(rest)
			}
			return
		}
		c := clauses[0].(*ast.CaseClause)
		if c.List == nil {
			rest = c
			after(clauses[1:])
			return
		}
		f.choose(anyOf(s, c.List), func() { run(c) }, func() { after(clauses[1:]) })
	}
	after(s.Body.List)
	f.targets = f.targets[:len(f.targets)-1]
	f.now = f.merge(f.merge(f.now, fall), t.out)
}

// clauses follows clauses of which any may run.
func (f *flow) clauses(body *ast.BlockStmt, label string) {
	t := &target{label: label}
	f.targets = append(f.targets, t)
	before := f.now
	out := before.clone()
	for _, clause := range body.List {
		f.now = before.clone()
		switch c := clause.(type) {
		case *ast.CaseClause:
			f.block(c.Body)
		case *ast.CommClause:
			f.stmt(c.Comm, "")
			f.block(c.Body)
		}
		out = f.merge(out, f.now)
	}
	f.targets = f.targets[:len(f.targets)-1]
	f.now = f.merge(out, t.out)
}

// branch follows a break or a continue. A goto leads to a place where nothing is known, and a fallthrough
// to the next clause, whose switch knows.
func (f *flow) branch(s *ast.BranchStmt) {
	if s.Tok == token.FALLTHROUGH {
		return
	}
	for k := len(f.targets) - 1; k >= 0 && s.Tok != token.GOTO; k-- {
		t := f.targets[k]
		if s.Label != nil && s.Label.Name != t.label || s.Label == nil && s.Tok == token.CONTINUE && !t.loop {
			continue
		}
		if s.Tok == token.BREAK {
			t.out = f.merge(t.out, f.now)
		} else {
			t.back = f.merge(t.back, f.now)
		}
		break
	}
	f.now = nil
}

// leave follows a return.
func (f *flow) leave(s *ast.ReturnStmt) {
	in := f.frames[len(f.frames)-1]
	var results []tree
	switch {
	case len(s.Results) == 1:
		results = f.values(s.Results[0])
	default:
		for _, e := range s.Results {
			results = append(results, f.value(e))
		}
	}
	if len(s.Results) == 0 {
		for _, o := range in.results {
			results = append(results, f.at(place{root: o}))
		}
	}
	if f.now == nil {
		return
	}
	if in.known {
		for k := range in.values {
			if k < len(results) {
				in.values[k] = meet(in.values[k], results[k])
			}
		}
	} else {
		in.values, in.known = results, true
	}
	in.out, f.now = f.merge(in.out, f.now), nil
}

// flow returns a flow with nothing known.
func (c *checker) flow() *flow {
	c.inAddresses()
	start := &state{leaves: map[place]leaf{}}
	return &flow{
		checker: c, now: start, variables: map[ast.Expr]types.Object{}, alone: map[ast.Node]bool{},
	}
}
