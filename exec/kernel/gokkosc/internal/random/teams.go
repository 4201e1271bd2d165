package random

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/front"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/generate"
)

// Random functors of teams have no race: in a phase an element is touched by its owner alone, or stored by
// nobody. Members mostly meet at places that all of them reach.

// A teams writes a functor of teams.
type teams struct {
	*rand.Rand
	b     strings.Builder
	depth int
	modes [3]int // of y, s and t in this phase: see newPhase
}

// The modes of an array in a phase.
const (
	readByAll = iota
	ofThreads // element j belongs to the member that takes item j of a ThreadRange
	ofLanes   // the same of a TeamVectorRange
	modes
)

var arrays = [...]struct{ name, at string }{{"y", "first+"}, {"s", ""}, {"t", ""}}

// TeamsText returns the constructor of a random functor of teams.
func TeamsText(seed uint64) string {
	g := &teams{Rand: rand.New(rand.NewPCG(seed, 4))}
	acc := ", sum *float64, most *int"
	if g.IntN(3) == 0 {
		acc = ""
	}
	g.line("//gokkos:kernel\nfunc k%d(n, w int, x []float64, ix []int, y, z []float64) func(m *team.Member%s) {\nreturn func(m *team.Member%s) {", seed, acc, acc)
	g.line("s := team.Scratch[float64](m, 0, n)\nt := team.Scratch[float64](m, 0, n+1)\npacked, first, own := z[m.LeagueSize()*m.Size():], m.LeagueRank()*n, m.LeagueRank()*m.Size()+m.Rank()")
	g.line("v0, v1, u, i := x[own%%64], 1.5, float64(w), m.Rank()\nax, ay, az := m.LocalID()\n_, _, _, _, _, _, _, _, _, _, _ = s, t, v0, v1, u, i, first, packed, ax, ay, az")
	if g.IntN(6) == 0 {
		g.line("if m.LeagueRank()%%3 == 2 {\nreturn\n}")
	}
	if g.IntN(8) == 0 { // no meeting may be behind it
		g.line("if m.Rank() > w {\nreturn\n}")
		g.newPhase()
		for range 4 {
			g.statement()
		}
	} else {
		g.phases(2 + g.IntN(3))
	}
	if acc != "" {
		g.line("*sum += v0\n*most = max(*most, i)")
	}
	g.line("z[own] = v0 + v1 + u\n}\n}\n")
	return g.b.String()
}

func (g *teams) line(format string, a ...any) { fmt.Fprintf(&g.b, format+"\n", a...) }

// newPhase chooses the use of each array by members until they meet.
func (g *teams) newPhase() {
	for n := range g.modes {
		g.modes[n] = g.IntN(modes)
	}
}

func (g *teams) phases(n int) {
	for range n {
		g.newPhase()
		for range 1 + g.IntN(3) {
			g.statement()
		}
		g.meeting()
	}
}

// meeting lowers where all members meet.
func (g *teams) meeting() {
	switch kind := g.IntN(14); kind {
	case 9, 10, 11, 12, 13:
		g.sharing(kind)
	case 0:
		g.line("u = team.AllReduce(m, %s, builtin.%s)", g.value(""), g.pick("Sum", "Max", "Min"))
	case 1:
		g.line("v%d = team.AllReduce(m, v%d, builtin.Sum)", g.IntN(2), g.IntN(2))
	case 2:
		g.line("u = team.Broadcast(m, %s, (w+1)%%m.Size())", g.value(""))
	case 3:
		g.line("u = team.SingleValue(m, func() float64 { return %s })", g.value(""))
	case 4, 5:
		op := g.pick("Sum", "Max", "Min", "Prod")
		join := map[string]string{"Sum": "*acc += %s", "Max": "*acc = max(*acc, %s)", "Min": "*acc = min(*acc, %s)", "Prod": "*acc *= 1 + float64((%s)*.01)"}[op]
		kind := g.pick("ThreadRange", "TeamVectorRange")
		g.line("team.Reduce(team.%s(m, n), func(j int, acc *float64) {", kind)
		if g.IntN(3) == 0 {
			g.line("if j%%3 == 1 {\nreturn\n}")
		}
		for n, mode := range g.modes {
			if owns := mode == ofThreads && kind == "ThreadRange" || mode == ofLanes && kind == "TeamVectorRange"; owns && g.IntN(2) == 0 {
				g.line("%s[%sj] = %s", arrays[n].name, arrays[n].at, g.item(""))
			}
		}
		g.line(join+"\n}, builtin.%s(&%s))", g.item(kind), op, g.pick("u", "v0"))
	case 6:
		if g.depth < 2 {
			g.depth++
			g.line("m.Barrier()\nfor q := range w %% 3 {\n_ = q\nm.Barrier()")
			g.phases(1 + g.IntN(2))
			g.line("m.Barrier()\n}")
			g.depth--
		}
		g.line("m.Barrier()")
	case 7:
		if g.depth < 2 {
			g.depth++
			g.line("m.Barrier()\nif %s {\nm.Barrier()", g.pick("u > 0", "w%2 == 1", "m.LeagueRank()%2 == 0", "x[w%64] > 0"))
			g.phases(1)
			if g.IntN(2) == 0 {
				g.line("} else {\nm.Barrier()")
				g.phases(1)
			}
			g.line("}")
			g.depth--
		}
		g.line("m.Barrier()")
	default:
		g.line("m.Barrier()")
	}
}

