// Package front makes kernels, in their intermediate representation, of the constructors of a
// package that are marked
//
//	//gokkos:kernel
//
// It works on the syntax tree with its types. Control flow is structured there, and so it is in
// the representation; and float64(x*y), which forbids Go to fuse the product, is still there.
package front

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/find"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/sources"
)

// Config says what to compile.
type Config struct {
	Dir    string   // where the patterns are looked up; "" is the current directory
	Inline []string // packages outside of the module whose functions may become part of kernels
	Tags   []string // of the build
	// Overlay has the text of files, by their absolute paths, that are not on disk or not like that.
	Overlay map[string][]byte // besides those of an overlay in GOFLAGS
	// InPlace compiles the functors that reach launches, beside those of constructors: for this build alone.
	InPlace bool
	Rounded bool     // products are rounded, as Go does not fuse them in this build
	Flags   []string // of the go command
	Arch    string   // GOARCH
}

// A Package is the kernels of a package.
type Package struct {
	Name, Path, Dir string
	Imports         map[string]string // path to name, of packages that types of parameters name
	Kernels         []*Kernel         // in the order of files and lines
	Sources         *sources.Folder   // what the package declares in any build, generated files apart
	Imported        map[string]bool   // what imports of its files declare in these, beside the names of packages
	NoAssembly      string            // why there can be no assembly beside the package's files; "" if there can
	Tests           bool              // the functors of its test files: generated files are some of these
}

// A Kernel is a constructor, and what became of it.
type Kernel struct {
	IR      *ir.Kernel // nil if it is refused
	Refused *Refusal   // nil if not
	Others  []*Refusal // why a functor in place is refused, too
	Func    string     // name of the constructor
	Pos     token.Position
	Doc     []string // lines of its comment, with //
	Params  []ir.Param
	Value   *ir.Returned // nil if the functor returns none
	Site    *Site        // nil of a constructor
	Result  string       // type of the functor
	MadeOf  []sources.Declaration
	Builds  []Build // what builds that have loops must fulfil
	Imports map[string]string
	Fuses   token.Position // of a product that Go fuses with a sum where it can, if the kernel has one
}

const directive = "//gokkos:kernel"

// rareDirective marks a function for which loops have no place: an item that calls it runs as the closure.
const rareDirective = find.Closure

const loadMode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
	packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedModule | packages.NeedExportFile

// Load lowers all kernels of the packages that the patterns name.
func Load(c Config, patterns ...string) ([]*Package, error) {
	texts, err := sources.Overlay(c.Dir)
	if err != nil {
		return nil, fmt.Errorf("gokkosc: %w", err)
	}
	maps.Copy(texts, c.Overlay)
	c.Overlay = texts
	w := newWorld(c)
	pkgs, err := w.load(patterns...)
	if err != nil {
		return nil, err
	}
	return w.all(pkgs)
}

// LoadListed lowers the kernels of some packages of a listing.
func LoadListed(c Config, all []*Listed, want func(p *Listed) bool) ([]*Package, error) {
	texts, err := sources.Overlay(c.Dir)
	if err != nil {
		return nil, fmt.Errorf("gokkosc: %w", err)
	}
	c.Overlay = texts
	w := newWorld(c)
	pkgs, err := w.check(all, want)
	if err != nil {
		return nil, err
	}
	return w.all(pkgs)
}

func newWorld(c Config) *world {
	return &world{
		config: c, fset: token.NewFileSet(), loaded: map[string]*packages.Package{}, checked: map[*types.Package]*packages.Package{}, missing: map[string]error{}, imports: map[string]string{},
		tables: map[*types.Var]*constants{}, folders: map[string]*sources.Folder{}, changed: map[ast.Decl]map[*types.Var]bool{},
	}
}

// all lowers the kernels of packages.
func (w *world) all(pkgs []*packages.Package) (out []*Package, err error) {
	for _, p := range pkgs {
		if p.ForTest != "" {
			continue
		}
		q, err := w.kernels(p)
		if err != nil {
			return nil, err
		}
		out = append(out, q)
	}
	if w.config.InPlace {
		return w.places(pkgs, out)
	}
	return out, nil
}

// A world has the packages that are loaded with their syntax.
type world struct {
	config  Config
	fset    *token.FileSet
	loaded  map[string]*packages.Package
	checked map[*types.Package]*packages.Package // those of a listing
	listed  *checker                             // nil without a listing
	missing map[string]error
	imports map[string]string // what generated files call packages, to their paths
	tables  map[*types.Var]*constants
	folders map[string]*sources.Folder       // with kernels, and what these are made of
	changed map[ast.Decl]map[*types.Var]bool // local variables that may change

	instances *find.Instances // of generic declarations
}

func (w *world) load(patterns ...string) ([]*packages.Package, error) {
	cfg := &packages.Config{Mode: loadMode, Dir: w.config.Dir, Fset: w.fset, Overlay: w.config.Overlay}
	cfg.BuildFlags = w.config.Flags
	if len(w.config.Tags) > 0 {
		cfg.BuildFlags = append(slices.Clip(cfg.BuildFlags), "-tags="+strings.Join(w.config.Tags, ","))
	}
	pkgs, err := packages.Load(cfg, patterns...)
	if err != nil {
		return nil, fmt.Errorf("gokkosc: load %v: %w", patterns, err)
	}
	for _, p := range pkgs {
		if err := firstError(p); err != nil {
			return nil, err
		}
		w.loaded[p.PkgPath] = p
	}
	return pkgs, nil
}

