package items

import (
	"errors"
	"fmt"

	"github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/gokkos/gokkos/policy"
)

// A Policy is an exec.Policy.
type Policy[I any] interface {
	Plan() policy.Plan
	Next(begin, end int, dst []I) (n, next int)
}

// RefuseNil returns the error of a launch without a functor.
func RefuseNil[I any, P Policy[I]](p P) error {
	var plan policy.Plan
	PlanOf[I](&plan, &p)
	return launch.Refuse(&plan, ErrNilFunctor)
}

// PlanOf sets a plan to that of a policy, which is an error for no policy. Both are large: a copy more of
// each takes a launch some nanoseconds.
func PlanOf[I any, P Policy[I]](plan *policy.Plan, p *P) {
	if any(*p) == nil {
		plan.Err = errors.New("exec: the policy is nil")
		return
	}
	*plan = (*p).Plan()
}

var ErrNilFunctor = errors.New("exec: the functor is nil")

// RefuseTeams returns the error of a pattern that does not run teams.
func RefuseTeams(what string, plan policy.Plan) error {
	if plan.Err != nil || plan.Team.Size == 0 {
		return plan.Err
	}
	return fmt.Errorf("exec: %s over teams, expected a policy without teams; inside of a team there are team.Scan and the other collectives", what)
}
