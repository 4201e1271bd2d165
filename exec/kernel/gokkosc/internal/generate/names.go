package generate

import (
	"fmt"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/front"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/goloops"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/target"
)

// used are names that generated code takes from Go, and names that generated code of all targets declares.
var used = []string{
	apart, "kernelBits", "kernelMin", "kernelMax", "kernelKernel", "kernelMath", "kernelPolicy", "kernelUnsafe", "kernelViews",
	"len", "cap", "panic", "true", "false", "nil",
	"int", "int32", "int64", "uint", "uint32", "uint64", "float32", "float64", "bool", "any",
}

// name gives kernels their names. It refuses a kernel if the package already declares one of its names.
func (c *Package) name() {
	for _, k := range c.Kernels {
		u := newKernel(k)
		r := c.hidden(k)
		if k.Site != nil {
			nameSite(u)
		} else if clash := c.nameConstructor(u); clash != nil {
			r, k.Result = clash, ""
		}
		if r != nil {
			if u.refuse(r); k.Site != nil {
				k.Site.Body = nil
			}
		}
		c.Compiled = append(c.Compiled, u)
	}
}

// hidden returns a refusal if the package declares a name that generated code has from Go.
func (c *Package) hidden(k *front.Kernel) *front.Refusal {
	names := slices.Clone(used)
	for _, t := range everything() {
		names = append(names, t.Names("").Helpers...)
	}
	for _, name := range names {
		if file := c.Sources.DeclaredIn(c.Name, name); file != "" {
			return &front.Refusal{Pos: k.Pos, Reason: fmt.Sprintf("%s declares %s, which generated code needs as Go has it", file, name), Help: "call it something else"}
		}
	}
	return nil
}

// nameConstructor sets the names of the code generated for a constructor. It returns a refusal if a name is
// not possible.
func (c *Package) nameConstructor(k *Kernel) *front.Refusal {
	refusal := func(help, format string, a ...any) *front.Refusal {
		return &front.Refusal{Pos: k.Pos, Reason: fmt.Sprintf(format, a...), Help: help}
	}
	first, size := utf8.DecodeRuneInString(k.Func)
	k.Exported = string(unicode.ToUpper(first)) + k.Func[size:]
	if unicode.IsUpper(first) {
		k.Exported = k.Func + "Kernel"
	}
	k.Base = string(unicode.ToLower(first)) + k.Func[size:]
	k.Type = k.Base + "Kernel"
	k.Method, k.Closure = unlike(k.source, "at", "item"), unlike(k.source, "f", "functor")
	if k.Exported == k.Func {
		return refusal("begin its name with a letter", "constructor %s has no upper-case form", k.Func)
	}
	for _, name := range declares(k) {
		if c.Sources.DeclaredIn(c.Name, name) != "" {
			return refusal("call one of the two something else", "%s would become %s, which the package has already", k.Func, name)
		}
		if c.Imported[name] {
			return refusal("call the constructor something else", "%s would become %s, which an import of the package declares", k.Func, name)
		}
	}
	for _, p := range k.Params {
		if slices.Contains(front.Methods, p.Name) {
			return refusal("call it something else", "parameter %s of %s has the name of a method that generated code needs", p.Name, k.Func)
		}
		if p.Name == k.Func || p.Name == k.Type || p.Name == apart {
			return refusal("call it something else", "parameter %s of %s hides a name that generated code needs", p.Name, k.Func)
		}
	}
	return nil
}

// nameSite gives a functor in place its names.
func nameSite(k *Kernel) {
	k.Exported, k.Base, k.Type = k.Func, k.Func, k.Func+"Kernel"
	k.Method, k.Closure = unlike(k.source, "at", "item"), unlike(k.source, "f", "functor")
}

// declares returns the names that generated files may declare for a kernel.
func declares(k *Kernel) []string {
	names := []string{k.Exported, k.Type, k.Loop()}
	for _, t := range everything() {
		names = append(names, t.Names(k.Base).Others...)
	}
	if k.IR != nil && k.IR.Team != ir.NoTeam {
		names = append(names, ofInner(k.Base)...)
	}
	for _, t := range everything() {
		for _, loop := range t.Names(k.Base).Loops {
			names = append(names, loop)
			if k.Value != nil || k.GoAlone() != nil {
				names = append(names, target.Adapters(loop)...)
			}
		}
	}
	return names
}

// ofInner returns the names of inner loops of a team.
func ofInner(base string) (names []string) {
	for _, t := range everything() {
		for n := 1; t.Names(base).Inner != "" && n <= target.MostInner; n++ {
			base := fmt.Sprint(t.Names(base).Inner, n)
			of := t.Names(base)
			names = append(append(append(names, base, base+goloops.Suffix), of.Loops...), of.Others...)
		}
	}
	return names
}

// unlike returns a name that no parameter has.
func unlike(k source, name, other string) string {
	for _, p := range k.Params {
		if p.Name == name {
			return unlike(k, other, other+"_")
		}
	}
	return name
}
