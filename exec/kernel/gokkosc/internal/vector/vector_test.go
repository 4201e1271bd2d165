package vector_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/avx2"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/avx512"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/front"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/pass"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/vector"
)

// The functions of all kernels of the tests keep the rules of virtual registers, in both sets. Their
// registers hold the values that instructions read. The page of the package shows a part of one.
func TestAllKernels(t *testing.T) {
	packages, err := front.Load(front.Config{}, "../kernels")
	require.NoError(t, err)
	compiled, page := map[string]int{}, ""
	for _, source := range packages[0].Kernels {
		k := pass.Right(source.IR)
		pass.Run(k, pass.All)
		for _, set := range []vector.Set{avx2.Set{}, avx512.Set{}} {
			c, err := vector.Compile(set, k, vector.Names{Base: k.Name, Type: k.Name, Other: "Go"}, true, nil)
			if err != nil {
				continue
			}
			compiled[set.Shape().Name]++
			assert.Contains(t, c.Virtual, "vectors:")
			if k.Name == "axpy" && set.Shape().Name == "avx2" {
				page = c.Virtual
			}
		}
	}
	assert.Greater(t, compiled["avx2"], 100)
	assert.Greater(t, compiled["avx512"], 100)
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	_, loop, _ := strings.Cut(page, "vectors:\n")
	loop, _, ok := strings.Cut(loop, "left:\n")
	require.True(t, ok, page)
	assert.Contains(t, string(readme), "```text\nvectors:\n"+loop+"left:\n", "expected\n%s", loop)
}
