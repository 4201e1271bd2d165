package avx2

import (
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/front"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/target"
)

// Target writes z_kernels_amd64.go and z_kernels_amd64.s.
type Target struct {
	Slow bool // also of kernels that gain nothing, for tests
}

// Name implements [target.Target].
func (Target) Name() string { return "avx2" }

// Generate implements [target.Target].
func (t Target) Generate(p *front.Package, kernels []*target.Kernel) (files map[string][]byte, refused map[*target.Kernel]error, err error) {
	refused = map[*target.Kernel]error{}
	var methods, attach strings.Builder
	var all []*Code
	var some []*target.Kernel
	uses := map[string]bool{}
	line := lines(p.Dir)
	for _, k := range kernels {
		c, err := Compile(k.IR, Names{k.Base, k.Type}, t.Slow, line)
		if err != nil {
			refused[k] = err
			continue
		}
		all, some = append(all, c), append(some, k)
		methods.WriteString("\n" + c.Go)
		attach.WriteString(k.Attach(p, "AVX2", k.Base+"AVX2"))
		for use := range c.Imports {
			uses[use] = true
		}
	}
	if len(all) == 0 {
		return nil, refused, nil
	}
	body := fmt.Sprintf("\nfunc init() {\n%s}\n%s", attach.String(), methods.String())
	if uses["mask"] {
		body += MaskText
	}
	if uses["apart"] {
		body += ApartText
	}
	file, err := target.File(p, "!noasm", target.Imports(some), body)
	if err != nil {
		return nil, nil, err
	}
	return map[string][]byte{
		"z_kernels_amd64.go": file,
		"z_kernels_amd64.s":  []byte(File(target.Header+"//go:build !noasm\n", all)),
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
