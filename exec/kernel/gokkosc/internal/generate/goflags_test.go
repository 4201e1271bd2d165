package generate_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/front"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/generate"
	"github.com/gokkos/gokkos/exec/kernel/sources"
)

// overlaid writes a package p whose value is 2 on disk, and 3 with the overlay f.json. The overlay adds a
// file and removes a file.
func overlaid(t *testing.T) (dir string) {
	t.Helper()
	dir, err := filepath.Abs(folder(t, "overlaid"))
	require.NoError(t, err)
	module := "github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/generate/testdata/" + filepath.Base(dir)
	for file, text := range map[string]string{
		"p/a.go":      "package one\n\nimport \"" + module + "/q\"\n" + strings.Replace(plain, "package PKG\n", "", 1) + "\nconst value = q.Value\n",
		"p/d.go":      strings.NewReplacer("PKG", "one", "set", "gone", "value", "2").Replace(plain),
		"q/q.go":      "package q\n\nconst Value = 2\n",
		"new files/q": "package q\n\nconst Value = of + 1\n",
		"new files/r": "package q\n\nconst of = 2\n",
		"new files/s": strings.NewReplacer("PKG", "one", "set", "added", "value", "5").Replace(plain),
		"f.json": `{"Replace": {"q/q.go": "new files/q", "` + filepath.Join(dir, "q/r.go") + `": "new files/r",
			"p/b.go": "` + filepath.Join(dir, "new files/s") + `", "p/d.go": ""}}`,
	} {
		put(t, filepath.Join(dir, file), text)
	}
	return dir
}

// made returns the names of the kernels of a package, which is compiled from a folder, and its loops.
func made(t *testing.T, from, pattern string) (kernels []string, loops string) {
	t.Helper()
	p, err := generate.Packages(front.Config{Dir: from}, pattern)
	require.NoError(t, err)
	require.NoError(t, p[0].Write())
	for _, k := range p[0].Kernels {
		require.Nil(t, k.Refused)
		kernels = append(kernels, k.Func)
	}
	return kernels, string(p[0].Files["z_kernels_span.go"])
}

// A package has the kernels of the files that a build with the GOFLAGS sees: an overlay adds and removes
// files.
func TestFilesOfAnOverlayInGOFLAGS(t *testing.T) {
	dir := overlaid(t)
	kernels, onDisk := made(t, dir, "./p")
	assert.Equal(t, []string{"set", "gone"}, kernels)
	assert.Empty(t, sources.Changes(filepath.Join(dir, "p")))
	t.Setenv("GOFLAGS", "-overlay=f.json")
	assert.Equal(t, []string{"gone is gone", "Value of ../q has changed"}, sources.Changes(filepath.Join(dir, "p")))
	for from, pattern := range map[string]string{dir: "./p", filepath.Join(dir, "p"): "."} {
		kernels, loops := made(t, from, pattern)
		assert.ElementsMatch(t, []string{"added", "set"}, kernels)
		assert.NotContains(t, loops, "gone")
		assert.Contains(t, loops, "yRow[n] * 3")
		assert.Contains(t, onDisk, "yRow[n] * 2")
	}
	assert.Empty(t, sources.Changes(filepath.Join(dir, "p")))
	out, err := exec.Command("go", "-C", dir, "build", "./p").CombinedOutput()
	assert.NoError(t, err, "what go makes of the overlay: %s", out)
}

// If gokkosc cannot read an overlay in GOFLAGS, its error names the flag.
func TestOverlayInGOFLAGSThatCannotBeRead(t *testing.T) {
	for text, says := range map[string]string{
		"":                             "open ",
		"{":                            "unexpected end of JSON input",
		`{"Replace": {"p/a.go": "b"}}`: "open ",
		`{"Replace": {"go.mod": ""}}`:  "go.mod is removed, expected no removed files but those of Go",
	} {
		dir := overlaid(t)
		t.Setenv("GOFLAGS", "-overlay=g.json")
		if text != "" {
			put(t, filepath.Join(dir, "g.json"), text)
		}
		_, err := generate.Packages(front.Config{Dir: dir}, "./p")
		require.ErrorContains(t, err, "gokkosc: -overlay=g.json of GOFLAGS: "+says, text)
	}
}
