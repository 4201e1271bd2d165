package group

import (
	"github.com/gokkos/gokkos/internal/lane"
	"github.com/gokkos/gokkos/internal/watch"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/team/internal/collective"
)

// JointExclusiveScan sets dst[k] to src[0] (+) … (+) src[k-1], and dst[0] to the identity,
// for all k below len(src): SYCL's joint_exclusive_scan. All members of the group pass the
// same slices, of any length; dst and src may be the same one. op is the constructor of a
// reducer. Final is not applied, and the elements of dst share no memory with one another
// or with those of src.
//
// Order: the elements are joined in ascending order, starting from the identity, when all
// members have arrived: what they wrote to src before is seen, and all see dst afterwards.
// So the result depends neither on the group nor on its size, and has the bits of
// exec.ParallelScan with a chunk of len(src).
//
// op and the functions of the reducer must call no collective and no barrier.
//
// Errors: those of [team.AllReduce]; slices that differ in memory or length between members; a dst
// that is shorter than src, or that overlaps it other than from the first element on.
//
//go:noinline
func JointExclusiveScan[T any, R reducers.Reducer[T]](g team.Group, dst, src []T, op func(*T) R) {
	jointScan(g, lane.Site(), "group: JointExclusiveScan", jointExclusive, nil, dst, src, op)
}

// JointExclusiveScanFrom is [JointExclusiveScan] starting from an initial value in place
// of the identity. It is the init of the member of rank 0. Order and errors are those of
// [JointExclusiveScan].
//
//go:noinline
func JointExclusiveScanFrom[T any, R reducers.Reducer[T]](g team.Group, init T, dst, src []T, op func(*T) R) {
	jointScan(g, lane.Site(), "group: JointExclusiveScanFrom", jointExclusive, &init, dst, src, op)
}

// JointInclusiveScan sets dst[k] to src[0] (+) … (+) src[k] for all k below len(src):
// SYCL's joint_inclusive_scan. Order and errors are those of [JointExclusiveScan].
//
//go:noinline
func JointInclusiveScan[T any, R reducers.Reducer[T]](g team.Group, dst, src []T, op func(*T) R) {
	jointScan(g, lane.Site(), "group: JointInclusiveScan", jointInclusive, nil, dst, src, op)
}

// JointInclusiveScanFrom is [JointInclusiveScan] starting from an initial value in place
// of the identity. It is the init of the member of rank 0. Order and errors are those of
// [JointExclusiveScan].
//
//go:noinline
func JointInclusiveScanFrom[T any, R reducers.Reducer[T]](g team.Group, init T, dst, src []T, op func(*T) R) {
	jointScan(g, lane.Site(), "group: JointInclusiveScanFrom", jointInclusive, &init, dst, src, op)
}

// The kinds of joint scan.
const (
	jointExclusive = "joint exclusive scan"
	jointInclusive = "joint inclusive scan"
)

func jointScan[T any, R reducers.Reducer[T]](g team.Group, site uintptr, name, kind string, init *T, dst, src []T, op func(*T) R) {
	if len(dst) < len(src) {
		collective.Misuse("%s: dst has length %d, expected at least the %d of src", name, len(dst), len(src))
	}
	dst = dst[:len(src)]
	to, from := extentOf(dst), extentOf(src)
	if to.overlaps(from) {
		collective.Misuse("%s: dst and src overlap; expected the same slice, or slices apart", name)
	}
	p := collective.Of(g)
	b := collective.Buffer[jointPrefixes[T]](p.Exchange)
	r := collective.Agree(&p, &b.Operation, name, example(init, src), op)
	b.record(&p, site, name, to, from)
	if p.Rank == 0 {
		b.dst, b.src, b.inclusive, b.from = dst, src, kind == jointInclusive, init != nil
		if b.from {
			b.init = *init
		}
	}
	p.Meet(site, lane.Op{Kind: kind, Type: r, Bytes: collective.SizeOf[T]()}, b)
}

// jointPrefixes is the buffer of a joint scan.
type jointPrefixes[T any] struct {
	joint[T]
	collective.Operation[T]
	dst, src  []T
	init      T
	inclusive bool
	from      bool // there is an initial value
	acc, x    T
}

// Combine scans the elements.
func (b *jointPrefixes[T]) Combine(*lane.Scope) {
	b.Open()
	b.check()
	if b.watched {
		b.gather(b.given[0][1])
		to := b.given[0][0]
		watch.Combined(b.site, to.begin, to.bytes)
	}
	if b.from {
		b.Set(&b.acc, &b.init)
	} else {
		b.Identity(&b.acc)
	}
	for k := range b.src {
		b.x = b.src[k] // dst may be src
		if b.inclusive {
			b.R.Join(&b.acc, &b.x)
			b.Set(&b.dst[k], &b.acc)
		} else {
			b.Set(&b.dst[k], &b.acc)
			b.R.Join(&b.acc, &b.x)
		}
	}
	var none T
	b.dst, b.src, b.init, b.acc, b.x = nil, nil, none, none, none
	b.Close()
}
