//go:build !386 && !arm && !mips && !mipsle

package kernels

import (
	"fmt"
	"os"
	"testing"

	"github.com/gokkos/gokkos/exec/kernel"
)

func TestMain(m *testing.M) {
	level, undo := kernel.Limit(kernel.AVX512)
	undo()
	if level > kernel.Closure && kernel.Of(Axpy(1, nil, nil)) == nil {
		fmt.Println("the kernels of these tests are not compiled: make kernels does it, and prints the flag -overlay for go test")
		os.Exit(1)
	}
	os.Exit(m.Run())
}
