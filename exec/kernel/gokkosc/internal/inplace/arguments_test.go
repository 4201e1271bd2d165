package inplace_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/inplace"
)

// The go command gets its own arguments, in their order, and gokkosc the flags that say what is compiled.
func TestArguments(t *testing.T) {
	for line, want := range map[string]inplace.Arguments{
		"build":                                {Packages: []string{"."}},
		"build -o out -strict ./a ./b":         {Strict: true, Go: words("-o out ./a ./b"), Packages: words("./a ./b")},
		"build -tags=x -mod mod -p 2 ./a":      {Go: words("-tags=x -mod mod -p 2 ./a"), Load: words("-tags=x -mod mod"), Packages: words("./a")},
		"run -ptx ./a -strict -race":           {PTX: true, Go: words("./a -strict -race"), Packages: words("./a")},
		"run a.go b.go -n 3":                   {Go: words("a.go b.go -n 3"), Packages: words("a.go b.go")},
		"run -C there .":                       {Dir: "there", Go: words("."), Packages: words(".")},
		"test -race ./a -v":                    {Plain: "-race", Go: words("-race ./a -v"), Packages: words("./a")},
		"test ./a -run X -cover -overlay=o":    {Plain: "-cover", Overlay: "o", Go: words("./a -run X -cover"), Packages: words("./a")},
		"test -race=false ./a -tags x -args y": {Go: words("-race=false ./a -tags x -args y"), Load: words("-tags x"), Packages: words("./a")},
		"report -json ./...":                   {JSON: true, Go: words("./..."), Packages: words("./...")},
		"build -json ./a":                      {Go: words("-json ./a"), Packages: words("./a")},
	} {
		args := strings.Fields(line)
		got, err := inplace.Parse(args[0], args[1:])
		require.NoError(t, err, line)
		want.Command = args[0]
		assert.Equal(t, want, *got, line)
	}
	for line, says := range map[string]string{
		"build -o":          "the flag -o needs a value",
		"build -strict=yes": `the flag -strict has no value, given "yes"`,
	} {
		args := strings.Fields(line)
		_, err := inplace.Parse(args[0], args[1:])
		assert.ErrorContains(t, err, says, line)
	}
}

func words(s string) []string { return strings.Fields(s) }
