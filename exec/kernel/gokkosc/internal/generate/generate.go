// Package generate makes the generated files of packages with kernels: it runs front end, passes and
// back ends, and says what became of each kernel.
package generate

import (
	"bytes"
	"errors"
	"fmt"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/avx2"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/avx512"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/front"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/goloops"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/pass"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ptx"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/target"
	"github.com/gokkos/gokkos/exec/kernel/sources"
)

// Targets returns the back ends; with slow, vectors are used also where they are estimated to gain nothing.
func Targets(slow bool) []target.Target {
	return []target.Target{goloops.Target{}, avx2.Target(slow), avx512.Target(slow)}
}

// everything returns all back ends, requested or not. The names that any of them generates must differ.
func everything() []target.Target { return append([]target.Target{ptx.Target{}}, Targets(false)...) }

// A Package is a package with its generated files.
type Package struct {
	*front.Package
	Compiled []*Kernel                           // in the order of the package's kernels; IR is nil of a refused kernel
	Refused  map[string]map[*target.Kernel]error // by target: why a kernel has no loop
	Files    map[string][]byte                   // by name
	targets  []target.Target
}

// Packages compiles packages, and writes nothing.
func Packages(config front.Config, patterns ...string) ([]*Package, error) {
	return For(Targets(false), config, patterns...)
}

// For is Packages with other back ends.
func For(targets []target.Target, config front.Config, patterns ...string) ([]*Package, error) {
	packages, err := front.Load(config, patterns...)
	if err != nil {
		return nil, err
	}
	return all(targets, packages)
}

// Listed is For of some packages of a listing.
func Listed(targets []target.Target, config front.Config, list []*front.Listed, want func(p *front.Listed) bool) ([]*Package, error) {
	packages, err := front.LoadListed(config, list, want)
	if err != nil {
		return nil, err
	}
	return all(targets, packages)
}

