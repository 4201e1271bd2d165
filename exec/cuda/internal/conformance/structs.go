//go:build linux && (amd64 || arm64)

package conformance

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/cuda/internal/kernels"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/views"
)

// sameStruct checks that a launch leaves the same struct on the host and on a card: numbers are written with all digits.
func sameStruct[T any](t *testing.T, s Space, what string, launch func(on exec.Space, card bool, to *T) error) {
	t.Helper()
	var want, got T
	require.NoError(t, launch(exec.Serial{}, false, &want), what)
	require.NoError(t, launch(s, true, &got), what)
	assert.Equal(t, fmt.Sprintf("%+v", want), fmt.Sprintf("%+v", got), what)
}

// A spans is a reducer whose bits tell the order of joins, and how many lanes began with its Init, which is no identity.
type spans[T float32 | float64] struct {
	reducers.Base[kernels.Span[T]]
}

func (spans[T]) Init(x *kernels.Span[T]) {
	*x = kernels.Span[T]{Low: T(math.Inf(1)), High: T(math.Inf(-1)), N: 1}
}

func (spans[T]) Join(dst, src *kernels.Span[T]) {
	*dst = kernels.Span[T]{Low: min(dst.Low, src.Low), High: max(dst.High, src.High), N: 3*dst.N - src.N}
}

func (spans[T]) Final(x *kernels.Span[T]) { x.High *= 2 }

func spansInto[T float32 | float64](to *kernels.Span[T]) spans[T] { return spans[T]{reducers.Into(to)} }

// A swarm is a reducer of tallies whose bits tell the order of joins.
type swarm struct{ reducers.Base[kernels.Swarm] }

func (swarm) Init(x *kernels.Swarm) {
	*x = kernels.Swarm{Hits: [4]int16{-1, 2, -300, 1 << 14}, Heat: 0.3}
	spans[float32]{}.Init(&x.Height)
}

func (swarm) Join(dst, src *kernels.Swarm) {
	for k := range dst.Hits {
		dst.Hits[k] = 3*dst.Hits[k] + src.Hits[k]
	}
	dst.Any = dst.Any != src.Any
	dst.Heat = dst.Heat/2 - src.Heat
	dst.Inner.Weight = float64(dst.Inner.Weight/3) - src.Inner.Weight
	spans[float32]{}.Join(&dst.Height, &src.Height)
}

// A ninefold is a reducer of values that have one lane.
type ninefold struct{ reducers.Base[kernels.Nine] }

func (ninefold) Join(dst, src *kernels.Nine) {
	for k := range dst.Sums {
		dst.Sums[k] = dst.Sums[k]/3 - src.Sums[k]
	}
	dst.N = 5*dst.N + src.N
}

// particles returns views of particles on the host and on a card.
func particles(t *testing.T, s Space, n int) pair[kernels.Particle] {
	return newPair(t, s, n, func(i int) (p kernels.Particle) {
		p.At = [3]float64{1 / float64(i+1), float64(i*7%1013) - 500, math.Sqrt(float64(i))}
		p.Heat, p.Kind, p.Fixed = kernels.Celsius(i%37)/7, uint8(i*3), i%5 > 1
		p.Memory.Hits, p.Memory.Last = int16(i), -1
		return p
	})
}

// of returns the view of a space.
func (p pair[T]) of(card bool) views.View1[T] {
	if card {
		return p.card
	}
	return p.host
}

// Structs checks functors that load and store structs or have accumulators that are structs, over so many integers.
func Structs(t *testing.T, s Space, sizes ...int) {
	compiled(t)
	unlike(t, s)
	for _, n := range sizes {
		x := newPair(t, s, n, func(i int) float64 { return float64((i*7)%1013)/31 - 16 })
		f := newPair(t, s, n, func(i int) float32 { return float32(i*11%509) / 7 })
		p, q := particles(t, s, n), particles(t, s, n)
		whole := policy.Range(0, n)
		for _, r := range []policy.RangePolicy{whole, policy.Range(n/3, n), whole.Chunk(1), whole.Chunk(300)} {
			builtInStructs(t, s, r, x, f)
			what := fmt.Sprintf("own reducers over %v", r)
			sameStruct(t, s, what, func(on exec.Space, card bool, to *kernels.Nine) error {
				return exec.ParallelReduce(r.On(on), kernels.Ninefold(x.of(card)), ninefold{reducers.Into(to)})
			})
			sameStruct(t, s, what, func(on exec.Space, card bool, to *struct {
				swarm kernels.Swarm
				sum   float64
				fixed bool
			}) error {
				return exec.ParallelReduce3(r.On(on), kernels.Tallied(p.of(card)), swarm{reducers.Into(&to.swarm)}, builtin.Sum(&to.sum), builtin.LAnd(&to.fixed))
			})
		}
		require.NoError(t, exec.ParallelFor(whole.On(exec.Serial{}), kernels.Moved(0.1, p.host, q.host)))
		require.NoError(t, exec.ParallelFor(whole.On(s), kernels.Moved(0.1, p.card, q.card)))
		back := views.Must(views.MirrorCopy(views.Host, q.card))
		for i := range n {
			require.Equal(t, q.host.At(i), back.At(i), "particle %d of %d", i, n)
		}
		for _, err := range []error{views.Free(x.card), views.Free(f.card), views.Free(p.card), views.Free(q.card)} {
			require.NoError(t, err)
		}
	}
}

