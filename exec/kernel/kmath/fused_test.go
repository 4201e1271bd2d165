package kmath_test

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The compiler for arm64 rounds a product and a sum together where it may. It does so in func fma
// and nowhere else: each other product that is added to something is converted first.
func TestNothingElseIsFused(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the package for another processor")
	}
	build := exec.Command("go", "build", "-o", os.DevNull, "-gcflags=-S", ".")
	build.Env = append(os.Environ(), "GOARCH=arm64", "GOOS=linux", "CGO_ENABLED=0")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	fused := regexp.MustCompile(`\(([^()]*\.go:\d+)\)\s+FN?M(ADD|SUB)[SD]`)
	inFMA := fusedMultiplyAdd(t)
	found := 0
	for _, m := range fused.FindAllStringSubmatch(string(out), -1) {
		if strings.HasSuffix(m[1], inFMA) {
			found++
			continue
		}
		t.Errorf("%s: a product and a sum are rounded together", m[1])
	}
	require.Greater(t, found, 100, "the pattern finds what fma compiles to")
}

// fusedMultiplyAdd returns file and line of the one call of math.FMA.
func fusedMultiplyAdd(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	before, _, ok := strings.Cut(string(text), "return math.FMA(")
	require.True(t, ok)
	line := strings.Count(before, "\n") + 1
	return "doc.go:" + strconv.Itoa(line)
}
