package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// An area is a part of the tree.
type area struct {
	name    string
	folders []string // and what lies in them, unless a longer one of another area is there

	files, code, tests, generated, names int
}

// areas returns the parts of the tree.
func areas() []*area {
	return []*area{
		{name: "exec", folders: []string{"exec"}},
		{name: "exec/space, gpu", folders: []string{"exec/space", "exec/gpu"}},
		{name: "exec/exectest, spacetest", folders: []string{"exec/exectest", "exec/space/spacetest"}},
		{name: "exec/check, tools, graph", folders: []string{"exec/check", "exec/tools", "exec/graph"}},
		{name: "exec/kernel", folders: []string{"exec/kernel"}},
		{name: "gokkosc", folders: []string{"exec/kernel/gokkosc"}},
		{name: "gokkosc: what tests it", folders: []string{"exec/kernel/gokkosc/machine", "exec/kernel/gokkosc/internal/avx2/internal",
			"exec/kernel/gokkosc/internal/compiled", "exec/kernel/gokkosc/internal/interp", "exec/kernel/gokkosc/internal/kernels",
			"exec/kernel/gokkosc/internal/ptx/trial", "exec/kernel/gokkosc/internal/random", "exec/kernel/gokkosc/internal/sample"}},
		{name: "exec/cuda", folders: []string{"exec/cuda"}},
		{name: "exec/mpi", folders: []string{"exec/mpi"}},
		{name: "policy, team", folders: []string{"policy", "team"}},
		{name: "reducers, builtin", folders: []string{"reducers", "builtin"}},
		{name: "views", folders: []string{"views"}},
		{name: "internal", folders: []string{"internal"}},
		{name: "examples", folders: []string{"examples", "."}},
	}
}

// figures are all that is counted.
type figures struct {
	areas []*area
	sum   area

	symbols, bytes int // for a type of partial results
	kinds          int // that the tests of exec are compiled for
}

// count counts lines and names below a folder.
func count(root string) (*figures, error) {
	f := &figures{areas: areas(), sum: area{name: "all"}}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); rel != "." && (strings.HasPrefix(name, ".") || name == "testdata") {
				return filepath.SkipDir
			}
			return nil
		}
		if ext := filepath.Ext(path); ext != ".go" && ext != ".s" {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		f.of(filepath.ToSlash(rel)).add(filepath.ToSlash(rel), text)
		return nil
	})
	for _, a := range f.areas {
		f.sum.files += a.files
		f.sum.code += a.code
		f.sum.tests += a.tests
		f.sum.generated += a.generated
		f.sum.names += a.names
	}
	return f, err
}

// of returns the area of a file.
func (f *figures) of(path string) *area {
	for folder := filepath.ToSlash(filepath.Dir(path)); ; folder = filepath.ToSlash(filepath.Dir(folder)) {
		for _, a := range f.areas {
			if slices.Contains(a.folders, folder) {
				return a
			}
		}
		if folder == "." {
			panic("no area has the root")
		}
	}
}

// add adds a file.
func (a *area) add(path string, text []byte) {
	switch {
	case generated(text):
		a.generated += bytes.Count(text, []byte("\n"))
	case strings.HasSuffix(path, "_test.go"):
		a.tests += lines(text)
	default:
		a.files++
		a.code += lines(text)
	}
	if public(path) {
		a.names += names(text)
	}
}

// generated reports whether a program has written a file, of Go or of assembly.
func generated(text []byte) bool {
	for line := range bytes.Lines(text) {
		if bytes.HasPrefix(line, []byte("// Code generated ")) {
			return true
		}
		if !bytes.HasPrefix(line, []byte("//")) && len(bytes.TrimSpace(line)) > 0 {
			return false
		}
	}
	return false
}

// lines returns how many lines of a file have more than a comment.
func lines(text []byte) (n int) {
	files := token.NewFileSet()
	file := files.AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(file, text, func(token.Position, string) {}, 0)
	last := 0
	for {
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			return n
		}
		if tok == token.SEMICOLON && literal == "\n" {
			continue
		}
		first := file.Line(pos)
		end := first + strings.Count(literal, "\n")
		n += end - max(first-1, last)
		last = end
	}
}

// public reports whether others may import the package of a file.
func public(path string) bool {
	folder := filepath.ToSlash(filepath.Dir(path))
	return strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") && folder != "." && !strings.HasPrefix(path, "examples/") &&
		!slices.Contains(strings.Split(folder, "/"), "internal")
}

// names returns how many exported declarations a file has, methods apart. A program has none.
func names(text []byte) (n int) {
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if err != nil || file.Name.Name == "main" {
		return 0
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && d.Name.IsExported() {
				n++
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					if spec.Name.IsExported() {
						n++
					}
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						if name.IsExported() {
							n++
						}
					}
				}
			}
		}
	}
	return n
}
