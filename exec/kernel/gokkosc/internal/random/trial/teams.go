package trial

import (
	"crypto/sha256"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
)

// Teams are constructors of a functor of teams, and of the compiled one: with a sum and a maximum as accumulators, or without.
type Teams struct {
	Name            string
	Plain, Compiled any
}

type (
	teamsFor    = func(n, w int, x []float64, ix []int, y, z []float64) func(m *team.Member)
	teamsReduce = func(n, w int, x []float64, ix []int, y, z []float64) func(m *team.Member, sum *float64, most *int)
)

// RunTeams runs functors in teams of several shapes, on one worker and on several. It prints the number of
// teams that loops run, the number that they leave, and then a line for each launch that differs.
func RunTeams(w io.Writer, kernels []Teams) {
	var differ strings.Builder
	done, left := 0, 0
	spaces := []exec.Space{exec.Serial{}, exec.NewGoroutines(3)}
	for _, k := range kernels {
		for n, c := range [][5]int{{1, 1, 1, 5, 2}, {6, 1, 8, 20, 3}, {5, 2, 1, 9, 1}, {9, 3, 2, 1, 4}, {40, 4, 8, 33, 5}, {3, 12, 3, 50, 11}, {2, 33, 32, 64, 7}, {300, 2, 4, 3, 0}, {4, 3, 8, 0, 2}, {3, 4, 4, 150, 6}} {
			want := runTeams(exec.Serial{}, k.Plain, c, n)
			failed, _, _ := strings.Cut(want, " of memory ")
			some := loopsOf(k.Compiled, c, n)
			done, left = done+some, left+c[0]-some
			for _, on := range spaces {
				if got := runTeams(on, k.Compiled, c, n); got != want && got != failed {
					fmt.Fprintf(&differ, "%s case %d on %s: %s, expected %s\n", k.Name, n, on.Name(), got, want)
				}
			}
		}
	}
	fmt.Fprintf(w, "%d %d\n%s", done, left, differ.String())
}

// loopsOf returns the number of teams of a launch that a loop runs.
func loopsOf(constructor any, c [5]int, seed int) (done int) {
	x, ix := teamsInput(seed)
	y, z := make([]float64, c[0]*c[3]), make([]float64, c[0]*(c[1]+c[3]))
	var f any
	switch constructor := constructor.(type) {
	case teamsFor:
		f = constructor(c[3], c[4], x, ix, y, z)
	case teamsReduce:
		f = constructor(c[3], c[4], x, ix, y, z)
	}
	t := &kernel.Team{Shape: space.TeamShape{League: c[0], Size: c[1], Dims: dims(c[1]), Vector: c[2]}}
	t.Shape.Scratch[0].Team = 16*c[3] + 32
	t.Scratch[0] = make([]uint64, t.Shape.Bytes(0)/8)
	t.Accs = [4][]byte{make([]byte, 8*c[1]), make([]byte, 8*c[1])}
	for r := range c[0] {
		clear(t.Scratch[0])
		done += kernel.Of(f).(kernel.Teams).Teams(r, r+1, t) - r
	}
	return done
}

// dims returns dimensions of a team.
func dims(size int) [3]int {
	switch {
	case size%12 == 0:
		return [3]int{2, 3, size / 6}
	case size%3 == 0:
		return [3]int{size / 3, 3, 1}
	}
	return [3]int{size, 1, 1}
}

// teamsInput returns numbers and indices of these.
func teamsInput(seed int) (x []float64, ix []int) {
	r := rand.New(rand.NewPCG(uint64(seed), 9))
	x, ix = make([]float64, 64), make([]int, 64)
	for k := range x {
		x[k], ix[k] = r.NormFloat64(), r.IntN(64)
	}
	if seed%4 == 1 { // ranges of these are long enough for vectors
		ix[r.IntN(40)] = 64 // one of the items fails
	}
	return x, ix
}

// runTeams returns the memory after a launch, or its failure.
func runTeams(on exec.Space, constructor any, c [5]int, seed int) (out string) {
	league, size, vector, n, w := c[0], c[1], c[2], c[3], c[4]
	x, ix := teamsInput(seed)
	y, z := make([]float64, league*n), make([]float64, league*(size+n))
	var sum float64
	var most int
	defer func() {
		if p, ok := recover().(*exec.Panic); ok {
			out = fmt.Sprintf("panic at %v: %v", p.Index, p.Value)
			if _, alone := on.(exec.Serial); alone { // on other spaces, other teams may have run
				out += fmt.Sprintf(" of memory %x", sha256.Sum256(fmt.Appendf(nil, "%x %x", y, z)))
			}
		}
	}()
	d := dims(size)
	p := policy.Team(league, size).Dims(d[0], d[1], d[2]).Vector(vector).Scratch(0, team.ScratchBytes[float64](n)+team.ScratchBytes[float64](n+1), 0).On(on)
	var err error
	switch f := constructor.(type) {
	case teamsFor:
		err = exec.ParallelFor(p, f(n, w, x, ix, y, z))
	case teamsReduce:
		err = exec.ParallelReduce2(p, f(n, w, x, ix, y, z), builtin.Sum(&sum), builtin.Max(&most))
	}
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%x %x %d", sha256.Sum256(fmt.Appendf(nil, "%x %x", y, z)), sum, most)
}
