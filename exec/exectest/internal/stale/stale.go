// Package stale finds compiled kernels that are older than their sources.
package stale

import (
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/gokkos/gokkos/exec/kernel/sources"
	"github.com/gokkos/gokkos/internal/attached"
)

// byFolder has the result of [sources.Stale] by the folder of a package, so that a program reads its
// sources once.
var byFolder sync.Map

// Kernels returns a sentence on each package of the module around a folder whose compiled kernels are in
// the program and are made of other sources than there are now.
func Kernels(folder string) (stale []string) {
	root, module := moduleOf(folder)
	if module == "" {
		return nil
	}
	for _, path := range attached.Packages() {
		rest, ok := strings.CutPrefix(path+"/", module+"/")
		if !ok {
			continue
		}
		folder := filepath.Join(root, filepath.FromSlash(rest))
		known, ok := byFolder.Load(folder)
		if !ok {
			known = sources.Stale(folder, path)
			byFolder.Store(folder, known)
		}
		if known != "" {
			stale = append(stale, known.(string))
		}
	}
	return stale
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
