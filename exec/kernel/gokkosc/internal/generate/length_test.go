package generate_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Assembly that is long for its functor is reported, and left out if it is very long: by lines of Go, not by operations.
func TestLengthOfAssembly(t *testing.T) {
	of := func(n int, between string) string {
		return strings.Repeat(between+"v = math.Sqrt(float64(v*v)+x[i]);", n)
	}
	kernel := func(name, body string) string {
		return "//gokkos:kernel\nfunc " + name + "(x []float64) func(i int) {\n\treturn func(i int) {\n\t\tv := x[i]\n" + body + "\n\t\tx[i] = v\n\t}\n}\n\n"
	}
	p, err := packages(t, "package made\n\nimport \"math\"\n\n"+kernel("short", of(10, ""))+kernel("long", of(150, ""))+kernel("longest", of(900, ""))+kernel("wide", of(900, "\n")))
	require.NoError(t, err)
	var report strings.Builder
	p.Report(&report, false)
	says := map[string]bool{}
	for line := range strings.Lines(report.String()) {
		for _, name := range []string{"short", "long", "longest", "wide"} {
			says[name+" left out"] = says[name+" left out"] || strings.Contains(line, ": "+name+" has no loop for avx2") && strings.Contains(line, "lines of assembly for 4 lines of Go; move a part")
			says[name+" long"] = says[name+" long"] || strings.Contains(line, "the loop of "+name+" for avx2 takes")
		}
	}
	assert.Equal(t, map[string]bool{
		"short left out": false, "short long": false, "long left out": false, "long long": true,
		"longest left out": true, "longest long": false, "wide left out": false, "wide long": false,
	}, says, "%s", report.String())
	assert.NotContains(t, string(p.Files["z_kernels_amd64.s"]), "·longest")
	assert.Contains(t, string(p.Files["z_kernels_span.go"]), "longestGo")
	for name, text := range p.Files { // the loop of AVX-512 leaves its last items to the loop in Go
		assert.NotContains(t, string(text), "longestAVX2", name)
	}
}
