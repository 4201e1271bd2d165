// Package sources compares the declarations that generated kernels are made of with those that there are now.
// The file z_kernels.go has a line for each declaration:
//
//	//gokkos:source folder name hash
//
// The folder is relative to that of the file, and a method is called Type.Name. The hash is that of the
// tokens, of the constraint of the file, and of the paths that names in front of dots are imported from: other
// comments and what gofmt changes do not matter. Another line has the names that a package must not declare, as kernels mean what else has these
// names: Go's max, say, or a method of an embedded field.
//
//	//gokkos:undeclared folder package name,name
//
// And a line has the arrays that nothing in a package writes, as kernels have their elements as constants.
//
//	//gokkos:unwritten folder package name,name
package sources

import (
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strings"
	"sync"
)

// directive begins the lines.
const directive = "//gokkos:"

// What stands in the place of a hash where there is none.
const (
	Undeclared = "undeclared" // of a name that the package must not declare
	Unwritten  = "unwritten"  // of an array that the package must not write
)

// A Declaration is one that kernels are made of, or what they ask of a name.
type Declaration struct {
	Folder  string // relative to that of the generated file, with slashes
	Package string // its name
	Name    string // Type.Name of a method
	Hash    string // or Undeclared or Unwritten
}

// Lines returns the lines of the generated file, each once and in order.
func Lines(all []Declaration) []string {
	lines, names := map[string]bool{}, map[string]map[string]bool{}
	for _, d := range all {
		if d.Hash != Undeclared && d.Hash != Unwritten {
			lines[fmt.Sprintf("%ssource %s %s %s", directive, d.Folder, d.Name, d.Hash)] = true
			continue
		}
		of := fmt.Sprintf("%s%s %s %s ", directive, d.Hash, d.Folder, d.Package)
		if names[of] == nil {
			names[of] = map[string]bool{}
		}
		names[of][d.Name] = true
	}
	for of, list := range names {
		lines[of+strings.Join(slices.Sorted(maps.Keys(list)), ",")] = true
	}
	return slices.Sorted(maps.Keys(lines))
}

// A Folder has the declarations of the files of a folder that a build may have, without generated ones.
type Folder struct {
	path        string
	fset        *token.FileSet
	all         func() []File // also those of tests and of no build
	byName      map[string][]*found
	aliases     map[string][]string        // by names of types, of any build
	constraints map[string]constraint.Expr // by names of files
}

// found is a declaration of a file.
type found struct {
	file, pkg string
	hash      func() string
}

// Read returns the declarations of a folder, with those of its tests or without. Texts has the text of files as in
// [Files]. What cannot be parsed is left out.
func Read(folder string, texts map[string][]byte, tests bool) *Folder {
	f := &Folder{path: folder, fset: token.NewFileSet(), byName: map[string][]*found{}, aliases: map[string][]string{},
		constraints: map[string]constraint.Expr{}}
	f.all = sync.OnceValue(func() []File {
		return slices.Collect(Files(folder, texts, f.fset, parser.SkipObjectResolution, func(string) bool { return false }))
	})
	skip := func(name string) bool { return !tests && IsTest(name) }
	for file := range Files(folder, texts, f.fset, parser.ParseComments|parser.SkipObjectResolution, skip) {
		if file.Err != nil || !file.Built() {
			continue
		}
		in := importsOf(&file)
		f.constraints[file.Name] = in.of
		Declared(file.Syntax, func(name string, declaration ast.Node) {
			of := sync.OnceValue(func() string { return hash(f.fset, in, declaration) })
			f.byName[name] = append(f.byName[name], &found{file.Name, in.pkg, of})
			if t, ok := declaration.(*ast.TypeSpec); ok && t.Assign.IsValid() {
				f.aliases[base(t.Type)] = append(f.aliases[base(t.Type)], name)
			}
		})
	}
	return f
}

// named returns the declarations of a name. Those of a method may have aliases of its type as receivers. Names that
// are asked for already are left out, as an alias of one build may be that of another one in the next.
func (f *Folder) named(name string, asked ...string) []*found {
	all := slices.Clip(f.byName[name])
	if of, method, ok := strings.Cut(name, "."); ok && !slices.Contains(asked, name) {
		for _, alias := range f.aliases[of] {
			all = append(all, f.named(alias+"."+method, append(asked, name)...)...)
		}
	}
	return all
}

// DeclaredIn returns a file of the package that declares a name, of any build, "" if none does.
func (f *Folder) DeclaredIn(pkg, name string) (file string) {
	for _, d := range f.named(name) {
		if d.pkg == pkg {
			return d.file
		}
	}
	return ""
}

// Constraint returns what a build must fulfil to have a file, nil if all builds have it.
func (f *Folder) Constraint(file string) constraint.Expr { return f.constraints[file] }

// Hash returns the hash of the declaration of a file, "" if the file is none of the folder or declares no
// such name.
func (f *Folder) Hash(file, name string) string {
	for _, d := range f.named(name) {
		if d.file == file {
			return d.hash()
		}
	}
	return ""
}

// Declared calls visit for each declaration of a file: functions, types and variables one by one, constants
// with those that they are declared together with, as they may count.
func Declared(file *ast.File, visit func(name string, declaration ast.Node)) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			visit(Name(d), d)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					visit(s.Name.Name, s)
				case *ast.ValueSpec:
					of := ast.Node(s)
					if d.Tok == token.CONST {
						of = d
					}
					for _, name := range s.Names {
						visit(name.Name, of)
					}
				}
			}
		}
	}
}

// Name returns the name of a function, or Type.Name of a method.
func Name(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	return base(d.Recv.List[0].Type) + "." + d.Name.Name
}

// base returns the name of the type of a receiver: the first name in it.
func base(x ast.Expr) (name string) {
	ast.Inspect(x, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && name == "" {
			name = id.Name
		}
		return name == ""
	})
	return name
}
