package gokkos

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// released returns the go.mod files of a copy of this repository after .ci/release, by folder, and what it prints.
func released(t *testing.T, version string) (files map[string]string, output string, err error) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("needs bash")
	}
	dir := t.TempDir()
	put := func(name string) {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		require.NoError(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), data, 0o755))
	}
	put(".ci/release")
	for page := range pages(t) {
		put(page)
	}
	require.NoError(t, filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == "go.mod" {
			put(path)
		}
		return err
	}))
	command := exec.Command("bash", filepath.Join(dir, ".ci/release"), version)
	text, err := command.CombinedOutput()
	files = map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == "go.mod" {
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			folder, err := filepath.Rel(dir, filepath.Dir(path))
			require.NoError(t, err)
			files[filepath.ToSlash(folder)] = string(data)
		}
		return err
	}))
	return files, string(text), err
}

// A release has no replaces, and its modules require one another in its version.
func TestRelease(t *testing.T) {
	files, output, err := released(t, "v0.1.0-rc.1")
	require.NoError(t, err, output)
	modules := 0
	for folder, text := range files {
		if !strings.HasPrefix(text, "module "+module) || strings.HasPrefix(folder, "internal/") {
			before, err := os.ReadFile(filepath.Join(folder, "go.mod"))
			require.NoError(t, err)
			assert.Equal(t, string(before), text, "%s is not part of a release", folder)
			continue
		}
		modules++
		assert.NotContains(t, text, "=>", folder)
		for line := range strings.Lines(text) {
			if strings.Contains(line, "github.com/gokkos/gokkos") && !strings.HasPrefix(line, "module") && !strings.HasPrefix(line, "tool") {
				assert.Contains(t, line, " v0.1.0-rc.1", folder)
				required := strings.Fields(strings.TrimPrefix(line, "require "))[0]
				_, after, _ := strings.Cut(output, "git push origin "+strings.TrimPrefix(required+"/v0.1.0-rc.1\n", module))
				assert.Contains(t, after, "(cd "+folder+" && go mod tidy)", "behind the tag of what it requires")
			}
		}
		assert.Contains(t, output, "git tag "+folder+"/v0.1.0-rc.1 && git push")
	}
	assert.Greater(t, modules, 5)
	assert.Regexp(t, `\n    README.md:\d+\n(.*\n)+    docs/getting-started.md:\d+\n`, output, "sentences that become false")
}

func TestReleaseWithoutVersion(t *testing.T) {
	for _, version := range []string{"", "0.1.0", "v0.1", "v2.0.0", "v0.01.0"} {
		files, output, err := released(t, version)
		assert.Error(t, err)
		assert.Contains(t, output, "expected one such as v0.1.0", version)
		assert.Contains(t, files["exec/mpi"], "=>", version)
	}
}
