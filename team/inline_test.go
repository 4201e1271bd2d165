//go:build !race

package team_test

import (
	"os/exec"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The compiler inlines the loops of functors, and the bodies of these loops into them.
func TestInlined(t *testing.T) {
	out, err := exec.Command("go", "build", "-gcflags=-m", "./testdata/loops").CombinedOutput()
	require.NoError(t, err, "%s", out)
	for line, loop := range map[int]string{
		11: "team.Range[go.shape.int].All",
		14: "team.Range[go.shape.struct { I int; J int }].All",
		18: "team.Range[go.shape.int].All",
		24: "team.Lanes[go.shape.float64].Items",
	} {
		at := `loops\.go:` + strconv.Itoa(line) + `:\d+: inlining call to `
		for _, call := range []string{regexp.QuoteMeta(loop) + "\n", `Loops(\.func\d)?-range\d\n`} {
			assert.True(t, regexp.MustCompile(at+call).Match(out), at+call)
		}
	}
}
