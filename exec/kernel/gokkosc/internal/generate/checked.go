package generate

import (
	"errors"
	"maps"
	"path/filepath"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/front"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/target"
)

// The generated files of functors in place are part of a program that its user has not asked gokkosc about.
// So they are type-checked before Go sees them. A functor whose text is not valid Go stays a closure, and the
// other functors keep their loops.

// checked compiles a package. Functors in place, and kernels beside them, stay closures if their own text is
// not valid.
func checked(targets []target.Target, p *front.Package) (*Package, error) {
	c, err := without(targets, p, nil)
	if err == nil || p.Source == nil {
		return c, err
	}
	bad := map[*front.Kernel]error{}
	for _, k := range p.Kernels {
		others := map[*front.Kernel]error{}
		for _, other := range p.Kernels {
			if other != k {
				others[other] = errAside
			}
		}
		if !loops(k) {
			continue
		}
		if _, err := without(targets, p, others); err != nil {
			bad[k] = err
		}
	}
	if len(bad) > 0 {
		if c, err = without(targets, p, bad); err == nil {
			return c, nil
		}
	}
	for _, k := range p.Kernels { // the texts are not valid together
		if loops(k) {
			bad[k] = err
		}
	}
	return without(targets, p, bad)
}

// loops reports whether a kernel may have loops.
func loops(k *front.Kernel) bool { return k.IR != nil || k.Site != nil && k.Site.Body != nil }

// errAside is why a kernel is refused while others are tried without it.
var errAside = errors.New("others are tried without it")

// without compiles a package in which some kernels are refused.
func without(targets []target.Target, p *front.Package, refused map[*front.Kernel]error) (*Package, error) {
	q := *p
	q.Kernels = nil
	for _, k := range p.Kernels {
		of := *k
		if err := refused[k]; err != nil && loops(k) {
			says, _, _ := strings.Cut(err.Error(), "\n")
			if k.Site != nil {
				site := *k.Site
				of.Site, site.Body = &site, nil
			}
			of.IR, of.Refused = nil, &front.Refusal{Pos: k.Pos, Reason: "the Go of its loops is not valid: " + says, Help: "please report that, with the functor"}
		}
		q.Kernels = append(q.Kernels, &of)
	}
	c := &Package{Package: &q, Refused: map[string]map[*target.Kernel]error{}, Files: map[string][]byte{}, targets: targets}
	if err := c.generate(); err != nil || p.Source == nil || len(c.Files) == 0 {
		return c, err
	}
	texts, err := c.texts()
	if err != nil {
		return nil, err
	}
	return c, p.Source.Check(texts)
}

// texts returns the texts of the generated files, and of the files with functors in place, by path. The text
// of a file of an earlier version is nil.
func (c *Package) texts() (map[string][]byte, error) {
	texts, err := c.Wrapped()
	if err != nil {
		return nil, err
	}
	texts = maps.Clone(texts)
	for name, text := range c.Files {
		texts[filepath.Join(c.Dir, name)] = text
	}
	for _, path := range c.old() {
		texts[path] = nil
	}
	return texts, nil
}
