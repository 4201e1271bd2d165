package sources

import (
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"iter"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// Generated begins the names of generated files, which declare nothing that kernels are made of.
const Generated = "z_kernels"

// A File is a Go file of a folder.
type File struct {
	Path, Name string // Name is that within the folder
	Syntax     *ast.File
	Err        error // why Syntax is not the whole file; nil if it is
}

// Files returns the Go files of a folder in the order of their names, also those of tests and of other
// builds. Files whose names go build leaves out are not among them, nor are those that skip returns true for.
// Texts has the text of files by their paths that are not on disk or not like that; it may be nil.
func Files(
	folder string, texts map[string][]byte, fset *token.FileSet, mode parser.Mode, skip func(name string) bool,
) iter.Seq[File] {
	paths, _ := filepath.Glob(filepath.Join(folder, "*.go"))
	for path := range texts {
		if filepath.Dir(path) == filepath.Clean(folder) && strings.HasSuffix(path, ".go") {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return func(yield func(File) bool) {
		for _, path := range slices.Compact(paths) {
			name := filepath.Base(path)
			if name[0] == '_' || name[0] == '.' || skip(name) {
				continue
			}
			var text any
			if t, ok := texts[path]; ok {
				text = t
			}
			syntax, err := parser.ParseFile(fset, path, text, mode)
			if !yield(File{path, name, syntax, err}) {
				return
			}
		}
	}
}

// IsTest reports whether a file is one of tests, by its name.
func IsTest(name string) bool { return strings.HasSuffix(name, "_test.go") }

// Built reports whether a build may have the file: whether tags fulfil its constraint. No build has the tag
// ignore, and only builds with the tag cgo have a file that imports "C". Syntax needs comments, and may end
// behind the imports.
func (f *File) Built() bool {
	fixed := map[string]bool{"ignore": false}
	if f.ImportsC() {
		fixed["cgo"] = true
	}
	var of []constraint.Expr
	for _, group := range f.Syntax.Comments {
		for _, c := range group.List {
			if c.Pos() > f.Syntax.Package {
				break
			}
			if x, err := constraint.Parse(c.Text); err == nil {
				of = append(of, x)
			}
		}
	}
	return fulfilled(of, fixed)
}

// fulfilled reports whether there are tags, besides those that are fixed, that fulfil all constraints.
func fulfilled(of []constraint.Expr, fixed map[string]bool) bool {
	unknown := ""
	for _, x := range of {
		ok := x.Eval(func(tag string) bool {
			set, known := fixed[tag]
			if !known {
				unknown = tag
			}
			return set
		})
		if unknown != "" {
			with, without := maps.Clone(fixed), maps.Clone(fixed)
			with[unknown], without[unknown] = true, false
			return fulfilled(of, with) || fulfilled(of, without)
		}
		if !ok {
			return false
		}
	}
	return true
}

// ImportsC reports whether the file imports "C".
func (f *File) ImportsC() bool {
	return slices.ContainsFunc(f.Syntax.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"C"` })
}
