package generate_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/front"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/generate"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/goloops"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/target"
)

// A planted is the target of Go loops with a mistake in the text of one kernel: text that does not parse, or
// else text that does not type-check.
type planted struct {
	goloops.Target
	line   int
	parses bool
}

func (p planted) Generate(of *target.Package, kernels []*target.Kernel) (target.Generated, error) {
	made, err := p.Target.Generate(of, kernels)
	for _, k := range kernels {
		if k.Pos.Line != p.line {
			continue
		}
		if !p.parses {
			return target.Generated{}, errors.New("generated code: 1:1: expected declaration\nfunc (")
		}
		for name, text := range made.Files {
			made.Files[name] = append(text, "\nvar _ = "+k.Base+"Missing\n"...)
		}
	}
	return made, err
}

// A functor whose text is not valid Go stays a closure. The report says so, and the other functors of the
// package keep their loops.
func TestTextThatIsNotValid(t *testing.T) {
	const path = "../inplace/testdata/levels"
	list, err := front.List(false, nil, "./"+path)
	require.NoError(t, err)
	config := front.Config{InPlace: true, Rounded: true, Arch: "amd64"}
	made := func(of target.Target) *generate.Package {
		t.Helper()
		out, err := generate.Listed([]target.Target{of}, config, list, func(p *front.Listed) bool { return !p.DepOnly })
		require.NoError(t, err)
		require.Len(t, out, 1)
		return out[0]
	}
	all := made(goloops.Target{}).Compiled
	require.Greater(t, len(all), 4)
	for _, parses := range []bool{false, true} {
		line := all[2].Pos.Line
		c := made(planted{line: line, parses: parses})
		refused := 0
		for n, k := range c.Compiled {
			switch {
			case k.Pos.Line != line:
				assert.Equal(t, all[n].Refused, k.Refused, "%v", k.Pos)
				continue
			case assert.NotNil(t, k.Refused):
				refused++
				says := map[bool]string{false: "generated code: 1:1: expected declaration", true: "undefined: " + k.Base + "Missing"}[parses]
				assert.True(t, strings.HasPrefix(k.Refused.Reason, "the Go of its loops is not valid: "), k.Refused.Reason)
				assert.True(t, strings.HasSuffix(k.Refused.Reason, says), k.Refused.Reason)
				assert.Equal(t, "please report that, with the functor", k.Refused.Help)
			}
			for name, text := range c.Files {
				assert.False(t, bytes.Contains(text, []byte(k.Base+"(")), name)
			}
		}
		assert.Equal(t, 1, refused)
		assert.NotEmpty(t, c.Files)
	}
}
