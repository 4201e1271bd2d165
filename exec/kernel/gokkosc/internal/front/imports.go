package front

import (
	"fmt"
	"go/types"
)

// own are the packages that generated code imports anyway.
var own = map[string]string{
	"kernel": "github.com/gokkos/gokkos/exec/kernel", "views": viewsPath, "policy": policyPath, "math": "math", "kernelBits": "math/bits", "unsafe": "unsafe",
}

// importName returns what generated files call a package: its name, with a number if another one has that, or something
// that the package of the files declares.
func (w *world) importName(p *types.Package, declared *types.Scope) string {
	name := p.Name()
	for n := 2; ; n++ {
		path, taken := own[name]
		if !taken {
			path, taken = w.imports[name]
		}
		if (!taken || path == p.Path()) && declared.Lookup(name) == nil {
			w.imports[name] = p.Path()
			return name
		}
		name = fmt.Sprint(p.Name(), n)
	}
}
