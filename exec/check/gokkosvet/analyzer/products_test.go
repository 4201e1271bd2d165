package analyzer_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The compiler fuses a product that has a name, is stored, or comes from a function that it inlines, and no product that
// a conversion rounds: that is why -gokkos.fused reports them.
func TestCompilerFusesProductsWithNames(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module fuse\n\ngo 1.26\n", "f.go": `package fuse

func named(x, y []float64) { t := x[0] * x[0]; y[0] = t + 1.5 }

func square(x float64) float64 { return x * x }

func helper(x, y []float64) { y[0] = square(x[0]) + 1.5 }

func add(a, b float64) float64 { return a + b }

func given(x, y []float64) { y[0] = add(x[0]*x[0], 1.5) }

func stored(x, y []float64) {
	for i := range x {
		y[i] = x[i] * x[i]
		y[i] += 1.5
	}
}

func rounded(x, y []float64) { t := float64(x[0] * x[0]); y[0] = t + 1.5 }
`} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "build", "-gcflags=-S", ".")
	cmd.Dir, cmd.Env = folder, append(os.Environ(), "GOARCH=arm64", "GOOS=linux", "GOFLAGS=", "GOWORK=off", "CGO_ENABLED=0")
	listing, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, listing)
	}
	var fused []string
	function, multiplies := "", regexp.MustCompile(`\bFN?M(ADD|SUB)D\b`)
	for line := range strings.Lines(string(listing)) {
		if name, ok := strings.CutPrefix(line, "fuse."); ok {
			function, _, _ = strings.Cut(name, " ")
		}
		if multiplies.MatchString(line) && !slices.Contains(fused, function) {
			fused = append(fused, function)
		}
	}
	slices.Sort(fused)
	if want := []string{"given", "helper", "named", "stored"}; !slices.Equal(fused, want) {
		t.Errorf("products of %v are fused, expected those of %v", fused, want)
	}
}
