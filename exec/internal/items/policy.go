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

// RefuseNil returns the error of a launch over p whose functor is nil.
func RefuseNil[I any, P Policy[I]](p P) error {
	var plan policy.Plan
	PlanOf[I](&plan, &p)
	return launch.Refuse(&plan, ErrNilFunctor)
}

// PlanOf sets *plan to the plan of *p, or its error if the policy is nil. It takes pointers since both are
// large: a copy of one costs a launch some nanoseconds.
func PlanOf[I any, P Policy[I]](plan *policy.Plan, p *P) {
	if any(*p) == nil {
		plan.Err = errors.New("exec: the policy is nil")
		return
	}
	*plan = (*p).Plan()
}

var ErrNilFunctor = errors.New("exec: the functor is nil")

// RefuseTeams returns an error if the plan has teams, for a pattern that does not run teams, or the plan's
// own error.
func RefuseTeams(what string, plan policy.Plan) error {
	if plan.Err != nil || plan.Team.Size == 0 {
		return plan.Err
	}
	return fmt.Errorf("exec: %s over teams, expected a policy without teams; inside of a team there are team.Scan and the other collectives", what)
}
