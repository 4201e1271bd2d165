package gokkos

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	// What exports looks at, and no other test here imports.
	_ "github.com/gokkos/gokkos/builtin/reduction"
	_ "github.com/gokkos/gokkos/exec/exectest"
	_ "github.com/gokkos/gokkos/exec/graph"
	_ "github.com/gokkos/gokkos/exec/kernel/kmath"
	_ "github.com/gokkos/gokkos/exec/kernel/ptxtext"
	_ "github.com/gokkos/gokkos/exec/space/spacetest"
	_ "github.com/gokkos/gokkos/exec/tools"
	_ "github.com/gokkos/gokkos/exec/tools/rate"
	_ "github.com/gokkos/gokkos/reducers/reducertest"
	_ "github.com/gokkos/gokkos/team/group"
	_ "github.com/gokkos/gokkos/views/algorithms"
	_ "github.com/gokkos/gokkos/views/bitset"
	_ "github.com/gokkos/gokkos/views/crs"
	_ "github.com/gokkos/gokkos/views/hashmap"
	_ "github.com/gokkos/gokkos/views/mtx"
	_ "github.com/gokkos/gokkos/views/npy"
	_ "github.com/gokkos/gokkos/views/random"
	_ "github.com/gokkos/gokkos/views/scatter"
	_ "github.com/gokkos/gokkos/views/tensor"
	_ "github.com/gokkos/gokkos/views/token"
)

// On an empty build cache, go test compiles the packages that exports looks at before these
// tests run. Otherwise exports would compile them beside go test, a second time.
func TestExportsAreCompiledAlready(t *testing.T) {
	files, err := exportFiles()
	require.NoError(t, err)
	output, err := exec.Command("go", "list", "-test", "-deps", ".").Output()
	require.NoError(t, err)
	imported := strings.Fields(string(output))
	ours := 0
	for name := range files {
		if strings.HasPrefix(name, module) {
			ours++
			assert.True(t, slices.Contains(imported, name), "imports_test.go does not import %s", name)
		}
	}
	assert.Greater(t, ours, 15)
}

// A test binary is linked with -gcflags=-race only if it has the hooks of package watch.
func TestEveryTestHasTheHooks(t *testing.T) {
	tests := 0
	for _, module := range []string{".", "examples", "exec/mpi", "exec/cuda", "exec/tools/kokkos", "exec/kernel/gokkosc"} {
		output, err := exec.Command("go", "-C", module, "list", "-test", "-f", "{{.ImportPath}} {{.Deps}}", "./...").Output()
		require.NoError(t, err, module)
		for line := range strings.Lines(string(output)) {
			if name, deps, _ := strings.Cut(line, " "); strings.HasSuffix(name, ".test") {
				tests++
				assert.Contains(t, deps, "github.com/gokkos/gokkos/internal/watch", "the tests of %s import nothing that has the hooks, expected a blank import", strings.TrimSuffix(name, ".test"))
			}
		}
	}
	assert.Greater(t, tests, 50)
}
