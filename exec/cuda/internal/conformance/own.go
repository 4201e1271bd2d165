//go:build linux && (amd64 || arm64)

package conformance

import (
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

// farthest keeps the value that lies farthest from 0, of those that are equally far the first.
type farthest struct{ reducers.Base[float64] }

func (farthest) Join(dst, src *float64) {
	if math.Abs(*src) > math.Abs(*dst) {
		*dst = *src
	}
}

// tilted is a reducer whose bits tell the order of all joins, and how many lanes began with its Init, which is no identity.
type tilted[T int32 | int64 | float32 | float64] struct {
	reducers.Base[T]
	begin T
}

func (t tilted[T]) Init(x *T)      { *x = t.begin }
func (tilted[T]) Join(dst, src *T) { *dst = *dst - *src/3 + 1 }
func (tilted[T]) Final(x *T)       { *x *= 2 }

func tiltedInto[T int32 | int64 | float32 | float64](to *T, begin T) reducers.Reducer[T] {
	return tilted[T]{reducers.Into(to), begin}
}

// OwnReducers checks reducers that a card does not know over so many integers, alone and beside built-in ones.
func OwnReducers(t *testing.T, s Space, sizes ...int) {
	compiled(t)
	for _, n := range sizes {
		x := newPair(t, s, n, func(i int) float64 { return float64((i*7)%1013)/31 - 16 })
		f := newPair(t, s, n, func(i int) float32 { return 1 / float32(i+1) })
		whole := policy.Range(0, n)
		for _, p := range []policy.RangePolicy{whole, policy.Range(n/3, n), whole.Chunk(1), whole.Chunk(300)} {
			sameSum(t, s, "farthest", p, kernels.Dot(x.host, x.host), kernels.Dot(x.card, x.card), func(to *float64) reducers.Reducer[float64] {
				return farthest{reducers.Into(to)}
			})
			sameSum(t, s, "in order", p, kernels.Dot(x.host, x.host), kernels.Dot(x.card, x.card), func(to *float64) reducers.Reducer[float64] { return reducers.Ordered(tiltedInto(to, 0.6)) })
			sameSum(t, s, "tilted", p, kernels.Dot(x.host, x.host), kernels.Dot(x.card, x.card), func(to *float64) reducers.Reducer[float64] { return tiltedInto(to, -0.7) })
			sameSum(t, s, "tilted", p, kernels.Sum32(f.host), kernels.Sum32(f.card), func(to *float32) reducers.Reducer[float32] { return tiltedInto(to, 0.1) })
			sameSum(t, s, "tilted", p, kernels.Product(5), kernels.Product(5), func(to *int32) reducers.Reducer[int32] { return tiltedInto(to, -7) })
			sameSum(t, s, "tilted", p, kernels.Inside(5), kernels.Inside(5), func(to *int64) reducers.Reducer[int64] { return tiltedInto(to, -1<<40) })
			var want, got [3]float64
			for of, to := range map[exec.Space]*[3]float64{exec.Serial{}: &want, s: &got} {
				at := x.card
				if of == (exec.Serial{}) {
					at = x.host
				}
				require.NoError(t, exec.ParallelReduce3(p.On(of), kernels.Extremes(at), builtin.Min(&to[0]), tiltedInto(&to[1], 3), builtin.Sum(&to[2])))
			}
			assert.Equal(t, want, got, "built-in reducers and another one over %v", p)
		}
		require.NoError(t, views.Free(x.card))
		require.NoError(t, views.Free(f.card))
	}
}
