package front

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/gokkos/gokkos/exec/kernel/sources"
)

// A checker type-checks packages from source. It reads the types of imported packages from export data of the
// compiler.
type checker struct {
	config Config
	fset   *token.FileSet
	export map[string]string         // files of export data, by path of the package
	types  map[string]*types.Package // packages that the checker has checked
	all    []*Listed
	sizes  types.Sizes
	others types.Importer // imports packages that the checker has not checked
}

// source checks a package of the listing from source. It returns nil if the check fails, or if the listing or
// its export data lacks the package.
func (c *checker) source(path string) *packages.Package {
	if c == nil {
		return nil
	}
	n := slices.IndexFunc(c.all, func(l *Listed) bool { return l.ImportPath == path && l.Error == nil })
	if n < 0 || c.export[path] == "" {
		return nil
	}
	p, err := c.load(c.all[n])
	if err != nil || firstError(p) != nil {
		return nil
	}
	return p
}

// load parses and checks a package.
func (c *checker) load(l *Listed) (*packages.Package, error) {
	p := &packages.Package{
		ID: l.ImportPath, PkgPath: l.Path(), ForTest: l.ForTest, Name: l.Name, Dir: l.Dir, Module: l.Module, Fset: c.fset, TypesSizes: c.sizes,
		Imports: map[string]*packages.Package{},
		TypesInfo: &types.Info{
			Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
			Implicits: map[ast.Node]types.Object{}, Instances: map[*ast.Ident]types.Instance{}, Scopes: map[ast.Node]*types.Scope{},
			Selections: map[*ast.SelectorExpr]*types.Selection{}, FileVersions: map[*ast.File]string{},
		},
	}
	for _, name := range slices.Concat(l.GoFiles, l.CgoFiles) {
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(l.Dir, name)
		}
		text, err := c.config.text(path)
		if err != nil {
			return nil, err
		}
		file, err := parser.ParseFile(c.fset, path, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			p.Errors = append(p.Errors, packages.Error{Pos: path, Msg: err.Error(), Kind: packages.ParseError})
		}
		if file != nil {
			p.Syntax = append(p.Syntax, file)
		}
		p.GoFiles = append(p.GoFiles, path)
	}
	p.CompiledGoFiles = p.GoFiles
	config := types.Config{
		Importer:    importing(func(path string) (*types.Package, error) { return c.imported(l, p, path) }),
		Sizes:       c.sizes,
		FakeImportC: true, // names of C have no type here
		Error: func(err error) {
			var e types.Error
			if errors.As(err, &e) {
				p.TypeErrors = append(p.TypeErrors, e)
			}
		},
	}
	if l.Module != nil && l.Module.GoVersion != "" {
		config.GoVersion = "go" + l.Module.GoVersion
	}
	p.Types, _ = config.Check(l.Path(), c.fset, p.Syntax, p.TypesInfo) // TypeErrors has the errors
	return p, nil
}

// imported returns a package that a package imports.
func (c *checker) imported(from *Listed, p *packages.Package, path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	means := path
	if to, ok := from.ImportMap[path]; ok {
		means = to
	}
	pkg, err := c.exported(means)
	if err == nil {
		p.Imports[path] = &packages.Package{ID: means, PkgPath: pkg.Path(), Name: pkg.Name(), Types: pkg, Fset: c.fset}
	}
	return pkg, err
}

// open opens the file that the compiler has written of a package.
func (c *checker) open(path string) (io.ReadCloser, error) {
	name := c.export[path]
	if name == "" {
		return nil, fmt.Errorf("could not import %s: it does not compile", path)
	}
	return os.Open(name)
}

func (c *checker) exported(path string) (*types.Package, error) {
	if p := c.types[path]; p != nil {
		return p, nil
	}
	path, _, _ = strings.Cut(path, " ") // of tests: it is no package of the user's
	return c.others.Import(path)
}

// An importing is a function that imports packages.
type importing func(path string) (*types.Package, error)

func (f importing) Import(path string) (*types.Package, error) { return f(path) }

// firstError returns why no kernel of a package can be compiled. Errors of types do not count: before files
// are generated their names are missing, and old generated files may be broken.
func firstError(p *packages.Package) error {
	for _, e := range p.Errors {
		own := !strings.HasPrefix(filepath.Base(e.Pos), sources.Generated)
		if e.Kind == packages.ParseError && own || e.Kind == packages.ListError && len(p.Syntax) == 0 || strings.Contains(e.Msg, "could not import") {
			return fmt.Errorf("gokkosc: %s: %v", p.PkgPath, e)
		}
	}
	if p.Types == nil || p.TypesInfo == nil || len(p.Syntax) == 0 {
		return fmt.Errorf("gokkosc: %s has no Go files here", p.PkgPath)
	}
	return nil
}
