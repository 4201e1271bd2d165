package front

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/find"
	"github.com/gokkos/gokkos/exec/kernel/sources"
)

// A world has the packages that are loaded with their syntax.
type world struct {
	config  Config
	fset    *token.FileSet
	loaded  map[string]*packages.Package
	checked map[*types.Package]*packages.Package // packages of a listing
	listed  *checker                             // nil without a listing
	missing map[string]error
	imports map[string]string // names of packages in generated files, to their paths
	tables  map[*types.Var]*constants
	folders map[folderKey]*sources.Folder               // folders of kernels, and of the declarations that they are made of
	named   map[*packages.Package]map[string][]declared // see declarations
	changed map[ast.Decl]map[*types.Var]bool            // local variables that may change

	cut map[*packages.Package]map[types.Object]bool // variables that slice expressions cut

	instances *find.Instances // of generic declarations
}

func newWorld(c Config) *world {
	return &world{
		config: c, fset: token.NewFileSet(), loaded: map[string]*packages.Package{}, checked: map[*types.Package]*packages.Package{}, missing: map[string]error{}, imports: map[string]string{},
		tables: map[*types.Var]*constants{}, folders: map[folderKey]*sources.Folder{}, named: map[*packages.Package]map[string][]declared{}, changed: map[ast.Decl]map[*types.Var]bool{}, cut: map[*packages.Package]map[types.Object]bool{},
	}
}

const loadMode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
	packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedModule | packages.NeedExportFile

// load loads packages with their syntax, and returns the first error in any package.
func (w *world) load(patterns ...string) ([]*packages.Package, error) {
	pkgs, err := w.ask(patterns)
	if err != nil {
		return nil, err
	}
	for _, p := range pkgs {
		if err := firstError(p); err != nil {
			return nil, err
		}
		w.loaded[p.PkgPath] = p
	}
	return pkgs, nil
}

// ask finds packages by the go command, and type-checks them. Each package holds its own errors.
func (w *world) ask(patterns []string) ([]*packages.Package, error) {
	cfg := &packages.Config{Mode: loadMode, Dir: w.config.Dir, Fset: w.fset, Overlay: w.config.Overlay}
	cfg.BuildFlags = w.config.Flags
	if len(w.config.Tags) > 0 {
		cfg.BuildFlags = append(slices.Clip(cfg.BuildFlags), "-tags="+strings.Join(w.config.Tags, ","))
	}
	pkgs, err := packages.Load(cfg, patterns...)
	if err != nil {
		return nil, fmt.Errorf("gokkosc: load %v: %w", patterns, err)
	}
	return pkgs, nil
}

// libraries are the packages of this project whose functions become part of kernels. One load loads all of
// them, because each load runs the go command and reads the types of all imports.
var libraries = []string{viewsPath, memoryPath, policyPath, teamPath, kmathPath, randomPath, drawPath, builtinPath, crsPath}

// fetch loads a package. With a library it loads the other libraries, too, but not with -mod=mod. With that
// flag the go command would note the imports of libraries that nobody has requested. A package with an error
// counts as missing.
func (w *world) fetch(path string) {
	paths := []string{path}
	notes := slices.Contains(append(strings.Fields(os.Getenv("GOFLAGS")), w.config.Flags...), "-mod=mod")
	if !notes && slices.Contains(libraries, path) {
		paths = slices.DeleteFunc(slices.Clone(libraries), func(l string) bool { return w.loaded[l] != nil || w.missing[l] != nil })
	}
	pkgs, err := w.ask(paths)
	for _, l := range paths {
		w.missing[l] = err
	}
	for _, p := range pkgs {
		if w.missing[p.PkgPath] = firstError(p); w.missing[p.PkgPath] == nil {
			w.loaded[p.PkgPath] = p
		}
	}
	if w.loaded[path] == nil && w.missing[path] == nil {
		w.missing[path] = fmt.Errorf("gokkosc: the go command finds no package %s", path)
	}
}

