package kernel

import (
	"github.com/gokkos/gokkos/exec/space"
)

// Teams is the loop of a func(m *team.Member), with up to four accumulators or none.
type Teams interface {
	// Teams runs all members of the teams begin to end-1 of a league, begin < end. It returns the first team that is
	// not done: end, or a team whose functor must run from its start. Nothing of that team and of those behind it is
	// stored but in the memory of t. See [For] for the rules on bits and time.
	Teams(begin, end int, t *Team) (next int)
}

// A Team is what a loop of teams is given. It belongs to one worker, for one call of [Teams].
type Team struct {
	Shape space.TeamShape
	// Scratch is the scratch memory of each level, in words: that of the team, then that of each member. A loop that
	// uses it clears it where a team begins.
	Scratch [2][]uint64
	// Accs are the accumulators of the team's members in the order of their ranks, for each pointer of the functor, as
	// bytes. They hold what each member joins into first. If there are any, a call runs one team.
	Accs [4][]byte
	// Room is memory of the loop's own from call to call. The loop makes it as long as it needs.
	Room []uint64
	// Log is memory of the loop's own that it may let grow.
	Log []uint64
}
