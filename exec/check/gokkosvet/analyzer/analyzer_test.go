package analyzer_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/gokkos/gokkos/exec/check/gokkosvet/analyzer"
)

func TestMistakes(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), analyzer.Analyzer, "wrong")
}

func TestNoMistakes(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), analyzer.Analyzer, "correct")
}

func TestFused(t *testing.T) {
	if err := analyzer.Analyzer.Flags.Set("fused", "true"); err != nil {
		t.Fatal(err)
	}
	defer analyzer.Analyzer.Flags.Set("fused", "false")
	analysistest.Run(t, analysistest.TestData(), analyzer.Analyzer, "products")
}
