package views

import (
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/internal/launch"
)

// A Launch says how [DeepCopy], [Fill], [Source] and the algorithms of the packages below
// run. It is made by [On]; its methods return changed copies.
type Launch = launch.Launch

// On carries the execution space to launch on; nil means the default one.
func On(space exec.Space) Launch { return launch.On(space) }
