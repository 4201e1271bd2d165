package ptx

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/goloops"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/pass"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/target"
)

// Target writes z_kernels_ptx.go.
type Target struct{}

// Name returns "ptx".
func (Target) Name() string { return "ptx" }

// Suffixes of variables with texts: "axpyPTX", and "axpyLeftPTX" for rows along the first dimension.
const (
	suffix     = "PTX"
	leftSuffix = "LeftPTX"
)

// Assembly returns false.
func (Target) Assembly() bool { return false }

// Names implements [target.Target].
func (Target) Names(base string) (n target.Names) {
	n.Others = []string{base + suffix, base + leftSuffix}
	for _, h := range helpers {
		n.Helpers = append(n.Helpers, h.name)
	}
	return n
}

// Generate implements [target.Target].
func (Target) Generate(p *target.Package, kernels []*target.Kernel) (target.Generated, error) {
	out := target.Generated{Refused: map[*target.Kernel]error{}}
	var attach, texts strings.Builder
	for _, k := range kernels {
		if k.Value != nil {
			out.Refused[k] = errValue
			continue
		}
		c, err := Compile(pass.Right(k.Source), k.Base)
		var left *Code
		if err == nil && k.Source.Index.Row {
			left, err = Compile(pass.Left(k.Source), k.Base)
		}
		if err != nil {
			out.Refused[k] = err
			continue
		}
		attach.WriteString(c.attach(p, k, left))
		texts.WriteString(c.variable(p, k, k.Base+suffix))
		if left != nil {
			texts.WriteString(left.variable(p, k, k.Base+leftSuffix))
		}
	}
	if attach.Len() == 0 {
		return out, nil
	}
	body := "\nfunc init() {\n" + attach.String() + "}\n"
	for _, helper := range helpers {
		if strings.Contains(attach.String(), helper.name+"(") {
			body += helper.text
		}
	}
	file, err := target.File(p, target.Constrained(goloops.Constraint, p.Devices), target.Imports(kernels), body+texts.String())
	out.Files = map[string][]byte{"z_kernels_ptx.go": file}
	return out, err
}

var errValue = errors.New("its functor returns a value, which no device asks for")

// attach returns the statement that attaches the text of a kernel, and of rows that along the first dimension.
func (c *Code) attach(p *target.Package, k *target.Kernel, left *Code) string {
	var b strings.Builder
	fmt.Fprintf(&b, "kernel.AttachPTX(%s,\nfunc(k *%s) %s { return k.%s },\nfunc(k *%s) *kernel.Call {\n", k.Origin(p), k.Type, k.Functor(), k.Method, k.Type)
	views := c.views()
	if left != nil {
		views = append(views, left.views()...)
		slices.Sort(views)
		views = slices.Compact(views)
	}
	for _, v := range views {
		fmt.Fprintf(&b, "if %s.Rank() == 0 {\nreturn nil // a zero view\n}\n", v)
	}
	fmt.Fprintf(&b, "return &kernel.Call{\n%s", c.call(k.Base+suffix))
	if left != nil {
		fmt.Fprintf(&b, "Left: &kernel.Call{\n%s},\n", left.call(k.Base+leftSuffix))
	}
	b.WriteString("}\n})\n")
	return b.String()
}

// call returns the fields of a call of the text with that name.
func (c *Code) call(text string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Text: &%s,\n", text)
	if scalars := c.scalars(); len(scalars) > 0 {
		b.WriteString("Scalars: []uint64{\n")
		for _, s := range scalars {
			b.WriteString(c.scalar(s) + ",\n")
		}
		b.WriteString("},\n")
	}
	if memories := c.memories(); len(memories) > 0 {
		b.WriteString("Memories: []kernel.CallMemory{\n")
		for _, m := range memories {
			b.WriteString(c.memory(m) + ",\n")
		}
		b.WriteString("},\n")
	}
	return b.String()
}

