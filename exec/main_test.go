package exec_test

import (
	"testing"

	"go.uber.org/goleak"
)

// Every test closes the spaces it makes; only the default one stays.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/gokkos/gokkos/exec.(*crew).rest"))
}
