//go:build !386 && !arm && !mips && !mipsle

package kernels

import (
	"os"
	"testing"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/compiled"
)

func TestMain(m *testing.M) { os.Exit(compiled.Tests(m, Axpy(1, nil, nil))) }
