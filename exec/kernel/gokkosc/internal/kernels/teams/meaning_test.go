//go:build !386 && !arm && !mips && !mipsle

package teams

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/front"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/interp"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/pass"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ptx"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ptx/trial"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/team"
)

// Members in rounds, and teams in phases before passes and behind them, leave in memory what the functor does.
func TestMeaning(t *testing.T) {
	packages, err := front.Load(front.Config{Dir: "."}, ".")
	require.NoError(t, err)
	of := map[string]*ir.Kernel{}
	for _, k := range packages[0].Kernels {
		require.Nil(t, k.Refused)
		of[k.Func] = k.IR
	}
	inShapes(t, func(t *testing.T, s shape) {
		if s.league > 20 {
			s.league = 5
		}
		const n = 11
		size := s.league * s.size
		from, column := make([]int, s.league*n+1), make([]int, 0)
		for row := range s.league * n {
			for k := range row % 6 {
				column = append(column, (row*7+k*k)%50)
			}
			from[row+1] = len(column)
		}
		x, long := numbers(s.league*n), numbers(s.league*64)
		for _, c := range []struct {
			name   string
			params func() []any
			memory int // first parameter of those that are written
		}{
			{"spread", func() []any { return []any{n, make([]int, s.league*n)} }, 1},
			{"ownSums", func() []any { return []any{n, x, make([]float64, size), make([]float64, size)} }, 2},
			{"rowEnds", func() []any { return []any{4, numbers(size * 4), make([]float64, size-1)} }, 2},
			{"rowSums", func() []any { return []any{3, n, numbers(s.league * n * 3), make([]float64, s.league*n)} }, 3},
			{"gather", func() []any {
				return []any{n, from, column, numbers(len(column)), numbers(50), make([]float64, s.league*n)}
			}, 5},
			{"packed", func() []any {
				return []any{n, .1, x, make([]int, s.league*n), make([]int, s.league)}
			}, 3},
			{"prefixes", func() []any {
				return []any{n, x, make([]float64, s.league*n), make([]float64, size)}
			}, 2},
			{"owned", func() []any { return []any{n, x, make([]float64, size)} }, 2},
			{"weighed", func() []any { return []any{n, numbers(size * n), make([]float64, size*n), make([]float64, size)} }, 2},
			{"halved", func() []any { return []any{long, make([]float64, size), make([]int, size)} }, 1},
		} {
			want := c.params()
			p := s.policy(exec.Serial{}).Scratch(1, 512, 24)
			require.NoError(t, exec.ParallelFor(p, made(c.name, want)))
			if s.vector&(s.vector-1) == 0 {
				got := c.params()
				code, err := ptx.Compile(of[c.name], c.name)
				require.NoError(t, err)
				shape := space.TeamShape{League: s.league, Size: s.size, Dims: [3]int{s.size, 1, 1}, Vector: s.vector, Scratch: [2]space.ScratchSize{{}, {Team: 512, Member: 24}}}
				stopped, _, err := trial.Teams{Shape: shape, Blocks: 1 + s.league/2, Seed: uint64(s.size)}.Run(code, got...)
				require.NoError(t, err, c.name)
				if stopped < s.league { // as rowEnds does
					require.Equal(t, "rowEnds", c.name)
					continue
				}
				require.Equal(t, text(want[c.memory:]), text(got[c.memory:]), "%s by threads", c.name)
			}
			for _, how := range []string{"rounds", "phases", "passes"} {
				got := c.params()
				k := of[c.name].Clone()
				shape := space.TeamShape{League: s.league, Size: s.size, Dims: [3]int{s.size, 1, 1}, Vector: s.vector, Scratch: [2]space.ScratchSize{{}, {Team: 512, Member: 24}}}
				tm := kernel.Team{Shape: shape}
				tm.Scratch[1] = make([]uint64, shape.Bytes(1)/8)
				if how != "rounds" {
					require.NoError(t, pass.Phases(k))
					require.NoError(t, k.Verify(), k)
					tm.Room = make([]uint64, k.Room[0]*s.size+k.Room[1]*s.vector+k.Room[2]*s.size*s.vector)
					for w := range tm.Room {
						tm.Room[w] = math.MaxUint64
					}
				}
				if how == "passes" {
					pass.Run(k, pass.All)
				}
				args, err := interp.Bind(k, append(got, tm)...)
				require.NoError(t, err)
				left := 0
				for done := range s.league {
					clear(tm.Scratch[1])
					next := 0
					if how == "rounds" {
						next = interp.League{Size: s.size, Vector: s.vector}.Do(k, args, done, done+1, nil, func() {})
					} else {
						next = interp.Span(k, args, done, done+1, 0, nil)
					}
					if next == done { // a team that a pass leaves
						require.Equal(t, "passes", how, c.name)
						args, err := interp.Bind(of[c.name], append(got, tm)...)
						require.NoError(t, err)
						clear(tm.Scratch[1])
						next = interp.League{Size: s.size, Vector: s.vector}.Do(of[c.name], args, done, done+1, nil, func() {})
						require.Equal(t, done+1, next)
						left++
					}
				}
				require.LessOrEqual(t, left, 1, "%s by %s", c.name, how)
				require.Equal(t, text(want[c.memory:]), text(got[c.memory:]), "%s by %s", c.name, how)
			}
		}
	})
}

// made returns a functor of a constructor.
func made(name string, p []any) func(m *team.Member) {
	f := func(n int) []float64 { return p[n].([]float64) }
	i := func(n int) []int { return p[n].([]int) }
	switch name {
	case "spread":
		return spread(p[0].(int), i(1))
	case "ownSums":
		return ownSums(p[0].(int), f(1), f(2), f(3))
	case "rowEnds":
		return rowEnds(p[0].(int), f(1), f(2))
	case "rowSums":
		return rowSums(p[0].(int), p[1].(int), f(2), f(3))
	case "gather":
		return gather(p[0].(int), i(1), i(2), f(3), f(4), f(5))
	}
	switch name {
	case "packed":
		return packed(p[0].(int), p[1].(float64), f(2), i(3), i(4))
	case "prefixes":
		return prefixes(p[0].(int), f(1), f(2), f(3))
	case "owned":
		return owned(p[0].(int), f(1), f(2))
	}
	if name == "weighed" {
		return weighed(p[0].(int), f(1), f(2), f(3))
	}
	return halved(f(0), f(1), i(2))
}
