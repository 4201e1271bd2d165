package main

// loops is the template of the loops of functors with some number of accumulators.
var loops = parsed(`
{{$n := .}}{{$takes := each $n "Accumulator" ", "}}
// NewReduce{{$n}} is NewReduce1 with {{$n}} accumulators.
func NewReduce{{$n}}[I any](f func(I, {{$takes}}), x *items.Items) Loop {
	switch f := any(f).(type) {
	case func(int, {{$takes}}):
		return reduceInts{{$n}}(f)
	case func(policy.Span, {{$takes}}):
		if x.Plain {
			return reduceSpans{{$n}}(f)
		}
	}
	if x.Rows == nil {
		return reduceEach{{$n}}[I](f)
	}
	x.ByRuns()
	return reduceRows{{$n}}[I]{f}
}

// inRow{{$n}} returns how many items from item on have consecutive lanes of every accumulator. Accumulators
// may differ in their number of lanes.
func inRow{{$n}}[I any](w *launch.Walk, item int) int {
	n := min({{each $n "w.Lanes[#].N" ", "}})
	return n - item&(n-1)
}

// reduceInts{{$n}} is reduceInts with {{$n}} accumulators.
type reduceInts{{$n}} func(int, {{$takes}})

func (f reduceInts{{$n}}) Span(w *launch.Walk, i, end, item int) {
	w.Form = launch.AtInt
	for i < end {
		row := min(inRow{{$n}}[int](w, item), end-i)
		{{each $n "o#" ", "}} := {{each $n "w.Lanes[#].Offset(item)" ", "}}
		item += row
		for ; row > 0; row-- {
			w.I = i
			f(i, {{each $n "unsafe.Add(w.Lanes[#].At, o#)" ", "}})
			{{each $n "o#" ", "}} = {{each $n "o#+w.Lanes[#].Size" ", "}}
			i++
		}
	}
	w.Form = launch.Nowhere
}

func (f reduceInts{{$n}}) Runs(w *launch.Walk, runs []policy.Run, item int) { runsOfInts(f, w, runs, item) }

func (f reduceInts{{$n}}) Block(w *launch.Walk, b launch.Block, item int) { reduceEach{{$n}}[int](f).Block(w, b, item) }

// reduceSpans{{$n}} is reduceSpans with {{$n}} accumulators.
type reduceSpans{{$n}} func(policy.Span, {{$takes}})

func (f reduceSpans{{$n}}) Span(w *launch.Walk, begin, end, _ int) {
	f(policy.Span{Begin: begin, End: end}, {{each $n "w.Lanes[#].At" ", "}})
}

func (f reduceSpans{{$n}}) Runs(w *launch.Walk, runs []policy.Run, _ int) {
	for n := range runs {
		f(launch.SpanOf(&runs[n]), {{each $n "w.Lanes[#].At" ", "}})
	}
}

func (f reduceSpans{{$n}}) Block(w *launch.Walk, b launch.Block, item int) {
	reduceEach{{$n}}[policy.Span](f).Block(w, b, item)
}

// reduceEach{{$n}} is reduceEach with {{$n}} accumulators.
type reduceEach{{$n}}[I any] func(I, {{$takes}})

func (f reduceEach{{$n}}[I]) Block(w *launch.Walk, b launch.Block, item int) {
	w.AtBlock(b)
	for n, i := range launch.IndicesOf[I](b) {
		w.I = n
		f(i, {{each $n "laneOf[I](&w.Lanes[#], item+n)" ", "}})
	}
	w.LeaveBlock()
}

func (f reduceEach{{$n}}[I]) Runs(w *launch.Walk, runs []policy.Run, item int) {
	launch.AtPoints[I](w)
	for n := range runs {
		at, x := launch.PointAt[I](w, &runs[n])
		for i, end := *x, *x+runs[n].Len; i < end; {
			row := min(inRow{{$n}}[I](w, item), end-i)
			{{each $n "o#" ", "}} := {{each $n "offset[I](&w.Lanes[#], item)" ", "}}
			item += row
			for ; row > 0; row-- {
				*x = i
				f(*at, {{each $n "unsafe.Add(w.Lanes[#].At, o#)" ", "}})
				{{each $n "o#" ", "}} = {{each $n "o#+w.Lanes[#].Size" ", "}}
				i++
			}
		}
	}
	w.Form = launch.Nowhere
}

// reduceRows{{$n}} is reduceRows with {{$n}} accumulators.
type reduceRows{{$n}}[I any] struct{ reduceEach{{$n}}[I] }

func (l reduceRows{{$n}}[I]) Runs(w *launch.Walk, runs []policy.Run, _ int) {
	rank := rowRankIn[I]()
	w.AtRows(rank)
	for n := range runs {
		w.Row = &runs[n]
		l.reduceEach{{$n}}(items.RowOf[I](w.Row, rank), {{each $n "w.Lanes[#].At" ", "}})
	}
	w.Form = launch.Nowhere
}
`)

