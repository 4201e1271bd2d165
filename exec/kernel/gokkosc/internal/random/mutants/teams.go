package main

// ofTeams has mistakes in the compilation of functors of teams, which random functors find.
var ofTeams = []mutant{
	{"uniform: members", "pass/uniform.go", "case ir.Member, ir.Atomic:", "case ir.Atomic:"},
	{"uniform: results of mixed loops", "pass/uniform.go", "of.Op != ir.Fold && !of.Nested() && anyOfBlocks(of, d.of)", "of.Op == ir.Each"},
	{"phases: items of a member", "pass/nested.go", "if p.byMember(v) || p.differ[v.Args[0]] {", "if p.differ[v.Args[0]] {"},
	{"phases: stride", "pass/nested.go", "p.count(to, s.rank, n, p.size, nil", "p.count(to, s.rank, n, p.integer(1), nil"},
	{"kept: of another member", "pass/kept.go", "x := p.load(front, p.homes[v], s.rank)", "x := p.load(front, p.homes[v], p.integer(0))"},
	{"kept: one after the other", "pass/kept.go", "	sum(p.words[1], p.vector)\n", ""},
	{"kept: one room", "pass/kept.go", "	p.words[0]++\n", ""},
	{"lanes: identities", "pass/nested.go", "p.count(to, p.integer(0), n, p.integer(1), nil, func(body *ir.Block, r *ir.Value", "p.count(to, p.integer(1), n, p.integer(1), nil, func(body *ir.Block, r *ir.Value"},
	{"lanes: neighbours", "pass/lanes.go", "step := width; step < len(accs); step *= 2", "step := len(accs) / 2; step >= width; step /= 2"},
	{"lanes: numbers that are no power of two", "pass/lanes.go", "p.emit(b, ir.And, ir.Bool, power, wide)", "wide"},
	{"lanes: items", "pass/lanes.go", "p.emit(body, ir.Rem, ir.I64, j, width), j)", "p.emit(body, ir.Rem, ir.I64, j, width), p.emit(body, ir.Rem, ir.I64, j, width))"},
	{"inner: accumulators of others", "goloops/inner.go", "\"%s[%s:][:%s]\", w.mems[p.Mem], w.use(p.From), w.use(n)", "\"%s[:%s]\", w.mems[p.Mem], w.use(n)"},
	{"inner: rounds that stop", "goloops/inner.go", "if c.Stops() {", "if c.Stops() && c.Row {"},
	{"inner: stores that are taken back", "vector/teams.go", " || m.undoes(v)", ""},
	{"local: rows", "pass/local.go", "p.emit(row, ir.Mul, ir.I64, s.row, columns)", "p.emit(row, ir.Mul, ir.I64, s.row, zero)"},
	{"local: coordinates", "pass/local.go", "along, plane := counter(", "plane, along := counter("},
	{"local: planes", "pass/local.go", "p.emit(plane, ir.Mul, ir.I64, s.plane, rows)", "p.emit(plane, ir.Mul, ir.I64, s.plane, columns)"},
	{"planes: what rows grow by", "vector/planesgo.go", "value = w.sum(w.e.growthsOf[a])", "value = \"0\""},
	{"front: brackets of ranges", "front/teamrange.go", "f.emit(ir.Mul, ir.I64, rank, lanes), r.n, stride", "f.emit(ir.Mul, ir.I64, rank, size), r.n, stride"},
	{"front: loops left early", "front/teamrange.go", "f.exits = append(f.exits, e)\n	leavers := f.leavers(node, e)\n	f.exits = f.exits[:len(f.exits)-1]", "leavers := f.leavers(node, e)"},
	{"prefix: total", "pass/prefix.go", "w.close(b, width, w.integer(1), w.n, width", "w.close(b, width, w.integer(2), w.n, width"},
	{"prefix: members in front", "pass/prefix.go", "prefix := w.neutral(b, w.load(b, w.prefixes, before))", "prefix := w.neutral(b, w.identity)"},
	{"log: not taken back", "goloops/span.go", "w.stop = w.back + \"()\\n\" + w.stop", "w.stop = \"_ = \" + w.back + \"\\n\" + w.stop"},
	{"threads: stores before others load", "pass/threads.go", "	if last := len(b.Values) - 1; last < 0 || b.Values[last].Op != ir.Wait {\n		t.emit(b, ir.Wait, ir.None)\n	}\n", ""},
}
