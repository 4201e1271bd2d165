package main

// points is the template of the loops of functors that take a point of some rank, or a row of such points.
var points = parsed(`
{{$n := .}}{{$last := less $n}}{{$x := slice "ijkl" $last $n}}{{$before := each $last "^: $" ", "}}
// forPoints{{$n}} is the loop of a functor that takes a point of {{$n}} dimensions. It makes a short index in registers,
// where forEach makes it in memory. That saves a sixth of the time of a short functor. Runs along another dimension than
// the last are left to forEach.
type forPoints{{$n}} struct{ forEach[policy.Index{{$n}}] }

func (l forPoints{{$n}}) Runs(w *launch.Walk, runs []policy.Run, item int) {
	f := l.forEach
	for q := range runs {
		r := &runs[q]
		if r.Dim != {{$last}} {
			f.Runs(w, runs[q:q+1], item)
			continue
		}
		launch.AtPoints[policy.Index{{$n}}](w)
		w.Point = r.At
		at := &w.Point[{{$last}}]
		{{each $n "$" ", "}} := {{each $n "r.At[#]" ", "}}
		end := {{$x}} + r.Len
		for ; end-{{$x}} >= 4; {{$x}} += 4 {
			*at = {{$x}}
			f(policy.Index{{$n}}{ {{each $n "^: $" ", "}} })
			*at = {{$x}} + 1
			f(policy.Index{{$n}}{ {{each $n "^: $" ", "}} + 1})
			*at = {{$x}} + 2
			f(policy.Index{{$n}}{ {{each $n "^: $" ", "}} + 2})
			*at = {{$x}} + 3
			f(policy.Index{{$n}}{ {{each $n "^: $" ", "}} + 3})
		}
		for ; {{$x}} < end; {{$x}}++ {
			*at = {{$x}}
			f(policy.Index{{$n}}{ {{each $n "^: $" ", "}} })
		}
	}
	w.Form = launch.Nowhere
}

// forRows{{$n}} is forRows of rows of {{$n}} dimensions.
type forRows{{$n}} struct {
	forEach[policy.Row[policy.Index{{$n}}]]
}

func (l forRows{{$n}}) Runs(w *launch.Walk, runs []policy.Run, _ int) {
	w.AtRows({{$n}})
	for n := range runs {
		r := &runs[n]
		w.Row = r
		l.forEach(row{{$n}}(r))
	}
	w.Form = launch.Nowhere
}

// reduceRowsOf{{$n}} is reduceRows of rows of {{$n}} dimensions.
type reduceRowsOf{{$n}} struct {
	reduceEach[policy.Row[policy.Index{{$n}}]]
}

func (l reduceRowsOf{{$n}}) Runs(w *launch.Walk, runs []policy.Run, _ int) {
	w.AtRows({{$n}})
	for n := range runs {
		r := &runs[n]
		w.Row = r
		l.reduceEach(row{{$n}}(r), w.Lanes[0].At)
	}
	w.Form = launch.Nowhere
}

func row{{$n}}(r *policy.Run) policy.Row[policy.Index{{$n}}] {
	return policy.Row[policy.Index{{$n}}]{At: policy.Index{{$n}}{ {{each $n "^: r.At[#]" ", "}} }, Span: launch.SpanOf(r)}
}
`)

// kinds is the template of what policies do with points of some rank.
var kinds = parsed(`
{{$n := .}}
var kind{{$n}} = pointKind[Index{{$n}}]{index{{$n}}, row{{$n}}, linear{{$n}}}

func index{{$n}}(at point) Index{{$n}} { return Index{{$n}}{ {{each $n "^: at[#]" ", "}} } }

func row{{$n}}(dst []Index{{$n}}, at, step point) {
	x := index{{$n}}(at)
	{{each $n "d#" ", "}} := {{each $n "step[#]" ", "}}
	for k := range dst {
		dst[k] = x
		{{each $n "x.^" ", "}} = {{each $n "x.^+d#" ", "}}
	}
}

func linear{{$n}}(at Index{{$n}}, lower, extent *point) (i int) {
	{{each $n "i = i*extent[#] + at.^ - lower[#]" "\n\t"}}
	return i
}
`)

// comparisons is the template of the order of points.
var comparisons = parsed(`
// Compare orders indices by {{each . "^" ", then by "}}. It returns -1, 0 or +1.
func (a Index{{.}}) Compare(b Index{{.}}) int { return cmp.Or({{each . "cmp.Compare(a.^, b.^)" ", "}}) }
`)
