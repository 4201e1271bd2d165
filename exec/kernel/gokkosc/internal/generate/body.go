package generate

import (
	"fmt"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/front"
)

// ByBody reports whether the loop of a functor in place has the functor's body as it stands, see front.Body. A body with
// functors of other launches has none: these have loops where they stand, and not in the copy.
func (c *Package) ByBody(k *Kernel) bool {
	return k.Site != nil && k.Site.Body != nil && len(c.instances(k)) == 0 && !c.launches(k.Site.Body)
}

// launches reports whether a functor in place stands in a body.
func (c *Package) launches(of *front.Body) bool {
	for _, other := range c.Compiled {
		if s := other.Site; s != nil && s.Path == of.Path && s.From.Offset > of.From.Offset && s.To.Offset < of.To.Offset {
			return true
		}
	}
	return false
}

// firstByBody reports whether a kernel is the first instance of its functor whose loop has the functor's body. The loop
// is the same for all instances.
func (c *Package) firstByBody(k *Kernel) bool {
	if k.Site == nil {
		return false
	}
	for _, other := range c.Compiled {
		if other.Site != nil && other.Site.Functor == k.Site.Functor && c.ByBody(other) {
			return other == k
		}
	}
	return false
}

// each returns the parameters of the loop with a functor's body, with types as a file names them. All names
// begin with a prefix. The loop gets the place where the worker notes the item that it runs.
func each(of *front.Body, prefix, index string, acc func(a front.BodyAcc) string) string {
	list := prefix + "at *" + index + ", "
	if of.Rank > 0 {
		list += prefix + "x *int, "
	}
	list += prefix + "begin, " + prefix + "end"
	if len(of.Accs) == 0 {
		return list + " int"
	}
	list += ", " + prefix + "item int"
	for n, a := range of.Accs {
		list += fmt.Sprintf(", %slanes%d []%s", prefix, n, acc(a))
	}
	return list
}

// bodied writes the constructor of a functor whose loop has its body, and attaches the loop.
func (c *Package) bodied(b *strings.Builder, k *Kernel) {
	of := k.Site.Body
	typed := each(of, "", of.IndexIn, func(a front.BodyAcc) string { return a.In })
	method, _, _ := strings.Cut(typed, ", lanes0")
	args, call, values := "i "+of.IndexIn, "i", "at, begin, end"
	if of.Rank > 0 {
		values = "at, x, begin, end"
	}
	var types []string
	if len(of.Accs) > 0 {
		method, values = method+", a *[4]unsafe.Pointer, n *[4]int", values+", item"
	}
	for n, a := range of.Accs {
		args, call = args+fmt.Sprintf(", a%d *%s", n, a.In), call+fmt.Sprint(", a", n)
		values += fmt.Sprintf(", unsafe.Slice((*%s)(a[%d]), n[%[2]d])", a.In, n)
		types = append(types, a.In)
	}
	iface, none := bodyLoop(of, types)
	fmt.Fprintf(b, "\n// %s returns the functor of %s:%d with its loop.\nfunc %[1]s(f %[4]s, each func(%s)) %[4]s {\n", k.Exported, k.Pos.Filename, k.Pos.Line, k.Result, typed)
	fmt.Fprintf(b, methodText, k.Exported, k.Type, "f: f, each: each", k.Method, k.Result)
	fmt.Fprintf(b, bodyText, k.Type, k.Result, typed, k.Method, args, call, k.Base, none, method, values)
	fmt.Fprintf(b, "\nfunc init() {\nkernel.Attach(kernel.Go, %s,\nfunc(k *%s) %s { return k.%s },\nfunc(k *%[2]s) kernel.%[5]s { return (*%[6]sGo)(k) })\n}\n",
		k.Origin(c.target()), k.Type, k.Result, k.Method, iface, k.Base)
}

