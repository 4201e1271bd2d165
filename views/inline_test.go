//go:build !gokkos_bounds && !race

package views_test

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The compiler inlines At, Set, Ptr and Row.
func TestInlined(t *testing.T) {
	out, err := exec.Command("go", "build", "-gcflags=-m", "./testdata/access").CombinedOutput()
	require.NoError(t, err, "%s", out)
	for _, call := range []string{
		"View1.At", "View1.Set", "View1.Ptr", "View1.Row", "Strided1.At", "Strided1.Set", "Strided1.Ptr",
		"View2.At", "View2.Set", "View2.Ptr", "Strided2.At", "Strided2.Set", "Strided2.Ptr", "View2.Row",
		"View3.At", "View3.Set", "View3.Ptr", "Strided3.At", "Strided3.Set", "Strided3.Ptr", "View3.Row",
		"View4.At", "View4.Set", "View4.Ptr", "Strided4.At", "Strided4.Set", "Strided4.Ptr", "View4.Row",
		"Offset1.At", "Offset1.Set", "Offset1.Ptr", "Offset2.At", "Offset2.Set", "Offset2.Ptr", "Offset2.Row",
		"Offset3.At", "Offset3.Set", "Offset3.Ptr", "Offset3.Row",
	} {
		name, method, _ := strings.Cut(call, ".")
		inlined := regexp.MustCompile(`access\.go:\d+:\d+: inlining call to views\.` + name + `\[[^]]*\]\.` + method + "\n")
		assert.True(t, inlined.Match(out), call)
	}
}
