package analyzer_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/gokkosvet/analyzer"
)

// A functor is followed through 199 helpers, each of which calls the next one, and not through more.
func TestHelpersAreFollowed(t *testing.T) {
	var text strings.Builder
	text.WriteString(`package deep

import (
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
)

func helper1(x []float64, k int) { x[k] = 1 }
`)
	const most = 210
	for k := 2; k <= most; k++ {
		fmt.Fprintf(&text, "\nfunc helper%d(x []float64, k int) { helper%d(x, k) }\n", k, k-1)
	}
	for _, k := range []int{1, 3, 26, 27, 100, 199, 200, most} {
		want := "// want `a functor writes x, which items share`"
		if k > 199 {
			want = ""
		}
		fmt.Fprintf(&text, `
func launch%[1]d(x []float64) error {
	return exec.ParallelFor(policy.Range(0, 9), func(i int) {
		helper%[1]d(x, i)
		helper%[1]d(x, i/2) %[2]s
	})
}
`, k, want)
	}
	folder, err := os.MkdirTemp(analysistest.TestData(), "deep")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	if err := os.WriteFile(filepath.Join(folder, "deep.go"), []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	analysistest.Run(t, analysistest.TestData(), analyzer.Analyzer, "./"+filepath.Base(folder))
}
