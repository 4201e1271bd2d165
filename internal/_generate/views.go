package main

// ranks is the template of the views of some rank.
var ranks = parsed(`
{{$n := .}}{{$last := less $n}}{{$index := each $n "$" ", "}}{{$row := each $last "$" ", "}}
{{$checked := printf "%s and %s" $row (slice "ijkl" $last $n)}}
{{$apart := each $last "$*s.stride[#]" " + "}}{{$x := slice "ijkl" $last $n}}
// View{{$n}} is a [View] of rank {{$n}} in which each row, a[{{$row}}, 0], a[{{$row}}, 1], ..., lies
// without gaps; rows may be apart. It is a Kokkos::View<T{{stars $n}}, LayoutRight>. [View{{$n}}.At] and
// [View{{$n}}.Set] cost what an index of a slice costs.
type View{{$n}}[T any] struct{ View[T] }

// New{{$n}} is [New] for layout [Right] and rank {{$n}}.
func New{{$n}}[T any](label string, {{each $n "~" ", "}} int) (View{{$n}}[T], error) {
	v, err := New[T](label, []int{ {{each $n "~" ", "}} })
	return View{{$n}}[T]{v}, err
}

// Of{{$n}} is [Of] for layout [Right] and rank {{$n}}.
func Of{{$n}}[T any](label string, x []T, {{each $n "~" ", "}} int) (View{{$n}}[T], error) {
	v, err := Of(label, x, []int{ {{each $n "~" ", "}} })
	return View{{$n}}[T]{v}, err
}

// As{{$n}} returns v with its rank in the type, for example As{{$n}}(a.Sub(...)). It returns err if
// that is not nil, and an error if v is not a View{{$n}}: if it has another rank, or gaps in
// its rows, which [AsStrided{{$n}}] allows.
func As{{$n}}[T any](v View[T], err error) (View{{$n}}[T], error) {
	v, err = typed(v, err, {{$n}}, true)
	return View{{$n}}[T]{v}, err
}

func (View{{$n}}[T]) as(v View[T]) View{{$n}}[T] { return View{{$n}}[T]{v} }

func (View{{$n}}[T]) rows() bool { return true }

// Row returns the memory of the elements {{$row}}, 0 and on. A loop over rows is faster than one
// over At and Set: whether the host may touch the memory is asked once for each row, and
// not for each element.
func (v View{{$n}}[T]) Row({{$row}} int) []T {
	if memory.ChecksDimensions {
		v.shape.check({{$row}})
	}
	first := v.shape.touchAt({{each $last "$*v.shape.stride[#]" " + "}})
	end := first + v.shape.extent[{{$last}}]
	return v.data[first:end:end]
}

// Strided{{$n}} is a [View] of rank {{$n}} with any layout. It is a Kokkos::View<T{{stars $n}}, LayoutStride>.
// [Strided{{$n}}.At] and [Strided{{$n}}.Set] take one multiplication more than those of [View{{$n}}].
type Strided{{$n}}[T any] struct{ View[T] }

// AsStrided{{$n}} returns v with its rank in the type, for example AsStrided{{$n}}(New[T](...)). It
// returns err if that is not nil, and an error if v has another rank.
func AsStrided{{$n}}[T any](v View[T], err error) (Strided{{$n}}[T], error) {
	v, err = typed(v, err, {{$n}}, false)
	return Strided{{$n}}[T]{v}, err
}

func (Strided{{$n}}[T]) as(v View[T]) Strided{{$n}}[T] { return Strided{{$n}}[T]{v} }

{{range $type := types}}{{$place := placed $type}}
// At returns the element {{$index}}.
// Only its place in memory is checked, unless the tag gokkos_bounds checks {{$checked}}.
func (v {{$type}}{{$n}}[T]) At({{$index}} int) T {
	return v.data[v.shape.{{$place}}{{$n}}({{$index}})]
}

// Set makes x the element {{$index}}.
// Only its place in memory is checked, unless the tag gokkos_bounds checks {{$checked}}.
func (v {{$type}}{{$n}}[T]) Set({{$index}} int, x T) {
	v.data[v.shape.{{$place}}{{$n}}({{$index}})] = x
}

// Ptr returns the address of the element {{$index}}, for atomics.
// Only its place in memory is checked, unless the tag gokkos_bounds checks {{$checked}}.
func (v {{$type}}{{$n}}[T]) Ptr({{$index}} int) *T {
	return &v.data[v.shape.{{$place}}{{$n}}({{$index}})]
}

// All yields the indices and elements, the last index fastest.
func (v {{$type}}{{$n}}[T]) All() iter.Seq2[policy.Index{{$n}}, T] { return all{{$n}}(v.View) }

{{if eq $n 2}}
// Transpose returns the view with At(j, i) of v as At(i, j), of the same memory.
func (v {{$type}}2[T]) Transpose() Strided2[T] { return Strided2[T]{v.View.Transpose()} }
{{end}}
{{end}}

func all{{$n}}[T any](v View[T]) iter.Seq2[policy.Index{{$n}}, T] {
	return func(yield func(policy.Index{{$n}}, T) bool) {
		s := v.shape.orNone()
		s.touch()
		{{each $n "for $ := range s.extent[#] {" "\n"}}
			if !yield(policy.Index{{$n}}{ {{each $n "^: $" ", "}} }, v.data[{{$apart}} + {{$x}}*s.stride[{{$last}}]]) {
				return
			}
		{{each $n "}" "\n"}}
	}
}

//go:norace
func (s *shape) dense{{$n}}({{$index}} int) int {
	if memory.ChecksDimensions {
		s.check({{$index}})
	}
	return s.touchAt({{$apart}} + {{$x}})
}

//go:norace
func (s *shape) strided{{$n}}({{$index}} int) int {
	if memory.ChecksDimensions {
		s.check({{$index}})
	}
	return s.touchAt({{$apart}} + {{$x}}*s.stride[{{$last}}])
}
{{if lt $n 4}}
// An Offset{{$n}} is a [View{{$n}}] whose first element has indices of its own: element {{$index}} is element
// {{each $n "$-Begin[#]" ", "}} of View. It is Kokkos' OffsetView of rank {{$n}}. Indices out of Begin to End panic
// where those of View do.
type Offset{{$n}}[T any] struct {
	View  View{{$n}}[T]
	Begin [{{$n}}]int
}

// End returns the indices behind the last element: a loop is over policy.MDRange{{$n}}(v.Begin, v.End()).
func (v Offset{{$n}}[T]) End() (end [{{$n}}]int) {
	for d, first := range v.Begin {
		end[d] = first + v.View.Extent(d)
	}
	return end
}

// At returns the element {{$index}}.
func (v Offset{{$n}}[T]) At({{$index}} int) T { return v.View.At({{each $n "$-v.Begin[#]" ", "}}) }

// Set makes x the element {{$index}}.
func (v Offset{{$n}}[T]) Set({{$index}} int, x T) { v.View.Set({{each $n "$-v.Begin[#]" ", "}}, x) }

// Ptr returns the address of the element {{$index}}, for atomics.
func (v Offset{{$n}}[T]) Ptr({{$index}} int) *T { return v.View.Ptr({{each $n "$-v.Begin[#]" ", "}}) }

// Row returns the memory of the elements {{$row}}, Begin[{{$last}}] and on.
func (v Offset{{$n}}[T]) Row({{$row}} int) []T { return v.View.Row({{each $last "$-v.Begin[#]" ", "}}) }
{{end}}
`)

