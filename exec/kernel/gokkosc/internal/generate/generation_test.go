package generate_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/front"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/generate"
)

// A build fails if one generated file has another generation than the others, in the package's folder or in
// an overlay. The error says which command to run.
func TestBuildFailsWithFilesOfTwoGenerations(t *testing.T) {
	root := folder(t, "generations")
	build := func(flags ...string) (said string) {
		args := append(append([]string{"build", "-o", os.DevNull}, flags...), "./"+root)
		out, err := exec.Command("go", args...).CombinedOutput()
		if err != nil {
			require.NotEmpty(t, string(out))
		}
		return string(out)
	}
	made := func(constant string) *generate.Package {
		source := "package made\n\nimport \"math\"\n\nconst a = " + constant + "\n\n//gokkos:kernel\n" +
			"func f(x []float64) func(i int) {\n\treturn func(i int) { x[i] = math.Sqrt(x[i]) + a }\n}\n"
		require.NoError(t, os.WriteFile(filepath.Join(root, "a.go"), []byte(source), 0o644))
		packages, err := generate.Packages(front.Config{}, "./"+root)
		require.NoError(t, err)
		return packages[0]
	}
	old := made("2")
	fresh := made("3")
	require.NoError(t, fresh.Write())
	require.Empty(t, build())
	const run = "staleKernels_run_go_generate_or_gokkosc_"
	require.Len(t, fresh.Files, 6)
	for name, text := range old.Files {
		require.NoError(t, os.WriteFile(filepath.Join(root, name), text, 0o644))
		if said := build(); assert.Contains(t, said, run, name) {
			assert.True(t, strings.Contains(said, "undefined: "+run) || strings.Contains(said, `"`+run), said)
		}
		require.NoError(t, fresh.Write())
	}

	file := filepath.Join(root, "overlay.json")
	overlay, err := generate.OpenOverlay(file)
	require.NoError(t, err)
	require.NoError(t, overlay.Move(fresh))
	require.NoError(t, overlay.Write())
	require.NoError(t, fresh.Write())
	require.Empty(t, build("-overlay", file))
	require.NoError(t, made("4").Write())
	require.Empty(t, build())
	assert.Contains(t, build("-overlay", file), "undefined: "+run)
}
