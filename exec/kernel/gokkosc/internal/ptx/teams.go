package ptx

import (
	"fmt"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/pass"
	"github.com/gokkos/gokkos/exec/kernel/ptxtext"
)

// A team is a block of threads, and blocks take teams in turn. The shared memory of a block has three parts:
// the scratch memory of level 0, flagBytes for a flag, and the words that members exchange. The flag holds
// the number of a member that stops.

// compileTeams writes a kernel by member. There is an entry for members of one vector lane, one for others,
// and, if teams have values, one that joins them.
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
	if len(k.Accs) > 0 && !k.Structured() {
		c.Join = c.Entry + "_join"
		w := newWriter(k, loaded)
		text.WriteString(w.teamValues(c.Join))
	}
	c.Text = ptxtext.Module(fmt.Sprintf(".extern .shared .align 16 .b8 %s[];\n", blockMemory), tables(k), loaded.table(), text.String())
	return c, nil
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
	if w.accs = columns; len(columns) > 0 && !w.k.Structured() {
		w.team.apart = w.To(pred, "setp.eq.s64", columns[0].join, len(joinOps))
	}
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

// turns returns the first team of the block, the end of its teams, and the distance between teams. alone says
// whether teams are single members that join straight into the lanes of leaves: then a block has the teams of
// a lane.
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

// storeTeam stores the values of a team, or the current values of a lane of a leaf. If members are left apart, the first thread
// of each member stores.
func (w *writer) storeTeam(team, alone string, columns []column) {
	behind := w.NewLabel("stored")
	first := "" // of its member; "" if each thread is
	if w.lanes {
		first = w.To(pred, "setp.eq.s64", w.team.lane, 0)
	}
	n := w.To(b64, "selp.b64", w.Wide(w.Special("ctaid.x")), w.To(b64, "sub.s64", team, w.Param("first")), alone)
	member := w.To(b64, "add.s64", w.To(b64, "mul.lo.s64", n, w.Param("size")), w.team.rank)
	stores, apart := first, w.team.apart
	if apart == "" {
		n = member
	} else {
		n = w.To(b64, "selp.b64", member, n, apart)
		if first != "" {
			apart = w.To(pred, "and.pred", first, apart)
		}
		stores = w.To(pred, "or.pred", w.team.one, apart)
	}
	if stores != "" {
		w.Op("@!%s bra %s", stores, behind)
	}
	for k, a := range w.k.Accs {
		w.storeAt("global", a.Elem, w.at(columns[k].out, n, a.Elem.Bytes()), columns[k].acc)
	}
	w.Label(behind)
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
	l.Each(v, accs, "", func(number, end, behind string) {
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
