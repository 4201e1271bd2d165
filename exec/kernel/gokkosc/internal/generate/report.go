package generate

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/front"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/pass"
)

// Report writes for each kernel its loops, or why it runs as a closure.
func (c *Package) Report(w io.Writer, quiet bool) {
	for _, k := range c.Compiled {
		if k.Site != nil {
			continue
		}
		if k.Refused != nil {
			fmt.Fprintf(w, "%v: %s runs as a closure: %s\n", k.Refused.Pos, k.Func, strings.TrimPrefix(k.Refused.Error(), k.Refused.Pos.String()+": "))
			continue
		}
		made, whys := c.Loops(k)
		var reasons []string
		without := map[string][]string{} // by reason
		for _, t := range c.targets {
			why := whys[t.Name()]
			if why == "" {
				continue
			}
			if without[why] == nil {
				reasons = append(reasons, why)
			}
			without[why] = append(without[why], t.Name())
		}
		for n, b := range k.Builds {
			same := func(a front.Build) bool { return slices.Equal(a.Only, b.Only) }
			of := map[bool]string{false: "loops", true: "ptx"}[len(b.Loops) == 0]
			if slices.IndexFunc(k.Builds, same) == n && (of == "loops" || slices.Contains(made, of)) {
				fmt.Fprintf(w, "%v: %s has %s only in builds with %v, as all kernels of its package have: it is made of %s in %s\n",
					k.Pos, k.Func, of, &b, b.Name, b.File)
			}
		}
		for _, why := range reasons {
			fmt.Fprintf(w, "%v: %s has no loop for %s: %s\n", k.Pos, k.Func, List(without[why]), why)
		}
		for _, long := range k.Long {
			fmt.Fprintf(w, "%v: the loop of %s for %s\n", k.Pos, k.Func, long)
		}
		if !quiet && len(made) > 0 {
			fmt.Fprintf(w, "%v: %s is compiled for %s: %s\n", k.Pos, k.Func, List(made), Cost(k))
		}
	}
}

// Closures returns the kernels that have no loop for the host.
func (c *Package) Closures() (list []*Kernel) {
	for _, k := range c.Compiled {
		made, _ := c.Loops(k)
		if made = slices.DeleteFunc(made, func(name string) bool { return name == "ptx" }); k.Site == nil && (k.Refused != nil || len(made) == 0) {
			list = append(list, k)
		}
	}
	return list
}

// Loops returns the targets that have a loop for a kernel, and why others have none.
func (c *Package) Loops(k *Kernel) (made []string, without map[string]string) {
	without = map[string]string{}
	for _, t := range c.targets {
		if err := c.Refused[t.Name()][k.Kernel]; err != nil {
			without[t.Name()] = err.Error()
		} else {
			made = append(made, t.Name())
		}
	}
	return made, without
}

// List joins names: "go, avx2 and avx512".
func List(names []string) string {
	if n := len(names) - 1; n > 0 {
		return strings.Join(names[:n], ", ") + " and " + names[n]
	}
	return strings.Join(names, "")
}

// Cost returns the estimated cost of an item as text.
func Cost(k *Kernel) string {
	if k.IR.Team != ir.NoTeam {
		text := fmt.Sprintf("members meet in %s, %s kept for each", number(k.IR.Meets, "place"), number(k.IR.Room[0], "word"))
		if len(k.Inner) > 0 {
			var lines []string
			for _, n := range k.Inner {
				lines = append(lines, fmt.Sprint(n))
			}
			text += ", in vectors loops of line " + List(lines)
		}
		return text
	}
	e := pass.Estimate(k.IR)
	var s []string
	for _, part := range []struct {
		n    int
		what string
	}{
		{e.Operations, "operation"}, {e.Loads, "load"}, {e.Gathers, "gather"}, {e.Stores, "store"}, {e.Scatters, "scatter"}, {e.Atomics, "atomic operation"}, {e.Combines, "contribution"}, {e.Checks, "index check"},
	} {
		if part.n > 0 {
			s = append(s, number(part.n, part.what))
		}
	}
	text := strings.Join(s, ", ") + " per item"
	if len(s) == 0 {
		text = "nothing to do per item"
	}
	if n := len(k.IR.Checks); n > 0 {
		text += ", " + number(n, "index check") + " for many items"
	}
	if n := len(k.IR.Inlined); n > 0 {
		text += ", " + number(n, "function") + " inlined"
	}
	return text
}

// number returns a count with its noun: "1 load", "2 loads".
func number(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Print writes the intermediate representation of the kernels.
func (c *Package) Print(w io.Writer) {
	for _, k := range c.Compiled {
		if k.Refused != nil {
			fmt.Fprintln(w, k.Refused)
		} else {
			fmt.Fprintln(w, k.IR)
		}
	}
}
