package exectest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/sources"
	"github.com/gokkos/gokkos/internal/attached"
)

// workingDirectory is where a test begins: the folder of its package. A test may go elsewhere.
var workingDirectory, _ = os.Getwd()

// staleKernels says of each package of the module around a folder whose compiled kernels are in the program and are not
// made of the sources that there are.
func staleKernels(folder string) (what []string) {
	root, module := moduleOf(folder)
	if module == "" {
		return nil
	}
	for _, path := range attached.Packages() {
		rest, ok := strings.CutPrefix(path+"/", module+"/")
		if !ok {
			continue
		}
		if names := sources.Changed(filepath.Join(root, filepath.FromSlash(rest))); len(names) > 0 {
			what = append(what, fmt.Sprintf("the compiled kernels of package %s are of an older source: %s changed since; go generate %s makes them anew", path, strings.Join(names, ", "), path))
		}
	}
	return what
}

// moduleOf returns the root of the module that a folder is in, and its path, "" if there is none.
func moduleOf(folder string) (root, path string) {
	for root = folder; root != ""; root = filepath.Dir(root) {
		text, err := os.ReadFile(filepath.Join(root, "go.mod"))
		if err == nil {
			for line := range strings.Lines(string(text)) {
				if fields := strings.Fields(line); len(fields) >= 2 && fields[0] == "module" {
					return root, strings.Trim(fields[1], "\"`")
				}
			}
		}
		if root == filepath.Dir(root) {
			break
		}
	}
	return "", ""
}
