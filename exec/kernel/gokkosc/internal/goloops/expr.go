package goloops

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

var binary = map[ir.Op]string{
	ir.Add: "+", ir.Sub: "-", ir.Mul: "*", ir.Div: "/", ir.Rem: "%", ir.And: "&", ir.Or: "|", ir.Xor: "^", ir.AndNot: "&^",
	ir.Eq: "==", ir.Ne: "!=", ir.Lt: "<", ir.Le: "<=",
}

var logic = map[ir.Op]string{ir.And: "&&", ir.Or: "||", ir.Xor: "!="}

var calls = map[ir.Op]string{
	ir.Sqrt: "Sqrt", ir.Abs: "Abs", ir.Floor: "Floor", ir.Ceil: "Ceil", ir.Trunc: "Trunc", ir.RoundEven: "RoundToEven", ir.Copysign: "Copysign", ir.FMA: "FMA",
}

// expr returns the Go expression that computes a value.
func (w *writer) expr(v *ir.Value) string {
	switch v.Op {
	case ir.Uniform:
		return w.scalar(w.k.Scalars[v.Index])
	case ir.Cells:
		return w.cells(v)
	case ir.Coord:
		if w.k.Index.Rank == 0 {
			return "begin"
		}
		return fmt.Sprintf("run.At[%d]", v.Index)
	case ir.Stop:
		if w.k.Index.Rank == 0 {
			return "end"
		}
		return fmt.Sprintf("run.At[%d] + run.Len", w.k.Index.Dim)
	case ir.Neg:
		return "-" + w.use(v.Args[0])
	case ir.Not:
		if v.Type == ir.Bool {
			return "!" + w.use(v.Args[0])
		}
		return "^" + w.use(v.Args[0])
	case ir.Shl, ir.Shr:
		return w.shift(v)
	case ir.Min, ir.Max:
		return w.minmax(v)
	case ir.Conv:
		return w.conversion(v)
	case ir.Bits:
		return w.bits(v)
	case ir.MulHigh:
		w.imports["mulhigh"] = true
		return fmt.Sprintf("%s(%s, %s)", HighFunc, w.bare(v.Args[0]), w.bare(v.Args[1]))
	case ir.Load:
		return w.load(v)
	case ir.Call:
		return w.called(v)
	}
	if name, ok := calls[v.Op]; ok {
		return w.call(v, name)
	}
	return w.operator(v)
}

func (w *writer) operator(v *ir.Value) string {
	x, y := v.Args[0], v.Args[1]
	op, t := binary[v.Op], x.Type
	switch {
	case divides(v):
		return w.division(v)
	case t == ir.Bool:
		if l, ok := logic[v.Op]; ok {
			op = l
		}
	case v.Unsigned:
		s := fmt.Sprintf("%s %s %s", w.unsigned(x), op, w.unsigned(y))
		if v.Type == ir.Bool {
			return s
		}
		return fmt.Sprintf("%s(%s)", t.Go(), s)
	case v.Op == ir.Add && t.IsInt() && y.Op == ir.Const && y.Int() < 0 && y.Int() != math.MinInt64 && w.text[y] == "":
		return fmt.Sprintf("%s - %d", w.use(x), -y.Int())
	case v.Op == ir.Mul && t.IsFloat(): // so that no sum is fused with it
		return fmt.Sprintf("%s(%s * %s)", t.Go(), w.use(x), w.use(y))
	case (v.Op == ir.Ne || v.Op == ir.Eq) && x == y && t.IsFloat():
		return w.isNaN(x, v.Op == ir.Eq)
	}
	if (v.Op == ir.Sub || v.Op == ir.Add) && t.IsFloat() || t.IsInt() && (v.Op == ir.Add || v.Op == ir.Mul) {
		return fmt.Sprintf("%s %s %s", w.left(v.Op, x), op, w.use(y))
	}
	return fmt.Sprintf("%s %s %s", w.use(x), op, w.use(y))
}

// isNaN asks whether a float is NaN, or whether it is not.
func (w *writer) isNaN(x *ir.Value, not bool) string {
	w.imports["math"] = true
	text := w.bare(x)
	if x.Type == ir.F32 {
		text = fmt.Sprintf("float64(%s)", text)
	}
	if not {
		return fmt.Sprintf("!math.IsNaN(%s)", text)
	}
	return fmt.Sprintf("math.IsNaN(%s)", text)
}

// divides reports whether integers are divided by a number that may be 0.
func divides(v *ir.Value) bool {
	y := v.Args[len(v.Args)-1]
	return (v.Op == ir.Div || v.Op == ir.Rem) && v.Type.IsInt() && (y.Op != ir.Const || y.Bits == 0)
}

