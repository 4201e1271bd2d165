package sources

import (
	"go/ast"
	"go/build"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"io"
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

// constraint returns what a build must fulfil to have the file: its line for go build, what its name says of
// machines, and cgo if the file imports "C". It is nil if all builds have the file. Syntax needs comments, and may
// end behind the imports.
func (f *File) constraint() constraint.Expr {
	x := both(line(f.Syntax), ofName(f.Name))
	if f.ImportsC() {
		x = both(x, &constraint.TagExpr{Tag: "cgo"})
	}
	return x
}

// both returns the conjunction of two constraints, each of which may be nil.
func both(x, y constraint.Expr) constraint.Expr {
	if x == nil {
		return y
	}
	if y == nil {
		return x
	}
	return &constraint.AndExpr{X: x, Y: y}
}

// line returns what the comments in front of a package clause say: a line go:build, or all lines +build if there is
// no such line.
func line(file *ast.File) (x constraint.Expr) {
	for _, group := range file.Comments {
		for _, c := range group.List {
			if c.Pos() > file.Package {
				return x
			}
			y, err := constraint.Parse(c.Text)
			switch {
			case err != nil:
			case constraint.IsGoBuild(c.Text):
				return y
			default:
				x = both(x, y)
			}
		}
	}
	return x
}

// ofName returns what the name of a file says. Package build knows which of its words are systems and processors.
func ofName(name string) constraint.Expr {
	ctx := build.Context{OpenFile: func(string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("package p\n")), nil
	}}
	stem, _, _ := strings.Cut(name, ".")
	words := strings.Split(strings.TrimSuffix(stem, "_test"), "_")
	var x constraint.Expr
	for _, word := range slices.Backward(words) {
		if ok, err := ctx.MatchFile("", name); ok || err != nil {
			return x
		}
		ctx.BuildTags = append(ctx.BuildTags, word)
		x = both(&constraint.TagExpr{Tag: word}, x)
	}
	return x
}

// Built reports whether a build may have the file: whether tags fulfil its constraint. No build has the tag ignore.
func (f *File) Built() bool {
	x := f.constraint()
	return x == nil || Fulfilled(x, map[string]bool{"ignore": false})
}

// Fulfilled reports whether there are tags, besides those that are fixed, that fulfil a constraint.
func Fulfilled(x constraint.Expr, fixed map[string]bool) bool {
	unknown := ""
	ok := x.Eval(func(tag string) bool {
		set, known := fixed[tag]
		if !known {
			unknown = tag
		}
		return set
	})
	if unknown == "" {
		return ok
	}
	with, without := maps.Clone(fixed), maps.Clone(fixed)
	with[unknown], without[unknown] = true, false
	return Fulfilled(x, with) || Fulfilled(x, without)
}

// ImportsC reports whether the file imports "C".
func (f *File) ImportsC() bool {
	return slices.ContainsFunc(f.Syntax.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"C"` })
}
