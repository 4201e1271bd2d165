// Package attached knows the packages whose kernels have loops in this program, and has tables of what is attached to
// functions.
package attached

import (
	"maps"
	"slices"
	"sync"
)

var (
	lock     sync.Mutex
	packages = map[string]bool{}
)

// Add notes a package by its path.
func Add(path string) {
	lock.Lock()
	defer lock.Unlock()
	packages[path] = true
}

// Packages returns the paths of the packages, in order.
func Packages() []string {
	lock.Lock()
	defer lock.Unlock()
	return slices.Sorted(maps.Keys(packages))
}
