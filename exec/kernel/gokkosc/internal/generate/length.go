package generate

import (
	"bytes"
	"fmt"
	"maps"
	"path/filepath"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/target"
)

// manyLines and mostLines limit the lines of assembly for each line of a functor. A functor of fewer than ten
// lines counts as ten lines. A report warns above manyLines; above mostLines a loop is left out. Unrolled
// loops and inlined functions may give tens of thousands of lines.
const (
	manyLines = 40
	mostLines = 200
)

// ofLength returns the result of loops, without kernels whose assembly is too long.
func (c *Package) ofLength(t target.Target, kernels []*Kernel) (made target.Generated, err error) {
	made, err = c.loops(t, kernels)
	if err != nil || !t.Assembly() {
		return made, err
	}
	long := map[*target.Kernel]error{}
	var others []*Kernel
	functions := assembly(made.Files)
	for _, k := range kernels {
		n, lines := linesOf(functions, k), lines(k.Source)
		switch {
		case n > mostLines*max(lines, 10):
			long[k.Kernel] = fmt.Errorf("it takes %d lines of assembly for %d lines of Go; move a part of it to a launch of its own", n, lines)
			continue
		case n > manyLines*max(lines, 10):
			k.Long = append(k.Long, fmt.Sprintf("%s takes %d lines of assembly for %d lines of Go", t.Name(), n, lines))
		}
		others = append(others, k)
	}
	if len(long) == 0 {
		return made, nil
	}
	made, err = c.loops(t, others)
	if err == nil {
		maps.Copy(made.Refused, long)
	}
	return made, err
}

// assembly returns how many lines of assembly each function has.
func assembly(files map[string][]byte) map[string]int {
	of, function := map[string]int{}, ""
	for name, text := range files {
		if filepath.Ext(name) != ".s" {
			continue
		}
		for line := range bytes.Lines(text) {
			if f, ok := bytes.CutPrefix(line, []byte("TEXT ·")); ok {
				function = string(f)
			}
			if function != "" {
				of[function]++
			}
		}
		function = ""
	}
	return of
}

// linesOf returns how many lines the functions of a kernel have.
func linesOf(functions map[string]int, k *Kernel) (n int) {
	for f, lines := range functions {
		if strings.HasPrefix(f, k.Base+"Vectors") || strings.HasPrefix(f, k.Base+"Left") || strings.HasPrefix(f, target.InnerOf(k.Base)) {
			n += lines
		}
	}
	return n
}

// lines returns the number of lines of Go that a kernel is made of, including lines of inlined functions.
func lines(k *ir.Kernel) int {
	at := map[string]bool{}
	for _, b := range []*ir.Block{k.Setup, k.Body} {
		b.Walk(func(v *ir.Value) { at[fmt.Sprint(v.Pos.Filename, v.Pos.Line)] = true })
	}
	return len(at)
}
