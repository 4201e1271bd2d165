package main

// nested are the nested reductions of teams with that many accumulators.
var nested = parsed(`
{{$n := .}}{{$types := each $n "@" ", "}}{{$takes := each $n "% *@" ", "}}
{{if eq $n 2 -}}
// Reduce2 is [Reduce] with two reducers, each of which has an accumulator of its own.
//
// Order: each result has the bits it would have alone, unless one of the reducers is
// marked ordered: then all members take their items as for that one.
{{- else -}}
// Reduce{{$n}} is [Reduce2] with {{if eq $n 3}}three{{else}}four{{end}} reducers.
{{- end}}
//
//go:noinline
func Reduce{{$n}}[I, {{$types}} any](r Range[I], f func(i I, {{$takes}}), {{each $n "r% reducers.Reducer[@]" ", "}}) {
	check(r.m, f == nil)
	var site uintptr
	if r.meets() {
		site = lane.Site()
	}
	{{each $n "%" ", "}} := {{each $n "open(r.m, r.level, r%)" ", "}}
	ordered, v := {{each $n "%.traits.Ordered" " || "}}, r.lanes()
	var i I
	watched := beginVector(&r, unsafe.Pointer(&i))
	if watched != nil {
		f = watchedReduce{{$n}}(watched, f)
	}
	w, s := r.walk(&i, ordered)
	{{each $n "%l, %m := %.begin(s.longestBlock()), %.mask()" "\n\t"}}
	for at := s.begin; at < s.end; at = s.next(at) {
		w.seek(at)
		l := 0
		for k := min(s.width, s.end-at); k > 0; k-- {
			f(i, {{each $n "&%l[l&%m]" ", "}})
			w.step()
			if l++; l == v {
				l = 0
			}
		}
	}
	watched.end()
	conclude(&r, site, ordered, {{each $n "%" ", "}})
}

func watchedReduce{{$n}}[I, {{$types}} any](l *vectorLoop, f func(i I, {{$takes}})) func(i I, {{$takes}}) {
	return func(i I, {{$takes}}) {
		l.next()
		{{each $n "own(%)" "\n\t\t"}}
		f(i, {{each $n "%" ", "}})
	}
}
`)
