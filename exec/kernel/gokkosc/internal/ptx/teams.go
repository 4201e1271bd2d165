package ptx

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/pass"
	"github.com/gokkos/gokkos/exec/kernel/ptxtext"
)

// A team is a block of threads, and blocks take teams in turn. The shared memory of a block is the scratch memory of level 0,
// behind it flagBytes, where a member that stops leaves a number, and behind these the words that members exchange.

// blockMemory is the name of the shared memory of a block, as long as the launch says.
const blockMemory = "block"

const flagBytes = 16

// compileTeams writes a kernel by member: an entry for members of one vector lane, one for others, and one that joins the values
// of teams, where there are any.
func compileTeams(k *ir.Kernel, name string) (*Code, error) {
	if err := pass.Phases(k.Clone()); err != nil {
		return nil, err
	}
	c := &Code{Entry: prefix + ascii(name), Torn: true}
	c.Lanes = c.Entry + "_lanes"
	pass.Run(k, pass.Teams)
	c.IR = k
	one := k.Clone()
	pass.Run(one, pass.Lone)
	if err := check(k); err != nil {
		return nil, err
	}
	loaded := &numbers{}
	var text strings.Builder
	for _, e := range []struct {
		name string
		of   *ir.Kernel
	}{{c.Entry, one}, {c.Lanes, k}} {
		w := newWriter(e.of, loaded)
		w.lanes = e.name == c.Lanes
		w.stops, w.number = c.Stops, numbered(c.Stops)
		text.WriteString(w.teams(e.name))
		if w.err != nil {
			return nil, w.err
		}
		c.Stops = w.stops
	}
	if len(k.Accs) > 0 {
		c.Join = c.Entry + "_join"
		w := newWriter(k, loaded)
		text.WriteString(w.teamValues(c.Join))
	}
	c.Text = ptxtext.Module(fmt.Sprintf(".extern .shared .align 16 .b8 %s[];\n", blockMemory), tables(k), loaded.table(), text.String())
	return c, nil
}

// A teamBlock has the registers of an entry that runs teams.
type teamBlock struct {
	rank, lane    string // of the thread
	many          string // vector lanes of a member
	warp, members string // of 32 bits: the first lane of the member in its warp, and the threads of the member
	flag          string // the address in shared memory of what a member leaves that stops
	left          string // label: the block ends
	one           string // predicate: the thread is the first one of the block
}

// shapeNames are the parameters of an entry that runs teams in front of what the functor has captured, see [kernel.Text].
func shapeNames(accs int) []string {
	names := []string{"first", "last", "status", "before", "league", "size", "dim0", "dim1", "dim2", "vector", "team0", "member0", "bytes0", "team1", "member1", "bytes1", "far"}
	if accs > 0 {
		names = append(names, "leaf", "lanes")
	}
	for n := range accs {
		names = append(names, fmt.Sprint("out", n), fmt.Sprint("identity", n), fmt.Sprint("join", n))
	}
	return names
}

// shapeName returns the parameter that a part of the team is, "" of another part.
func shapeName(k *ir.Kernel, param int, path []ir.Step) string {
	if k.Team == ir.NoTeam || param != len(k.Params)-1 {
		return ""
	}
	name := ""
	for _, s := range path[1:] {
		switch s.Kind {
		case ir.Field:
			name = map[string]string{"Scratch": "", "Dims": "dim"}[s.Field]
			if s.Field != "Scratch" && s.Field != "Dims" {
				name = strings.ToLower(s.Field)
			}
		case ir.Elem:
			name += fmt.Sprint(s.N)
		}
	}
	if last := path[len(path)-1]; len(path) == 4 { // of Scratch[level]
		name = fmt.Sprint(strings.ToLower(last.Field), path[2].N)
	}
	return name
}

