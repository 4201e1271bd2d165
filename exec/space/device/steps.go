package device

import (
	"github.com/gokkos/gokkos/exec/space"
)

// A Stepper is a job that a device can take apart. The device then runs the lanes of a leaf and joins
// their values in steps, in its own order. A job may be a Stepper.
type Stepper interface {
	space.Job
	// Steps returns the steps of the job. A device that uses them must ask for them before Open. It must
	// use RunLanes in place of Run and JoinColumns in place of Join.
	Steps() Steps
}

// Steps are the steps of a job. They are taken one at a time: the device opens one worker. Only the
// first three methods may be called before Open. A step that returns false has failed, as Run and Join
// do: the value has no result, and the job keeps the reason.
//
// A leaf is RunLanes, then the steps of each column, then EndLanes for each column. A column's steps are
// JoinLanes of the lanes l and l+h for all l < h, in any order, if l+h is below the number of items.
// They are taken for h a half, a quarter and so on of the column's lanes.
type Steps interface {
	// Parts describes the job.
	Parts() Parts
	// Memo returns a place for values that the device needs in the next pass of the same launch. The
	// place holds nil in the first pass.
	Memo() *any
	// ObserveTeams makes o observe the barriers, collectives and ends of teams.
	ObserveTeams(o TeamObserver)

	// RunLanes runs the items of a leaf into the lanes. slot is where the leaf's partial result will go.
	// Row by row, lane order[0] takes its item first, then lane order[1], as far as the row has items:
	// lanes that have one item more than others come first. A nil order is the ascending order.
	RunLanes(leaf, slot int, order []int) bool
	// JoinLanes joins lane src of a column into lane dst.
	JoinLanes(column, dst, src int) bool
	// EndLanes moves lane 0 of a column into a slot.
	EndLanes(column, slot int) bool
	// JoinColumns is Join of all columns but the ones left out: column k if out[k] is true. A nil out
	// leaves out none.
	JoinColumns(dst, src int, out []bool) bool
	// Collect joins slot src of a column into slot dst, whatever their nodes are. If first is true, dst
	// is set to the identity before. It is for Exact columns only.
	Collect(column, dst, src int, first bool) bool
}

// Parts describes a job to a device.
type Parts struct {
	Label    string          // of the policy
	Kernel   string          // what the job does: "range", "team", "scan: sums", "scan: results"
	Before   string          // work that a device has to do before, as one more kernel; "": none
	Columns  []Column        // one for each reduction
	Teams    space.TeamShape // shape of the items; its Size is 0 if they are no teams
	Reorders bool            // the order argument of RunLanes makes a difference
}

// A Column is one reduction of a launch.
type Column struct {
	Reducer string // type of the reducer
	Bytes   int    // size of a value
	Flat    bool   // a copy of a value copies all of it
	Exact   bool   // joins in any order give the same bits
	Lanes   int    // number of lanes per leaf
}

// A TeamObserver receives the meetings and the ends of teams, as they happen.
type TeamObserver interface {
	// Met reports a barrier or a collective whose members have all come.
	Met(m Meeting)
	// End reports that a team has ended; ok is false if it failed.
	End(ok bool)
}

// A Meeting is a barrier or a collective.
type Meeting struct {
	Kind    string // "barrier", or the name of the collective
	Members int    // number of members that met
	Whole   bool   // the whole team met
	Bytes   int    // size of the value from each member
}
