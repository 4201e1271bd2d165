package generate

import (
	"fmt"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// A functor in place stays where it is, as an argument of its generated constructor:
//
//	exec.ParallelFor(p, functor_main_19_68(a, x, y, func(i int) { y[i] += a * x[i] }))
//
// The functor itself runs wherever no loop runs. Only the loop needs the constructor's other arguments. In an
// overlay, a file with the call replaces the user's file. Line comments in the new file keep lines and
// columns.

// inPlace reports whether a kernel is a functor in place with a loop.
func (c *Package) inPlace(k *Kernel) bool { return k.Site != nil && c.anyLoop(k) }

// placed writes the constructor of a functor in place.
func (c *Package) placed(b *strings.Builder, k *Kernel) {
	if c.firstByBody(k) {
		c.bodied(b, k)
		return
	}
	if !c.anyLoop(k) {
		return
	}
	var params, values []string
	for n, p := range k.Params {
		value := p.Name
		if of := k.Site.Captures[n]; of.Global {
			value = of.Expr
		} else {
			params = append(params, p.Name+" "+p.Type)
		}
		values = append(values, p.Name+": "+value)
	}
	params = append(params, k.Closure+" "+k.Functor())
	values = append(values, k.Closure+": "+k.Closure)
	if k.Site.Types != "" {
		c.instance(b, k)
	}
	fmt.Fprintf(b, "\n// %s returns the functor of %s:%d with its loops.\nfunc %s(%s) %s {\n", k.Exported, k.Pos.Filename, k.Pos.Line, k.Exported, strings.Join(params, ", "), k.Result)
	fmt.Fprintf(b, methodText, k.Exported, k.Type, strings.Join(values, ", "), k.Method, k.Result)
	c.functor(b, k)
}

// methodText is the body of a constructor, and a type that holds a method value together with its receiver.
// Go would allocate the two separately, at a cost that short launches notice. Field code is the address with
// which any such value begins.
const methodText = `	return (&%[1]sValue{of: %[2]s{%[3]s}}).method()
}

// %[1]sValue is a functor as Go has method values, and what it is a method of.
type %[1]sValue struct {
	code     uintptr
	receiver *%[2]s
	of       %[2]s
}

func (v *%[1]sValue) method() %[5]s {
	v.receiver = &v.of
	method := v.receiver.%[4]s
	v.code = **(**uintptr)(unsafe.Pointer(&method))
	return *(*%[5]s)(unsafe.Pointer(&v))
}
`

// instance writes the generic function that the call instantiates, in front of the first instance of a
// functor in a generic declaration. The function calls the constructor for the functor's type, if there is
// one.
func (c *Package) instance(b *strings.Builder, k *Kernel) {
	all := c.instances(k)
	if all[0] != k {
		return
	}
	var types, params, args []string
	for n := range k.Site.Captures[:len(k.Params)] {
		if !k.Site.Captures[n].Global {
			types, params, args = append(types, fmt.Sprint("C", n)), append(params, fmt.Sprintf("c%d C%[1]d", n)), append(args, fmt.Sprint("c", n))
		}
	}
	types, params, args = append(types, "F"), append(params, "f F"), append(args, "f")
	fmt.Fprintf(b, "\n// %s returns the functor of %s:%d with its loops, if there are some for its types.\nfunc %[1]s[%[4]s any](%s) F {\n",
		k.Site.Name, k.Pos.Filename, k.Pos.Line, strings.Join(types, ", "), strings.Join(params, ", "))
	for _, of := range all {
		fmt.Fprintf(b, "if made, ok := any(%s).(func(%s) F); ok {\nreturn made(%s)\n}\n", of.Exported, strings.Join(types, ", "), strings.Join(args, ", "))
	}
	b.WriteString("return f\n}\n")
}

// instances returns the kernels with loops of a functor, one for each list of type arguments.
func (c *Package) instances(k *Kernel) (all []*Kernel) {
	for _, of := range c.Compiled {
		if of.Site != nil && of.Site.Functor == k.Site.Functor && c.inPlace(of) {
			all = append(all, of)
		}
	}
	return all
}

// Wrapped returns the text of files with functors in place, by path: each functor is an argument of its
// constructor.
func (c *Package) Wrapped() (map[string][]byte, error) {
	edits, tops := map[string][]edit{}, map[string]token.Position{}
	for _, k := range c.Compiled {
		if k.Site != nil {
			tops[k.Site.Path] = k.Site.Top
		}
		if c.firstByBody(k) {
			if err := c.bodyEdits(k, edits); err != nil {
				return nil, err
			}
			tops[k.Site.Body.Path] = k.Site.Body.Top
			continue
		}
		if !c.inPlace(k) || c.instances(k)[0] != k {
			continue
		}
		var args strings.Builder
		for _, of := range k.Site.Captures[:len(k.Params)] {
			if !of.Global {
				args.WriteString(of.Expr + ", ")
			}
		}
		from, to := k.Site.From, k.Site.To
		call, old := k.Site.Name+"("+args.String(), ""
		begin, end := call, ")"
		if h := k.Site.Held; h != nil {
			begin, end = fmt.Sprintf("func() %s { receiver := ", h.Type), fmt.Sprintf("; return %s%s) }()", call, h.Value)
			if h.Address {
				begin += "&"
			}
			old = strings.Repeat(".", to.Offset-h.End.Offset) // the selector
		}
		edits[k.Site.Path] = append(edits[k.Site.Path],
			edit{from.Offset, "", begin + lineComment(from.Filename, from.Line, from.Column)},
			edit{to.Offset - len(old), old, end + lineComment(to.Filename, to.Line, to.Column)})
	}
	files := map[string][]byte{}
	for _, path := range slices.Sorted(maps.Keys(edits)) {
		text, err := c.Source.Text(path)
		if err != nil {
			return nil, err
		}
		top := tops[path] // errors in front of the first functor are errors of the user's file, too
		files[path] = apply(text, append(edits[path], edit{top.Offset, "", lineComment(top.Filename, top.Line, top.Column)}))
	}
	return files, nil
}

// lineComment returns a comment with the position of the text that follows. After a //line without a column,
// positions have no columns.
func lineComment(file string, line, column int) string {
	if column == 0 {
		return fmt.Sprintf("/*line %s:%d*/", file, line)
	}
	return fmt.Sprintf("/*line %s:%d:%d*/", file, line, column)
}

// Place adds a package to an overlay whose files lie in a folder: the generated files, and the files with its
// functors.
func (o *Overlay) Place(c *Package, folder string) error {
	if len(c.Files) == 0 {
		return nil
	}
	files, err := c.texts()
	if err != nil {
		return err
	}
	for path, text := range files {
		if text == nil {
			o.Replace[path] = ""
			continue
		}
		to := filepath.Join(folder, filepath.FromSlash(c.Path), filepath.Base(path))
		if err := Put(to, text); err != nil {
			return fmt.Errorf("gokkosc: %w", err)
		}
		o.Replace[path] = to
	}
	return nil
}