// division returns a call of a function that does not panic: it may stand in front of the check of its divisor.
func (w *writer) division(v *ir.Value) string {
	w.imports["divide"] = true
	name := map[ir.Op]string{ir.Div: QuotientFunc, ir.Rem: RemainderFunc}[v.Op]
	arg := func(x *ir.Value) string {
		if v.Unsigned {
			return w.unsigned(x)
		}
		return w.typed(x)
	}
	s := fmt.Sprintf("%s(%s, %s)", name, arg(v.Args[0]), arg(v.Args[1]))
	if v.Unsigned {
		s = fmt.Sprintf("%s(%s)", v.Type.Go(), s)
	}
	return s
}

// Names of the functions of generated files that divide.
const (
	QuotientFunc  = "kernelQuotient"
	RemainderFunc = "kernelRemainder"
)

// DivideText is those functions.
const DivideText = `
// kernelQuotient returns x / y, and 0 if y is 0: that is asked for apart.
func kernelQuotient[T int | int32 | uint | uint32](x, y T) T {
	if y == 0 {
		return 0
	}
	return x / y
}

// kernelRemainder returns x % y, and x if y is 0.
func kernelRemainder[T int | int32 | uint | uint32](x, y T) T {
	if y == 0 {
		return x
	}
	return x % y
}
`

// HighFunc is the name of the function of a generated file that returns the upper half of a product.
const HighFunc = "kernelHigh"

// HighText is that function.
const HighText = `
// kernelHigh returns the upper half of the product of x and y as unsigned integers.
func kernelHigh(x, y int) int {
	high, _ := kernelBits.Mul64(uint64(x), uint64(y))
	return int(high)
}
`

// left returns the left operand of a sum or a product: one of the same kind needs no parentheses.
func (w *writer) left(op ir.Op, x *ir.Value) string {
	if w.text[x] == "" && w.inline[x] && !x.Unsigned && (x.Op == op || op == ir.Sub && x.Op == ir.Add || op == ir.Add && (x.Op == ir.Sub || x.Op == ir.Mul && x.Type.IsInt())) {
		return w.expr(x)
	}
	return w.use(x)
}

// unsigned returns an integer as one without a sign.
func (w *writer) unsigned(v *ir.Value) string {
	if v.Op == ir.Const && w.text[v] == "" {
		if v.Type == ir.I32 {
			return strconv.FormatUint(uint64(uint32(v.Bits)), 10)
		}
		return strconv.FormatUint(v.Bits, 10)
	}
	return fmt.Sprintf("u%s(%s)", v.Type.Go(), w.bare(v))
}

func (w *writer) shift(v *ir.Value) string {
	x, n := v.Args[0], v.Args[1]
	op := "<<"
	if v.Op == ir.Shr {
		op = ">>"
	}
	count := w.unsigned(n)
	left := w.use(x)
	if x.Op == ir.Const && w.text[x] == "" {
		left = fmt.Sprintf("%s(%s)", x.Type.Go(), w.constant(x, false))
	}
	if v.Unsigned {
		return fmt.Sprintf("%s(u%s(%s) %s %s)", v.Type.Go(), v.Type.Go(), w.variable(x), op, count)
	}
	return fmt.Sprintf("%s %s %s", left, op, count)
}

// variable returns an integer so that a conversion of it is none of a constant.
func (w *writer) variable(v *ir.Value) string {
	if v.Op == ir.Const && w.text[v] == "" {
		return w.unsigned(v)
	}
	return w.bare(v)
}

func (w *writer) minmax(v *ir.Value) string {
	name := "min"
	if v.Op == ir.Max {
		name = "max"
	}
	if v.Unsigned {
		return fmt.Sprintf("%s(%s(%s, %s))", v.Type.Go(), name, w.unsigned(v.Args[0]), w.unsigned(v.Args[1]))
	}
	return fmt.Sprintf("%s(%s, %s)", name, w.bare(v.Args[0]), w.bare(v.Args[1]))
}

func (w *writer) call(v *ir.Value, name string) string {
	w.imports["math"] = true
	var args []string
	for _, a := range v.Args {
		s := w.bare(a)
		if v.Type == ir.F32 {
			s = fmt.Sprintf("float64(%s)", s)
		}
		args = append(args, s)
	}
	s := fmt.Sprintf("math.%s(%s)", name, strings.Join(args, ", "))
	if v.Type == ir.F32 {
		s = fmt.Sprintf("float32(%s)", s)
	}
	return s
}

