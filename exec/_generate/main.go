// Command _generate writes what differs between functors with one to four accumulators by the number of arguments alone:
// patterns, launches, loops, and what calls those that are compiled. It runs in the folder of package exec.
package main

import (
	"bytes"
	"fmt"
	"go/format"
	"log"
	"os"
	"strings"
	"text/template"
)

// loops are the loops of functors with that many accumulators.
var loops = template.Must(template.New("").Funcs(template.FuncMap{"each": each}).Parse(`
{{$n := .}}{{$takes := each $n "accumulator" ", "}}
// newReduceLoop{{$n}} is newReduceLoop1 with {{$n}} accumulators.
func newReduceLoop{{$n}}[I any](f func(I, {{$takes}}), x *items) loop {
	switch f := any(f).(type) {
	case func(int, {{$takes}}):
		return reduceInts{{$n}}(f)
	case func(policy.Span, {{$takes}}):
		if x.plain {
			return reduceSpans{{$n}}(f)
		}
	}
	if x.rows == nil {
		return reduceEach{{$n}}[I](f)
	}
	x.byRuns()
	return reduceRows{{$n}}[I]{f}
}

// inRow{{$n}} returns how many items from that one on have lanes that follow one another: accumulators need not have as many
// lanes as each other.
func inRow{{$n}}(w *walk, item int) int {
	n := min({{each $n "w.lanes[#].N" ", "}})
	return n - item&(n-1)
}

// reduceInts{{$n}} is reduceInts with {{$n}} accumulators.
type reduceInts{{$n}} func(int, {{$takes}})

func (f reduceInts{{$n}}) span(w *walk, i, end, item int) {
	w.form = atInt
	for i < end {
		row := min(inRow{{$n}}(w, item), end-i)
		{{each $n "o#" ", "}} := {{each $n "w.lanes[#].Offset(item)" ", "}}
		item += row
		for ; row > 0; row-- {
			w.i = i
			f(i, {{each $n "unsafe.Add(w.lanes[#].At, o#)" ", "}})
			{{each $n "o#" ", "}} = {{each $n "o#+w.lanes[#].Size" ", "}}
			i++
		}
	}
	w.form = nowhere
}

func (f reduceInts{{$n}}) runs(w *walk, runs []policy.Run, item int) { runsOfInts(f, w, runs, item) }

func (f reduceInts{{$n}}) block(w *walk, b block, item int) { reduceEach{{$n}}[int](f).block(w, b, item) }

// reduceSpans{{$n}} is reduceSpans with {{$n}} accumulators.
type reduceSpans{{$n}} func(policy.Span, {{$takes}})

func (f reduceSpans{{$n}}) span(w *walk, begin, end, _ int) {
	f(policy.Span{Begin: begin, End: end}, {{each $n "w.lanes[#].At" ", "}})
}

func (f reduceSpans{{$n}}) runs(w *walk, runs []policy.Run, _ int) {
	for n := range runs {
		f(spanOf(&runs[n]), {{each $n "w.lanes[#].At" ", "}})
	}
}

func (f reduceSpans{{$n}}) block(w *walk, b block, item int) {
	reduceEach{{$n}}[policy.Span](f).block(w, b, item)
}

// reduceEach{{$n}} is reduceEach with {{$n}} accumulators.
type reduceEach{{$n}}[I any] func(I, {{$takes}})

func (f reduceEach{{$n}}[I]) block(w *walk, b block, item int) {
	w.atBlock(b)
	for n, i := range indicesOf[I](b) {
		w.i = n
		f(i, {{each $n "w.lanes[#].OfItem(item+n)" ", "}})
	}
	w.leaveBlock()
}

func (f reduceEach{{$n}}[I]) runs(w *walk, runs []policy.Run, item int) {
	atPoints[I](w)
	for n := range runs {
		at, x := pointAt[I](w, &runs[n])
		for i, end := *x, *x+runs[n].Len; i < end; {
			row := min(inRow{{$n}}(w, item), end-i)
			{{each $n "o#" ", "}} := {{each $n "w.lanes[#].Offset(item)" ", "}}
			item += row
			for ; row > 0; row-- {
				*x = i
				f(*at, {{each $n "unsafe.Add(w.lanes[#].At, o#)" ", "}})
				{{each $n "o#" ", "}} = {{each $n "o#+w.lanes[#].Size" ", "}}
				i++
			}
		}
	}
	w.form = nowhere
}

// reduceRows{{$n}} is reduceRows with {{$n}} accumulators.
type reduceRows{{$n}}[I any] struct{ reduceEach{{$n}}[I] }

func (l reduceRows{{$n}}[I]) runs(w *walk, runs []policy.Run, _ int) {
	rank := rowRankIn[I]()
	w.atRows(rank)
	for n := range runs {
		w.row = &runs[n]
		l.reduceEach{{$n}}(rowOf[I](w.row, rank), {{each $n "w.lanes[#].At" ", "}})
	}
	w.form = nowhere
}
`))

