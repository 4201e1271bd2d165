// Package inside has what the tests of package exectest use of it that it does not export. They are a package of their
// own, so that the suite, which takes the compiler long, is not compiled again with them.
package inside

import (
	"io"
	"time"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/reducers/concept"
)

// A Case is a case of the suite.
type Case struct {
	Name string
	Try  func(s exec.Space, limit time.Duration) Outcome
}

// An Outcome is how a case went.
type Outcome struct {
	Failures []string
	Hung     bool
}

// A Tester is what TestKernel needs of a testing.TB.
type Tester interface {
	Helper()
	Logf(format string, args ...any)
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Failed() bool
	Skipped() bool
	Output() io.Writer
	Name() string
}

// Package exectest sets these.
var (
	// Cases returns all cases.
	Cases func() []Case
	// TestKernel is exectest.TestKernel with a slice of its options, and what tells of the environment.
	TestKernel func(t Tester, kernel func(s exec.Space) any, env func(name string) string, options any)
	// StaleKernels says which compiled kernels of the module around a folder are of older sources.
	StaleKernels func(folder string) []string
	// Folding returns what computes the bytes of nodes by an operation, or nil if nobody knows how.
	Folding func(f device.Fold, o concept.Operation, lanes int) func(g space.Grid, first, last int) []byte
)