// unlike checks that a launch ends with an error if its accumulators have different numbers of lanes.
func unlike(t *testing.T, s Space) {
	x := newPair(t, s, 1000, func(i int) float64 { return float64(i) })
	most, sum, count := 1.0, 2.0, 3.0
	err := exec.ParallelReduce3(policy.Range(0, 1000).On(s), kernels.Extremes(x.card), builtin.Min(&most), reducers.Ordered(builtin.Max(&sum)), builtin.Sum(&count))
	assert.ErrorContains(t, err, "the device cannot reduce accumulators in one launch of which the first has 4 lanes, and accumulator 2, of 8 bytes for a reducers.Modified[float64], 1; expected values of up to 64 bytes and reducers without an order, or a launch for each")
	assert.Equal(t, []float64{1, 2, 3}, []float64{most, sum, count})
	require.NoError(t, views.Free(x.card))
}

// builtInStructs checks reducers of package builtin whose results are structs.
func builtInStructs(t *testing.T, s Space, r policy.RangePolicy, x pair[float64], f pair[float32]) {
	what := fmt.Sprintf("built-in reducers over %v", r)
	sameStruct(t, s, what, func(on exec.Space, card bool, to *builtin.MinMaxVal[float64]) error {
		return exec.ParallelReduce(r.On(on), kernels.Ends(x.of(card)), builtin.MinMax(to))
	})
	sameStruct(t, s, what, func(on exec.Space, card bool, to *builtin.ValLoc[float64, int]) error {
		return exec.ParallelReduce(r.On(on), kernels.Lowest(x.of(card)), builtin.MinLoc(to))
	})
	sameStruct(t, s, what, func(on exec.Space, card bool, to *builtin.MinMaxLocVal[float32, int32]) error {
		return exec.ParallelReduce(r.On(on), kernels.Outer(f.of(card)), builtin.MinMaxLoc(to))
	})
	sameStruct(t, s, what, func(on exec.Space, card bool, to *builtin.Moments[float64]) error {
		return exec.ParallelReduce(r.On(on), kernels.Variance(x.of(card)), builtin.Variance(to))
	})
	sameStruct(t, s, what, func(on exec.Space, card bool, to *builtin.Average[float32]) error {
		return exec.ParallelReduce(r.On(on), kernels.Average(f.of(card)), builtin.Mean(to))
	})
}

// StructsOfBoxes checks accumulators that are structs over the points and the rows of boxes of n by m, in all orders and with
// tiles.
func StructsOfBoxes(t *testing.T, s Space, n, m int) {
	compiled(t)
	u := views.Must(views.New2[float64]("u", n, m))
	for i := range n * m {
		u.Set(i/m, i%m, float64(i*131%1013)/3)
	}
	card := views.Must(views.MirrorCopy(s.Memory(), u))
	of := map[bool]views.View2[float64]{false: u, true: card}
	for _, o := range orders() {
		what := fmt.Sprintf("%d x %d, %+v", n, m, o)
		p := o.box2([2]int{}, [2]int{n, m})
		sameStruct(t, s, what, func(on exec.Space, card bool, to *builtin.ValLoc[float64, policy.Index2]) error {
			return exec.ParallelReduce(p.On(on), kernels.LowestPoint(of[card]), builtin.MinLoc(to))
		})
		if o.inner == policy.Right {
			sameStruct(t, s, what, func(on exec.Space, card bool, to *struct {
				span kernels.Span[float64]
				most builtin.ValLoc[float64, int]
			}) error {
				return exec.ParallelReduce2(p.On(on).Rows(), kernels.RowSpans(of[card]), spansInto(&to.span), builtin.MaxLoc(&to.most))
			})
		}
		three := policy.MDRange3([3]int{-2, 1, 1}, [3]int{4, n/4 + 1, m/4 + 1}).Tile([3]int{o.tile, o.tile, o.tile}).Iterate(o.outer, o.inner).Chunk(o.chunk)
		sameStruct(t, s, what, func(on exec.Space, card bool, to *kernels.Span[float64]) error {
			return exec.ParallelReduce(three.On(on), kernels.Spread3(0.7), spansInto(to))
		})
		four := policy.MDRange4([4]int{-2, 0, 3, 1}, [4]int{2, 7, 8, 12}).Tile([4]int{o.tile, o.tile, o.tile, o.tile}).Iterate(o.outer, o.inner).Chunk(o.chunk)
		sameStruct(t, s, what, func(on exec.Space, card bool, to *kernels.Span[float64]) error {
			return exec.ParallelReduce(four.On(on), kernels.Spread4(0.7), spansInto(to))
		})
	}
	require.NoError(t, views.Free(card))
}
