package goloops

import (
	"maps"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/target"
)

// Target is the back end of plain Go loops.
type Target struct{}

// Name returns "go".
func (Target) Name() string { return "go" }

// Assembly returns false.
func (Target) Assembly() bool { return false }

// Names implements [target.Target].
func (Target) Names(base string) target.Names {
	return target.Names{
		Loops:   []string{base + Suffix},
		Helpers: []string{"kernelData", "kernelQuotient", "kernelRemainder", "kernelHigh", "kernelTouch", "kernelFlat", CellsFunc, FarFunc},
	}
}

// Constraint is where int has 64 bits, as kernels take it to have.
const Constraint = "!386 && !arm && !mips && !mipsle"

// Suffix ends the names of the types of Go loops: "axpyGo".
const Suffix = "Go"

func loopOf(k *target.Kernel) (*Loop, error) {
	if final := k.Final(); final != nil {
		return Scan(k.IR, final, k.Base+Suffix)
	}
	if left := k.Left(); left != nil {
		return Runs(k.IR, left, k.Base+Suffix)
	}
	return Span(k.IR, k.Base+Suffix)
}

// Generate writes z_kernels_span.go.
func (Target) Generate(p *target.Package, kernels []*target.Kernel) (target.Generated, error) {
	out := target.Generated{Refused: map[*target.Kernel]error{}}
	var body, attach strings.Builder
	uses := map[string]bool{}
	for _, k := range kernels {
		loop, err := loopOf(k)
		if err != nil {
			out.Refused[k] = err
			continue
		}
		maps.Copy(uses, loop.Uses)
		body.WriteString("\n// " + k.Base + Suffix + " is the Go loop of " + k.Func + ".\ntype " + k.Base + Suffix + " " + k.Loop() + "\n\n" + loop.Text + k.Adapter(k.Base+Suffix))
		attach.WriteString(k.Attach(p, "Go", k.Base+Suffix))
	}
	if attach.Len() == 0 {
		return out, nil
	}
	text := "\nfunc init() {\n" + attach.String() + "}\n" + body.String()
	for _, helper := range []struct{ use, text string }{{"data", DataText}, {"divide", DivideText}, {"mulhigh", HighText}, {"touch", TouchText}, {"overlap", OverlapText}, {"flat", FlatText}, {"cells", CellsText}, {"far", FarText}} {
		if uses[helper.use] {
			text += helper.text
		}
	}
	text += tables(kernels)
	file, err := target.File(p, target.Constrained(Constraint, p.Loops), target.Imports(kernels), text)
	out.Files = map[string][]byte{"z_kernels_span.go": file}
	return out, err
}
