package random

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	library "github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/interp"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ptx"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ptx/trial"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/target"
	"github.com/gokkos/gokkos/exec/space"
)

// A teamsRun is a launch of a random functor of teams: numbers w and n, and the results in y and z.
type teamsRun struct {
	shape space.TeamShape
	n, w  int
	x     []float64
	ix    []int
	y, z  []float64
}

func newTeamsRun(seed uint64, league, size, vector, n, w int) *teamsRun {
	r := rand.New(rand.NewPCG(seed, 21))
	t := &teamsRun{shape: space.TeamShape{League: league, Size: size, Dims: [3]int{size, 1, 1}, Vector: vector}, n: n, w: w}
	t.shape.Scratch[0].Team = 16*n + 32
	for range 64 {
		t.x, t.ix = append(t.x, r.NormFloat64()), append(t.ix, r.IntN(64))
	}
	t.y, t.z = make([]float64, league*n), make([]float64, league*(size+n))
	return t
}

func (t *teamsRun) params() []any { return []any{t.n, t.w, t.x, t.ix, t.y, t.z} }

// bits returns the bits of y and z, with all NaNs as one.
func (t *teamsRun) bits() (all []uint64) {
	for _, v := range append(slices.Clone(t.y), t.z...) {
		if v != v {
			v = math.NaN()
		}
		all = append(all, math.Float64bits(v))
	}
	return all
}

// interpret runs all teams in the interpreter, each a leaf with one lane.
func (t *teamsRun) interpret(k *target.Kernel) (roots []uint64, ok bool) {
	room := make([]uint64, t.shape.Bytes(0)/8+1)
	args, err := interp.Bind(k.Source, append(t.params(), library.Team{Shape: t.shape, Scratch: [2][]uint64{room}})...)
	if err != nil {
		return nil, false
	}
	leaves := make([][]uint64, len(k.Source.Accs))
	for team := range t.shape.League {
		clear(room)
		accs := make(interp.Lanes, len(leaves))
		for n := range accs {
			accs[n] = slices.Repeat([]uint64{teamIdentities[n]}, t.shape.Size)
		}
		if (interp.League{Size: t.shape.Size, Vector: t.shape.Vector}).Do(k.Source, args, team, team+1, accs, func() {}) == team {
			return nil, false
		}
		for n, a := range k.Source.Accs {
			v := trial.Tree(a.Elem, teamJoins[n], accs[n])
			if t.shape.Size > 1 {
				v = trial.Join(a.Elem, teamJoins[n], teamIdentities[n], v)
			}
			leaves[n] = append(leaves[n], v)
		}
	}
	for n, a := range k.Source.Accs {
		roots = append(roots, trial.Tree(a.Elem, teamJoins[n], leaves[n]))
	}
	return roots, true
}

// The accumulators of random functors of teams are a sum of float64 and a maximum of int.
var (
	teamIdentities = []uint64{0, 1 << 63}
	teamJoins      = []int{0, 3}
)

// onCard runs a functor of teams as PTX on the machine, and says how its results differ from the
// interpreter's. onCard also reports whether the functor has a PTX text.
func onCard(k *target.Kernel, seed uint64) (differ string, ok bool) {
	code, err := ptx.Compile(k.Source, k.Base)
	if err != nil {
		return "", false
	}
	for n, c := range [][5]int{{1, 1, 1, 5, 2}, {6, 1, 8, 20, 3}, {5, 2, 1, 9, 1}, {9, 3, 2, 1, 4}, {3, 8, 4, 50, 11}, {2, 33, 8, 64, 7}, {2, 4, 32, 0, 2}} {
		want, got := newTeamsRun(seed, c[0], c[1], c[2], c[3], c[4]), newTeamsRun(seed, c[0], c[1], c[2], c[3], c[4])
		roots, ran := want.interpret(k)
		if !ran {
			continue
		}
		launch := trial.Teams{Shape: want.shape, Blocks: 1 + c[0]/2, Seed: seed, Leaf: 1, Lanes: 1, Identities: teamIdentities, Joins: teamJoins}
		stopped, sums, err := launch.Run(code, got.params()...)
		switch {
		case err != nil:
			return fmt.Sprintf("%s as PTX, case %d: %v\n", k.Func, n, err), true
		case stopped < c[0]:
			differ = fmt.Sprintf("team %d stops", stopped)
		case !slices.Equal(want.bits(), got.bits()):
			differ = "memory differs"
		case len(roots) > 0 && !(roots[1] == sums[1] && (roots[0] == sums[0] || bytes.Equal(nan(roots[0]), nan(sums[0])))):
			differ = fmt.Sprintf("accumulators %x, expected %x", sums, roots)
		}
		if differ != "" {
			return fmt.Sprintf("%s as PTX, case %d: %s\n%s\n%s", k.Func, n, differ, code.IR, code.Text), true
		}
	}
	return "", true
}

// nan returns the bytes of a float, and none of a NaN that has a bit pattern of its own.
func nan(bits uint64) []byte {
	if f := math.Float64frombits(bits); f == f {
		return fmt.Append(nil, bits)
	}
	return nil
}