// teams returns the entry that runs teams, one in each block.
func (w *writer) teams(name string) string {
	names, comments := w.captured()
	comments["first"], comments["far"] = "teams first to last-1", "scratch memory of level 1 of the first block"
	w.openTeam()
	w.prologue()
	accs := make([]string, len(w.k.Accs))
	var columns []column
	for n, a := range w.k.Accs {
		accs[n] = w.Fresh(w.classOf(a.Type))
		columns = append(columns, column{acc: accs[n], out: w.Address(fmt.Sprint("out", n)), identity: w.scalar(fmt.Sprint("identity", n), a.Type), join: w.Param(fmt.Sprint("join", n))})
		w.Op("mov.%s %s, %s", movable(a.Type), accs[n], columns[n].identity)
	}
	w.accs = columns
	team, end, step, alone := w.turns()
	again, done := w.NewLabel("team"), w.NewLabel("done")
	w.Label(again)
	w.Op("@%s bra %s", w.To(pred, "setp.ge.s64", team, end), done)
	w.clearScratch()
	for n, a := range w.k.Accs {
		p := w.k.Body.Params[n]
		w.reg[p] = w.Fresh(w.classOf(a.Type))
		w.Op("mov.%s %s, %s", movable(a.Type), w.reg[p], columns[n].identity)
		w.Op("@%s mov.%s %s, %s", alone, movable(a.Type), w.reg[p], accs[n])
	}
	at := item{number: team, index: w.To(b64, "add.s64", team, w.Param("before")), end: w.team.left, sums: map[string]string{}}
	w.of(at)
	w.block(w.k.Body, at)
	if len(accs) > 0 {
		types := make([]ir.Type, len(accs))
		for n, a := range w.k.Accs {
			types[n] = a.Type
		}
		w.yield(w.k.Body, types, accs)
		w.storeTeam(team, alone, columns)
	}
	w.meet()
	w.Op("add.s64 %s, %s, %s", team, team, step)
	w.Op("bra %s", again)
	w.Label(done)
	w.Op("ret")
	w.Later(func() {
		w.Label(w.team.left)
		w.Op("atom.shared.or.b32 %s, [%s], 1", w.Fresh(b32), w.team.flag)
		w.Op("ret")
	})
	return w.Entry(name, append(shapeNames(len(accs)), names...), comments)
}

// openTeam finds which thread of which member this is.
func (w *writer) openTeam() {
	thread := w.Special("tid.x")
	b := &teamBlock{left: w.NewLabel("left"), one: w.To(pred, "setp.eq.s32", thread, 0)}
	w.team = b
	if b.rank = w.Wide(thread); w.lanes {
		b.many = w.Param("vector")
		log := w.Log(b.many)
		less := w.To(b64, "sub.s64", b.many, 1)
		b.lane = w.To(b64, "and.b64", b.rank, less)
		b.rank = w.To(b64, "shr.u64", b.rank, log)
		inWarp := w.To(b32, "and.b32", thread, warpLanes-1)
		b.warp = w.To(b32, "and.b32", inWarp, w.To(b32, "not.b32", w.To(b32, "cvt.u32.u64", less)))
		all := w.To(b64, "sub.s64", w.To(b64, "shl.b64", w.To(b64, "mov.b64", 1), w.To(b32, "cvt.u32.u64", b.many)), 1)
		b.members = w.To(b32, "cvt.u32.u64", w.To(b64, "shl.b64", all, b.warp))
	}
	b.flag = w.To(b64, "add.s64", w.To(b64, "mov.u64", blockMemory), w.Param("bytes0"))
	w.Op("@%s st.shared.u32 [%s], %s", b.one, b.flag, w.To(b32, "mov.b32", 0))
	w.Op("bar.sync 0")
}

