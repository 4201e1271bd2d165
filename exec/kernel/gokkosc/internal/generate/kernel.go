package generate

import (
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/front"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/target"
)

// A Kernel embeds the kernel of the back ends and the kernel of the front end. A field that both have is the
// field of the back ends.
type Kernel struct {
	*target.Kernel
	source
	Long  []string // warnings of long assembly
	Inner []int    // lines of the inner loops of teams that use vectors
}

type source struct{ *front.Kernel }

// newKernel returns the kernel of the back ends for a kernel of the front end, without names.
func newKernel(k *front.Kernel) *Kernel {
	return &Kernel{
		Kernel: &target.Kernel{Func: k.Func, Pos: k.Pos, Value: k.Value, Imports: k.Imports, Source: k.IR, IR: k.IR}, source: source{k},
	}
}

// refuse leaves a kernel a closure.
func (k *Kernel) refuse(why *front.Refusal) {
	k.Refused, k.IR, k.source.IR = why, nil, nil
}

// forTargets returns kernels as targets see them.
func forTargets(kernels []*Kernel) (all []*target.Kernel) {
	for _, k := range kernels {
		all = append(all, k.Kernel)
	}
	return all
}