// codes is the template of the codes of functors with some number of accumulators.
var codes = parsed(`
{{$n := .}}{{$types := each $n "@" ", "}}
// Code{{$n}} is the code of a functor with {{$n}} accumulators.
type Code{{$n}}[{{$types}} any] struct {
	code  kernel.Reduce{{$n}}[{{$types}}]
	inRun kernel.ReduceRuns{{$n}}[{{$types}}]
}

func (c *Code{{$n}}[{{$types}}]) Of(f any) Code {
	found := kernel.Of(f)
	if found == nil {
		return nil
	}
	c.code, _ = typed.As[kernel.Reduce{{$n}}[{{$types}}]](found)
	c.inRun, _ = typed.As[kernel.ReduceRuns{{$n}}[{{$types}}]](found)
	return c
}

func (c *Code{{$n}}[{{$types}}]) spans() bool          { return c.code != nil }
func (c *Code{{$n}}[{{$types}}]) boxes() bool          { return c.inRun != nil }
func (c *Code{{$n}}[{{$types}}]) leaves() codeOfLeaves { return nil }
func (c *Code{{$n}}[{{$types}}]) loop() any { return oneOf(c.code, c.inRun) }

func (c *Code{{$n}}[{{$types}}]) Span(w *launch.Walk, begin, end, item int) (next int) {
	return c.code.Span(begin, end, item, {{each $n "reduce.Of[@](w.Lanes[#])" ", "}})
}

func (c *Code{{$n}}[{{$types}}]) Runs(w *launch.Walk, runs []policy.Run, item, leaf int) (done, items int) {
	return c.inRun.Runs(runs, item, leaf, {{each $n "reduce.Of[@](w.Lanes[#])" ", "}})
}
`)

// patterns are the patterns of functors with that many accumulators.
var patterns = parsed(`
{{$n := .}}{{$types := each $n "@" ", "}}
{{if eq $n 2 -}}
// ParallelReduce2 is [ParallelReduce] with two reducers, each of which has an
// accumulator of its own. Each result has the bits it would have alone.
{{- else -}}
// ParallelReduce{{$n}} is [ParallelReduce2] with {{if eq $n 3}}three{{else}}four{{end}} reducers.
{{- end}}
func ParallelReduce{{$n}}[Index, {{$types}} any, P Policy[Index]](p P, f func(i Index, {{each $n "% *@" ", "}}), {{each $n "r% reducers.Reducer[@]" ", "}}) error {
	if f == nil {
		return items.RefuseNil[Index](p)
	}
	j, s := launch.Take[accumulators{{$n}}[{{$types}}]]()
	s.kernel.Reset(f, s, {{each $n "&s.%.Column" ", "}})
	return reduce{{$n}}(j, &s.kernel, p, erased{{$n}}(f), s.code.Of(f), func() {
		{{each $n "s.%.Reset(r%)" "\n\t\t"}}
	})
}

type accumulators{{$n}}[{{$types}} any] struct {
	kernel loops.Reduction
	code   loops.Code{{$n}}[{{$types}}]
	{{each $n "% reduce.Slots[@]" "\n\t"}}
}

func (s *accumulators{{$n}}[{{$types}}]) Release() {
	s.code = loops.Code{{$n}}[{{$types}}]{}
	{{each $n "s.%.Release()" "\n\t"}}
}
`)

// launches launch kernels with that many accumulators.
var launches = parsed(`
{{$n := .}}{{$takes := each $n "loops.Accumulator" ", "}}
// reduce{{$n}} launches kernel k for functor f over policy p. c is the compiled code of f, or nil; tell gives the columns of
// k their reducers.
func reduce{{$n}}[I any, P Policy[I]](j *launch.Job, k *loops.Reduction, p P, f func(I, {{$takes}}), c loops.Code, tell func()) error {
	var plan policy.Plan
	items.PlanOf[I](&plan, &p)
	launch.Prepare(&plan, tell)
	launch.Keep[items.PointsOf[I, P]](j).Of(&k.Items, p, &plan)
	switch m, ok := any(f).(func(*team.Member, {{$takes}})); {
	case ok && plan.Team.Size > 0:
		return league.Reduce(j, &plan, k, league.OfMembers{{$n}}(m))
	case environment.Watches(plan.Space):
		k.Loop = loops.NewReduce{{$n}}(checked.Reduce{{$n}}(f, k.Columns), &k.Items)
	default:
		k.Loop = k.Compile(c, loops.NewReduce{{$n}}(f, &k.Items))
	}
	return k.Launch(j, &plan)
}

// erased{{$n}} returns a functor with the types of its {{$n}} accumulators hidden, see [loops.Accumulator].
func erased{{$n}}[I, {{each $n "@" ", "}} any](f func(I, {{each $n "*@" ", "}})) func(I, {{$takes}}) {
	return *(*func(I, {{$takes}}))(unsafe.Pointer(&f))
}
`)

// watched are what makes functors with that many accumulators say which item runs.
var watched = parsed(`
{{$n := .}}{{$takes := each $n "unsafe.Pointer" ", "}}
// Reduce{{$n}} returns a functor that says which item runs.
func Reduce{{$n}}[I any](f func(I, {{$takes}}), columns []launch.Column) func(I, {{$takes}}) {
	{{each $n "own#" ", "}} := {{each $n "ownerOf(columns[#])" ", "}}
	text := ItemText[I]
	return func(i I, {{each $n "a#" ", "}} unsafe.Pointer) {
		BeginItem(&i, text)
		{{each $n "own#.own(a#)" "\n\t\t"}}
		f(i, {{each $n "a#" ", "}})
		watch.Leave()
	}
}
`)

// members are what gives members of teams that many accumulators.
var members = parsed(`
{{$n := .}}{{$takes := each $n "unsafe.Pointer" ", "}}
// OfMembers{{$n}} binds a functor of members of teams to the accumulators of a worker.
func OfMembers{{$n}}(f func(*team.Member, {{$takes}})) func(w []*Accs) func(m *team.Member) {
	return func(w []*Accs) func(m *team.Member) {
		{{each $n "a#" ", "}} := {{each $n "w[#]" ", "}}
		return func(m *team.Member) {
			r := m.Rank()
			f(m, {{each $n "a#.of(r)" ", "}})
		}
	}
}
`)