// codes are the codes of functors with that many accumulators.
var codes = template.Must(template.New("").Funcs(template.FuncMap{"each": each}).Parse(`
{{$n := .}}{{$types := each $n "@" ", "}}
// code{{$n}} is the code of a functor with {{$n}} accumulators.
type code{{$n}}[{{$types}} any] struct {
	code  compiled.Reduce{{$n}}[{{$types}}]
	inRun compiled.ReduceRuns{{$n}}[{{$types}}]
}

func (c *code{{$n}}[{{$types}}]) of(f any) code {
	found := compiled.Of(f)
	if found == nil {
		return nil
	}
	c.code, _ = typed.As[compiled.Reduce{{$n}}[{{$types}}]](found)
	c.inRun, _ = typed.As[compiled.ReduceRuns{{$n}}[{{$types}}]](found)
	return c
}

func (c *code{{$n}}[{{$types}}]) spans() bool          { return c.code != nil }
func (c *code{{$n}}[{{$types}}]) boxes() bool          { return c.inRun != nil }
func (c *code{{$n}}[{{$types}}]) leaves() codeOfLeaves { return nil }

func (c *code{{$n}}[{{$types}}]) span(w *walk, begin, end, item int) (next int) {
	return c.code.Span(begin, end, item, {{each $n "reduce.Of[@](w.lanes[#])" ", "}})
}

func (c *code{{$n}}[{{$types}}]) runs(w *walk, runs []policy.Run, item, leaf int) (done, items int) {
	return c.inRun.Runs(runs, item, leaf, {{each $n "reduce.Of[@](w.lanes[#])" ", "}})
}
`))

// patterns are the patterns of functors with that many accumulators.
var patterns = template.Must(template.New("").Funcs(template.FuncMap{"each": each}).Parse(`
{{$n := .}}{{$types := each $n "@" ", "}}
{{if eq $n 2 -}}
// ParallelReduce2 is [ParallelReduce] with two reducers, each of which has an
// accumulator of its own. Each result has the bits it would have alone.
{{- else -}}
// ParallelReduce{{$n}} is [ParallelReduce2] with {{if eq $n 3}}three{{else}}four{{end}} reducers.
{{- end}}
func ParallelReduce{{$n}}[Index, {{$types}} any, P Policy[Index]](p P, f func(i Index, {{each $n "% *@" ", "}}), {{each $n "r% reducers.Reducer[@]" ", "}}) error {
	if f == nil {
		return refuseNil[Index](p)
	}
	j, s := take[accumulators{{$n}}[{{$types}}]]()
	s.kernel.reset(f, s, {{each $n "&s.%.Column" ", "}})
	return reduce{{$n}}(j, &s.kernel, p, erased{{$n}}(f), s.code.of(f), func() {
		{{each $n "s.%.Reset(r%)" "\n\t\t"}}
	})
}

type accumulators{{$n}}[{{$types}} any] struct {
	kernel reduction
	code   code{{$n}}[{{$types}}]
	{{each $n "% reduce.Slots[@]" "\n\t"}}
}

func (s *accumulators{{$n}}[{{$types}}]) release() {
	s.code = code{{$n}}[{{$types}}]{}
	{{each $n "s.%.Release()" "\n\t"}}
}
`))

