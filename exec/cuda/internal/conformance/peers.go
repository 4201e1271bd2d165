//go:build linux && (amd64 || arm64)

package conformance

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

//go:embed peers/peers.cu
var peers []byte

// Peers prints rows of the table of [Figures] for the same kernels in CUDA C++, which nvcc compiles without contraction, if
// it is there.
func Peers(t *testing.T, n int) {
	nvcc, err := exec.LookPath("nvcc")
	if err != nil {
		t.Skip("no peers: ", err)
	}
	source, program := filepath.Join(t.TempDir(), "peers.cu"), filepath.Join(t.TempDir(), "peers")
	require.NoError(t, os.WriteFile(source, peers, 0o600))
	output, err := exec.Command(nvcc, "-O3", "-std=c++17", "-arch=native", "-fmad=false", "-o", program, source).CombinedOutput()
	require.NoError(t, err, "%s", output)
	run := exec.Command(program, fmt.Sprint(n))
	run.Stdout, run.Stderr = os.Stdout, os.Stderr
	require.NoError(t, run.Run())
}