// sharing writes a scan, or a range whose items are shared out in parts or in lanes.
func (g *teams) sharing(which int) {
	switch which {
	case 9:
		g.line("v%d = team.ExclusiveScan(m, %s, builtin.%s)", g.IntN(2), g.value(""), g.pick("Sum", "Max", "Prod"))
	case 10:
		kind, op := g.pick("ThreadRange", "TeamVectorRange"), g.pick("Sum", "Max")
		g.line("team.Scan(team.%s(m, n), func(j int, acc *float64, final bool) {", kind)
		if g.IntN(2) == 0 {
			g.line("if final {\npacked[first+j] = *acc\n}")
		}
		g.line(map[string]string{"Sum": "*acc += %s", "Max": "*acc = max(*acc, %s)"}[op], g.item(""))
		if g.IntN(2) == 0 {
			g.line("if final {\npacked[first+j] = *acc - 1\n}")
		}
		g.line("}, builtin.%s(&%s))\nm.Barrier()", op, g.pick("u", "v1"))
	case 11:
		g.line("team.Scan(team.%s(m, %s), func(j int, acc *int, final bool) {\nif x[(j+w)%%64] > 0 {\nif final {\npacked[first+*acc] = float64(j)\n}\n*acc++\n}\n}, builtin.Sum(new(int)))\nm.Barrier()", g.pick("ThreadRange", "TeamVectorRange"), g.pick("n", "n/2"))
	case 12:
		g.line("team.Reduce(team.Shares(team.%s(m, n)), func(r team.Range[int], acc *float64) {\nt := *acc\nfor j := range r.All() {\n_ = j\nt += %s\n}\n*acc = t\n}, builtin.Sum(&%s))", g.pick("ThreadRange", "TeamVectorRange"), g.item(""), g.pick("u", "v0"))
	case 13:
		g.line("team.ReduceLanes(team.%s(m, n), func(l team.Lanes[float64]) {\nscale := float64(w) + u\nfor j, acc := range l.Items() {\nif j%%5 == 3 {\ncontinue\n}\n*acc += float64(scale * %s)\n}\n}, builtin.Sum(&u))", g.pick("ThreadRange", "TeamVectorRange"), g.pick("x[j%64]", "float64(j)"))
		g.line("u = team.BroadcastFunc(m, func(x *float64) { *x -= 1.5 }, u, w%%m.Size())")
	}
}

func (g *teams) pick(list ...string) string { return list[g.IntN(len(list))] }

// statement writes a statement of a member.
func (g *teams) statement() {
	switch g.IntN(8) {
	case 0:
		g.line("v%d = %s", g.IntN(2), g.value(""))
	case 1:
		g.line("i += %s", g.pick("1", "w", "m.Rank()*2", "i%5"))
	case 2:
		g.line("if %s {\nv0 = %s\n} else {\nv1 = %s\n}", g.pick("m.Rank()%2 == 1", "v0 > v1", "i > 3"), g.value(""), g.value(""))
	case 3:
		kind := g.pick("ThreadRange", "TeamVectorRange", "VectorRange")
		g.line("for j := range team.%s(m, %s).All() {\n_ = j", kind, g.pick("n", "w"))
		if g.IntN(3) == 0 {
			g.line("if j%%4 == 2 {\ncontinue\n}")
		}
		if kind != "TeamVectorRange" && g.IntN(5) == 0 {
			g.line("if j > 6 {\nbreak\n}")
		}
		g.line("v%d += %s\n}", g.IntN(2), g.item("")) // w may be more than n
	case 4:
		g.line("team.Reduce(team.VectorRange(m, %s), func(j int, acc *float64) { *acc += %s }, builtin.Sum(&v%d))", g.pick("n", "w", "19"), g.item(""), g.IntN(2))
	case 5:
		g.line("team.Single(m, func() { z[own] = %s })", g.value(""))
	default:
		g.stores()
	}
}

