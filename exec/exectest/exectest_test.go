package exectest_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/exectest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestSerial(t *testing.T) { exectest.TestSpace(t, exec.Serial{}) }

func TestGoroutines(t *testing.T) {
	for _, workers := range []int{1, 2, 3, 5, 7, 16, 61} {
		t.Run(fmt.Sprint(workers), func(t *testing.T) {
			space := exec.NewGoroutines(workers)
			defer func() { require.NoError(t, space.Close()) }()
			exectest.TestSpace(t, space)
		})
	}
}
