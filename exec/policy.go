package exec

import (
	"errors"
	"fmt"

	"github.com/gokkos/gokkos/policy"
)

// A Policy numbers the items of a launch and says which index each has. I is
// the index type that the functor receives.
type Policy[I any] interface {
	// Plan returns how many items there are, and all else that is known before
	// the launch.
	Plan() policy.Plan
	// Next writes the indices of items begin, begin+1, ... below end into dst
	// and returns how many it wrote and the first item that it did not cover.
	// It must fill dst unless end comes first. Where the plan is Whole, an index
	// stands for any number of items, as many as Next likes: the first one for those
	// from begin on, each other one for those that follow. Next is called by several
	// workers at a time.
	Next(begin, end int, dst []I) (n, next int)
}

// refuseNil returns the error of a launch without a functor.
func refuseNil[I any, P Policy[I]](p P) error {
	var plan policy.Plan
	planOf[I](&plan, &p)
	return refuse(&plan, errNilFunctor)
}

// planOf sets a plan to that of a policy, which is an error for no policy. Both are large: a copy more of
// each takes a launch some nanoseconds.
func planOf[I any, P Policy[I]](plan *policy.Plan, p *P) {
	if any(*p) == nil {
		plan.Err = errors.New("exec: the policy is nil")
		return
	}
	*plan = (*p).Plan()
}

var errNilFunctor = errors.New("exec: the functor is nil")

// refuseTeams returns the error of a pattern that does not run teams.
func refuseTeams(what string, plan policy.Plan) error {
	if plan.Err != nil || plan.Team.Size == 0 {
		return plan.Err
	}
	return fmt.Errorf("exec: %s over teams, expected a policy without teams; inside of a team there are team.Scan and the other collectives", what)
}
