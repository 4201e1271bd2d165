package kernel

import "github.com/gokkos/gokkos/policy"

// Values is the loop of a func(i int) V, such as exec.Map takes.
type Values[V any] interface {
	// Values sets dst[k] to the functor's value of first+k for all k below done, and returns done. The
	// result is len(dst), which is not 0, or the first k that the functor must be called for. Values
	// touches nothing of dst from done on. See [For] for the rules on bits and time.
	Values(first int, dst []V) (done int)
}

// ValuesRuns is the loop of a functor of points that returns a value, such as a func(at policy.Index2) V
// that exec.Map takes.
type ValuesRuns[V any] interface {
	// Runs sets dst[k] to the functor's value of item k of runs, which all grow along the same dimension
	// and have len(dst) items. Otherwise the rules of [Values] hold.
	Runs(runs []policy.Run, dst []V) (done int)
}

// Map is the loop of a func(x T) V, such as tensor.Map takes. The loop of a func(i int) V is [Values].
type Map[T, V any] interface {
	// Map sets dst[k] to the functor's value of src[k]. Otherwise the rules of [Values] hold. The
	// slices have the same length and do not overlap.
	Map(dst []V, src []T) (done int)
}
