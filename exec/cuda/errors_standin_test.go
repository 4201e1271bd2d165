//go:build linux && (amd64 || arm64)

package cuda_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/algorithms"
)

// told are the parts of messages that are another program's on the page.
var told = []struct {
	is   *regexp.Regexp
	page string
}{
	{regexp.MustCompile(`\w+_test\.go:\d+`), "kernel.go:12"},
	{regexp.MustCompile(`\([^()]*TestPageOfErrors[.\w]*\)`), "(main.step.func1)"},
	{regexp.MustCompile(`cuda_test\.`), "main."},
	{regexp.MustCompile(`Stand-in 0`), "NVIDIA H200"},
}

// The page of errors has the message of each mistake on a card, and no other ones.
func TestPageOfErrors(t *testing.T) {
	s, _ := open(t)
	u, h := on(t, s, 1, 2, 3), views.Must(views.New1[float64]("h", 3))
	p := policy.Range(0, 3).WithLabel("demo").On(s)
	var sum float64
	mistakes := []error{
		exec.ParallelFor(p, func(i int) { h.Set(i, 1) }),
		exec.ParallelFor(p, OfSlice([]float64{1, 2, 3})),
		exec.ParallelFor(p, Axpy(1, h, u)),
		exec.ParallelFold(exec.Slice(p, []float64{1, 2, 3}), builtin.Sum(&sum)),
		exec.ParallelFold(views.Source(u, policy.On(exec.Serial{})), builtin.Sum(&sum)),
		algorithms.ForEach(u, func(int, *float64) {}),
	}
	page, err := os.ReadFile("../../docs/errors.md")
	require.NoError(t, err)
	_, cards, _ := strings.Cut(string(page), "## Cards\n")
	cards, _, ok := strings.Cut(cards, "\n## ")
	require.True(t, ok)
	rows := map[string]bool{}
	for _, m := range regexp.MustCompile("(?m)^\\| `(.*?)` \\| .* \\| .* \\|$").FindAllStringSubmatch(cards, -1) {
		rows[m[1]] = true
	}
	for _, err := range mistakes {
		require.Error(t, err)
		message := err.Error()
		for _, x := range told {
			message = x.is.ReplaceAllString(message, x.page)
		}
		assert.True(t, rows[message], "docs/errors.md does not have this message: %s", message)
		delete(rows, message)
	}
	assert.Empty(t, rows, "nothing gives these messages")
}
