//go:build gokkos_slow && !race

package scatter_test

import (
	"os"
	"os/exec"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/views/scatter"
)

// product is here for the compiler to say what it does with it.
func product(acc *scatter.Access[float64], i int, x, y float64) { acc.Combine1(i, x*y) }

var _ = product

// Combine1 is inlined, but what it adds is rounded before, as what lists keep is. Otherwise
// the bits would depend on how long lists were earlier.
//
// It is slow because all packages are compiled for another processor, one that fuses.
func TestInlinedAndNotFused(t *testing.T) {
	c := exec.Command("go", "test", "-tags", "gokkos_slow", "-c", "-o", os.DevNull, "-gcflags=-m -S", ".")
	c.Env = append(os.Environ(), "GOARCH=arm64", "CGO_ENABLED=0")
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%s", out)
	found := func(pattern string) bool { return regexp.MustCompile(pattern).Match(out) }
	assert.True(t, found(`inline_test\.go:\d+:\d+: inlining call to scatter\.\(\*Access\[[^]]*\]\)\.Combine1\n`), "inlined")
	assert.True(t, found(`inline_test\.go:\d+\)\tFMULD`), "the listing has the product")
	assert.False(t, found(`access\.go:\d+\)\tFN?M(ADD|SUB)`), "fused")
}
