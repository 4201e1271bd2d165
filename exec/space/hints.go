package space

// Hints tell a space how a job is best run. They affect time only: no bit of a result depends on whether
// a space follows them.
type Hints struct {
	// Functor identifies a functor, whatever it has captured, so that a space may remember how long its
	// items took. 0: launches of the functor differ, and the space should remember nothing.
	Functor uintptr
	// SlotStride is how many neighbouring slots one worker should use before another worker uses the
	// next ones. It keeps workers from writing to the same cache lines. 0 or 1: any slot will do.
	SlotStride int
	// MinClaim is the fewest leaves that a worker should take at a time; 0: one.
	MinClaim int
	// MaxClaim is the most leaves that a worker should take at a time, if workers should take leaves
	// roughly in order. 0: the order does not matter, and the space decides.
	MaxClaim int
	// AtEnd, if not nil, should be called for each worker once it finds no more leaves to run, before
	// Launch returns. It does work that would otherwise take another launch. The worker must not be in
	// Run at that time.
	AtEnd func(worker int)
}

// A Hinter is a job that has hints. A job should be a Hinter.
type Hinter interface {
	// Hints returns the hints. It may be called before Open.
	Hints() Hints
}

// HintsOf returns the hints of a job, or none if the job is no [Hinter].
func HintsOf(j Job) Hints {
	if h, ok := j.(Hinter); ok {
		return h.Hints()
	}
	return Hints{}
}
