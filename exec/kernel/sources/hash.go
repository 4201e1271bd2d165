package sources

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/format"
	"go/scanner"
	"go/token"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
)

// hash returns the hash of a declaration: of its package's name, of its tokens as gofmt writes them, of the builds
// that have its file, and of what the imports of that say of the names in it.
func hash(fset *token.FileSet, in *imports, declaration ast.Node) string {
	var text bytes.Buffer
	fmt.Fprintln(&text, in.pkg)
	if in.of != nil {
		fmt.Fprintln(&text, in.of)
	}
	if err := tokens(&text, fset, declaration); err != nil {
		fmt.Fprintln(&text, err)
	}
	used := maps.Clone(in.anywhere)
	ast.Inspect(declaration, func(n ast.Node) bool {
		if name := qualifier(n); in.named[name] != "" {
			used[name+" "+in.named[name]] = true
		}
		return true
	})
	for _, meaning := range slices.Sorted(maps.Keys(used)) {
		fmt.Fprintln(&text, meaning)
	}
	sum := sha256.Sum256(text.Bytes())
	return fmt.Sprintf("%x", sum[:8])
}

// tokens writes the tokens of a declaration, one a line, without commas and semicolons that lines ask for:
// those in front of what closes a list.
func tokens(to *bytes.Buffer, fset *token.FileSet, declaration ast.Node) error {
	var text bytes.Buffer
	if err := format.Node(&text, fset, declaration); err != nil {
		return err
	}
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, text.Len()), text.Bytes(), nil, 0)
	separator := ""
	for {
		_, tok, literal := s.Scan()
		switch {
		case tok == token.EOF:
			return nil
		case tok == token.COMMA, tok == token.SEMICOLON:
			separator += tok.String() + "\n"
			continue
		case tok != token.RPAREN && tok != token.RBRACE:
			to.WriteString(separator)
		}
		separator = ""
		if literal == "" {
			literal = tok.String()
		}
		fmt.Fprintf(to, "%q\n", literal)
	}
}

// imports says what the imports of a file declare.
type imports struct {
	pkg      string            // the name of the file's package
	of       constraint.Expr   // of the file
	named    map[string]string // paths by the names that stand in front of dots
	anywhere map[string]bool   // paths of those that may declare any name
}

// version is the last part of a path that is no name.
var version = regexp.MustCompile(`^v[0-9]+$`)

// importsOf returns what the imports of a file declare. An import without a name has the last one of its
// path. If nothing in the file is of that name, the package has another one, and so may declare any.
func importsOf(f *File) *imports {
	file := f.Syntax
	in := &imports{pkg: file.Name.Name, of: f.constraint(), named: map[string]string{}, anywhere: map[string]bool{}}
	qualifiers := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		qualifiers[qualifier(n)] = true
		return true
	})
	for _, d := range file.Decls {
		d, ok := d.(*ast.GenDecl)
		if !ok || d.Tok != token.IMPORT {
			continue
		}
		for _, s := range d.Specs {
			s := s.(*ast.ImportSpec)
			of, _ := strconv.Unquote(s.Path.Value)
			name := path.Base(of)
			if version.MatchString(name) {
				name = path.Base(path.Dir(of))
			}
			if s.Name != nil {
				name = s.Name.Name
			}
			switch {
			case name == "_":
			case name == ".", !qualifiers[name]:
				in.anywhere[of] = true
			default:
				in.named[name] = of
			}
		}
	}
	return in
}

// qualifier returns the name in front of a dot, "" if the node is no such.
func qualifier(n ast.Node) string {
	if s, ok := n.(*ast.SelectorExpr); ok {
		if id, ok := s.X.(*ast.Ident); ok {
			return id.Name
		}
	}
	return ""
}
