package front

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"iter"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/gokkos/gokkos/exec/kernel/sources"
)

// path returns the path of a file, whatever its line comments say. The path of a file that uses cgo is in such a
// comment.
func (w *world) path(p *packages.Package, file *ast.File) string {
	path := w.fset.PositionFor(file.Package, false).Filename
	if slices.Contains(p.GoFiles, path) || len(p.GoFiles) == 0 {
		return path
	}
	return w.fset.Position(file.Package).Filename
}

// imported adds the names that the imports of a file declare.
func imported(p *packages.Package, file *ast.File, names map[string]bool) {
	for _, i := range file.Imports {
		path, _ := strconv.Unquote(i.Path.Value)
		q := p.Imports[path]
		switch {
		case i.Name == nil && q != nil:
			names[q.Name] = true
		case i.Name == nil || i.Name.Name == "_":
		case i.Name.Name != ".":
			names[i.Name.Name] = true
		case q != nil && q.Types != nil:
			for _, name := range q.Types.Scope().Names() {
				names[name] = names[name] || token.IsExported(name)
			}
		}
	}
}

// files returns the Go files of a folder, of whatever build, see [sources.Files].
func (w *world) files(folder string, mode parser.Mode, skip func(name string) bool) iter.Seq[sources.File] {
	return sources.Files(folder, w.config.Overlay, w.fset, mode, skip)
}

// usesC returns a file of a package that imports "C", "" if there is none: of whatever build, as generated
// files are of all.
func (w *world) usesC(p *packages.Package, folder string) string {
	for file := range w.files(folder, parser.ImportsOnly|parser.ParseComments, sources.IsTest) {
		if file.Err == nil && file.Syntax.Name.Name == p.Name && file.ImportsC() && file.Built() {
			return file.Name
		}
	}
	return ""
}

// A folderKey is a folder, with its tests or without them.
type folderKey struct {
	dir   string
	tests bool
}

// folder returns the declarations of a folder. Tests of another module are in no build that has kernels of
// this one.
func (w *world) folder(dir string, tests bool) *sources.Folder {
	key := folderKey{dir, tests}
	if w.folders[key] == nil {
		w.folders[key] = sources.Read(dir, w.config.Overlay, tests)
	}
	return w.folders[key]
}

// file returns the name of the file of a package that has a position: before cgo has written it anew.
func (w *world) file(p *packages.Package, at token.Pos) string {
	for _, file := range p.Syntax {
		if file.FileStart <= at && at < file.FileEnd {
			return filepath.Base(w.path(p, file))
		}
	}
	return ""
}

func (w *world) isGenerated(p *packages.Package, file *ast.File) bool {
	return strings.HasPrefix(filepath.Base(w.path(p, file)), sources.Generated) && ast.IsGenerated(file)
}

// own are the packages that generated code imports anyway.
var own = map[string]string{
	"kernel": "github.com/gokkos/gokkos/exec/kernel", "views": viewsPath, "policy": policyPath, "math": "math", "kernelBits": "math/bits", "unsafe": "unsafe",
}

// importName returns the name by which generated files import a package. The name gets a number if another
// import has it already, or if the package of the files declares it.
func (w *world) importName(p *types.Package, declared *types.Scope) string {
	name := p.Name()
	for n := 2; ; n++ {
		path, taken := own[name]
		if !taken {
			path, taken = w.imports[name]
		}
		if (!taken || path == p.Path()) && declared.Lookup(name) == nil {
			w.imports[name] = p.Path()
			return name
		}
		name = fmt.Sprint(p.Name(), n)
	}
}
