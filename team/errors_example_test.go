//gokkosvet:ignore mistakes that are errors

package team_test

import (
	"fmt"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
)

// What the members of a team do wrong together is an error of the launch.
func Example_errors() {
	p := policy.Team(3, 8).Scratch(0, 64, 0).WithLabel("demo").On(exec.Serial{})
	show := func(f func(m *team.Member)) { fmt.Println(exec.ParallelFor(p, f)) }

	show(func(m *team.Member) { // some members leave a barrier out
		if m.LeagueRank() < 2 || m.Rank() < 5 {
			m.Barrier()
		}
	})
	show(func(m *team.Member) { // members call different collectives
		if m.Rank()%2 == 0 {
			team.AllReduce(m, 1.5, builtin.Max)
		} else {
			team.ExclusiveScan(m, m.Rank(), builtin.Sum)
		}
	})
	show(func(m *team.Member) { team.Broadcast(m, 1, m.Rank()/3) })
	show(func(m *team.Member) { team.Scratch[float64](m, 0, 9) })
	show(func(m *team.Member) { team.Scratch[string](m, 0, 1) })
	show(func(m *team.Member) { team.For(team.ThreadRange(m, -1), func(int) {}) })

	sim := exec.NewSimGPU(gpu.H200())
	defer func() { _ = sim.Close() }()
	fmt.Println(exec.ParallelFor(policy.Team(3, 2048).On(sim), func(m *team.Member) {}))
	fmt.Println(exec.ParallelFor(policy.Team(3, 8).Dims(3, 3, 1), func(m *team.Member) {}))
	// Output:
	// exec: launch of "demo", team 2 of 3: members of a team wait for one another for ever: barrier at errors_example_test.go:22: 5 of 8 lanes arrived (0-4); 3 lanes returned early (5-7)
	// exec: launch of "demo", team 0 of 3: members of a team wait for one another for ever: reduce builtin.maximum[float64] at errors_example_test.go:27: 4 of 8 lanes arrived (0, 2, 4, 6); exclusive scan builtin.sum[int] at errors_example_test.go:29: 4 of 8 lanes arrived (1, 3, 5, 7)
	// exec: launch of "demo", team 0 of 3: team: Broadcast: the id must be the same for all members: member 0 asks for the value of member 0, member 3 for that of member 1, at errors_example_test.go:32
	// exec: launch of "demo", team 0 of 3: team: scratch of level 0 for 9 float64 (72 bytes) where 0 of 64 bytes are used: ask the policy for more, at errors_example_test.go:33
	// exec: launch of "demo", team 0 of 3: team: scratch of level 0 for 1 string: scratch memory holds plain values, and a string refers to memory elsewhere, at errors_example_test.go:34
	// exec: launch of "demo", team 0 of 3: team: a range of extent -1: need at least 0, at errors_example_test.go:35
	// gpu: a team of 2048 members with 1 vector lanes each is 2048 threads, expected at most the 1024 of a block on H200
	// policy: Team: dimensions 3 x 3 x 1 of a team of 8 members, expected lengths with that product
}