// turns returns the first team of the block, the one behind its last, how far teams are apart, and whether teams are members
// that join straight into the lanes of leaves: then a block has the teams of a lane.
func (w *writer) turns() (team, end, step, alone string) {
	block, blocks := w.Wide(w.Special("ctaid.x")), w.Wide(w.Special("nctaid.x"))
	first, last := w.Param("first"), w.Param("last")
	team, end, step = w.To(b64, "add.s64", first, block), w.To(b64, "mov.b64", last), blocks
	if len(w.k.Accs) == 0 {
		return team, end, step, ""
	}
	alone = w.To(pred, "setp.eq.s64", w.Param("size"), 1)
	several := w.NewLabel("several")
	w.Op("@!%s bra %s", alone, several)
	leaf, lanes := w.Param("leaf"), w.Param("lanes")
	n := w.To(b64, "shr.u64", block, w.Log(lanes))
	begin := w.To(b64, "add.s64", first, w.To(b64, "mul.lo.s64", n, leaf))
	w.Op("add.s64 %s, %s, %s", team, begin, w.To(b64, "and.b64", block, w.To(b64, "sub.s64", lanes, 1)))
	w.Op("min.s64 %s, %s, %s", end, w.To(b64, "add.s64", begin, leaf), last)
	w.Op("mov.b64 %s, %s", step, lanes)
	w.Label(several)
	return team, end, step, alone
}

// storeTeam stores the values of a team, or those that a lane of a leaf has by then.
func (w *writer) storeTeam(team, alone string, columns []column) {
	behind := w.NewLabel("stored")
	w.Op("@!%s bra %s", w.team.one, behind)
	n := w.To(b64, "selp.b64", w.Wide(w.Special("ctaid.x")), w.To(b64, "sub.s64", team, w.Param("first")), alone)
	for k, a := range w.k.Accs {
		w.storeAt("global", a.Elem, w.at(columns[k].out, n, a.Elem.Bytes()), columns[k].acc)
	}
	w.Label(behind)
}

// clearScratch lets scratch memory begin as zero.
func (w *writer) clearScratch() {
	cleared := false
	for level, space := range []string{"shared", "global"} {
		if !slices.ContainsFunc(w.k.Mems, func(m ir.Mem) bool { return levelOf(m) == level }) {
			continue
		}
		cleared = true
		again, behind := w.NewLabel("clear"), w.NewLabel("cleared")
		at := w.To(b64, "shl.b64", w.Wide(w.Special("tid.x")), 3)
		end, step := w.Param(fmt.Sprint("bytes", level)), w.To(b64, "shl.b64", w.Wide(w.Special("ntid.x")), 3)
		base, zero := w.scratch(level), w.To(b64, "mov.b64", 0)
		w.Label(again)
		w.Op("@%s bra %s", w.To(pred, "setp.ge.s64", at, end), behind)
		w.Op("st.%s.u64 [%s], %s", space, w.To(b64, "add.s64", base, at), zero)
		w.Op("add.s64 %s, %s, %s", at, at, step)
		w.Op("bra %s", again)
		w.Label(behind)
	}
	if cleared {
		w.meet()
	}
}

// levelOf returns the level of scratch memory, and -1 of other memory.
func levelOf(m ir.Mem) int {
	if m.Own && m.Param >= 0 && m.Path[0].Field == "Scratch" {
		return m.Path[1].N
	}
	return -1
}

// inBlock reports whether a memory is shared memory.
func inBlock(m ir.Mem) bool { return m.Own && m.Param >= 0 && levelOf(m) != 1 }

// scratch returns the address of the scratch memory of a level.
func (w *writer) scratch(level int) string {
	if level == 0 {
		return w.To(b64, "mov.u64", blockMemory)
	}
	return w.To(b64, "add.s64", w.Address("far"), w.To(b64, "mul.lo.s64", w.Wide(w.Special("ctaid.x")), w.Param("bytes1")))
}

// own returns the address of a memory of the team.
func (w *writer) own(m ir.Mem) string {
	if level := levelOf(m); level >= 0 {
		return w.scratch(level)
	}
	return w.To(b64, "add.s64", w.team.flag, flagBytes)
}

// meet lets all threads of the block come here. If one has stopped, all end.
func (w *writer) meet() {
	w.Op("bar.sync 0")
	flag := w.To(b32, "ld.volatile.shared.u32", "["+w.team.flag+"]")
	w.Op("@%s ret", w.To(pred, "setp.ne.s32", flag, 0))
}

