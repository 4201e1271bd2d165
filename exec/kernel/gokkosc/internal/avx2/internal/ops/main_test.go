package ops

import (
	"os"
	"testing"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/compiled"
)

func TestMain(m *testing.M) { os.Exit(compiled.Tests(m, Least(nil, nil, nil))) }
