package space

// A Stepper is a job that a device can take apart: the device then runs the lanes of a leaf
// and joins their values step by step, in an order of its own, instead of asking for whole
// nodes. A job may be one.
type Stepper interface {
	Job
	// Steps returns the steps of the job. A device that uses them must ask for them before
	// Open, and must then use RunLanes in place of Run and JoinColumns in place of Join.
	Steps() Steps
}

// Steps are what a job consists of. They are taken one at a time: the device opens one worker.
// All methods but the first three may be called after Open only. Those that return false have
// failed, as Run and Join do: the value has no result then, and the job keeps why.
//
// A leaf is RunLanes, then for each column JoinLanes for the lanes l and l+h, where h is a
// half, a quarter and so on of the column's lanes and l+h is below the number of items, each
// step for all l < h in any order; and then EndLanes.
type Steps interface {
	// Parts describes the job.
	Parts() Parts
	// Memo returns where the device may keep what it needs in the next pass of the same
	// launch. It holds nil in the first pass.
	Memo() *any
	// ObserveTeams lets o hear what the members of teams do together.
	ObserveTeams(o TeamObserver)

	// RunLanes runs the items of a leaf into the lanes. The leaf's partial result is to go
	// to the slot. Row by row, lane order[0] takes its item first, then lane order[1], as
	// far as the row has items: lanes that have one item more than others come first. nil
	// is the ascending order.
	RunLanes(leaf, slot int, order []int) bool
	// JoinLanes joins lane src of a column into lane dst.
	JoinLanes(column, dst, src int) bool
	// EndLanes moves lane 0 of a column into a slot.
	EndLanes(column, slot int) bool
	// JoinColumns is Join of those columns that are not left out; no columns are if out is
	// nil.
	JoinColumns(dst, src int, out []bool) bool
	// Collect joins slot src of a column into slot dst, of whatever nodes these are; the
	// first time, dst is the identity before. It is for columns that are Exact.
	Collect(column, dst, src int, first bool) bool
}

// Parts describes a job to a device.
type Parts struct {
	Label    string    // of the policy
	Kernel   string    // what the job does: "range", "team", "scan: sums", "scan: results"
	Before   string    // what a device has to do before, as one more kernel, or ""
	Columns  []Column  // one for each reduction
	Teams    TeamShape // what the items are; its Size is 0 if they are no teams
	Reorders bool      // the order that RunLanes is given makes a difference
}

// A Column is one reduction of a launch.
type Column struct {
	Reducer string // its type
	Bytes   int    // size of a value
	Flat    bool   // a copy of a value copies all of it
	Exact   bool   // values give the same bits in whatever order they are joined
	Lanes   int    // in which a leaf of the launch is reduced
}

// A TeamObserver is told what the members of teams do together, while they do it.
type TeamObserver interface {
	// Met says that members have met.
	Met(m Meeting)
	// End says that a team has ended, well or not.
	End(ok bool)
}

// A Meeting is a barrier or a collective.
type Meeting struct {
	Kind    string // "barrier", or the name of the collective
	Members int    // how many met
	Whole   bool   // these were all of the team
	Bytes   int    // size of the value that each contributed
}
