package scan_test

import (
	"testing"

	"github.com/gokkos/gokkos/internal/leaktest"
)

func TestMain(m *testing.M) { leaktest.Main(m) }
