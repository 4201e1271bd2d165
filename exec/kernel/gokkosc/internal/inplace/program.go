package inplace

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/front"
)

// library is the path of the module that functors are launched with.
const library = "github.com/gokkos/gokkos"

// inTree reports whether the files of a module are the user's: an overlay cannot replace others.
func inTree(m *packages.Module) bool {
	return m != nil && (m.Main || m.Replace != nil && m.Replace.Version == "")
}

// A Program is a list of packages with all their dependencies, and the settings of its build.
type Program struct {
	All      []*front.Listed // packages; each follows its imports
	Settings map[string]string
}

// settings are the variables of go env that decide how the go command builds files.
var settings = []string{"GOARCH", "GOOS", "GOAMD64", "GOVERSION", "CGO_ENABLED", "GOEXPERIMENT", "GOFLAGS", "GOMODCACHE", "GOWORK"}

// List lists a program.
func List(a *Arguments) (*Program, error) {
	p := &Program{Settings: map[string]string{}}
	out, err := front.Ask(append([]string{"env", "-json"}, settings...)...)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(out, &p.Settings); err != nil {
		return nil, fmt.Errorf("gokkosc: go env: %w", err)
	}
	p.All, err = front.List(a.Command == "test" || a.Tests, a.Load, a.Packages...)
	return p, err
}

// has reports whether a package may have functors to compile. Its files must be the user's, it must be no
// package of this library, and it must import exec, directly or through other packages.
func (p *Program) has(q *front.Listed) bool {
	launches := slices.Contains(q.Deps, library+"/exec")
	return inTree(q.Module) && (q.Module.Main || q.Module.Path != library) && launches && q.Error == nil
}

// failed returns the error of the first package that the command names and the go command cannot list.
func (p *Program) failed() error {
	for _, q := range p.All {
		if !q.DepOnly && q.Error != nil {
			return fmt.Errorf("gokkosc: %s: %s", q.ImportPath, q.Error.Err)
		}
	}
	return nil
}

// files returns the paths of the files that packages are made of.
func (p *Program) files() (list []string) {
	for _, q := range p.All {
		if q.Standard {
			continue
		}
		for _, names := range [][]string{q.GoFiles, q.CgoFiles, q.SFiles, q.HFiles} {
			for _, name := range names {
				if !filepath.IsAbs(name) {
					name = filepath.Join(q.Dir, name)
				}
				list = append(list, name)
			}
		}
	}
	return list
}

// rounded reports whether Go rounds all products in the program's build.
func (p *Program) rounded() bool {
	switch p.Settings["GOARCH"] {
	case "amd64":
		return p.Settings["GOAMD64"] == "v1" || p.Settings["GOAMD64"] == "v2"
	case "wasm":
		return true
	}
	return false
}
