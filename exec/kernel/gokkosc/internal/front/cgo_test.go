package front_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/front"
)

// A file that imports "C" takes the assembly away from a package if a build of the package has it, and from
// no other one.
func TestFilesWithC(t *testing.T) {
	const c = "import \"C\"\n"
	for _, of := range []struct {
		name, text string
		takes      bool
	}{
		{"c.go", "package made\n" + c, true},
		{"c.go", "//go:build cgo\n\npackage made\n" + c, true},
		{"c.go", "//go:build cuda && linux\n\npackage made\n" + c, true},
		{"c_windows.go", "package made\n" + c, true},
		{"c.go", "//go:build ignore\n\npackage made\n" + c, false},
		{"c.go", "// +build ignore\n\npackage made\n" + c, false},
		{"c.go", "//go:build cgo && ignore\n\npackage made\n" + c, false},
		{"c.go", "//go:build !cgo\n\npackage made\n" + c, false},
		{"c.go", "//go:build ignore\n\npackage main\n" + c, false},
		{"c.go", "//go:build cuda\n\npackage main\n" + c, false},
		{"c_test.go", "package made\n" + c, false},
		{"_c.go", "package made\n" + c, false},
		{"c.go", "package made\n", false},
	} {
		for _, enabled := range []string{"0", "1"} {
			t.Setenv("CGO_ENABLED", enabled)
			dir := t.TempDir()
			for name, text := range map[string]string{
				"go.mod":     "module made\n\ngo 1.26\n",
				"kernels.go": "package made\n\n//gokkos:kernel\nfunc f(y []int) func(i int) {\n\treturn func(i int) { y[i] = 1 }\n}\n",
				of.name:      of.text,
			} {
				require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
			}
			packages, err := front.Load(front.Config{Dir: dir}, ".")
			require.NoError(t, err, of.text)
			want := ""
			if of.takes {
				want = of.name + ` imports "C", and Go takes no assembly beside cgo; move the kernel to a package without`
			}
			assert.Equal(t, want, packages[0].NoAssembly, "%s with CGO_ENABLED=%s:\n%s", of.name, enabled, of.text)
			require.Len(t, packages[0].Kernels, 1)
			assert.NotEmpty(t, packages[0].Kernels[0].MadeOf)
		}
	}
}