// firstError returns why nothing of a package can be compiled. What does not compile elsewhere does not
// matter here: names that only generated files have are missing before these are there, and old
// generated files may be broken.
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

// kernels lowers the kernels of a package.
func (w *world) kernels(p *packages.Package) (*Package, error) {
	q := w.unit(p)
	if q.Dir != "" && !w.config.InPlace {
		if err := w.left(p, q.Dir); err != nil {
			return nil, err
		}
	}
	for _, file := range p.Syntax {
		path := w.path(p, file)
		if w.isGenerated(p, file) {
			continue // it may be of another version, and may not even compile
		}
		if err := w.directives(file); err != nil {
			return nil, err
		}
		for _, d := range file.Decls {
			imported(p, file, q.Imported)
			if d, ok := d.(*ast.FuncDecl); ok && marked(d) {
				k, err := w.compiled(p, d, only(q.Sources.Constraint(filepath.Base(path)), releases(p.Module)))
				if err != nil {
					return nil, err
				}
				q.Kernels = append(q.Kernels, k)
			}
		}
	}
	return q, nil
}

func (w *world) isGenerated(p *packages.Package, file *ast.File) bool {
	return strings.HasPrefix(filepath.Base(w.path(p, file)), sources.Generated) && ast.IsGenerated(file)
}

// compiled lowers a kernel whose constructor is in a file of some builds only. Generated files call the constructor in
// all builds, but a package that imports "C" may have none without cgo.
func (w *world) compiled(p *packages.Package, d *ast.FuncDecl, only []string) (*Kernel, error) {
	if len(only) > 0 && !slices.Equal(only, []string{"cgo"}) && !w.config.InPlace {
		pos := w.fset.Position(d.Pos())
		return nil, fmt.Errorf("gokkosc: %s:%d: a kernel in a file that only builds with %s have; move it to a file of all builds",
			pos.Filename, pos.Line, strings.Join(only, " && "))
	}
	return w.kernel(p, d)
}

// directives returns an error if a comment looks like the directive and is not, or stands at no function.
func (w *world) directives(file *ast.File) error {
	at := map[*ast.Comment]bool{}
	for _, d := range file.Decls {
		if d, ok := d.(*ast.FuncDecl); ok && d.Doc != nil {
			for _, c := range d.Doc.List {
				at[c] = true
			}
		}
	}
	for _, group := range file.Comments {
		for _, c := range group.List {
			text, ok := strings.CutPrefix(c.Text, "//")
			if !ok || !strings.HasPrefix(strings.TrimSpace(text), "gokkos:") {
				continue
			}
			pos := w.fset.Position(c.Pos())
			switch strings.TrimSpace(c.Text) {
			case directive:
			case rareDirective:
				if !at[c] && !w.inFunction(file, c) {
					return fmt.Errorf("gokkosc: %s:%d: %s stands at no function, expected it in the comment of one that kernels call", pos.Filename, pos.Line, rareDirective)
				}
				continue
			default:
				return fmt.Errorf("gokkosc: %s:%d: %q is no directive, expected %s or %s", pos.Filename, pos.Line, c.Text, directive, rareDirective)
			}
			if !at[c] {
				return fmt.Errorf("gokkosc: %s:%d: %s stands at no function, expected it in the comment of a constructor", pos.Filename, pos.Line, directive)
			}
		}
	}
	return nil
}

// inFunction reports whether a comment stands in a function, where it is one of a functor.
func (w *world) inFunction(file *ast.File, c *ast.Comment) bool {
	return slices.ContainsFunc(file.Decls, func(d ast.Decl) bool { return d.Pos() < c.Pos() && c.Pos() < d.End() })
}

func marked(d *ast.FuncDecl) bool { return hasDirective(d, directive) }

func hasDirective(d *ast.FuncDecl, text string) bool {
	return d.Doc != nil && slices.ContainsFunc(d.Doc.List, func(c *ast.Comment) bool { return strings.TrimSpace(c.Text) == text })
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

// syntax is source for packages whose functions do not become part of kernels, too.
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
	if _, err := w.load(path); err != nil {
		w.missing[path] = err
		return nil, err
	}
	return w.loaded[path], nil
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
	if w.config.InPlace && (strings.Contains(path, ".") || path == "cmp" || path == "slices") {
		return true // loops are made anew when a source changes, of whatever module
	}
	m := from.Module
	return m != nil && (path == m.Path || strings.HasPrefix(path, m.Path+"/"))
}

// funcKey names a function or method within its package.
func funcKey(f *types.Func) string {
	recv := f.Signature().Recv()
	if recv == nil {
		return f.Name()
	}
	t := recv.Type()
	star := ""
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t, star = p.Elem(), "*"
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return star + n.Obj().Name() + "." + f.Name()
	}
	return f.Name()
}
