package mpi

import (
	"reflect"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

// Allreduce joins one value of each rank, in the order of the ranks and along the tree of
// docs/determinism.md, and stores the result on all of them. Any reducer will do whose values have
// a form in bytes. Its old content is joined in only by [reducers.WithInitial], and has to be the same
// on all ranks then. With one rank it is that rank's value.
//
// All ranks must call it, in the order of their other launches. Errors and panics are those of a
// launch, see [On].
func Allreduce[T any](c *Comm, value T, r reducers.Reducer[T]) error {
	if err := c.usable("Allreduce"); err != nil {
		return err
	}
	ranks := policy.Range(0, c.Size()).Chunk(1).WithLabel("mpi.Allreduce")
	on := Space{comm: c, inner: exec.Serial{}, each: true, eager: isBuiltin(r)}
	return exec.ParallelReduce(ranks.On(on), func(_ int, acc *T) { r.Join(acc, &value) }, r)
}

// isBuiltin reports whether a reducer is one of package builtin, which wait for nothing.
func isBuiltin(r any) bool {
	t := reflect.TypeOf(r)
	return t != nil && t.PkgPath() == "github.com/gokkos/gokkos/builtin"
}
