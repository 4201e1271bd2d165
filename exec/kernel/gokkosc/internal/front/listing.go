package front

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

	"golang.org/x/tools/go/packages"
)

// A Listed is a package as the go command lists it.
type Listed struct {
	ImportPath, Name, Dir             string
	GoFiles, CgoFiles, SFiles, HFiles []string
	Standard, DepOnly                 bool
	ForTest                           string // path of the package for whose tests this package is built; "" if for none
	Deps                              []string
	ImportMap                         map[string]string
	Module                            *packages.Module
	Export                            string
	Error                             *struct{ Err string }
}

// Path returns the path of a package, which all its builds have in common.
func (l *Listed) Path() string {
	path, _, _ := strings.Cut(l.ImportPath, " ")
	return path
}

// List lists packages with all their imports, and each package after its imports. With tests, packages built
// for tests come last.
func List(tests bool, flags []string, patterns ...string) ([]*Listed, error) {
	const fields = "-json=ImportPath,Name,Dir,GoFiles,CgoFiles,SFiles,HFiles,Standard,DepOnly,ForTest,Deps,ImportMap,Module,Error"
	first := []string{"-deps", fields}
	if tests {
		first = append(first, "-test")
	}
	all, err := list(slices.Concat(first, flags, []string{"--"}, patterns))
	all = slices.DeleteFunc(all, func(l *Listed) bool { return isTestMain(l) })
	slices.SortStableFunc(all, func(a, b *Listed) int { return min(1, len(a.ForTest)) - min(1, len(b.ForTest)) })
	return all, err
}

// isTestMain reports whether a package is the main package that the go command makes for tests: its file is
// in the cache.
func isTestMain(l *Listed) bool {
	return l.Name == "main" && strings.HasSuffix(l.ImportPath, ".test") && len(l.GoFiles) == 1 && filepath.IsAbs(l.GoFiles[0])
}

// Ask runs the go command and returns its output. Its error includes the messages of the command.
func Ask(args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("gokkosc: go %s: %w\n%s", args[0], err, strings.TrimSpace(said.String()))
	}
	return out, nil
}

// list runs go list.
func list(args []string) (out []*Listed, err error) {
	text, err := Ask(append([]string{"list", "-e"}, args...)...)
	if err != nil {
		return nil, err
	}
	for d := json.NewDecoder(bytes.NewReader(text)); ; {
		p := &Listed{}
		if err := d.Decode(p); errors.Is(err, io.EOF) {
			return out, nil
		} else if err != nil {
			return nil, fmt.Errorf("gokkosc: go list: %w", err)
		}
		out = append(out, p)
	}
}
