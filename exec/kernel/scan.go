package kernel

// Scan is the loop of a func(i int, acc *A, final bool).
type Scan[A any] interface {
	// Scan runs rounds of len(a) leaves in turn: one or four leaves. Round n does the functor's work for the integer
	// begin + k*leaf + n with the accumulator a[k], for each k in order. final is that of the functor.
	//
	// Scan returns how many integers are done, the first ones in that order: all, or those in front of one that the
	// functor must run. See [For] for the rules on bits, time and memory. rounds is positive.
	Scan(begin, rounds, leaf int, a []A, final bool) (done int)
}