// scalars returns the numbers that the functor has captured.
func (c *Code) scalars() (list []ir.Scalar) {
	for _, s := range c.IR.Scalars {
		if shapeName(c.IR, s.Param, s.Path) == "" {
			list = append(list, s)
		}
	}
	return list
}

// memories returns the memories that the functor has captured, by number.
func (c *Code) memories() (list []ir.Mem) {
	return slices.DeleteFunc(slices.Clone(c.IR.Captured()), func(m ir.Mem) bool { return m.Own })
}

// views returns the views whose extents or strides are asked for.
func (c *Code) views() (list []string) {
	seen := map[string]bool{}
	for _, s := range c.IR.Scalars {
		n := len(s.Path) - 1
		if n < 0 || s.Path[n].Kind != ir.Extent && s.Path[n].Kind != ir.Stride {
			continue
		}
		if name := c.IR.Expr(s.Param, s.Path[:n]); !seen[name] {
			seen[name] = true
			list = append(list, name)
		}
	}
	return list
}

// scalar returns the Go expression of a scalar as 64 bits.
func (c *Code) scalar(s ir.Scalar) string {
	path := c.IR.Expr(s.Param, s.Path)
	if n := len(s.Path) - 1; n >= 0 && (s.Path[n].Kind == ir.Len || s.Path[n].Kind == ir.Cap) {
		of := c.IR.Expr(s.Param, s.Path[:n])
		for _, m := range c.IR.Captured() {
			if path, _ := m.Whole(); m.Rank > 0 && m.Param == s.Param && c.IR.Expr(m.Param, path) == of {
				return fmt.Sprintf("kernelExtent(%s.View)", of)
			}
		}
		return fmt.Sprintf("uint64(%s(%s))", map[ir.StepKind]string{ir.Len: "len", ir.Cap: "cap"}[s.Path[n].Kind], of)
	}
	plain := path
	if s.GoType != s.Type.Go() {
		plain = fmt.Sprintf("%s(%s)", s.Type.Go(), path)
	}
	switch s.Type {
	case ir.F64:
		return fmt.Sprintf("math.Float64bits(%s)", plain)
	case ir.F32:
		return fmt.Sprintf("uint64(math.Float32bits(%s))", plain)
	case ir.Bool:
		return fmt.Sprintf("kernelBit(%s)", plain)
	}
	return fmt.Sprintf("uint64(%s)", path)
}

// memory returns the Go expression of where a memory is.
func (c *Code) memory(m ir.Mem) string {
	whole, bytes := m.Whole()
	path := c.IR.Expr(m.Param, whole)
	switch {
	case m.Rank > 0 && len(c.Apart) > 0:
		return fmt.Sprintf("{At: %s.Address(), Bytes: int(kernelExtent(%s.View)) * %d, In: %s.MemorySpace(), View: %s}", path, path, bytes, path, path)
	case m.Rank > 0:
		return fmt.Sprintf("{At: %s.Address(), In: %s.MemorySpace(), View: %s}", path, path, path)
	case m.Array:
		return fmt.Sprintf("{At: unsafe.Pointer(&%s), Bytes: int(unsafe.Sizeof(%s))}", path, path)
	}
	return fmt.Sprintf("{At: unsafe.Pointer(unsafe.SliceData(%s))}", path)
}

