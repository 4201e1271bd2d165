//go:build !gokkos_bounds && !race

package views_test

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/views"
)

// access is here for the compiler to say what it does with it.
func access(x float64, a1 views.View1[float64], a2 views.View2[float64], a3 views.View3[float64], a4 views.View4[float64],
	s1 views.Strided1[float64], s2 views.Strided2[float64], s3 views.Strided3[float64], s4 views.Strided4[float64]) float64 {
	a1.Set(1, x)
	a2.Set(1, 1, x)
	a3.Set(1, 1, 1, x)
	a4.Set(1, 1, 1, 1, x)
	s1.Set(1, x)
	s2.Set(1, 1, x)
	s3.Set(1, 1, 1, x)
	s4.Set(1, 1, 1, 1, x)
	*a1.Ptr(1), *a2.Ptr(1, 1), *a3.Ptr(1, 1, 1), *a4.Ptr(1, 1, 1, 1) = x, x, x, x
	*s1.Ptr(1), *s2.Ptr(1, 1), *s3.Ptr(1, 1, 1), *s4.Ptr(1, 1, 1, 1) = x, x, x, x
	x = a2.Row(1)[0] + a3.Row(1, 1)[0] + a4.Row(1, 1, 1)[0]
	x += a1.At(1) + a2.At(1, 1) + a3.At(1, 1, 1) + a4.At(1, 1, 1, 1)
	return x + s1.At(1) + s2.At(1, 1) + s3.At(1, 1, 1) + s4.At(1, 1, 1, 1)
}

var _ = access

// The compiler inlines At, Set, Ptr and Row.
func TestInlined(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the compiler")
	}
	out, err := exec.Command("go", "test", "-c", "-o", os.DevNull, "-gcflags=-m", ".").CombinedOutput()
	require.NoError(t, err, "%s", out)
	for _, call := range []string{
		"View1.At", "View1.Set", "View1.Ptr", "Strided1.At", "Strided1.Set", "Strided1.Ptr",
		"View2.At", "View2.Set", "View2.Ptr", "Strided2.At", "Strided2.Set", "Strided2.Ptr", "View2.Row",
		"View3.At", "View3.Set", "View3.Ptr", "Strided3.At", "Strided3.Set", "Strided3.Ptr", "View3.Row",
		"View4.At", "View4.Set", "View4.Ptr", "Strided4.At", "Strided4.Set", "Strided4.Ptr", "View4.Row",
	} {
		name, method, _ := strings.Cut(call, ".")
		inlined := regexp.MustCompile(`inline_test\.go:\d+:\d+: inlining call to views\.` + name + `\[[^]]*\]\.` + method + "\n")
		assert.True(t, inlined.Match(out), call)
	}
}
