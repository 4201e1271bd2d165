// Package leaktest fails a test binary that leaves goroutines behind.
package leaktest

import (
	"fmt"
	"io"
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/gokkos/gokkos/exec"
)

// Main runs the tests of a package, and then looks for goroutines. There may be none:
// every test closes the spaces that it makes, and Main closes the default one.
func Main(m *testing.M) { goleak.VerifyTestMain(tests{m}) }

type tests struct{ *testing.M }

func (t tests) Run() int {
	code := t.M.Run()
	if err := closeDefault(); err != nil {
		fmt.Fprintln(os.Stderr, "leaktest:", err)
		return 1
	}
	return code
}

// closeDefault ends the helpers of the default space, which stand as long as the program
// runs.
func closeDefault() error {
	space, err := exec.Default()
	if err != nil {
		return err
	}
	if c, ok := space.(io.Closer); ok {
		return c.Close()
	}
	return nil
}