// launches launch kernels with that many accumulators.
var launches = template.Must(template.New("").Funcs(template.FuncMap{"each": each}).Parse(`
{{$n := .}}{{$takes := each $n "accumulator" ", "}}
// reduce{{$n}} launches kernel k for functor f over policy p. c is the compiled code of f, or nil; tell gives the columns of
// k their reducers.
func reduce{{$n}}[I any, P Policy[I]](j *job, k *reduction, p P, f func(I, {{$takes}}), c code, tell func()) error {
	var plan policy.Plan
	planOf[I](&plan, &p)
	prepare(&plan, tell)
	keep[pointsOf[I, P]](j).of(&k.items, p, &plan)
	switch m, ok := any(f).(func(*team.Member, {{$takes}})); {
	case ok && plan.Team.Size > 0:
		return reduceTeams(j, &plan, k, ofMembers{{$n}}(m))
	case environment.Watches(plan.Space):
		k.loop = newReduceLoop{{$n}}(watchedReduce{{$n}}(f, k.columns), &k.items)
	default:
		k.loop = k.compile(c, newReduceLoop{{$n}}(f, &k.items))
	}
	return k.launch(j, &plan)
}

// erased{{$n}} returns a functor with the types of its {{$n}} accumulators hidden, see accumulator.
func erased{{$n}}[I, {{each $n "@" ", "}} any](f func(I, {{each $n "*@" ", "}})) func(I, {{$takes}}) {
	return *(*func(I, {{$takes}}))(unsafe.Pointer(&f))
}
`))

// watched are what makes functors with that many accumulators say which item runs.
var watched = template.Must(template.New("").Funcs(template.FuncMap{"each": each}).Parse(`
{{$n := .}}{{$takes := each $n "unsafe.Pointer" ", "}}
// watchedReduce{{$n}} returns a functor that says which item runs.
func watchedReduce{{$n}}[I any](f func(I, {{$takes}}), columns []column) func(I, {{$takes}}) {
	{{each $n "own#" ", "}} := {{each $n "ownerOf(columns[#])" ", "}}
	text := itemText[I]
	return func(i I, {{each $n "a#" ", "}} unsafe.Pointer) {
		beginItem(&i, text)
		{{each $n "own#.own(a#)" "\n\t\t"}}
		f(i, {{each $n "a#" ", "}})
		watch.Leave()
	}
}
`))

// members are what gives members of teams that many accumulators.
var members = template.Must(template.New("").Funcs(template.FuncMap{"each": each}).Parse(`
{{$n := .}}{{$takes := each $n "unsafe.Pointer" ", "}}
// ofMembers{{$n}} binds a functor of members of teams to the accumulators of a worker.
func ofMembers{{$n}}(f func(*team.Member, {{$takes}})) func(w []*memberAccs) func(m *team.Member) {
	return func(w []*memberAccs) func(m *team.Member) {
		{{each $n "a#" ", "}} := {{each $n "w[#]" ", "}}
		return func(m *team.Member) {
			r := m.Rank()
			f(m, {{each $n "a#.of(r)" ", "}})
		}
	}
}
`))

// each returns text for each of n accumulators: # stands for their number, from 0, @ for their type, and % for their name.
func each(n int, text, between string) string {
	list := make([]string, n)
	for k := range list {
		list[k] = strings.NewReplacer("#", fmt.Sprint(k), "@", "ABCD"[k:k+1], "%", "abcd"[k:k+1]).Replace(text)
	}
	return strings.Join(list, between)
}

// write writes the text of a template for as many accumulators as from first to four.
func write(file, imports string, first int, text *template.Template) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "// Code generated by exec/_generate. DO NOT EDIT.\n\npackage exec\n\nimport (\n%s)\n", imports)
	for n := first; n <= 4; n++ {
		if err := text.Execute(&b, n); err != nil {
			log.Fatal(err)
		}
	}
	source, err := format.Source(b.Bytes())
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(file, source, 0o644); err != nil {
		log.Fatal(err)
	}
}

func main() {
	write("z_reduceloop.go", `
	"unsafe"

	"github.com/gokkos/gokkos/policy"
`, 2, loops)
	write("z_reduce.go", `
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/reducers"
`, 2, patterns)
	write("z_launch.go", `
	"unsafe"

	"github.com/gokkos/gokkos/exec/internal/environment"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
`, 1, launches)
	write("z_code.go", `
	compiled "github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/internal/typed"
	"github.com/gokkos/gokkos/policy"
`, 2, codes)
	write("z_watched.go", `
	"unsafe"

	"github.com/gokkos/gokkos/internal/watch"
`, 1, watched)
	write("z_members.go", `
	"unsafe"

	"github.com/gokkos/gokkos/team"
`, 1, members)
}