// contributions is the template of what joins one contribution to a cell of a view of some rank.
var contributions = parsed(`
{{$n := .}}{{$index := each $n "$" ", "}}
// Combine{{$n}} joins x to the cell {{$index}}.
func (a *Access[T]) Combine{{$n}}({{$index}} int, x T) {
	s := a.s
	if s.rank != {{$n}} || {{each $n "uint($) >= uint(s.extent[#])" " || "}} {
		s.refuse({{$index}})
	}
	cell := {{each $n "$*s.weight[#]" " + "}}
	if uint(cell) < uint(len(a.sum)) {
		a.sum[cell] += T(x)
	} else if !a.push(cell, x) {
		a.combine(cell, x)
	}
}
{{if lt $n 4}}{{$row := each (less $n) "$" ", "}}{{$last := less $n}}
{{if eq $n 2}}
// CombineRow2 joins x[k] to the cell i, k for each k in turn, where x is as long as a row of the
// view: it has the bits of as many calls of [Access.Combine2], and is faster.
//
//	acc.CombineRow2(j, -f[0], -f[1], -f[2])
//
// An x of another length panics.
{{- else}}
// CombineRow3 joins x[k] to the cell i, j, k for each k in turn, as [Access.CombineRow2] does. Where
// the components of a vector are apart in memory, a permuted view has them last:
//
//	blocks := views.Must(views.New3[float64]("forces", n/8, 3, 8)) // of particle i: i/8, all, i%8
//	forces := views.Must(blocks.Permute(0, 2, 1))                  // i/8, i%8, all
{{- end}}
func (a *Access[T]) CombineRow{{$n}}({{$row}} int, x ...T) {
	s := a.s
	if s.rank != {{$n}} || {{each $last "uint($) >= uint(s.extent[#])" " || "}} || len(x) != s.extent[{{$last}}] {
		s.refuseRow(len(x), {{$row}})
	}
	cell, step := {{each $last "$*s.weight[#]" " + "}}, s.weight[{{$last}}]
	sum := a.sum
	if sum == nil {
		a.combineRow(cell, step, x)
		return
	}
	for _, x := range x {
		sum[cell] += T(x) // as Combine1 does
		cell += step
	}
}
{{end}}
`)
