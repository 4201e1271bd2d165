// Package schedule names the orders in which a simulated device may run threads.
package schedule

// A schedule is a number. From Random on, each is another random order.
const (
	Ascending     uint64 = iota // the order of a loop; members meet round by round
	WarpFirst                   // one warp as far as it can, then the next
	LastWarpFirst               // the highest warp that can run, as far as it can
	LaneFirst                   // one lane as far as it can, then the next
	Random
)

// Part returns the schedule of part k of a launch, such as a team. Each has a random order of
// its own.
func Part(schedule uint64, k int) uint64 {
	if schedule < Random {
		return schedule
	}
	return max(schedule^uint64(k)*0x9e3779b97f4a7c15, Random)
}
