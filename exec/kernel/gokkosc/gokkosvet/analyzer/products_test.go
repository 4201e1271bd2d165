package analyzer_test

import (
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The compiler fuses exactly the products that -gokkos.fused follows to a sum.
func TestCompilerFusesWhatIsFollowed(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module fuse\n\ngo 1.26\n", "f.go": `package fuse

type pair struct{ a, b float64 }

func (p pair) sum() float64 { return p.a + p.b }

func (p *pair) add(z float64) { p.a += z }

func square(x float64) float64 { return x * x }

func add(a, b float64) float64 { return a + b }

func pick(x float64) float64 {
	if x > 1 {
		return x * x
	}
	return x
}

//go:noinline
func far(a float64) float64 { return a + 1 }

func FusedName(x, y []float64) { t := x[0] * x[0]; y[0] = t + 1.5 }

func FusedResult(x, y []float64) { y[0] = square(x[0]) + 1.5 }

func FusedArgument(x, y []float64) { y[0] = add(x[0]*x[0], 1.5) }

func FusedElement(x, y []float64) {
	for i := range x {
		y[i] = x[i] * x[i]
		y[i] += 1.5
	}
}

func FusedReceiver(x, y []float64) { y[0] = pair{x[0] * x[0], 1}.sum() }

func FusedPointer(x, y []float64) { r := pair{x[0] * x[0], 1}; r.add(1); y[0] = r.a }

func FusedCopy(x, y []float64) { q := pair{1, x[0] * x[0]}; z := q; y[0] = z.b + 1 }

func FusedArray(x, y []float64) { a := [2]float64{x[0] * x[0], 1}; y[0] = a[0] + a[1] }

func FusedIncrement(x, y []float64) { t := x[0] * x[0]; t++; y[0] = t }

func FusedQuotient(x, y []float64) { y[0] = x[0]/4 + y[1] }

func FusedComplex(x, y []complex128) { y[0] = x[0] * x[0] }

func FusedLeft(x, y []float64) {
	for {
		t := x[0] * y[0]
		if t > 3 {
			y[0] = t + 1
			break
		}
	}
}

func FusedInterface(x, y []float64) { var t any = x[0] * x[0]; y[0] = t.(float64) + 1 }

func Rounded(x, y []float64) { t := float64(x[0] * x[0]); y[0] = t + 1.5 }

func Loop(x, y []float64) { p := 1.0; for i := range 4 { p *= x[i] }; y[0] = p + 1 }

func Branch(x, y []float64) { t := 0.0; if len(x) > 3 { t = x[0] * 2.5 }; y[0] = t + 1 }

func Results(x, y []float64) { y[0] = pick(x[0]) + 1 }

func Twice(x, y []float64) { y[0] = 2*x[0] + x[1]*-1 }

func Written(x, y, z []float64) { y[0] = x[0] * x[1]; z[0] = 3; y[0] += 1.5 }

func Called(x, y []float64) { y[0] = x[0] * x[0]; println(); y[0] += 1 }

func Noinline(x, y []float64) { y[0] = far(x[0]*x[0]) }

func Any(x, y []float64) {
	a, s := [2]float64{x[0] * x[0], 1}, 0.0
	for _, v := range a {
		s += v
	}
	y[0] = s
}
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
	fused := map[string]bool{}
	function, multiplies := "", regexp.MustCompile(`\bFN?M(ADD|SUB)D\b`)
	for line := range strings.Lines(string(listing)) {
		if name, ok := strings.CutPrefix(line, "fuse."); ok {
			function, _, _ = strings.Cut(name, " ")
			fused[function] = false
		}
		fused[function] = fused[function] || multiplies.MatchString(line)
	}
	for name, is := range fused {
		if token.IsExported(name) && !strings.Contains(name, ".") && is != strings.HasPrefix(name, "Fused") {
			t.Errorf("the product of %s is fused: %v", name, is)
		}
	}
	if len(fused) < 20 {
		t.Errorf("the listing has the functions %v", fused)
	}
}
