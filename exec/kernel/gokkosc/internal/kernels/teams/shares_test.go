//go:build !386 && !arm && !mips && !mipsle

package teams

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/team"
)

func TestShares(t *testing.T) {
	inShapes(t, func(t *testing.T, s shape) {
		for _, n := range []int{0, 1, 2, 7, 16, 67} {
			a := numbers(s.league * n)
			pack := func(f func(int, float64, []float64, []int, []int) func(*team.Member)) func() (func(*team.Member), []any) {
				return func() (func(*team.Member), []any) {
					to, counts := make([]int, s.league*n), make([]int, s.league)
					return f(n, .2, a, to, counts), []any{to, counts}
				}
			}
			each(t, s, pack(packed), pack(Packed))
			scan := func(f func(int, []float64, []float64, []float64) func(*team.Member)) func() (func(*team.Member), []any) {
				return func() (func(*team.Member), []any) {
					y, z := make([]float64, s.league*n), make([]float64, s.league*s.size)
					return f(n, a, y, z), []any{y, z}
				}
			}
			each(t, s, scan(prefixes), scan(Prefixes))
			sums := func(f func(int, []float64, []float64) func(*team.Member)) func() (func(*team.Member), []any) {
				return func() (func(*team.Member), []any) {
					y := make([]float64, s.league*s.size)
					return f(n, a, y), []any{y}
				}
			}
			each(t, s, sums(owned), sums(Owned))
			left := func(f func(int, []float64, []float64) func(*team.Member)) func() (func(*team.Member), []any) {
				return func() (func(*team.Member), []any) {
					y := make([]float64, len(a))
					return f(n, a, y), []any{y}
				}
			}
			each(t, s, left(until), left(Until))
		}
		turn := func(f func([]float64, []float64, []int32) func(*team.Member)) func() (func(*team.Member), []any) {
			return func() (func(*team.Member), []any) {
				y, cells := make([]float64, s.league*s.size), make([]int32, s.league*s.size)
				return f(numbers(s.league*s.size), y, cells), []any{y, cells}
			}
		}
		same(t, turn(turned), turn(Turned), func(on exec.Space, f func(m *team.Member)) any {
			p := s.policy(on).Scratch(1, team.ScratchBytes[place](s.size), team.ScratchBytes[[2]float64](1))
			require.NoError(t, exec.ParallelFor(p, f))
			return nil
		})
	})
}

// What a team has stored before it fails is what was there: the functor runs it from its start.
func TestStoresAreTakenBack(t *testing.T) {
	const columns = 20
	for _, s := range []shape{{5, 1, 1}, {5, 4, 2}} {
		for room := range 25 { // of the last row
			run := func(level kernel.Level) string {
				_, undo := kernel.Limit(level)
				defer undo()
				a, to, counts := make([]float64, s.league*columns), make([]int, 4*columns+room), make([]int, s.league)
				for k := range to {
					to[k] = -k
				}
				for k := range a {
					a[k] = float64(k % 3)
				}
				out := func() (out any) {
					defer func() {
						if p, ok := recover().(*exec.Panic); ok {
							out = fmt.Sprint(p.Value, p.Index, p.Begin)
						}
					}()
					return exec.ParallelFor(s.policy(exec.Serial{}), Packed(columns, -1, a, to, counts))
				}()
				return fmt.Sprint(out, to, counts)
			}
			require.Equal(t, run(kernel.Closure), run(kernel.Go), "room %d", room)
		}
	}
	to := make([]int, 30)
	loop := kernel.Of(Packed(columns, -1, make([]float64, 40), to, make([]int, 2))).(kernel.Teams)
	require.Equal(t, 1, loop.Teams(0, 2, &kernel.Team{Shape: shape{2, 1, 1}.policy(nil).Plan().Team}))
	require.Equal(t, make([]int, 10), to[20:], "the second team has stored nothing")
}
