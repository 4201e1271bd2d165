package goloops

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/target"
)

// Arrays of constants that kernels have are variables of the generated file, which the loops of all targets share.

// tableName returns the name of the variable of an array. Arrays with the same elements share one variable.
func tableName(m ir.Mem) string {
	return fmt.Sprintf("kernelTable%x", sha256.Sum256(fmt.Append(nil, m.GoElem, m.Table)))[:len("kernelTable")+12]
}

// tables returns the declarations of the arrays of all kernels.
func tables(kernels []*target.Kernel) string {
	texts := map[string]string{}
	var names []string
	for _, k := range kernels {
		mems := k.IR.Mems
		for _, other := range []*ir.Kernel{k.Left(), k.Final()} {
			if other != nil {
				mems = slices.Concat(mems, other.Mems)
			}
		}
		for _, m := range mems {
			if name := tableName(m); m.Table != nil && texts[name] == "" {
				names = append(names, name)
				texts[name] = fmt.Sprintf("\n// %s has the elements of %s.\nvar %s = [...]%s{%s}\n", name, m.Name, name, m.GoElem, elements(m))
			}
		}
	}
	sort.Strings(names)
	var b strings.Builder
	for _, name := range names {
		b.WriteString(texts[name])
	}
	return b.String()
}

// elements returns the elements of an array as Go, some on each line.
func elements(m ir.Mem) string {
	var b strings.Builder
	for k, bits := range m.Table {
		if k%5 == 0 {
			b.WriteString("\n")
		}
		v := &ir.Value{Op: ir.Const, Type: m.Elem.Value(), Bits: bits}
		switch {
		case v.Type.IsFloat():
			fmt.Fprintf(&b, "%x, ", v.Float())
		case v.Type == ir.Bool:
			fmt.Fprintf(&b, "%t, ", bits != 0)
		case strings.HasPrefix(m.GoElem, "uint"):
			fmt.Fprintf(&b, "%d, ", bits)
		default:
			fmt.Fprintf(&b, "%d, ", v.Int())
		}
	}
	return b.String() + "\n"
}
