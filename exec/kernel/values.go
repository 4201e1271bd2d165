package kernel

import "github.com/gokkos/gokkos/policy"

// Values is the loop of a func(i int) V, such as exec.Map takes.
type Values[V any] interface {
	// Values sets dst[k] to the functor's value of first+k, for all k below done, which it returns:
	// len(dst), which is not 0, or the first that the functor must be called for. It touches nothing of
	// dst from there on. See [For] for what holds of the bits and of the time that it takes.
	Values(first int, dst []V) (done int)
}

// ValuesRuns is the loop of a func(at policy.Index2) V, or of another functor of points that returns a value, such as
// exec.Map takes.
type ValuesRuns[V any] interface {
	// Runs sets dst[k] to the functor's value of item k of runs, which all grow along the same dimension and have
	// len(dst) items. It is else as Values of [Values].
	Runs(runs []policy.Run, dst []V) (done int)
}

// Map is the loop of a func(x T) V, such as tensor.Map takes. The one of a func(i int) V is [Values].
type Map[T, V any] interface {
	// Map sets dst[k] to the functor's value of src[k], and is else as Values of [Values]. The
	// slices are of one length and do not overlap.
	Map(dst []V, src []T) (done int)
}