func (w *writer) conversion(v *ir.Value) string {
	x := v.Args[0]
	from, to := x.Type, v.Type
	s := w.bare(x)
	if x.Op == ir.Const && w.text[x] == "" {
		s = w.variable(x)
	}
	switch {
	case !v.Unsigned:
	case from.IsInt():
		s = fmt.Sprintf("u%s(%s)", from.Go(), s)
	default:
		s = fmt.Sprintf("u%s(%s)", to.Go(), s)
	}
	return fmt.Sprintf("%s(%s)", to.Go(), s)
}

func (w *writer) bits(v *ir.Value) string {
	w.imports["math"] = true
	x := w.bare(v.Args[0])
	switch v.Type {
	case ir.I64:
		return fmt.Sprintf("int(math.Float64bits(%s))", x)
	case ir.I32:
		return fmt.Sprintf("int32(math.Float32bits(%s))", x)
	case ir.F64:
		return fmt.Sprintf("math.Float64frombits(uint64(%s))", w.variable(v.Args[0]))
	}
	return fmt.Sprintf("math.Float32frombits(uint32(%s))", w.variable(v.Args[0]))
}

// element returns the element that a load or a store is of.
func (w *writer) element(v *ir.Value) string {
	if s := w.window[v]; s != "" {
		return s
	}
	return w.elementAt(v.Index, w.bare(v.Args[0]))
}

// elementAt returns the element of a memory at an index.
func (w *writer) elementAt(mem int, index string) string {
	if m := w.k.Mems[mem]; m.Far {
		w.imports["far"] = true
		return fmt.Sprintf("*%s[%s](%s)", FarFunc, m.GoElem, index)
	}
	return fmt.Sprintf("%s[%s]", w.mems[mem], index)
}

// FarFunc is the name of the function of a generated file that returns the address of an element of all memory.
const FarFunc = "kernelAt"

// FarText is that function.
const FarText = `
// kernelAt returns the address of element i of all memory, counted from address 0 in elements of a type.
func kernelAt[E any](i int) *E {
	return (*E)(unsafe.Add(unsafe.Pointer(nil), uintptr(i)*unsafe.Sizeof(*new(E))))
}
`

func (w *writer) load(v *ir.Value) string {
	s := w.element(v)
	if m := w.k.Mems[v.Index]; m.GoElem != m.Elem.Value().Go() {
		s = fmt.Sprintf("%s(%s)", m.Elem.Value().Go(), s)
	}
	return s
}

// elem returns a value as an element of a memory.
func (w *writer) elem(m ir.Mem, v *ir.Value) string {
	if m.GoElem == m.Elem.Value().Go() {
		return w.bare(v)
	}
	if v.Op == ir.Const && w.text[v] == "" && strings.HasPrefix(m.GoElem, "uint") && !m.Elem.IsNarrow() {
		return w.unsigned(v)
	}
	return fmt.Sprintf("%s(%s)", m.GoElem, w.bare(v))
}

// constant returns a constant. One that is typed has its type where nothing else says it.
func (w *writer) constant(v *ir.Value, typed bool) string {
	switch v.Type {
	case ir.Bool:
		return strconv.FormatBool(v.Bits != 0)
	case ir.I64:
		if v.Bits == 1<<63 {
			w.imports["math"] = true
			return "math.MinInt"
		}
		return strconv.FormatInt(v.Int(), 10)
	case ir.I32:
		if typed {
			return fmt.Sprintf("int32(%d)", v.Int())
		}
		return strconv.FormatInt(v.Int(), 10)
	}
	return w.float(v, typed)
}

func (w *writer) float(v *ir.Value, typed bool) string {
	x, s := v.Float(), ""
	switch {
	case math.IsNaN(x):
		s = "math.NaN()"
	case math.IsInf(x, 0):
		s = fmt.Sprintf("math.Inf(%d)", int(math.Copysign(1, x)))
	case x == 0 && math.Signbit(x):
		s = "math.Copysign(0, -1)"
	default:
		s = strconv.FormatFloat(x, 'g', -1, 8*v.Type.Bytes())
		if v.Type == ir.F32 && typed {
			return fmt.Sprintf("float32(%s)", s)
		}
		if typed && !strings.ContainsAny(s, ".e") {
			s += ".0"
		}
		return s
	}
	w.imports["math"] = true
	if v.Type == ir.F32 {
		return fmt.Sprintf("float32(%s)", s)
	}
	return s
}

// needsVariable reports whether a constant has to be a variable: the compiler would refuse to convert
// it, or compute with it.
func needsVariable(v *ir.Value, by *ir.Value, m *ir.Mem) bool {
	if v.Op != ir.Const {
		return false
	}
	switch by.Op {
	case ir.Conv:
		return v.Type.IsFloat()
	case ir.Store:
		return m.GoElem != m.Elem.Go() && !strings.HasPrefix(m.GoElem, "uint") || m.Elem.IsNarrow()
	}
	return false
}
