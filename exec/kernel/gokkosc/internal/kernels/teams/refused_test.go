//go:build !386 && !arm && !mips && !mipsle

package teams

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/front"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/pass"
)

// Functors of teams are refused where they stand: what members do together must not depend on what differs among them.
func TestRefused(t *testing.T) {
	var text strings.Builder
	text.WriteString("package refused\n\nimport (\n\"github.com/gokkos/gokkos/builtin\"\n\"github.com/gokkos/gokkos/team\"\n\"github.com/gokkos/gokkos/team/group\"\n)\n\nvar _ = builtin.Sum[int]\nvar _ = group.Any\n")
	cases := []struct{ body, reason string }{
		{"if m.Rank() > 0 { //?\nm.Barrier() //!\n}", "the members of a team meet here, under a condition of line %d that may differ among them"},
		{"for k := m.Rank(); k < 5; k++ { //?\nm.Barrier() //!\n}", "the members of a team meet here, under a loop of line %d that may differ among them"},
		{"if v := x[m.Rank()]; v > 0 { //?\nx[0] = team.AllReduce(m, v, builtin.Sum) //!\n}", "under a condition of line %d"},
		{"if m.Rank() == 0 { //?\nreturn\n}\nif len(x) > 3 {\nm.Barrier() //!\n}", "under a condition of line %d"},
		{"for j := range team.ThreadRange(m, 9).All() {\n_ = j\nm.Barrier() //!\n}", "where they have different items"},
		{"var s float64\nteam.Reduce(team.ThreadRange(m, m.Rank()), func(j int, acc *float64) { *acc += x[j] }, builtin.Sum(&s)) //!\nx[0] = s", "the number of items of a nested reduction may differ"},
		{"x[0] = team.Broadcast(m, x[1], m.Rank()) //!", "the rank of a Broadcast may differ"},
		{"if len(x) > 2 {\ns := team.Scratch[float64](m, 0, 4) //!\nx[0] = s[0]\n}", "asks for scratch memory in a branch or a loop"},
		{"s := team.Scratch[float64](m, 0, m.Rank()) //!\nx[0] = s[0]", "the length of scratch memory may differ"},
		{"s := team.Scratch[*int](m, 0, 3) //!\n_ = s", "scratch memory for values of type *int"},
		{"x[0] = float64(m.SubGroup().Rank()) //!", "cannot call method SubGroup of a member"},
		{"t := 0.0\nteam.Reduce(team.VectorRange(m, 3), func(j int, acc *float64) { //!\nt++\n}, builtin.Sum(&x[0]))", "the functor of a nested reduction sets t"},
		{"var w [300]float64 //!\nfor k := range w {\nw[(k+m.Rank())%300] = 1\n}\nx[m.Rank()] = w[int(x[0])]", "a member of a team has a variable w of type [300]float64"},
		{"var v float64\nteam.Reduce(team.VectorRange(m, 3), func(j int, acc *float64) {}, builtin.Norm2(&v)) //!", "a nested pattern has another reducer"},
	}
	for n, c := range cases {
		fmt.Fprintf(&text, "\n//gokkos:kernel\nfunc k%d(x []float64) func(m *team.Member) {\nreturn func(m *team.Member) {\n%s\n}\n}\n", n, c.body)
	}
	dir, err := filepath.Abs("../../random/refusedteams")
	require.NoError(t, err)
	_, err = os.Stat(dir)
	require.Error(t, err, "it seems to be only")
	packages, err := front.Load(front.Config{Dir: "../..", Overlay: map[string][]byte{filepath.Join(dir, "kernels.go"): []byte(text.String())}}, "./random/refusedteams")
	require.NoError(t, err)
	lines := strings.Split(text.String(), "\n")
	require.Len(t, packages[0].Kernels, len(cases))
	for n, k := range packages[0].Kernels {
		c := cases[n]
		var pos, line int
		var says string
		if k.Refused != nil {
			pos, says = k.Refused.Pos.Line, k.Refused.Reason
		} else if r, ok := pass.Phases(k.IR).(*pass.Refusal); assert.True(t, ok, "%s is compiled:\n%s", k.Func, c.body) {
			pos, says = r.Pos.Line, r.Reason
		} else {
			continue
		}
		for at := pos; at > 0 && line == 0; at-- {
			if strings.Contains(lines[at-1], "//?") {
				line = at
			}
		}
		want := c.reason
		if strings.Contains(want, "%d") {
			want = fmt.Sprintf(want, line)
		}
		assert.Contains(t, says, want, k.Func)
		assert.Contains(t, lines[pos-1], "//!", "%s: %s", k.Func, says)
	}
}
