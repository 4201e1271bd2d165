//go:build linux && (amd64 || arm64)

package conformance

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/cuda/internal/kernels"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/views"
)

// OwnOfTeams checks reducers that a card does not know, and accumulators that are structs, over a league: the host joins what
// members have.
func OwnOfTeams(t *testing.T, s Space, of League) {
	compiled(t)
	const rows, columns = 5, 21
	name := fmt.Sprintf("%+v", of)
	real := func(i int) float64 { return float64((i*7919)%1013)/31 - float64(i%7) }
	n := of.Teams * rows
	y, x, a := newPair(t, s, n+1, real), newPair(t, s, columns, real), newPair(t, s, n*columns+1, real)
	z := newPair(t, s, of.Teams*columns+1, real)
	for _, chunk := range []int{0, 1, 3} {
		p := policy.Team(of.Teams, of.Size).Vector(of.Vector).Scratch(0, team.ScratchBytes[float64](columns), 0).Chunk(chunk)
		for _, ordered := range []bool{false, true} {
			sameStruct(t, s, name, func(on exec.Space, card bool, to *float64) error {
				r := tiltedInto(to, -0.7)
				if ordered {
					r = reducers.Ordered(r)
				}
				return exec.ParallelReduce(p.On(on), kernels.Yax(rows, columns, y.of(card), a.of(card), x.of(card)), r)
			})
		}
		sameStruct(t, s, name, func(on exec.Space, card bool, to *[2]float64) error {
			return exec.ParallelReduce2(p.On(on), kernels.Softmax(columns, z.of(card), a.of(card)), builtin.Sum(&to[0]), farthest{reducers.Into(&to[1])})
		})
		sameStruct(t, s, name, func(on exec.Space, card bool, to *struct {
			span kernels.Span[float64]
			most builtin.ValLoc[float64, int]
		}) error {
			return exec.ParallelReduce2(p.On(on), kernels.Reached(columns, a.of(card)), spansInto(&to.span), builtin.MaxLoc(&to.most))
		})
	}
	for _, v := range []views.View1[float64]{y.card, x.card, a.card, z.card} {
		require.NoError(t, views.Free(v))
	}
}

// TooManyMembers checks that a leaf whose members leave more than there is room for is an error.
func TooManyMembers(t *testing.T, s Space) {
	x := newPair(t, s, 1, func(int) float64 { return 0 })
	span, most := kernels.Span[float64]{N: 7}, builtin.ValLoc[float64, int]{Loc: 7}
	err := exec.ParallelReduce2(policy.Team(1<<14, 1024).Chunk(256).On(s), kernels.Reached(0, x.card), spansInto(&span), builtin.MaxLoc(&most))
	assert.ErrorContains(t, err, "of a leaf, of 1024 members, leave 9699328 bytes for the host to join by the reducers conformance.spans[float64] builtin.located[")
	assert.Equal(t, []any{kernels.Span[float64]{N: 7}, 7}, []any{span, most.Loc})
	require.NoError(t, views.Free(x.card))
}
