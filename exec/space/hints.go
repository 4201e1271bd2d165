package space

// Hints are what a job knows of how it is best run. They are about time: no bit of a result
// depends on whether a space follows them.
type Hints struct {
	// Functor tells functors apart, whatever they have captured, so that a space may
	// remember how long its items took. It is 0 where launches of one functor are not
	// alike, and nothing is to be remembered.
	Functor uintptr
	// SlotStride is how many slots next to each other one worker should use before
	// another uses the next ones, so that workers do not write to the same lines of the
	// cache. It is 0 or 1 where any slot will do.
	SlotStride int
	// MinClaim is the fewest leaves that a worker should take at a time, 0 where one will do.
	MinClaim int
	// MaxClaim is the most leaves that a worker should take at a time, where workers should
	// take them about in their order. It is 0 where the order does not matter and the space
	// decides.
	MaxClaim int
	// AtEnd, if it is not nil, should be called for each worker once it finds no more leaves
	// to run, and before Launch returns: it does what would take another launch. A worker must
	// not be in Run then.
	AtEnd func(worker int)
}

// A Hinter is a job that has hints. A job should be one.
type Hinter interface {
	// Hints may be called before Open.
	Hints() Hints
}

// HintsOf returns the hints of a job, none if it is no [Hinter].
func HintsOf(j Job) Hints {
	if h, ok := j.(Hinter); ok {
		return h.Hints()
	}
	return Hints{}
}
