package kmath_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The compiler for arm64 rounds a product and a sum together where it may. It does so for math.FMA and
// nowhere else: each other product that is added to something is converted first.
func TestNothingElseIsFused(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the package for another processor")
	}
	require.Greater(t, len(fused(t)), 100, "the pattern finds what math.FMA compiles to")
	assert.Empty(t, fused(t, "-overlay="+withoutFMA(t)), "products and sums that are rounded together")
}

// fused returns where the compiler for arm64 rounds a product and a sum together.
func fused(t *testing.T, flags ...string) (places []string) {
	t.Helper()
	build := exec.Command("go", append(append([]string{"build", "-o", os.DevNull, "-gcflags=-S"}, flags...), ".")...)
	build.Env = append(os.Environ(), "GOARCH=arm64", "GOOS=linux", "CGO_ENABLED=0")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	for _, m := range regexp.MustCompile(`\(([^()]*\.go:\d+)\)\s+FN?M(ADD|SUB)[SD]`).FindAllStringSubmatch(string(out), -1) {
		places = append(places, m[1])
	}
	return places
}

// withoutFMA returns a file that tells go build to call another function for math.FMA.
func withoutFMA(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	replaced := map[string]string{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		changed := strings.ReplaceAll(string(text), "math.FMA(", "separate(")
		if name == "doc.go" {
			changed += "\n//go:noinline\nfunc separate(x, y, z float64) float64 { return z }\n"
		}
		path, err := filepath.Abs(name)
		require.NoError(t, err)
		replaced[path] = filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(replaced[path], []byte(changed), 0o644))
	}
	list, err := json.Marshal(map[string]any{"Replace": replaced})
	require.NoError(t, err)
	path := filepath.Join(dir, "overlay.json")
	require.NoError(t, os.WriteFile(path, list, 0o644))
	return path
}
