package analyzer_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/gokkosvet/analyzer"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/gokkosvet/internal/witness"
)

func init() { witness.Strict = true }

// The kernels belong to a user's module.
func TestKernels(t *testing.T) {
	for folder, flag := range map[string]string{"wrong": "", "correct": "", "ignored": "", "fused": "fused", "unwatched": "unwatched", "stale": "", "compiled": "", "rounded": "fused", "passed": ""} {
		t.Run(folder, func(t *testing.T) {
			if flag != "" {
				set(t, flag, "true")
				defer set(t, flag, "false")
			}
			run := analysistest.Run
			if folder == "rounded" {
				run = analysistest.RunWithSuggestedFixes
			}
			run(t, analysistest.TestData(), analyzer.Analyzer, "./"+folder)
		})
	}
}

func set(t *testing.T, flag, to string) {
	t.Helper()
	if err := analyzer.Analyzer.Flags.Set(flag, to); err != nil {
		t.Fatal(err)
	}
}
