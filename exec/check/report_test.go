package check_test

import (
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/check"
	"github.com/gokkos/gokkos/exec/gpu"
)

// allAreWatched reports whether each SimGPU watches its kernels.
func allAreWatched() bool { return os.Getenv("GOKKOS_SIMGPU") == "check" }

var update = flag.Bool("update", false, "write the files of testdata")

// What is found is told in the same bytes in each run, as text, JSON and SARIF.
func TestReports(t *testing.T) {
	sim := exec.NewSimGPU(gpu.H200()).WithChecks()
	defer sim.Close()
	for name, kernel := range map[string]func(exec.Space) error{"shift": shiftRows, "tree": sumTree, "lanes": unwritten, "mean": meanOfTwo, "count": count, "members": countMembers} {
		for range 3 {
			var e *check.Error
			if err := kernel(sim); err == nil {
				t.Skip("go test -gcflags=-race watches these kernels")
			} else {
				require.True(t, errors.As(err, &e), "%v", err)
			}
			asJSON, err := json.MarshalIndent(e, "", "  ")
			require.NoError(t, err)
			asSARIF, err := check.SARIF(e)
			require.NoError(t, err)
			for suffix, text := range map[string]string{".txt": e.Error(), ".json": string(asJSON), ".sarif": string(asSARIF)} {
				file := filepath.Join("testdata", name+suffix)
				if *update {
					require.NoError(t, os.WriteFile(file, []byte(relative(text)+"\n"), 0o644))
				}
				want, err := os.ReadFile(file)
				require.NoError(t, err)
				require.Equal(t, string(want), relative(text)+"\n", file)
			}
		}
	}
}

// relative returns text without the folder that this repository is in.
func relative(text string) string {
	_, file, _, _ := runtime.Caller(0)
	folder := strings.TrimSuffix(file, "exec/check/report_test.go")
	for _, key := range []string{`"file": "`, `"uri": "`} {
		text = strings.ReplaceAll(text, key+folder, key)
	}
	return text
}