// check loads packages of a listing from their sources. Their types are not asked of the compiler, as it
// compiles them only later, with loops.
func (w *world) check(all []*Listed, want func(p *Listed) bool) ([]*packages.Package, error) {
	var paths []string
	for _, p := range all {
		if !want(p) && p.ForTest == "" && p.ImportPath != "unsafe" && p.ImportPath != "C" && p.Error == nil {
			paths = append(paths, p.ImportPath)
		}
	}
	c := &checker{all: all, config: w.config, fset: w.fset, export: map[string]string{}, types: map[string]*types.Package{}, sizes: types.SizesFor("gc", w.config.Arch)}
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

// broken returns what does not compile in a declaration, nil if all does.
func (w *world) broken(p *packages.Package, d ast.Node) *Refusal {
	from, to := w.fset.Position(d.Pos()), w.fset.Position(d.End())
	for _, e := range p.TypeErrors {
		at := w.fset.Position(e.Pos)
		if at.Filename == from.Filename && at.Line >= from.Line && at.Line <= to.Line {
			at.Filename, at.Offset = filepath.Base(at.Filename), 0
			return &Refusal{Pos: at, Reason: "it does not compile: " + e.Msg}
		}
	}
	return nil
}

// declOf returns the declaration of a function, and its package, if the function may become part
// of kernels of package from.
func (w *world) declOf(from *packages.Package, f *types.Func) (*packages.Package, *ast.FuncDecl, error) {
	if f.Pkg() == nil {
		return nil, nil, fmt.Errorf("%s has no body in Go", f.Name())
	}
	p, err := w.source(from, f.Pkg())
	if err != nil {
		return nil, nil, err
	}
	want := funcKey(f)
	for _, file := range p.Syntax {
		for _, d := range file.Decls {
			d, ok := d.(*ast.FuncDecl)
			if !ok || d.Name.Name != f.Name() {
				continue
			}
			if g, ok := p.TypesInfo.Defs[d.Name].(*types.Func); ok && funcKey(g) == want && d.Body != nil {
				if r := w.broken(p, d); r != nil {
					return nil, nil, r
				}
				return p, d, nil
			}
		}
	}
	return nil, nil, fmt.Errorf("%s has no body in Go", f.Name())
}

// source returns a package with its syntax, if its functions may become part of kernels of package from.
func (w *world) source(from *packages.Package, p *types.Package) (*packages.Package, error) {
	if !w.inlines(from, p.Path()) {
		return nil, fmt.Errorf("package %s is not of this module", p.Path())
	}
	return w.syntax(p)
}

// syntax returns a package with its syntax, whether or not its functions may become part of kernels.
func (w *world) syntax(of *types.Package) (*packages.Package, error) {
	if p := w.checked[of]; p != nil {
		return p, nil
	}
	path := of.Path()
	if p := w.loaded[path]; p != nil {
		return p, nil
	}
	if err := w.missing[path]; err != nil {
		return nil, err
	}
	if p := w.listed.source(path); p != nil {
		w.loaded[path] = p
		return p, nil
	}
	w.fetch(path)
	return w.loaded[path], w.missing[path]
}

// inlines reports whether functions of a package may become part of kernels of package from.
func (w *world) inlines(from *packages.Package, path string) bool {
	switch path {
	case viewsPath, kmathPath, policyPath, randomPath, drawPath, builtinPath, crsPath:
		return true
	}
	if slices.Contains(w.config.Inline, path) {
		return true
	}
	if w.config.InPlace && (strings.Contains(path, ".") || path == "cmp" || path == "slices" || path == "math/cmplx") {
		return true // loops are made anew when a source changes, of whatever module
	}
	m := from.Module
	return m != nil && (path == m.Path || strings.HasPrefix(path, m.Path+"/"))
}

// A constants is an array that is a variable of a package and never written.
type constants struct {
	name string
	elem types.Type // of the innermost array
	bits []uint64   // bits of all elements, with inner arrays one after the other
}
