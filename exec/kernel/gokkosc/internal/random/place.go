package random

import (
	"bytes"
	"fmt"
	"go/ast"
	"path/filepath"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/front"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/generate"
)

// Kernels in place are literals that a second constructor returns. The literals capture its parameters in
// different ways, and no comment marks them.

// A captureWay has the text of a constructor for a parameter, and the text that the functor begins with. In
// both texts # stands for the name of the parameter, and T for its type.
var captureWays = []captureWay{
	{"", ""},
	asParam,
	{"#Saved := #\n# = #Saved\n", ""},
	{"#In := &struct{\nskip int\nv T\n}{v: #}\n", "# := #In.v\n"},
	{"#Out := struct{ in *struct{ v T } }{&struct{ v T }{#}}\n", "# := #Out.in.v\n"},
	{"#At := &#\n", "# := *#At\n"},
	{"#Get := func() T { return # }\n", "# := #Get()\n"},
	{"#In := [2]T{1: #}\n", "# := #In[1]\n"},
	{"#In := [2]*struct{ v T }{1: {#}}\n", "# := #In[1].v\n"},
	{"type #Of struct {\nskip int\nv T\n}\n#In := #Of{3, #}\n", "# := #In.v\n"},
	{"type #Of struct{ v T }\nvar #In #Of\n#In.v = #\n", "# := #In.v\n"},
}

type captureWay struct{ setup, begin string }

// asParam makes the parameter's type a type parameter.
var asParam = captureWay{"", "# := T(#)\n"}

// way returns how a kernel captures a parameter.
func (k *kernel) way(n int) captureWay {
	if k.params[n].name == "i" || strings.HasPrefix(forms[k.form].param, k.params[n].name+" ") { // the functor has that name for its index
		return captureWays[0]
	}
	return captureWays[(k.seed>>(3*n%60)+uint64(n))%uint64(len(captureWays))]
}

// types returns the type parameters of the constructor, and their type arguments.
func (k *kernel) types() (params, args []string) {
	for n, p := range k.params {
		if k.way(n) == asParam {
			params, args = append(params, fmt.Sprintf("P%d interface{ %s }", n, p.typ)), append(args, p.typ)
		}
	}
	return params, args
}

// placed returns the two constructors of a kernel: the plain constructor, and one whose literal is in place.
func (k *kernel) placed() string {
	plain := strings.Replace(k.text(), "//gokkos:kernel\n", "", 1)
	begin := strings.Index(plain, "func "+k.name+"(")
	head, body, _ := strings.Cut(plain[begin:], "{\nreturn ")
	literal, rest, _ := strings.Cut(body, constants)
	var setup, first strings.Builder
	for n, p := range k.params {
		way := k.way(n)
		if way == asParam {
			head = strings.Replace(head, p.name+" "+p.typ, p.name+fmt.Sprintf(" P%d", n), 1)
		}
		fill := strings.NewReplacer("#", p.name, "T", p.typ)
		setup.WriteString(fill.Replace(way.setup))
		if way.begin != "" {
			first.WriteString(fill.Replace(way.begin) + "_ = " + p.name + "\n")
		}
	}
	if k.seed%6 == 0 { // no kernel can be made of the literal, so a loop has its body
		first.WriteString("kernelHook()\n")
	}
	types, of := "", ""
	if params, args := k.types(); len(params) > 0 {
		types, of = "["+strings.Join(params, ", ")+"]", "["+strings.Join(args, ", ")+"]"
	}
	head = strings.Replace(head, "func "+k.name+"(", "func "+k.name+"Placed"+types+"(", 1)
	return plain + "\n" + head + "{\n" + setup.String() + "return " + literal + first.String() + "{\n" + constants + strings.TrimSuffix(rest, "}\n}\n") + "}\n}\n}\nvar " + k.name + "PlacedOf = " + k.name + "Placed" + of + "\n"
}

// launch returns a function that launches the functor of a kernel. The finder of functors reads it, and no
// compiler does.
func (k *kernel) launch() string {
	var params, names []string
	for _, p := range k.params {
		params, names = append(params, p.name+" "+p.typ), append(names, p.name)
	}
	return fmt.Sprintf("func %sLaunch(%s) { exec.ParallelFor(0, %[1]sPlaced(%[3]s)) }\n", k.name, strings.Join(params, ", "), strings.Join(names, ", "))
}

// emptyMain ends the file of kernels while it is compiled.
const emptyMain = "\nfunc main() {}\n"

// hook is a function that no kernel can call, because a variable has it.
const hook = "\nvar kernelHook = func() {}\n"

// tryInPlace is try for the literals of kernels, where they stand.
func (p *program) tryInPlace(kernels []*kernel) (*Result, error) {
	var file, launches bytes.Buffer
	file.WriteString(header + hook)
	launches.WriteString("package main\n\nimport \"github.com/gokkos/gokkos/exec\"\n\n")
	of := map[string]*kernel{}
	for _, k := range kernels {
		file.WriteString(k.placed() + "\n")
		launches.WriteString(k.launch())
		of[k.name] = k
	}
	path := filepath.Join(p.folder(), "kernels.go")
	overlay := map[string][]byte{path: append(file.Bytes(), emptyMain...), filepath.Join(p.folder(), "launches.go"): launches.Bytes()}
	config := front.Config{Dir: p.module, Overlay: overlay, InPlace: true, Rounded: true}
	made, err := generate.For(generate.Targets(true), config, p.pattern())
	if err != nil {
		return nil, err
	}
	out := &Result{Refused: map[string]string{}}
	main := newMain()
	for _, k := range made[0].Compiled {
		name := strings.TrimSuffix(k.Site.Within.(*ast.FuncDecl).Name.Name, "Placed")
		if made[0].ByBody(k) {
			out.Bodies++
			main.add(of[name], name+"PlacedOf")
			continue
		}
		if k.Refused != nil {
			out.Refused[name] = k.Refused.Reason
			continue
		}
		out.count(made[0], k, name)
		main.add(of[name], name+"PlacedOf")
	}
	wrapped, err := made[0].Wrapped()
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{"kernels.go": bytes.TrimSuffix(wrapped[path], []byte(emptyMain)), "main.go": main.text()}
	for name, text := range made[0].Files {
		files[name] = text
	}
	lines, err := p.run(files)
	if err != nil {
		return nil, err
	}
	return out, compare(out, lines, of, nil, nil)
}
