package space

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// opener makes a space.
type opener func(env func(key string) string) (Space, error)

var registry struct {
	sync.Mutex
	openers map[string]opener
}

// Register lets users choose a space by its name, as GOKKOS_SPACE. A package that has a space
// calls it from init, so that a program only has to import it. open looks its settings up with env, which is
// os.Getenv or like it, and returns an error for invalid settings.
//
// A name that is empty or registered already, or a nil open, is a mistake in the program:
// Register panics.
func Register(name string, open func(env func(key string) string) (Space, error)) {
	registry.Lock()
	defer registry.Unlock()
	switch _, known := registry.openers[name]; {
	case name == "" || open == nil:
		panic(fmt.Sprintf("space: Register(%q), expected a name and a function", name))
	case known:
		panic(fmt.Sprintf("space: Register(%q), which is registered already", name))
	}
	if registry.openers == nil {
		registry.openers = map[string]opener{}
	}
	registry.openers[name] = open
}

// elsewhere tells, of names that a program does not know, how it gets these spaces.
var elsewhere = map[string]string{
	"cuda": `; a program knows it that imports _ "github.com/gokkos/gokkos/exec/cuda"`,
	"mpi":  `; a program gets it from Run of an import of "github.com/gokkos/gokkos/exec/mpi", and not by name`,
}

// Open makes the space that is registered under a name. The error for any other name lists
// those that are known.
func Open(name string, env func(key string) string) (Space, error) {
	registry.Lock()
	open := registry.openers[name]
	registry.Unlock()
	if open == nil {
		return nil, fmt.Errorf("space: no space is called %q, expected one of %s%s", name, strings.Join(Names(), ", "), elsewhere[name])
	}
	return open(env)
}

// Names returns the names that are registered, in order.
func Names() []string {
	registry.Lock()
	defer registry.Unlock()
	return slices.Sorted(maps.Keys(registry.openers))
}