// variable returns the declaration of the text of a kernel.
func (c *Code) variable(p *target.Package, k *target.Kernel, name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n// %s is %s as PTX.\nvar %s = kernel.Text{\nSource: %s,\nForm: %d,\nEntry: %q,\n", name, k.Func, name, k.Origin(p), kernel.TextForm, c.Entry)
	if c.IR.Index.Rank > 0 {
		fmt.Fprintf(&b, "Rank: %d,\n", c.IR.Index.Rank)
	}
	if c.Lanes != "" {
		fmt.Fprintf(&b, "Lanes: %q,\nRoom: %d,\n", c.Lanes, c.IR.Room[0])
	}
	if c.IR.Scan {
		b.WriteString("Scan: true,\n")
	}
	if c.Join != "" {
		fmt.Fprintf(&b, "Join: %q,\n", c.Join)
	}
	if c.Strides {
		b.WriteString("Strides: true,\n")
	}
	if c.Plain != "" {
		fmt.Fprintf(&b, "Plain: %q,\n", c.Plain)
	}
	if c.IR.Index.Row {
		b.WriteString(c.rows())
	}
	var accs, stops, scalars []string
	for n, a := range c.IR.Accs {
		if n > 0 && c.IR.Accs[n-1].Lanes == a.Lanes {
			accs[a.Lanes] += " " + a.Basic
		} else {
			accs = append(accs, a.Basic)
		}
	}
	for _, s := range c.Stops {
		stops = append(stops, fmt.Sprintf("%v: %s", s.Pos, s.What))
	}
	for _, s := range c.scalars() {
		scalars = append(scalars, c.IR.PathString(s.Param, s.Path))
	}
	list(&b, "Accumulators", accs)
	list(&b, "Stops", stops)
	list(&b, "Scalars", scalars)
	if len(c.memories()) > 0 {
		stored := map[int]bool{}
		c.IR.Body.Walk(func(v *ir.Value) {
			if v.Writes() {
				stored[v.Index] = true
			}
		})
		b.WriteString("Memories: []kernel.TextMemory{\n")
		for n, m := range c.IR.Captured() {
			if m.Own {
				continue
			}
			path, _ := m.Whole()
			fmt.Fprintf(&b, "{Name: %q%s%s},\n", c.IR.PathString(m.Param, path), said(m.Array, "Array"), said(stored[n], "Stored"))
		}
		b.WriteString("},\n")
	}
	fmt.Fprintf(&b, "PTX: `%s`,\n}\n", c.Text)
	return b.String()
}

// rows returns the field that says how rows run.
func (c *Code) rows() string {
	var fields []string
	if c.Points != "" {
		fields = append(fields, fmt.Sprintf("Points: %q", c.Points))
	}
	if len(c.Apart) > 0 {
		fields = append(fields, "Apart: [][2]int{"+pairs(c.Apart)+"}")
	}
	if len(c.Steps) > 0 {
		fields = append(fields, fmt.Sprintf("Steps: %#v", c.Steps))
	}
	return fmt.Sprintf("Rows: &kernel.Rows{%s},\n", strings.Join(fields, ", "))
}

// pairs returns a list of pairs as Go has it.
func pairs(list [][2]int) string {
	var texts []string
	for _, p := range list {
		texts = append(texts, fmt.Sprintf("{%d, %d}", p[0], p[1]))
	}
	return strings.Join(texts, ", ")
}

// said returns a field that is true, if it is.
func said(is bool, field string) string {
	if is {
		return ", " + field + ": true"
	}
	return ""
}

// list writes a field that is a list of texts, a text on a line where they are long.
func list(b *strings.Builder, field string, texts []string) {
	if len(texts) == 0 {
		return
	}
	var quoted []string
	for _, t := range texts {
		quoted = append(quoted, fmt.Sprintf("%q", t))
	}
	if line := strings.Join(quoted, ", "); len(line) < 120 {
		fmt.Fprintf(b, "%s: []string{%s},\n", field, line)
	} else {
		fmt.Fprintf(b, "%s: []string{\n%s,\n},\n", field, strings.Join(quoted, ",\n"))
	}
}

// helpers are functions that generated files have where they are called.
var helpers = []struct{ name, text string }{
	{"kernelBit", `
// kernelBit returns 1 for true.
func kernelBit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
`},
	{"kernelExtent", `
// kernelExtent returns how many elements the memory of a view has, from its first to its last one.
func kernelExtent[T any](v views.View[T]) uint64 {
	if v.Len() == 0 {
		return 0
	}
	n := 1
	for d := range v.Rank() {
		n += (v.Extent(d) - 1) * v.Stride(d)
	}
	return uint64(n)
}
`},
}
