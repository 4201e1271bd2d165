package vector

import (
	"fmt"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/asm"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/goloops"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/target"
)

// Target writes the files of an instruction set.
type Target struct {
	Set   Set
	Below Set  // the set whose loop takes over where the loop of Set stops; nil: the Go loop
	Slow  bool // for tests: also kernels that gain nothing are compiled, and the registers of all are checked
}

// Name implements [target.Target].
func (t Target) Name() string { return t.Set.Shape().Name }

// Assembly returns true.
func (t Target) Assembly() bool { return true }

// Names implements [target.Target].
func (t Target) Names(base string) target.Names {
	shape := t.Set.Shape()
	return target.Names{
		Loops:   []string{base + shape.Level},
		Others:  []string{base + "Vectors" + shape.Suffix, base + "Left" + shape.Suffix},
		Inner:   target.InnerOf(base) + shape.Suffix,
		Helpers: []string{"kernelMask" + shape.Suffix, "kernelReciprocal" + shape.Suffix, "kernelApart" + shape.Suffix},
	}
}

// Generate implements [target.Target].
func (t Target) Generate(p *target.Package, kernels []*target.Kernel) (target.Generated, error) {
	out := target.Generated{Refused: map[*target.Kernel]error{}, Inner: map[*target.Kernel][]int{}}
	var methods, attach strings.Builder
	var all []*Compiled
	var some []*target.Kernel
	uses := map[string]bool{}
	line, shape := lines(p.Dir), t.Set.Shape()
	for _, k := range kernels {
		if why := k.GoAlone(); why != nil && k.IR.Team == ir.NoTeam {
			out.Refused[k] = why
			continue
		}
		codes, err := t.kernelOf(k, line)
		if err != nil {
			out.Refused[k] = err
			continue
		}
		all, some = append(all, codes...), append(some, k)
		attach.WriteString(k.Attach(p, shape.Level, k.Base+shape.Level))
		for _, c := range codes {
			methods.WriteString("\n" + c.Go)
			if c.inner > 0 {
				out.Inner[k] = append(out.Inner[k], c.inner)
			}
			for use := range c.Imports {
				uses[use] = true
			}
		}
		methods.WriteString(k.Adapter(k.Base + shape.Level))
	}
	if len(all) == 0 {
		return out, nil
	}
	body := fmt.Sprintf("\nfunc init() {\n%s}\n%s", attach.String(), methods.String())
	if uses["mask"] {
		body += fmt.Sprintf(maskText, shape.Suffix)
	}
	if uses["reciprocal"] {
		body += fmt.Sprintf(reciprocalText, shape.Suffix)
	}
	if uses["apart"] {
		body += fmt.Sprintf(apartText, shape.Suffix)
	}
	file, err := target.File(p, target.Constrained("!noasm", p.Loops), target.Imports(some), body)
	if err != nil {
		return out, err
	}
	out.Files = map[string][]byte{
		"z_kernels_" + shape.File + ".go": file,
		"z_kernels_" + shape.File + ".s":  []byte(assembly(target.Header+"//go:build "+target.Constrained("!noasm", p.Loops)+"\n", all)),
	}
	return out, nil
}

// assembly returns the file with the functions of all kernels.
func assembly(header string, all []*Compiled) string {
	var functions []string
	data := map[string][]uint64{}
	for _, c := range all {
		functions = append(functions, c.Asm)
		maps.Copy(data, c.Data)
	}
	return asm.Source(header, functions, data)
}

// compile compiles a kernel, unless the set below has a loop that is estimated to be as fast, and returns the names in its code.
func (t Target) compile(k *target.Kernel, line func(token.Position) string) (*Compiled, Names, error) {
	names := Names{Base: k.Base, Type: k.Loop(), Other: "Go"}
	var below *Compiled
	if t.Below != nil && slices.Contains(k.Made, t.Below.Shape().Name) {
		if below, _ = Compile(t.Below, k.IR, names, t.Slow, line); below != nil {
			names.Other, names.OtherLeaves = t.Below.Shape().Level, below.leaves
		}
	}
	c, err := Compile(t.Set, k.IR, names, t.Slow, line)
	if err == nil && below != nil && !t.Slow && c.perItem() > .9*below.perItem() {
		return nil, names, &Refusal{k.IR.Pos, fmt.Sprintf("that of %s is as fast", t.Below.Shape().Name)}
	}
	return c, names, err
}

// lines returns a function that returns lines of the files of a package.
func lines(dir string) func(token.Position) string {
	files := map[string][]string{}
	return func(pos token.Position) string {
		if files[pos.Filename] == nil {
			text, _ := os.ReadFile(filepath.Join(dir, pos.Filename))
			files[pos.Filename] = append(strings.Split(string(text), "\n"), "")
		}
		if list := files[pos.Filename]; pos.Line <= len(list) {
			return list[pos.Line-1]
		}
		return ""
	}
}

// kernelOf compiles a kernel. Runs along the first dimension without vector code are left to the other loop.
func (t Target) kernelOf(k *target.Kernel, line func(token.Position) string) (all []*Compiled, err error) {
	if k.IR.Team != ir.NoTeam {
		return t.teamOf(k, line)
	}
	c, names, err := t.compile(k, line)
	if err == nil && !slices.Contains(k.Made, goloops.Target{}.Name()) {
		err = &Refusal{k.IR.Pos, "it has no Go loop, which would run what vectors leave"}
	}
	if err != nil || k.IR.Index.Rank == 0 {
		return []*Compiled{c}, err
	}
	names.Left = true
	left, err := Compile(t.Set, k.Left(), names, t.Slow, line)
	if err != nil {
		c.Go += "\n" + leaveLeft(k.IR, names, t.Set.Shape())
		return []*Compiled{c}, nil
	}
	return []*Compiled{c, left}, nil
}

// leaveLeft is the method for runs along the first dimension that leaves them to the other loop.
func leaveLeft(k *ir.Kernel, names Names, shape *Shape) string {
	params, args, _ := lanesOf(k)
	return fmt.Sprintf("func (k *%s%s) %s(runs []policy.Run%s) (done, items int) {\nreturn (*%s%s)(k).%[3]s(runs%[7]s)\n}\n", names.Base, shape.Level, goloops.Left, params, names.Base, names.Other, args)
}
