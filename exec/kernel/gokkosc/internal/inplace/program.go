package inplace

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// library is the path of the module that functors are launched with.
const library = "github.com/gokkos/gokkos"

// A listed is a package as the go command lists it.
type listed struct {
	ImportPath, Dir                                    string
	GoFiles, CgoFiles, CompiledGoFiles, SFiles, HFiles []string
	Standard                                           bool
	Deps                                               []string
	Module                                             *module
	Error                                              *struct{ Err string }
}

type module struct {
	Path, Version, Dir string
	Main               bool
	Replace            *module
}

// inTree reports whether the files of a module are the user's: an overlay cannot replace others.
func (m *module) inTree() bool {
	return m != nil && (m.Main || m.Replace != nil && m.Replace.Version == "")
}

// A Program is packages with all that they are made of.
type Program struct {
	Packages []*listed // with functors, perhaps
	All      []*listed // but those of the standard library
	Settings map[string]string
}

// settings are those of the environment that say what the go command makes of files.
var settings = []string{"GOARCH", "GOOS", "GOAMD64", "GOVERSION", "CGO_ENABLED", "GOEXPERIMENT", "GOFLAGS", "GOMODCACHE", "GOWORK"}

// List lists a program.
func List(a *Arguments) (*Program, error) {
	p := &Program{Settings: map[string]string{}}
	out, err := output("go", append([]string{"env", "-json"}, settings...)...)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(out, &p.Settings); err != nil {
		return nil, fmt.Errorf("gokkosc: go env: %w", err)
	}
	fields := "-json=ImportPath,Dir,GoFiles,CgoFiles,SFiles,HFiles,Standard,Deps,Module,Error"
	out, err = output("go", slices.Concat([]string{"list", "-deps", "-e", fields}, a.Load, []string{"--"}, a.Packages)...)
	if err != nil {
		return nil, err
	}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var q listed
		if err := d.Decode(&q); errors.Is(err, io.EOF) {
			return p, nil
		} else if err != nil {
			return nil, fmt.Errorf("gokkosc: go list: %w", err)
		}
		if q.Standard {
			continue
		}
		p.All = append(p.All, &q)
		launches := slices.ContainsFunc(q.Deps, func(path string) bool { return path == library+"/exec" })
		if q.Module.inTree() && (q.Module.Main || q.Module.Path != library) && launches && q.Error == nil {
			p.Packages = append(p.Packages, &q)
		}
	}
}

// output runs a command, and returns what it writes, or an error with what it complains of.
func output(name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("gokkosc: %s %s: %w\n%s", name, args[0], err, strings.TrimSpace(errs.String()))
	}
	return out, nil
}

// files returns the paths of the files that packages are made of.
func (p *Program) files() (list []string) {
	for _, q := range p.All {
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

// patterns returns what names the packages with functors.
func (p *Program) patterns(a *Arguments) (groups [][]string) {
	var paths []string
	for _, q := range p.Packages {
		if q.ImportPath == "command-line-arguments" {
			groups = append(groups, a.Packages)
		} else {
			paths = append(paths, q.ImportPath)
		}
	}
	if len(paths) > 0 {
		groups = append(groups, paths)
	}
	return groups
}
