//go:build !race && !noasm && (amd64 || arm64)

package watch_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// instrumented reports whether this test was built with -gcflags=-race.
func instrumented() bool {
	info, _ := debug.ReadBuildInfo()
	for _, s := range info.Settings {
		if s.Key == "-gcflags" && strings.Contains(s.Value, "-race") {
			return true
		}
	}
	return false
}

// The files of a module with a kernel, and a package that imports nothing of gokkos.
var files = map[string]string{
	"go.mod": "module example.com/me\n\ngo 1.26\n\nrequire github.com/gokkos/gokkos v0.0.0\n",
	"plain/plain.go": `package plain

func Next(x []int) { x[0]++ }
`,
	"plain/plain_test.go": `package plain

import "testing"

func TestNext(t *testing.T) { Next(make([]int, 1)) }
`,
	"counted/counted.go": `package counted

import (
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
)

func Ones(s exec.Space, x []int) error {
	return exec.ParallelFor(policy.Range(0, len(x)).On(s), func(i int) { x[i] = 1 })
}
`,
	"counted/counted_test.go": `package counted

import (
	"testing"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
)

func TestOnes(t *testing.T) {
	sim := exec.NewSimGPU(gpu.H200()).WithChecks()
	defer sim.Close()
	if err := Ones(sim, make([]int, 10)); err != nil {
		t.Fatal(err)
	}
	if r, _ := sim.LastReport(); r.Accesses != 10 {
		t.Fatal(r.Accesses)
	}
}
`,
	"kernel/kernel_test.go": `package kernel

import (
	"testing"

	"example.com/me/plain"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/policy"
)

func TestKernel(t *testing.T) {
	sim := exec.NewSimGPU(gpu.H200()).WithChecks()
	defer sim.Close()
	x := make([]int, 1)
	if err := exec.ParallelFor(policy.Range(0, 10).On(sim), func(i int) { plain.Next(x) }); err != nil {
		t.Fatal(err)
	}
}
`,
}

// It takes the compiler some seconds, so it runs where other kernels are watched only.
func TestModuleOfAUser(t *testing.T) {
	if !instrumented() {
		t.Skip("go test -gcflags=-race runs this")
	}
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.sum"), sum, 0o644))
	run := func(args ...string) (string, error) {
		c := exec.Command("go", args...)
		c.Dir, c.Env = dir, append(os.Environ(), "GOFLAGS=-mod=mod "+os.Getenv("GOFLAGS"))
		out, err := c.CombinedOutput()
		return string(out), err
	}
	out, err := run("mod", "edit", "-replace", "github.com/gokkos/gokkos="+root)
	require.NoError(t, err, out)

	out, err = run("test", "-vet=off", "-gcflags=example.com/me/...=-race", "./kernel")
	assert.Error(t, err)
	assert.Contains(t, out, "item 1 reads at plain.go:3")
	assert.Contains(t, out, "item 0 writes at plain.go:3, earlier in this schedule")

	out, err = run("test", "-vet=off", "-cover", "-gcflags=-race", "./counted")
	assert.NoError(t, err, "%s", out) // the counters are nobody's
	assert.Contains(t, out, "100.0%")

	out, err = run("test", "-vet=off", "-gcflags=-race", "./plain")
	assert.Error(t, err, "it has no hooks: docs/races.md says which command to use")
	assert.Contains(t, out, `undefined builtin "runtime.race`)
}
