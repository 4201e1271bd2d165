package kokkos

import (
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/gokkos/gokkos/exec/tools"
)

// variable is the variable of the environment that names the library, as it does for Kokkos.
const variable = "KOKKOS_TOOLS_LIBS"

// Start loads the library that KOKKOS_TOOLS_LIBS names, a variable of the environment. Of several paths with semicolons
// between them, Start takes the first: that library loads the others. Without the variable nothing is loaded, and
// finalize does nothing.
func Start() (finalize func(), err error) {
	path, _, _ := strings.Cut(os.Getenv(variable), ";")
	if path == "" {
		return func() {}, nil
	}
	finalize, err = Load(path)
	if err != nil {
		return nil, fmt.Errorf("%w; %s is %q", err, variable, os.Getenv(variable))
	}
	return finalize, nil
}

// Load loads a library and tells it what the program does, until finalize is called: most libraries write what
// they have found then. What has begun before finalize and ends behind it ends unheard.
func Load(path string) (finalize func(), err error) {
	l, err := open(path)
	if err != nil {
		return nil, fmt.Errorf("kokkos: %w", err)
	}
	if l.Init != nil {
		l.Init(0, interfaceVersion, 0, 0)
	}
	stop := tools.Listen(l.listen)
	return sync.OnceFunc(func() {
		stop()
		l.close()
	}), nil
}