// across returns what another thread of the member has.
func (w *writer) across(v *ir.Value) string {
	lane := w.To(b32, "cvt.u32.u64", w.To(b64, "and.b64", w.in(v.Args[1]), w.To(b64, "sub.s64", w.team.many, 1)))
	w.Members = w.team.members
	return w.Shuffle("idx", w.classOf(v.Type), w.in(v.Args[0]), w.To(b32, "add.s32", lane, w.team.warp))
}

// accumulated returns two values of an accumulator of the launch as one.
func (w *writer) accumulated(v *ir.Value) string {
	dst := w.Fresh(w.classOf(v.Type))
	w.Op("mov.%s %s, %s", movable(v.Type), dst, w.in(v.Args[0]))
	w.join(v.Type, w.accs[v.Index].join, dst, w.in(v.Args[1]))
	return dst
}

// atomics are the operations of cards that give the bits of any order.
var atomics = map[string]string{"add": "u", "min": "s", "max": "s", "and": "b", "or": "b", "xor": "b", "exchange": "b", "compareexchange": "b", "load": "b"}

// atomic writes an atomic operation on integers.
func (w *writer) atomic(v *ir.Value) {
	kind, ok := atomics[v.Func]
	if !ok || !v.Type.IsInt() {
		w.refuse(v.Pos, "an atomic operation by %s on elements of type %s has no form for cards", v.Func, v.Type)
		return
	}
	if v.Unsigned {
		kind = "u"
	}
	name, space, args := v.Func, "global", []any{w.element(v)}
	for _, a := range v.Args[1:] {
		args = append(args, w.in(a))
	}
	switch name {
	case "load":
		name, args = "or", append(args, 0)
	case "exchange":
		name = "exch"
	case "compareexchange":
		name = "cas"
	}
	if inBlock(w.k.Mems[v.Index]) {
		space = "shared"
	}
	w.reg[v] = w.To(w.classOf(v.Type), fmt.Sprintf("atom.%s.%s.%s%d", space, name, kind, 8*v.Type.Bytes()), args...)
}

// teamValues returns the entry that joins the values of teams in the lanes of leaves, and these along the tree.
func (w *writer) teamValues(name string) string {
	names := []string{"first", "last", "leaf", "lanes", "done"}
	comments := map[string]string{"first": "teams first to last-1, of whole leaves"}
	l := &ptxtext.Leaves{First: w.Param("first"), Last: w.Param("last"), Size: w.Param("leaf"), Lanes: w.Param("lanes")}
	l.SizeLog, l.LanesLog = w.Log(l.Size), w.Log(l.Lanes)
	l.Open(&w.Writer)
	v, accs := &values{w: w}, make([]string, len(w.k.Accs))
	var teams []string
	for n := range w.k.Accs {
		v.columns = append(v.columns, w.column(n))
		accs[n] = v.columns[n].acc
		teams = append(teams, w.Address(fmt.Sprint("teams", n)))
		names = append(names, fmt.Sprint("teams", n))
	}
	l.Each(v, accs, func(number, end, behind string) {
		again := w.NewLabel("row")
		w.Label(again)
		w.Op("@%s bra %s", w.To(pred, "setp.ge.s64", number, end), behind)
		var of []string
		for n, a := range w.k.Accs {
			of = append(of, w.loadAt(a.Elem, "global", w.at(teams[n], number, a.Elem.Bytes())))
		}
		v.Join(accs, of)
		w.Op("add.s64 %s, %s, %s", number, number, l.Lanes)
		w.Op("bra %s", again)
	})
	l.Base = w.To(b64, "shr.u64", l.First, l.SizeLog)
	l.JoinOwn(v, accs)
	w.IsLast(w.Address("done"), w.To(b32, "add.s32", w.Special("nctaid.x"), -1))
	l.JoinBlocks(v, accs, max(4/len(accs), 1))
	return w.Entry(name, append(names, w.columns()...), comments)
}