func all(targets []target.Target, packages []*front.Package) (out []*Package, err error) {
	for _, p := range packages {
		c, err := checked(targets, p)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// passes runs all passes on a kernel.
func passes(k *Kernel) error {
	k.IR = pass.Right(k.Source)
	if k.IR.Team == ir.ByMember {
		if err := pass.Phases(k.IR); err != nil {
			return err
		}
	}
	if k.IR.Scan {
		pass.OfPass(k.IR, false)
	}
	pass.Run(k.IR, pass.All)
	return nil
}

// safely does something with functors in place, and returns an error if gokkosc fails with them.
func safely(inPlace bool, do func()) (err error) {
	if inPlace {
		defer func() {
			if r := recover(); r != nil {
				err = fmt.Errorf("gokkosc fails with it: %v; please report that", r)
			}
		}()
	}
	do()
	return nil
}

// target returns the package as targets see it.
func (c *Package) target() *target.Package {
	return &target.Package{Name: c.Name, Path: c.Path, Dir: c.Dir, Loops: c.Constraints(true), Devices: c.Constraints(false)}
}

// loops returns the files that a target generates for kernels. If the target fails with a functor in place,
// that functor has no loop of the target.
func (c *Package) loops(t target.Target, kernels []*Kernel) (made target.Generated, err error) {
	inPlace := func(k *Kernel) bool { return k.Site != nil }
	p := c.target()
	generate := func(kernels ...*Kernel) { made, err = t.Generate(p, forTargets(kernels)) }
	if safely(slices.ContainsFunc(kernels, inPlace), func() { generate(kernels...) }) == nil {
		return made, err
	}
	failed := map[*target.Kernel]error{}
	var others []*Kernel
	for _, k := range kernels {
		if failed[k.Kernel] = safely(inPlace(k), func() { generate(k) }); failed[k.Kernel] == nil {
			others = append(others, k)
		}
	}
	generate(others...)
	for k, why := range failed {
		if why != nil && made.Refused != nil {
			made.Refused[k] = why
		}
	}
	return made, err
}

// refusal returns why passes leave a kernel a closure.
func refusal(k *Kernel, err error) *front.Refusal {
	if r, ok := err.(*pass.Refusal); ok {
		return &front.Refusal{Pos: r.Pos, Reason: r.Reason, Help: r.Help}
	}
	return &front.Refusal{Pos: k.Pos, Reason: err.Error()}
}

// generate makes the files of a package.
func (c *Package) generate() error {
	c.name()
	if len(c.Compiled) == 0 {
		return nil
	}
	var some []*Kernel
	for _, k := range c.Compiled {
		if k.IR == nil {
			continue
		}
		var err error
		if failed := safely(k.Site != nil, func() { err = passes(k) }); failed != nil {
			err = failed
		}
		if err != nil {
			k.refuse(refusal(k, err))
			continue
		}
		some = append(some, k)
	}
	for _, t := range c.targets {
		if c.NoAssembly != "" && t.Assembly() {
			c.Refused[t.Name()] = map[*target.Kernel]error{}
			for _, k := range some {
				c.Refused[t.Name()][k.Kernel] = errors.New(c.NoAssembly)
			}
			continue
		}
		made, err := c.ofLength(t, some)
		if err != nil {
			return err
		}
		c.Refused[t.Name()] = made.Refused
		for _, k := range some {
			if made.Refused[k.Kernel] == nil {
				k.Made = append(k.Made, t.Name())
			}
			if lines := made.Inner[k.Kernel]; len(lines) > 0 {
				k.Inner = slices.Compact(slices.Sorted(slices.Values(lines)))
			}
		}
		maps.Copy(c.Files, made.Files)
	}
	if err := c.main(); err != nil || !c.Tests {
		return err
	}
	return c.inTests()
}

// main adds the main file, with the constructors.
func (c *Package) main() error {
	imports, hidden, others := target.Imports(forTargets(c.Compiled)), c.hides(), ""
	for _, name := range hidden {
		if extremes[name] != "" {
			imports["cmp"], imports["slices"] = "cmp", "slices"
			others += extremes[name]
		}
	}
	generation := ""
	if !c.Tests { // files of tests are never committed, and so belong to one source
		generation = c.generation()
	}
	file, err := target.File(&target.Package{Name: c.Name, Path: c.Path}, "", imports, generation+c.constructors()+others)
	if err != nil {
		return err
	}
	c.Files[sources.Generated+".go"] = file
	for name, text := range c.Files {
		if len(hidden) > 0 && filepath.Ext(name) == ".go" {
			if c.Files[name], err = otherNames(text, hidden); err != nil {
				return err
			}
		}
	}
	return nil
}

// apart is the name of the function by which generated code calls constructors, see apartText.
const apart = front.Maker

// apartText is the text of the function apart. If Go inlined a constructor, the closure in the copy would
// call methods of views that Go inlines in the original.
const apartText = `
// kernelMaker returns a constructor, so that it is not inlined where it is called: the copy of its closure would be.
//
//go:noinline
func kernelMaker[F any](constructor F) F { return constructor }
`

// constructors returns the part of the files that all machines compile.
func (c *Package) constructors() string {
	var b strings.Builder
	var of []sources.Declaration
	for _, k := range c.Compiled {
		if k.IR != nil {
			of = append(of, k.MadeOf...)
		}
	}
	if len(of) > 0 {
		hidden := c.hides() // loops call other functions in place of these, so their declarations do not matter
		for _, name := range slices.Concat(used, slices.Sorted(maps.Keys(extremes))) {
			if types.Universe.Lookup(name) != nil && !slices.Contains(hidden, name) {
				of = append(of, sources.Declaration{Folder: ".", Package: c.Name, Name: name, Hash: sources.Undeclared})
			}
		}
		fmt.Fprintf(&b, "\n%s\n", strings.Join(sources.Lines(of), "\n"))
	}
	written := b.Len()
	for _, k := range c.Compiled {
		if k.Result != "" && k.Site == nil {
			c.constructor(&b, k)
		}
	}
	if b.Len() > written {
		b.WriteString(apartText)
	}
	for _, k := range c.Compiled {
		if k.Site != nil {
			c.placed(&b, k)
		}
	}
	return b.String()
}

// constructor writes the function that makes a compiled functor, and its type.
func (c *Package) constructor(b *strings.Builder, k *Kernel) {
	b.WriteString("\n" + doc(k))
	var params, names, values []string
	for _, p := range k.Params {
		params = append(params, p.Name+" "+p.Type)
		names = append(names, p.Name)
		values = append(values, p.Name+": "+p.Name)
	}
	call := fmt.Sprintf("%s(%s)(%s)", apart, k.Func, strings.Join(names, ", "))
	fmt.Fprintf(b, "func %s(%s) %s {\n", k.Exported, strings.Join(params, ", "), k.Result)
	if !c.anyLoop(k) {
		fmt.Fprintf(b, "return %s\n}\n", call)
		return
	}
	fmt.Fprintf(b, "return (&%s{%s}).%s\n}\n", k.Type, strings.Join(append(values, k.Closure+": "+call), ", "), k.Method)
	c.functor(b, k)
}

// functor writes the type of a compiled functor.
func (c *Package) functor(b *strings.Builder, k *Kernel) {
	args, call := "i "+k.Index(), "i"
	for _, a := range k.Accumulators() {
		name := unlikeNames(a.Name, k.Closure)
		args += fmt.Sprintf(", %s *%s", name, a.GoType)
		call += ", " + name
	}
	if k.IR.Scan {
		args, call = args+", final bool", call+", final"
	}
	fmt.Fprintf(b, "\n// %s is what %s captures, and the closure.\ntype %s struct {\n%s%s %s\n}\n", k.Type, k.Func, k.Type, fields(k.Params), k.Closure, k.Functor())
	if k.Value == nil {
		fmt.Fprintf(b, "\nfunc (k *%s) %s(%s) { k.%s(%s) }\n", k.Type, k.Method, args, k.Closure, call)
	} else {
		fmt.Fprintf(b, "\nfunc (k *%s) %s(%s) %s { return k.%s(%s) }\n", k.Type, k.Method, args, k.Value.Type, k.Closure, call)
	}
	if k.Loop() == k.Type {
		return
	}
	fmt.Fprintf(b, "\n// %s is what loops of %s are made of.\ntype %s struct {\n%s\n%s}\n", k.Loop(), k.Func, k.Loop(), k.Type, fields(k.IR.Params[len(k.Params):]))
}

// fields returns parameters as fields of a struct.
func fields(params []ir.Param) (list string) {
	for _, p := range params {
		list += p.Name + " " + p.Type + "\n"
	}
	return list
}

// unlikeNames returns a name for an accumulator that differs from the method's own names: receiver k, index
// i, and final.
func unlikeNames(name, _ string) string {
	if name == "k" || name == "i" || name == "final" || name == "_" || name == "" {
		return "acc" + strings.Trim(name, "_")
	}
	return name
}

// anyLoop reports whether a target has a loop for a kernel.
func (c *Package) anyLoop(k *Kernel) bool {
	for _, t := range c.targets {
		if k.IR != nil && c.Refused[t.Name()][k.Kernel] == nil {
			return true
		}
	}
	return false
}

// doc returns the comment of the compiled kernel, made of the comment of its constructor.
func doc(k *Kernel) string {
	lines := append([]string(nil), k.Doc...)
	for len(lines) > 0 && strings.TrimSpace(strings.TrimPrefix(lines[len(lines)-1], "//")) == "" {
		lines = lines[:len(lines)-1]
	}
	if len(lines) > 0 {
		if rest, ok := strings.CutPrefix(lines[0], "// "+k.Func+" "); ok {
			lines[0] = "// " + k.Exported + " " + rest
		}
		lines = append(lines, "//")
	}
	lines = append(lines, fmt.Sprintf("// %s is %s, compiled.", k.Exported, k.Func))
	return strings.Join(lines, "\n") + "\n"
}

// Write writes the generated files, and removes old generated files.
func (c *Package) Write() error {
	for name, text := range c.Files {
		if err := write(filepath.Join(c.Dir, name), text); err != nil {
			return err
		}
	}
	for _, path := range c.old() {
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	return nil
}

// old returns the paths of generated files that would not be written now.
func (c *Package) old() (paths []string) {
	all, _ := filepath.Glob(filepath.Join(c.Dir, sources.Generated+"*"))
	for _, path := range all {
		text, err := os.ReadFile(path)
		if err == nil && c.Files[filepath.Base(path)] == nil && bytes.HasPrefix(text, []byte(strings.TrimSpace(target.Header))) {
			paths = append(paths, path)
		}
	}
	return paths
}

// Stale returns a line for each generated file on disk that is missing, out of date, or left over.
func (c *Package) Stale() (what []string) {
	for name, text := range c.Files {
		path := filepath.Join(c.Dir, name)
		switch old, err := os.ReadFile(path); {
		case err != nil:
			what = append(what, path+" is missing")
		case !bytes.Equal(old, text):
			what = append(what, path+" is not made of this source with these flags")
		}
	}
	for _, path := range c.old() {
		what = append(what, path+" has no kernels any more, or is of a flag that was not given")
	}
	sort.Strings(what)
	return what
}
