// Package front makes kernels, in their intermediate representation, of the constructors of a
// package that are marked
//
//	//gokkos:kernel
//
// Package front works on the typed syntax tree, for two reasons. Its control flow is structured, as in the
// representation. It still has conversions such as float64(x*y), which forbid Go to fuse the product.
package front

import (
	"fmt"
	"go/ast"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/gokkos/gokkos/exec/kernel/sources"
)

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

// all lowers the marked kernels of all packages that are not built for tests.
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
			continue // a generated file may be of another version, and may not even compile
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

// compiled lowers a kernel whose constructor is in a file of some builds only. Generated files call the
// constructor in all builds, but a package that imports "C" may have none without cgo.
func (w *world) compiled(p *packages.Package, d *ast.FuncDecl, only []string) (*Kernel, error) {
	if len(only) > 0 && !slices.Equal(only, []string{"cgo"}) && !w.config.InPlace {
		pos := w.fset.Position(d.Pos())
		return nil, fmt.Errorf("gokkosc: %s:%d: a kernel in a file that only builds with %s have; move it to a file of all builds",
			pos.Filename, pos.Line, strings.Join(only, " && "))
	}
	return w.kernel(p, d)
}
