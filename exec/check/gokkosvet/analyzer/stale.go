package analyzer

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/sources"
)

// stale looks at whether the compiled kernels of the package are made of the sources that there are.
func (c *checker) stale() {
	for _, file := range c.pass.Files {
		path := c.pass.Fset.PositionFor(file.Package, false).Filename
		if filepath.Base(path) != sources.File {
			continue
		}
		if names := sources.Changed(filepath.Dir(path)); len(names) > 0 {
			c.report(file.Name, fmt.Sprintf("the compiled kernels are of an older source: %s changed since; go generate makes them anew", strings.Join(names, ", ")))
		}
	}
}
