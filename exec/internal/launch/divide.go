package launch

import (
	"errors"
	"fmt"

	"github.com/gokkos/gokkos/exec/space"
)

// A launch without reducers has no tree, so a space may ask for shorter leaves than the rule's. A panic still
// names the items of a leaf of the rule.

// Divide implements [space.Divider].
func (j *Job) Divide(leaves int) (g space.Grid, apart bool) {
	if j.Opens > 0 {
		return j.Grid, j.Refuse(errors.New("exec: the space asked for the job's leaves after Open, expected it before"))
	}
	if j.apart = len(j.Columns) == 0 && j.Later == nil; !j.apart {
		return j.Grid, false
	}
	if least := j.ask().Least; least > 0 && !j.Chunked {
		for j.leaves() < leaves && j.leaf() >= 2*least {
			j.halvings++
		}
	}
	return j.divided(), true
}

// refuseDivided refuses a space that had the leaves cut, and then takes steps or exchanges nodes with other
// processes: both need the leaves of the rule.
func (j *Job) refuseDivided() {
	if j.halvings > 0 && (j.Stepped || j.Carries) {
		j.Refuse(fmt.Errorf("exec: the space takes steps or other processes' nodes of leaves that it had cut into %d, expected the %d of the launch", j.leaves(), j.Grid.Leaves))
	}
}