// stores writes a loop that stores to an array, if one has owners in this phase.
func (g *teams) stores() {
	for n := range g.modes {
		if g.modes[n] == readByAll {
			continue
		}
		kind := map[int]string{ofThreads: "ThreadRange", ofLanes: "TeamVectorRange"}[g.modes[n]]
		form := g.IntN(2)
		if form == 0 {
			g.line("team.For(team.%s(m, n), func(j int) {", kind)
		} else {
			g.line("for j := range team.%s(m, n).All() {\n_ = j", kind)
			if kind == "ThreadRange" && g.IntN(5) == 0 {
				g.line("if j > 6 {\nbreak\n}")
			}
		}
		if g.IntN(3) == 0 {
			g.line("var part float64\nteam.Reduce(team.VectorRange(m, %s), func(l int, acc *float64) { *acc += float64(x[(j+l)%%64] * %s) }, builtin.Sum(&part))", g.pick("n", "w", "8"), g.pick("2", "x[l%64]", "v0"))
			g.line("%s[%sj] %s part", arrays[n].name, arrays[n].at, g.pick("=", "+="))
		} else {
			g.line("%s[%sj] %s %s", arrays[n].name, arrays[n].at, g.pick("=", "+="), g.item(kind))
		}
		g.line("%s", map[int]string{0: "})", 1: "}"}[form])
	}
}

// value returns an expression of a member.
func (g *teams) value(more string) string {
	list := []string{"v0", "v1", "u", "float64(m.Rank())", "float64(i)", "float64(ax + w*ay)", "float64(az - ay)", "x[(own+w)%64]", "x[w%64]", "2.5", "float64(v0 * v1)", "float64(u * .5) - v1", "max(v0, u)"}
	if more != "" {
		list = append(list, more, more, more)
	}
	a, b := g.pick(list...), g.pick(list...)
	return fmt.Sprintf("%s %s %s", a, g.pick("+", "-"), b)
}

// item returns an expression for item j of a range of a kind, "" of one with other lengths.
func (g *teams) item(kind string) string {
	list := []string{"float64(j)", "x[j%64]", "x[ix[j%64]]", "float64(x[j%64] * 3)", "v0", "u", "2"}
	if kind != "" {
		for n, mode := range g.modes {
			switch {
			case mode == readByAll && n > 0:
				list = append(list, fmt.Sprintf("%s[n-1-j]", arrays[n].name))
			case mode == readByAll:
				list = append(list, "y[first+n-1-j]")
			case mode == ofThreads && kind == "ThreadRange", mode == ofLanes && kind == "TeamVectorRange":
				list = append(list, fmt.Sprintf("%s[%sj]", arrays[n].name, arrays[n].at))
			}
		}
	}
	return g.pick(list...) + g.pick(" + ", " - ") + g.pick(list...)
}

const teamsHeader = `package main

import (
	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/random/trial"
	"github.com/gokkos/gokkos/team"
)

var _ = builtin.Sum[int]
var _ trial.Teams

`

// A TeamsResult is the result of a program of functors of teams.
type TeamsResult struct {
	Differ     string   // a line for each launch that differs
	Compiled   int      // functors that have loops
	Refused    []string // why others have none
	Done, Left int      // teams that loops run, and teams that they leave to the functor
	Cards      int      // functors that have texts for cards
}

// TryTeams compiles random functors of teams, and runs them.
func TryTeams(first uint64, n int) (*TeamsResult, error) {
	p, err := newProgram()
	if err != nil {
		return nil, err
	}
	defer p.remove()
	var file bytes.Buffer
	file.WriteString(teamsHeader)
	for k := range n {
		file.WriteString(TeamsText(first + uint64(k)))
	}
	config := front.Config{Dir: p.module, Overlay: map[string][]byte{filepath.Join(p.folder(), "kernels.go"): append(bytes.Clone(file.Bytes()), []byte("\nfunc main() {}\n")...)}}
	made, err := generate.For(generate.Targets(false), config, p.pattern())
	if err != nil {
		return nil, err
	}
	r := &TeamsResult{}
	main := bytes.NewBufferString("package main\n\nimport (\n\"os\"\n\n\"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/random/trial\"\n)\n\nfunc main() {\ntrial.RunTeams(os.Stdout, []trial.Teams{\n")
	for _, k := range made[0].Compiled {
		switch {
		case k.Refused != nil:
			r.Refused = append(r.Refused, fmt.Sprintf("%s: %v", k.Func, k.Refused))
			continue
		case made[0].Refused["go"][k.Kernel] != nil:
			r.Refused = append(r.Refused, fmt.Sprintf("%s: %v", k.Func, made[0].Refused["go"][k.Kernel]))
			continue
		}
		r.Compiled++
		differ, ok := onCard(k.Kernel, first)
		if r.Differ += differ; ok {
			r.Cards++
		}
		fmt.Fprintf(main, "{%q, %s, %s},\n", k.Func, k.Func, k.Exported)
	}
	main.WriteString("})\n}\n")
	files := map[string][]byte{"kernels.go": file.Bytes(), "main.go": main.Bytes()}
	for name, text := range made[0].Files {
		files[name] = text
	}
	out, err := p.run(files)
	if err != nil {
		return nil, err
	}
	counts, differ, _ := strings.Cut(string(out), "\n")
	_, err = fmt.Sscan(counts, &r.Done, &r.Left)
	r.Differ += differ
	return r, err
}
