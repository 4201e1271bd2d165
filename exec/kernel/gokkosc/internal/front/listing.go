package front

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/types"
	"io"
	"os"
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
	ForTest                           string // the package whose tests this one is built for: "" if for none
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

// List lists packages with all that they import, those that are imported first. With tests, builds for these come behind.
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

// isTestMain reports whether a package is the main package that the go command makes for tests: its file is in the cache.
func isTestMain(l *Listed) bool {
	return l.Name == "main" && strings.HasSuffix(l.ImportPath, ".test") && len(l.GoFiles) == 1 && filepath.IsAbs(l.GoFiles[0])
}

// Ask runs the go command and returns its output. An error has what the command complains of.
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

// A checker checks packages from source, and has the types of those that they import from what the compiler has written.
type checker struct {
	world  *world
	export map[string]string         // files of the compiler, by path
	types  map[string]*types.Package // that were checked
	all    []*Listed
	sizes  types.Sizes
	others types.Importer // of packages that were not
}

// check loads packages of a listing from their sources. Their types are not asked of the compiler, as it compiles them
// only later, with loops.
func (w *world) check(all []*Listed, want func(p *Listed) bool) ([]*packages.Package, error) {
	var paths []string
	for _, p := range all {
		if !want(p) && p.ForTest == "" && p.ImportPath != "unsafe" && p.ImportPath != "C" && p.Error == nil {
			paths = append(paths, p.ImportPath)
		}
	}
	c := &checker{all: all, world: w, export: map[string]string{}, types: map[string]*types.Package{}, sizes: types.SizesFor("gc", w.config.Arch)}
	if len(paths) > 0 {
		compiled, err := list(slices.Concat([]string{"-export", "-json=ImportPath,Export"}, w.config.Flags, []string{"--"}, paths))
		if err != nil {
			return nil, err
		}
		for _, p := range compiled {
			c.export[p.ImportPath] = p.Export
		}
	}
	w.listed = c
	c.others = importer.ForCompiler(w.fset, "gc", c.open)
	var out []*packages.Package
	for _, l := range all {
		if !want(l) {
			continue
		}
		p, err := c.load(l)
		if err != nil {
			return nil, err
		}
		if err := firstError(p); err != nil {
			return nil, err
		}
		c.types[l.ImportPath] = p.Types
		w.checked[p.Types] = p
		if w.loaded[p.PkgPath] == nil {
			w.loaded[p.PkgPath] = p
		}
		out = append(out, p)
	}
	return out, nil
}

// source checks a package of the listing whose types the compiler has written; nil if that fails, or there is none.
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
		ID: l.ImportPath, PkgPath: l.Path(), ForTest: l.ForTest, Name: l.Name, Dir: l.Dir, Module: l.Module, Fset: c.world.fset, TypesSizes: c.sizes,
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
		text, ok := c.world.config.Overlay[path]
		if !ok {
			var err error
			if text, err = os.ReadFile(path); err != nil {
				return nil, fmt.Errorf("gokkosc: %w", err)
			}
		}
		file, err := parser.ParseFile(c.world.fset, path, text, parser.ParseComments|parser.SkipObjectResolution)
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
		FakeImportC: true, // what C has is of no type here
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
	p.Types, _ = config.Check(l.Path(), c.world.fset, p.Syntax, p.TypesInfo) // what is wrong is in TypeErrors
	return p, nil
}

// An importing is a function that imports packages.
type importing func(path string) (*types.Package, error)

func (f importing) Import(path string) (*types.Package, error) { return f(path) }

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
		p.Imports[path] = &packages.Package{ID: means, PkgPath: pkg.Path(), Name: pkg.Name(), Types: pkg, Fset: c.world.fset}
	}
	return pkg, err
}

func (c *checker) exported(path string) (*types.Package, error) {
	if p := c.types[path]; p != nil {
		return p, nil
	}
	path, _, _ = strings.Cut(path, " ") // of tests: it is no package of the user's
	return c.others.Import(path)
}

// open opens the file that the compiler has written of a package.
func (c *checker) open(path string) (io.ReadCloser, error) {
	name := c.export[path]
	if name == "" {
		return nil, fmt.Errorf("could not import %s: it does not compile", path)
	}
	return os.Open(name)
}
