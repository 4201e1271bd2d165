// Package reducers says what a reduction is and how reductions compose.
//
// A [Reducer] knows four things about a value type T: how a partial result
// starts (Init), how two partial results become one (Join), what happens once
// to the last one (Final), and where the result goes (Reference). That is all
// a pattern needs, so a reducer of your own is as good as a built-in one:
//
//	type longest struct{ reducers.Base[string] }
//
//	func (longest) Join(dst, src *string) {
//		if len(*src) > len(*dst) {
//			*dst = *src
//		}
//	}
//
// [Base] supplies Init (the zero value), Final (nothing) and Reference. Where
// a type is too much, [New] makes a reducer from a function.
//
// Reducers compose:
//
//   - [WithInitial] joins the old content of the result place in, once.
//   - [Ordered] is for operations that are associative but not commutative.
//   - [Field] and [Compose] let several reducers look after one struct.
//   - [Slice] reduces slices of run-time length element by element.
//   - [WithoutIdentity] needs no identity: its partial result is a [Partial].
//   - [Folding] lets any reducer see plain values, for exec.ParallelFold.
//
// A reducer may have more methods, each of which is for somebody who asks for it: to take plain
// values faster, to say what it computes, or to give its partial results a form as bytes. Package
// [github.com/gokkos/gokkos/reducers/concept] lists them. Partial results of numbers have a form,
// and so have those of the reducers above.
//
// Join must be associative, and commutative unless the reducer is Ordered.
// Package reducertest checks that, and the other laws, on samples.
package reducers
