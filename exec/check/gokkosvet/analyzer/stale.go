package analyzer

import (
	"path/filepath"

	"github.com/gokkos/gokkos/exec/kernel/sources"
)

// stale looks at whether the compiled kernels of the package are made of the sources that there are.
func (c *checker) stale() {
	for _, file := range c.pass.Files {
		path := c.pass.Fset.PositionFor(file.Package, false).Filename
		if filepath.Base(path) != sources.Main {
			continue
		}
		if stale := sources.Stale(filepath.Dir(path), c.pass.Pkg.Path()); stale != "" {
			c.report(file.Name, stale)
		}
	}
}
