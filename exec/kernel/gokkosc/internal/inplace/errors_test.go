package inplace_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/inplace"
)

// Errors of types have the paths of the user's files, in front of the first functor and behind it.
func TestErrorsNameTheUsersFiles(t *testing.T) {
	ownCache(t)
	dir, err := os.MkdirTemp("testdata", "errors")
	require.NoError(t, err)
	defer os.RemoveAll(dir)
	text := "//go:build !never\n\n// Errors is a program.\npackage main\n\nimport (\n\t\"github.com/gokkos/gokkos/exec\"\n\t\"github.com/gokkos/gokkos/policy\"\n)\n\n" +
		"var before string = 5\n\nfunc main() {\n\tx := make([]float64, 9)\n\texec.ParallelFor(policy.Range(0, 9), func(i int) { x[i] = 1 })\n\tbehind()\n}\n\nfunc behind() { var s string = 6; _ = s }\n"
	path := filepath.Join(dir, "main.go")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	for command, want := range map[string][]string{"build": {":11:21: cannot use 5", ":19:32: cannot use 6"}, "vet": {":11:21: cannot use 5"}} {
		var said bytes.Buffer
		require.Error(t, inplace.Run(command, []string{"./" + dir}, &said, &said))
		for _, at := range want {
			assert.Contains(t, said.String(), path+at, command)
		}
		assert.NotContains(t, said.String(), os.Getenv("XDG_CACHE_HOME"), command)
	}
}
