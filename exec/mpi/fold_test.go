package mpi

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/mpi/internal/local"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
)

// Folds of distributed arrays have the bits of folds of the whole.
func TestDistributedFolds(t *testing.T) {
	bothWays(t, func(t *testing.T) {
		for _, n := range []int{0, 1, 5, 100, 20001, 100_000} {
			const begin = 3
			x, y := make([]float64, begin+n), make([]float64, begin+n)
			for i := range x {
				x[i], y[i] = noise(i), noise(7*i)
			}
			p := policy.Range(begin, begin+n).On(exec.Serial{})
			var sum, dot float64
			var least builtin.ValLoc[float64, int]
			require.NoError(t, exec.ParallelFold(exec.Slice(p, x), builtin.Sum(&sum), builtin.MinLoc(&least)))
			require.NoError(t, exec.ParallelFold(exec.Products(p, x, y), builtin.Sum(&dot)))
			for _, ranks := range ranksOf() {
				for rank, err := range everywhere(t, ranks, local.Faults{}, func(c *Comm) error {
					p := p.On(On(c, exec.Serial{}))
					from, to, err := Part(p.Plan().Space, p)
					if err != nil {
						return err
					}
					mine, yours := make([]float64, to-from), make([]float64, to-from)
					copy(mine, x[begin+from:])
					copy(yours, y[begin+from:])
					var s, d float64
					var l builtin.ValLoc[float64, int]
					if err := exec.ParallelFold(Distributed(p, mine), builtin.Sum(&s), builtin.MinLoc(&l)); err != nil {
						return err
					}
					if err := exec.ParallelFold(DistributedProducts(p, mine, yours), builtin.Sum(&d)); err != nil {
						return err
					}
					if math.Float64bits(s) != math.Float64bits(sum) || math.Float64bits(d) != math.Float64bits(dot) || l != least {
						return fmt.Errorf("%v, %v and %v, expected %v, %v and %v", s, d, l, sum, dot, least)
					}
					return nil
				}) {
					require.NoError(t, err, "%d items, rank %d of %d", n, rank, ranks)
				}
			}
		}
	})
}

// A rank with too few or too many elements is an error on all of them.
func TestDistributedLengths(t *testing.T) {
	impatient(t, 5*time.Millisecond)
	for _, more := range []int{-1, 1} {
		for rank, err := range everywhere(t, 3, local.Faults{}, func(c *Comm) error {
			p := policy.Range(0, 100).On(On(c, exec.Serial{}))
			begin, end, _ := Part(p.Plan().Space, p)
			if c.Rank() == 1 {
				end += more
			}
			sum := 42.0
			err := exec.ParallelFold(Distributed(p, make([]float64, end-begin)), builtin.Sum(&sum))
			if sum != 42 {
				return fmt.Errorf("the result is %v", sum)
			}
			return err
		}) {
			require.ErrorContains(t, err, "exec: PartOf of the indices 32 to 64 of a source of ", "rank %d", rank)
		}
	}
}

// One value of each rank is joined in the order of ranks, by any reducer, with the bits of a
// reduction of as many items.
func TestAllreduce(t *testing.T) {
	bothWays(t, func(t *testing.T) {
		for _, ranks := range append(ranksOf(), 100) {
			var sum float64
			var order affine
			require.NoError(t, exec.ParallelReduce(policy.Range(0, ranks).Chunk(1).On(exec.Serial{}), func(i int, acc *float64) { *acc += noise(i) }, builtin.Sum(&sum)))
			require.NoError(t, exec.ParallelReduce(policy.Range(0, ranks).Chunk(1).On(exec.Serial{}), func(i int, acc *affine) { acc.then(affine{uint64(i + 2), uint64(i)}) }, affines(&order)))
			for rank, err := range everywhere(t, ranks, local.Faults{}, func(c *Comm) error {
				var s float64
				var o affine
				var l []int32
				old := 1000
				r := c.Rank()
				for _, err := range []error{
					Allreduce(c, noise(r), builtin.Sum(&s)),
					Allreduce(c, affine{uint64(r + 2), uint64(r)}, affines(&o)),
					Allreduce(c, []int32{int32(r)}, listOf(&l)),
					Allreduce(c, 2, reducers.WithInitial(builtin.Sum(&old))),
				} {
					if err != nil {
						return err
					}
				}
				if math.Float64bits(s) != math.Float64bits(sum) || o != order || old != 1000+2*ranks || len(l) != ranks || l[ranks-1] != int32(ranks-1) {
					return fmt.Errorf("%v %v %v %v, expected %v and %v", s, o, l, old, sum, order)
				}
				return nil
			}) {
				require.NoError(t, err, "rank %d of %d", rank, ranks)
			}
		}
	})
}

// unsure is a reducer that panics when it is asked what it computes.
type unsure struct {
	reducers.Base[int]
	panics bool
}

func (unsure) Init(val *int)      { *val = 0 }
func (unsure) Join(dst, src *int) { *dst += *src }

func (r unsure) Fold() reducers.Fold[int] { return reducers.NewFold[int, int](r, nil) }

func (unsure) AddValues(lanes []int, _ int, x []int) {
	for k, v := range x {
		lanes[k%len(lanes)] += v
	}
}

func (r unsure) Operation() concept.Operation {
	if r.panics {
		panic("no operation")
	}
	return concept.Operation{Join: concept.OpSum}
}

// A reducer that panics on one rank before anything runs ends the fold on all.
func TestFoldsOfReducersThatPanic(t *testing.T) {
	for _, way := range []string{"Allgather", "tree"} {
		exchangeBy(t, way)
		for rank, err := range everywhere(t, 3, local.Faults{}, func(c *Comm) error {
			sum := 7
			r := unsure{reducers.Into(&sum), c.Rank() == 1}
			return exec.ParallelFold(exec.Slice(policy.Range(0, 3).On(On(c, exec.Serial{})), []int{1, 2, 3}), reducers.Folder[int](r))
		}) {
			require.EqualError(t, err, `no operation in items 0 to 3 of ""`, "rank %d, by %s", rank, way)
		}
	}
}
