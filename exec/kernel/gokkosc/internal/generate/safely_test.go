package generate

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/front"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/target"
)

// A failing is a target that fails with kernels of a name.
type failing struct{ name string }

func (failing) Name() string              { return "failing" }
func (failing) Names(string) target.Names { return target.Names{} }
func (failing) Assembly() bool            { return false }

func (f failing) Generate(_ *target.Package, kernels []*target.Kernel) (target.Generated, error) {
	for _, k := range kernels {
		if strings.Contains(k.Func, f.name) {
			panic("no such register")
		}
	}
	return target.Generated{Refused: map[*target.Kernel]error{}}, nil
}

// If a target fails with a functor in place, that functor stays a closure, and the target makes loops of the
// others. If a target fails with a marked kernel, the failure reaches the caller.
func TestFailuresOfTargets(t *testing.T) {
	kernel := func(name string, site *front.Site) *Kernel { return newKernel(&front.Kernel{Func: name, Site: site}) }
	good, bad := kernel("good", &front.Site{}), kernel("bad", &front.Site{})
	c := &Package{Package: &front.Package{}}
	made, err := c.loops(failing{"bad"}, []*Kernel{good, bad})
	require.NoError(t, err)
	assert.NoError(t, made.Refused[good.Kernel])
	assert.EqualError(t, made.Refused[bad.Kernel], "gokkosc fails with it: no such register; please report that")
	assert.Panics(t, func() { c.loops(failing{"bad"}, []*Kernel{kernel("bad", nil)}) })
}
