package group_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/internal/lane"
	"github.com/gokkos/gokkos/internal/teams"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/team/group"
)

// Errors name the function and the caller's line, on every schedule.
func TestMisuse(t *testing.T) {
	x, y := make([]int, 10), make([]int, 10)
	even := func(x int) bool { return x%2 == 0 }
	var none func(p *int) reducers.Func[int]
	for name, c := range map[string]struct {
		body func(m *team.Member)
		want string
	}{
		"reduce":           {func(m *team.Member) { group.AllReduceFrom(m, 0, 1, none) }, "group: AllReduceFrom: the operation is nil: expected the constructor of a reducer, such as builtin.Sum"},
		"scan":             {func(m *team.Member) { group.InclusiveScan(m, 1, none) }, "group: InclusiveScan: the operation is nil: expected the constructor of a reducer, such as builtin.Sum"},
		"shuffle":          {func(m *team.Member) { group.Shuffle(m.SubGroup(), 1, 4) }, "group: Shuffle: there is no member 4 in a sub-group of 4"},
		"delta":            {func(m *team.Member) { group.ShuffleUp(m.SubGroup(), 1, -1) }, "group: ShuffleUp: the delta is -1, expected at least 0"},
		"mask":             {func(m *team.Member) { group.ShuffleXor(m.SubGroup(), 1, -2) }, "group: ShuffleXor: the mask is -2, expected at least 0"},
		"nil predicate":    {func(m *team.Member) { group.JointAll(m, x, nil) }, "group: JointAll: the predicate is nil"},
		"lengths":          {func(m *team.Member) { group.JointReduce(m, x[:10-m.Rank()/4], builtin.Sum) }, "group: JointReduce: all members must pass the same slices: member 0 passes one of length 10, member 4 one of length 9"},
		"slices":           {func(m *team.Member) { group.JointAny(m, [][]int{x, y}[m.Rank()%2], even) }, "group: JointAny: all members must pass the same slices: members 0 and 1 pass different ones of length 10"},
		"destinations":     {func(m *team.Member) { group.JointInclusiveScan(m, [][]int{x, y}[m.Rank()/5], x, builtin.Sum) }, "group: JointInclusiveScan: all members must pass the same slices: members 0 and 5 pass different ones of length 10"},
		"short":            {func(m *team.Member) { group.JointExclusiveScan(m, y[:9], x, builtin.Sum) }, "group: JointExclusiveScan: dst has length 9, expected at least the 10 of src"},
		"overlap":          {func(m *team.Member) { group.JointExclusiveScan(m, x[1:], x[:9], builtin.Sum) }, "group: JointExclusiveScan: dst and src overlap; expected the same slice, or slices apart"},
		"overlap backward": {func(m *team.Member) { group.JointInclusiveScan(m, x[:5], x[4:9], builtin.Sum) }, "group: JointInclusiveScan: dst and src overlap; expected the same slice, or slices apart"},
	} {
		t.Run(name, func(t *testing.T) {
			shape := flat(1, 8)
			shape.SubGroup = 4
			for seed := range uint64(4) {
				err := runs(t, shape, teams.Settings{Schedule: seed}, c.body)
				var misuse *lane.Misuse
				require.ErrorAs(t, err, &misuse)
				assert.Regexp(t, "^"+regexp.QuoteMeta(c.want)+`, at misuse_test.go:\d+$`, misuse.Error())
			}
		})
	}
}
