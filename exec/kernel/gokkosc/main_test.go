package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The golden text is what gokkosc writes.
func TestCheck(t *testing.T) {
	var out, said strings.Builder
	require.NoError(t, run([]string{"-check", "-ptx", "./internal/sample"}, &out, &said))
	assert.Empty(t, out.String())
	assert.Empty(t, said.String())
}

// Kernels are PTX as well if that is asked for, and only then.
func TestPTX(t *testing.T) {
	var out, said strings.Builder
	err := run([]string{"-check", "./internal/sample"}, &out, &said)
	assert.ErrorContains(t, err, "z_kernels_ptx.go has no kernels any more, or is of a flag that was not given")
	assert.ErrorContains(t, err, "z_kernels.go is not made of this source with these flags", "all files are of one generation")
	assert.ErrorContains(t, err, "; go generate makes them anew")
}

func TestPrint(t *testing.T) {
	var out, said strings.Builder
	require.NoError(t, run([]string{"-ir", "./internal/sample"}, &out, &said))
	assert.Contains(t, out.String(), "kernel axpy(a float64, x []float64, y []float64)")
	assert.Empty(t, said.String())
}

// With an overlay, a package has its constructors, and go build finds the loops in the overlay. Packages of other calls
// stay in it, and a package that is compiled again has its new loops alone.
func TestOverlayHasTheLoops(t *testing.T) {
	file := filepath.Join(t.TempDir(), "overlay.json")
	replaced := func() map[string]string {
		var o struct{ Replace map[string]string }
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(text, &o))
		return o.Replace
	}
	var out, said strings.Builder
	require.NoError(t, os.WriteFile(file, []byte(`{"Replace": {"/other/z_kernels_span.go": "there"}}`), 0o600))
	sample, err := filepath.Abs("internal/sample")
	require.NoError(t, err)
	err = run([]string{"-check", "-ptx", "-overlay", file, "./internal/sample"}, &out, &said)
	assert.ErrorContains(t, err, filepath.Join(sample, "z_kernels_span.go")+" has no kernels any more", "the loops are in the tree as well")
	assert.NotContains(t, err.Error(), "z_kernels.go ", "the constructors are what they would be, and of the generation of the loops")
	for _, name := range []string{"z_kernels_span.go", "z_kernels_amd64.s", "z_kernels_ptx.go"} {
		want, err := os.ReadFile(filepath.Join(sample, name))
		require.NoError(t, err)
		got, err := os.ReadFile(replaced()[filepath.Join(sample, name)])
		require.NoError(t, err)
		assert.Equal(t, string(want), string(got))
	}
	assert.NotContains(t, replaced(), filepath.Join(sample, "z_kernels.go"))

	require.Error(t, run([]string{"-check", "-overlay", file, "./internal/sample"}, &out, &said))
	assert.NotContains(t, replaced(), filepath.Join(sample, "z_kernels_ptx.go"))
	assert.Contains(t, replaced(), filepath.Join(sample, "z_kernels_span.go"))
	assert.Equal(t, "there", replaced()["/other/z_kernels_span.go"])

	require.NoError(t, os.WriteFile(file, []byte("{"), 0o600))
	assert.ErrorContains(t, run([]string{"-overlay", file, "./internal/sample"}, &out, &said), "gokkosc: the overlay "+file+": unexpected end of JSON input")
	assert.ErrorContains(t, run([]string{"-overlay", sample, "./internal/sample"}, &out, &said), "gokkosc: the overlay "+sample+": ")
}

// With -strict a kernel that runs as a closure is an error, and its constructor is written all the same.
func TestStrict(t *testing.T) {
	folder, err := os.MkdirTemp(".", "strict")
	require.NoError(t, err)
	defer os.RemoveAll(folder)
	write := func(body string) {
		text := "package strict\n\n//gokkos:kernel\nfunc set(x []float64) func(i int) {\n\treturn func(i int) { " + body + " }\n}\n"
		require.NoError(t, os.WriteFile(filepath.Join(folder, "a.go"), []byte(text), 0o600))
	}
	generated := filepath.Join(folder, "z_kernels.go")
	var out, said strings.Builder
	write("println(x[i])")
	require.NoError(t, run([]string{"./" + folder}, &out, &said))
	require.NoError(t, os.Remove(generated))
	said.Reset()
	assert.ErrorContains(t, run([]string{"-strict", "./" + folder}, &out, &said), "gokkosc: 1 of 1 kernels run as closures, the first of them set at a.go:4:6; ")
	assert.Contains(t, said.String(), "set runs as a closure: ")
	assert.FileExists(t, generated)
	assert.Error(t, run([]string{"-strict", "-check", "./" + folder}, &out, &said))
	write("x[i] = 1")
	require.NoError(t, run([]string{"-strict", "./" + folder}, &out, &said))
	require.NoError(t, run([]string{"-strict", "-check", "./" + folder}, &out, &said))
	assert.Empty(t, out.String())
}

func TestMistakes(t *testing.T) {
	var out, said strings.Builder
	assert.ErrorContains(t, run([]string{"-chek"}, &out, &said), "flag provided but not defined: -chek")
	assert.Error(t, run([]string{"./missing"}, &out, &said))
}
