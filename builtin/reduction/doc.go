// Package reduction has SYCL's reduction variables: reducers whose accumulators are
// updated through methods, and through nothing else.
//
//	var sumResult, maxResult int
//	err := exec.ParallelReduce2(p, func(i int, sum *reduction.Sum[int], max *reduction.Max[int]) {
//		sum.Add(x[i])
//		max.Combine(x[i])
//	}, reduction.Plus(&sumResult), reduction.Maximum(&maxResult))
//
// They are the reducers of package builtin with another accumulator, give the same bits,
// and go wherever a reducer goes: reducers.Field, reducers.WithInitial, teams.
//
// # Operations
//
//	SYCL          here        accumulator  methods besides Combine and Identity
//	plus          Plus        Sum[T]       Add is +=, Inc is ++
//	multiplies    Multiplies  Prod[T]      Mul is *=
//	bit_and       BitAnd      BAnd[T]      And is &=
//	bit_or        BitOr       BOr[T]       Or is |=
//	bit_xor       BitXor      BXor[T]      Xor is ^=
//	logical_and   LogicalAnd  LAnd[T]
//	logical_or    LogicalOr   LOr[T]
//	minimum       Minimum     Min[T]
//	maximum       Maximum     Max[T]
//	another       New         Value[T]
//	of a span     Span        Array[A]     At is []
//
// Combine may be called any number of times per item, and chained. An accumulator that
// lacks a method does not compile with it. Its content cannot be read.
//
// # Coming from SYCL
//
// The old content of a variable is DROPPED, as SYCL's initialize_to_identity does. SYCL
// includes it by default; here reducers.WithInitial does, once:
//
//	exec.ParallelReduce(p, f, reducers.WithInitial(reduction.Plus(&total)))
//
// There is no handler and no buffer: a variable is a pointer, and its result is there
// when the call returns. On an error or a panic it keeps its old content. Two reductions
// of one launch that write the same memory are an error, spans that overlap included.
//
// There are no traits of types: concept.IdentityOf tells the identity of an operation and
// whether it is known. The number of dimensions is in the type: an [Array] has one, what
// its At returns has none.
//
// # Identities
//
// [Variable.WithIdentity] gives an operation an identity, and wins over a known one. It
// is what every accumulator begins with: one for each lane of a leaf that has items, and
// over teams of several one more for each member. How many these are is decided by the
// policy and the accumulator's type, so a value that is no identity shows up in the
// result the same number of times on every space. It must not be marked reducers.Exact,
// which says that order and number of joins do not matter.
//
// SYCL's reducer::identity() returns the caller's identity. [Variable.Identity] does, in a
// functor, too, which captures the reduction for it. The Identity of an accumulator does so
// for an operation made by [New]; for the others it returns the known one. Their
// accumulators hold a value and nothing else, to have the lanes and bits of plain values.
package reduction
