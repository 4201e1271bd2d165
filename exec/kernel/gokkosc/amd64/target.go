package amd64

import (
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/front"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/target"
)

// Target writes the files of an instruction set.
type Target struct {
	Set   Set
	Slow  bool   // also of kernels that gain nothing, for tests
	Other string // ends the names of loops that run what those of the set do not: "Go"
}

// Name implements [target.Target].
func (t Target) Name() string { return t.Set.Shape().Name }

// Generate implements [target.Target].
func (t Target) Generate(p *front.Package, kernels []*target.Kernel) (files map[string][]byte, refused map[*target.Kernel]error, err error) {
	refused = map[*target.Kernel]error{}
	var methods, attach strings.Builder
	var all []*Code
	var some []*target.Kernel
	uses := map[string]bool{}
	line, shape := lines(p.Dir), t.Set.Shape()
	for _, k := range kernels {
		c, err := Compile(t.Set, k.IR, Names{k.Base, k.Type, t.Other}, t.Slow, line)
		if err != nil {
			refused[k] = err
			continue
		}
		all, some = append(all, c), append(some, k)
		methods.WriteString("\n" + c.Go)
		attach.WriteString(k.Attach(p, shape.Level, k.Base+shape.Level))
		for use := range c.Imports {
			uses[use] = true
		}
	}
	if len(all) == 0 {
		return nil, refused, nil
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
	file, err := target.File(p, "!noasm", target.Imports(some), body)
	if err != nil {
		return nil, nil, err
	}
	return map[string][]byte{
		"z_kernels" + shape.File + "_amd64.go": file,
		"z_kernels" + shape.File + "_amd64.s":  []byte(assemblyFile(target.Header+"//go:build !noasm\n", all)),
	}, refused, nil
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
