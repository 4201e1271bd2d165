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
	// MinClaim and MaxClaim are how many leaves a worker should take at a time, where
	// workers should take them about in their order. MaxClaim is 0 where the order does
	// not matter and the space decides.
	MinClaim, MaxClaim int
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
