package wrong

import (
	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/team/group"
)

func teams(x []float64) error {
	return exec.ParallelFor(policy.Team(9, 4), func(m *team.Member) {
		if m.Rank() < 4 {
			m.Barrier() // want `only some members reach this Barrier`
		} else {
			x[m.Rank()] = team.AllReduce(m, 1.0, builtin.Sum) // want `only some members reach this AllReduce`
		}
		half := m.Rank() / 2
		mine := half > 1
		if mine {
			m.Barrier() // want `only some members reach this Barrier`
		}
		switch half {
		case 0:
			m.Barrier() // want `only some members reach this Barrier`
		}
		switch {
		case half == 0:
		case x[0] > 3:
			m.Barrier() // want `only some members reach this Barrier`
		default:
			m.Barrier() // want `only some members reach this Barrier`
		}
		if half == 1 {
			_ = group.InclusiveScan(m, 1.0, builtin.Sum) // want `only some members reach this InclusiveScan`
		}
		for range half {
			m.Barrier() // want `only some members reach this Barrier`
		}
		for i := range team.ThreadRange(m, 9).All() {
			m.Barrier() // want `only some members reach this Barrier`
			if i > 2 {
				m.SubGroup().Barrier()
			}
		}
		team.For(team.ThreadRange(m, 9), func(i int) {
			m.Barrier() // want `only some members reach this Barrier`
		})
		team.Single(m, func() {
			x[m.LeagueRank()] = team.AllReduce(m, 1.0, builtin.Sum) // want `only some members reach this AllReduce`
		})
		if sg := m.SubGroup(); sg.Rank() == 0 {
			sg.Barrier() // want `only some members reach this Barrier`
		}
		if m.Rank() > 2 {
			return
		}
		m.Barrier() // want `only some members reach this Barrier`
	})
}