// bodyLoop returns the interface of the loop with a functor's body, and the interface's method.
func bodyLoop(of *front.Body, types []string) (iface, method string) {
	iface, lanes := "For", ""
	if len(types) > 0 {
		if iface = "Reduce"; of.Rank > 0 {
			iface, lanes = "ReduceRuns", ", _, _ int"
		} else {
			lanes = ", _ int"
		}
		if len(types) > 1 {
			iface += fmt.Sprint(len(types))
		}
		iface += "[" + strings.Join(types, ", ") + "]"
		for _, t := range types {
			lanes += ", _ []" + t
		}
	} else if of.Rank > 0 {
		iface = "ForRuns"
	}
	if of.Rank > 0 {
		return iface, "Runs(_ []policy.Run" + lanes + ") (done, items int) { return 0, 0 }"
	}
	return iface, "Span(begin, _ int" + lanes + ") (next int) { return begin }"
}

// bodyText is the type of a functor with its loop. Patterns call method Each of the loop, and so tell which
// item has panicked; the method beside it leaves all items to the functor.
const bodyText = `
// %[1]s is a functor, and the loop that has its body.
type %[1]s struct {
	f    %[2]s
	each func(%[3]s)
}

func (k *%[1]s) %[4]s(%[5]s) { k.f(%[6]s) }

type %[7]sGo %[1]s

func (k *%[7]sGo) %[8]s

func (k *%[7]sGo) Each(%[9]s) { k.each(%[10]s) }
`

// bodyEdits wraps a functor in its constructor, together with a loop that has the functor's body.
func (c *Package) bodyEdits(k *Kernel, edits map[string][]edit) error {
	of, s := k.Site.Body, k.Site
	text, err := c.Source.Text(of.Path)
	if err != nil {
		return err
	}
	loop, behind := copiedLoop(k, text), ")"+lineComment(s.To.Filename, s.To.Line, s.To.Column)
	if d := of.Declared; d != nil {
		edits[of.Path] = append(edits[of.Path], edit{of.To.Offset, "", "; func " + d.Receiver + " " + k.Exported + "_each" + loop + lineComment(of.To.Filename, of.To.Line, of.To.Column)})
		behind = ", " + d.Of + k.Exported + "_each" + behind
	} else {
		behind = ", func" + loop + behind
	}
	edits[s.Path] = append(edits[s.Path],
		edit{s.From.Offset, "", k.Exported + "(" + lineComment(s.From.Filename, s.From.Line, s.From.Column)}, edit{s.To.Offset, "", behind})
	return nil
}

// copiedLoop returns the parameters and the body of a function that is a loop with a functor's body.
func copiedLoop(k *Kernel, text []byte) string {
	of, p := k.Site.Body, k.Exported+"_"
	var b strings.Builder
	fmt.Fprintf(&b, "(%s) { ", each(of, p, of.Index, func(a front.BodyAcc) string { return a.Type }))
	if len(of.Returns) > 0 {
		fmt.Fprintf(&b, "%sitems: ", p)
	}
	fmt.Fprintf(&b, "for %[1]si := %[1]sbegin; %[1]si < %[1]send; %[1]si++ { ", p)
	if of.Rank == 0 {
		fmt.Fprintf(&b, "*%[1]sat = %[1]si; ", p)
	} else {
		fmt.Fprintf(&b, "*%[1]sx = %[1]si; ", p)
	}
	if of.Declared != nil && of.Declared.Copied != "" {
		fmt.Fprintf(&b, "%[1]s := %[1]s; _ = %[1]s; ", of.Declared.Copied)
	}
	if of.Named != "" {
		fmt.Fprintf(&b, "%s := *%sat; _ = %[1]s; ", of.Named, p)
	}
	for n, a := range of.Accs {
		if a.Named != "" {
			fmt.Fprintf(&b, "%s := &%slanes%d[(%[2]sitem+%[2]si-%[2]sbegin)&(len(%[2]slanes%[3]d)-1)]; _ = %[1]s; ", a.Named, p, n)
		}
	}
	b.WriteString(lineComment(of.From.Filename, of.From.Line, of.From.Column))
	var returns []edit
	for _, at := range of.Returns {
		returns = append(returns, edit{at.Offset - of.From.Offset, "return", "continue " + p + "items" + lineComment(at.Filename, at.Line, after(at.Column, len("return")))})
	}
	b.Write(apply(text[of.From.Offset:of.To.Offset], returns))
	b.WriteString("}}")
	return b.String()
}

// after returns the column that lies a number of bytes behind another one; 0 if columns are unknown.
func after(column, bytes int) int {
	if column == 0 {
		return 0
	}
	return column + bytes
}
