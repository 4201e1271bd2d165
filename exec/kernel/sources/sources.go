// Package sources compares the declarations that generated kernels are made of with those that there are now. The
// file [File] has a line for each declaration:
//
//	//gokkos:source folder name hash
//
// The folder is relative to that of the file, and a method is called Type.Name. The hash is that of the syntax:
// comments and spaces do not matter.
package sources

import (
	"crypto/sha256"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
)

// File is the name of the generated file with the lines.
const File = "z_kernels.go"

// Prefix begins the lines.
const Prefix = "//gokkos:source "

// generated begins the names of generated files, which declare nothing that kernels are made of.
const generated = "z_kernels"

// Line returns the line of a declaration.
func Line(folder, name string, declaration ast.Node) string {
	return fmt.Sprintf("%s%s %s %s", Prefix, folder, name, Hash(declaration))
}

// Hash returns the hash of a syntax tree without its comments and positions.
func Hash(n ast.Node) string {
	h := sha256.New()
	write(h, reflect.ValueOf(n))
	return fmt.Sprintf("%x", h.Sum(nil)[:8])
}

// write writes a part of a syntax tree. Of positions, only those of an ellipsis and of the sign of an alias matter.
func write(w io.Writer, v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		switch v.Interface().(type) {
		//lint:ignore SA1019 a parser that resolves objects sets these, and they are not a part of the syntax
		case *ast.CommentGroup, *ast.Object, *ast.Scope:
			return
		}
		if v.IsNil() {
			fmt.Fprint(w, "nil;")
			return
		}
		write(w, v.Elem())
	case reflect.Slice:
		fmt.Fprintf(w, "[%d;", v.Len())
		for k := range v.Len() {
			write(w, v.Index(k))
		}
	case reflect.Struct:
		fmt.Fprintf(w, "%s{", v.Type())
		for k := range v.NumField() {
			if field := v.Type().Field(k); field.Type != reflect.TypeFor[token.Pos]() {
				write(w, v.Field(k))
			} else if field.Name == "Ellipsis" || field.Name == "Assign" {
				fmt.Fprint(w, v.Field(k).Int() != 0, ";")
			}
		}
		fmt.Fprint(w, "}")
	default:
		fmt.Fprintf(w, "%v;", v.Interface())
	}
}

// Declared calls visit for each declaration of a file: functions, types and variables one by one, constants with those
// that they are declared together with, as they may count.
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
	of := d.Recv.List[0].Type
	for {
		switch t := of.(type) {
		case *ast.StarExpr:
			of = t.X
			continue
		case *ast.ParenExpr:
			of = t.X
			continue
		case *ast.IndexExpr:
			of = t.X
			continue
		case *ast.IndexListExpr:
			of = t.X
			continue
		case *ast.Ident:
			return t.Name + "." + d.Name.Name
		}
		return d.Name.Name
	}
}

// Changed returns the names of the declarations that the generated kernels of a folder are made of and that are others
// now, or none any more. A folder that cannot be read is left out.
func Changed(folder string) (names []string) {
	text, err := os.ReadFile(filepath.Join(folder, File))
	if err != nil {
		return nil
	}
	hashes := map[string]map[string][]string{} // by folder and name
	for line := range strings.Lines(string(text)) {
		list, ok := strings.CutPrefix(strings.TrimSpace(line), strings.TrimSpace(Prefix))
		fields := strings.Fields(list)
		if !ok || len(fields) != 3 {
			continue
		}
		of, name, hash := fields[0], fields[1], fields[2]
		if hashes[of] == nil {
			hashes[of] = read(filepath.Join(folder, filepath.FromSlash(of)))
		}
		if len(hashes[of]) == 0 || slices.Contains(hashes[of][name], hash) {
			continue
		}
		if of != "." {
			name += " of " + of
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// read returns the hashes of the declarations of a folder by name: several builds may have several of one.
func read(folder string) map[string][]string {
	hashes := map[string][]string{}
	all, _ := filepath.Glob(filepath.Join(folder, "*.go"))
	for _, path := range all {
		if name := filepath.Base(path); strings.HasPrefix(name, generated) || strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		Declared(file, func(name string, declaration ast.Node) {
			hashes[name] = append(hashes[name], Hash(declaration))
		})
	}
	return hashes
}
