//go:build linux && (amd64 || arm64)

package conformance

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/cuda/internal/kernels"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/views"
)

// A League is what teams a launch has.
type League struct{ Teams, Size, Vector int }

// Leagues are leagues that checks may be given.
var Leagues = []League{{0, 3, 2}, {1, 1, 1}, {7, 1, 8}, {300, 1, 1}, {5, 2, 1}, {9, 3, 2}, {40, 4, 8}, {3, 33, 4}, {2, 8, 32}, {11, 2, 16}, {1, 32, 32}}

// Teams checks kernels of teams of a shape, whose closures run on the host.
func Teams(t *testing.T, s Space, of League) {
	compiled(t)
	const rows, columns, cells = 5, 21, 17
	name := fmt.Sprintf("%+v", of)
	real := func(i int) float64 { return float64((i*7919)%1013)/31 - float64(i%7) }
	n := of.Teams * rows
	p := func(on exec.Space) policy.TeamPolicy {
		return policy.Team(of.Teams, of.Size).Vector(of.Vector).Scratch(0, team.ScratchBytes[float64](columns), 0).Scratch(1, team.ScratchBytes[int32](cells), 0).On(on)
	}
	each := func(host, card func(*team.Member)) {
		require.NoError(t, exec.ParallelFor(p(exec.Serial{}), host), name)
		require.NoError(t, exec.ParallelFor(p(s), card), name)
	}
	y, x, a := newPair(t, s, n+1, real), newPair(t, s, columns, real), newPair(t, s, n*columns+1, real)
	var want, got float64
	for _, chunk := range []int{0, 1, 3} {
		require.NoError(t, exec.ParallelReduce(p(exec.Serial{}).Chunk(chunk), kernels.Yax(rows, columns, y.host, a.host, x.host), builtin.Sum(&want)), name)
		require.NoError(t, exec.ParallelReduce(p(s).Chunk(chunk), kernels.Yax(rows, columns, y.card, a.card, x.card), builtin.Sum(&got)), name)
		assert.Equal(t, want, got, "y·A·x in %s", name)
	}

	from := newPair(t, s, n+1, func(i int) int { return i * 3 })
	column := newPair(t, s, 3*n+1, func(i int) int { return i * i % columns })
	each(kernels.Sparse(rows, from.host, column.host, a.host, x.host, y.host), kernels.Sparse(rows, from.card, column.card, a.card, x.card, y.card))
	y.same(t, "sparse in "+name, math.Float64bits)

	z := newPair(t, s, of.Teams*columns+1, real)
	var most, sum, most2, sum2 float64
	require.NoError(t, exec.ParallelReduce2(p(exec.Serial{}), kernels.Softmax(columns, z.host, a.host), builtin.Sum(&sum), builtin.Max(&most)), name)
	require.NoError(t, exec.ParallelReduce2(p(s), kernels.Softmax(columns, z.card, a.card), builtin.Sum(&sum2), builtin.Max(&most2)), name)
	z.same(t, "softmax in "+name, math.Float64bits)
	assert.Equal(t, []float64{sum, most}, []float64{sum2, most2}, "softmax in %s", name)

	values, counts := newPair(t, s, n*10+1, func(i int) int { return i * i % 1009 }), newPair(t, s, of.Teams*cells+1, func(int) int { return 7 })
	each(kernels.Histogram(cells, 10*rows, values.host, counts.host), kernels.Histogram(cells, 10*rows, values.card, counts.card))
	counts.same(t, "histogram in "+name, func(x int) uint64 { return uint64(x) })

	to, found := newPair(t, s, of.Teams*columns+1, func(int) int { return -1 }), newPair(t, s, of.Teams+1, func(int) int { return -1 })
	each(kernels.Packed(columns, 3, a.host, to.host, found.host), kernels.Packed(columns, 3, a.card, to.card, found.card))
	to.same(t, "packed in "+name, func(x int) uint64 { return uint64(x) })
	found.same(t, "counts of packed in "+name, func(x int) uint64 { return uint64(x) })
	for _, v := range []views.View1[float64]{y.card, x.card, a.card, z.card} {
		require.NoError(t, views.Free(v))
	}
	for _, v := range []views.View1[int]{from.card, column.card, values.card, counts.card, to.card, found.card} {
		require.NoError(t, views.Free(v))
	}
}

// TeamLimits checks a product in tiles, and what launches of teams may not have.
func TeamLimits(t *testing.T, s Space, n int) {
	compiled(t)
	const tile = 8
	real := func(i int) float64 { return float64((i*7919)%1013)/31 - float64(i%7) }
	a, b, c := newPair(t, s, n*n, real), newPair(t, s, n*n, real), newPair(t, s, n*n, real)
	p := policy.Team(n/tile*n/tile, tile*tile).Dims(tile, tile, 1)
	scratch := 2 * team.ScratchBytes[float64](tile*tile)
	require.NoError(t, exec.ParallelFor(p.Scratch(0, scratch, 0).On(exec.Serial{}), kernels.Tiled(n, tile, c.host, a.host, b.host)))
	for _, bytes := range []int{scratch, 100 << 10} { // more than a block has without asking
		require.NoError(t, exec.ParallelFor(p.Scratch(0, bytes, 0).On(s), kernels.Tiled(n, tile, c.card, a.card, b.card)))
		c.same(t, "tiled", math.Float64bits)
	}
	f := kernels.Tiled(n, tile, c.card, a.card, b.card)
	for _, e := range []struct {
		p    policy.TeamPolicy
		says string
	}{
		{policy.Team(2, 64).Vector(32), "a team of 64 members with 32 vector lanes each is 2048 threads, expected at most the 1024 of a block"},
		{policy.Team(2, 4).Vector(3), "a vector length of 3, expected a power of two up to 32"},
		{policy.Team(2, 4).Vector(64), "a vector length of 64, expected a power of two up to 32"},
		{policy.Team(2, 4).Scratch(0, 1<<20, 0), "1048576 bytes of scratch memory of level 0 and "},
	} {
		assert.ErrorContains(t, exec.ParallelFor(e.p.On(s), f), e.says)
	}
	assert.ErrorContains(t, exec.ParallelFor(p.On(s), func(*team.Member) {}), "has no ptx code")
	q := panicOf(t, func() error { // one team more than there are tiles
		return exec.ParallelFor(policy.Team(n/tile*n/tile+1, tile*tile).Dims(tile, tile, 1).Scratch(0, scratch, 0).On(s), f)
	})
	if assert.NotNil(t, q) {
		assert.Equal(t, n/tile*n/tile, q.Begin)
		assert.ErrorContains(t, errors.Unwrap(q), ": index out of range, in team ")
	}
}
