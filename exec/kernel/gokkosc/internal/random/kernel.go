package random

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A kernel is a constructor at random.
type kernel struct {
	name    string
	seed    uint64
	form    int    // of its index
	of      string // the type of the value that it gets in place of an index, or ""
	result  string // type of its result, or ""
	params  []param
	accs    []string // types of accumulators
	scan    bool     // it is the functor of a scan
	helpers []*node  // functions that it calls
	body    *node
}

type param struct{ name, typ string }

// text returns the functions of the kernel.
func (k *kernel) text() string {
	var b strings.Builder
	for _, h := range k.helpers {
		b.WriteString(h.String() + "\n")
	}
	var params, sig []string
	for _, p := range k.params {
		params = append(params, p.name+" "+p.typ)
	}
	if k.of != "" {
		sig = append(sig, "x "+k.of)
	} else {
		sig = append(sig, forms[k.form].param)
	}
	for n, a := range k.accs {
		sig = append(sig, fmt.Sprintf("acc%d *%s", n, a))
	}
	if k.scan {
		sig = append(sig, "final bool")
	}
	functor := strings.TrimSpace(fmt.Sprintf("func(%s) %s", strings.Join(sig, ", "), k.result))
	body := fmt.Sprintf(forms[k.form].body, k.body)
	if k.of != "" {
		body = "i := int(" + map[bool]string{true: "max(min(x, 9), 0)", false: "x & 15"}[strings.HasPrefix(k.of, "float")] + ")\n_ = i\n" + body
	}
	fmt.Fprintf(&b, "//gokkos:kernel\nfunc %s(%s) %s {\nreturn %s {\n%s%s}\n}\n", k.name, strings.Join(params, ", "), functor, functor, constants, body)
	return b.String()
}

// A form is the form of the index of a kernel. Each item of a run has an i of its own.
type form struct {
	param, body string
	outer       []string // coordinates
	loops       int      // around the body
}

var forms = []form{
	{"i int", "%s", nil, 0},
	{"at policy.Index2", "i, a := at.I+at.J, at.I\n_, _ = i, a\n%s", []string{"a"}, 0},
	{"at policy.Index2", "i, a, b := 2*at.I+at.J, at.I, at.J-1\n_, _, _ = i, a, b\n%s", []string{"a", "b"}, 0},
	{"at policy.Index3", "i, a, b := at.I+at.J+at.K, at.I, at.J\n_, _, _ = i, a, b\n%s", []string{"a", "b"}, 0},
	{"r policy.Row[policy.Index2]", "a := r.At.I\n_ = a\nfor j := range r.All() {\ni := a + j\n_ = i\n%s}\n", []string{"a"}, 1},
	{"r policy.Row[policy.Index3]", "a := r.At.J\n_ = a\nfor i := r.Begin; i < r.End; i++ {\n%s}\n", []string{"a"}, 1},
}

// constants are variables that the compiler of Go does not compute with, and gokkosc does.
const constants = `one, two, oneF, zero, three, zero32, zeroU, zeroU32, yes := 1.0, 2.5, float32(1), 0, 3, int32(0), uint64(0), uint32(0), true
_, _, _, _, _, _, _, _, _ = one, two, oneF, zero, three, zero32, zeroU, zeroU32, yes
zero8, zeroU8, zero16, zeroU16, one8, minus := int8(0), uint8(0), int16(0), uint16(0), uint8(1), -1
_, _, _, _, _, _ = zero8, zeroU8, zero16, zeroU16, one8, minus
someC, someC64 := complex(one, -two), complex(oneF, -oneF)
_, _ = someC, someC64
`

// named returns the kernel with another name, which its functions have in theirs.
func (k *kernel) named(name string) *kernel {
	c := *k
	c.name = name
	c.helpers = nil
	for _, h := range k.helpers {
		c.helpers = append(c.helpers, h.renamed(k.name+"Func", name+"Func"))
	}
	c.body = k.body.renamed(k.name+"Func", name+"Func")
	return &c
}

func (k *kernel) size() int {
	s := k.body.size() + len(k.accs)
	for _, h := range k.helpers {
		s += h.size()
	}
	return s
}

// smaller returns kernels that have something less.
func (k *kernel) smaller() (out []*kernel) {
	for _, b := range k.body.smaller() {
		c := *k
		c.body = b
		out = append(out, &c)
	}
	for n, h := range k.helpers {
		for _, s := range h.smaller() {
			c := *k
			c.helpers = append([]*node{}, k.helpers...)
			c.helpers[n] = s
			out = append(out, &c)
		}
	}
	for n := range k.helpers {
		c := *k
		c.helpers = append(append([]*node{}, k.helpers[:n]...), k.helpers[n+1:]...)
		out = append(out, &c)
	}
	return out
}

// A gen makes a kernel. The kernel does not depend on the order of items: an item stores only to elements of
// its own. It loads no other elements of the memories that it stores to.
type gen struct {
	r       *rand.Rand
	name    string
	vars    []variable
	slices  []slice
	funcs   []function
	loops   int // around the current position
	depth   int // of blocks
	next    int // number of the next name
	accs    []variable
	into    []variable // accumulators that take contributions to cells
	located []variable // accumulators with methods
	arrays  []variable // of four elements or more
	draws   []string   // generators of random numbers
	late    bool       // stores stand behind all others, so that loops can be left
	small   []string   // counters of loops, from 0 up to 6 at most
	inFunc  bool
	result  string // type of the result, or ""
}

type variable struct {
	name, typ string
	fixed     bool // is not assigned to
}

// A slice is memory: read anywhere, or written at an index of the item's own.
type slice struct {
	at, set string // formats of an element, with %s for the index
	typ     string
	own     []string // indices that are the item's own; nil if it is only read
}

type function struct {
	name, result string
	params       []string
}

// newKernel returns the kernel of a seed.
func newKernel(name string, seed uint64) *kernel {
	g := &gen{r: rand.New(rand.NewPCG(seed, 3)), name: name}
	k := &kernel{name: name, seed: seed}
	g.parameters(k)
	for range g.r.IntN(3) {
		k.helpers = append(k.helpers, g.function())
	}
	for n := range []int{0, 0, 1, 1, 2, 3, 4}[g.r.IntN(7)] {
		_ = n
		t := pick(g.r, []string{"float64", "float64", "float32", "int", "int32", "uint64", "bool", "int8", "uint16", pair, two, two, two, located, outermost})
		k.accs = append(k.accs, t)
	}
	for n, t := range k.accs {
		if fields := structFields[t]; fields != nil {
			for _, f := range fields {
				g.accs = append(g.accs, variable{fmt.Sprintf("acc%d.%s", n, f.name), f.typ, false})
			}
			continue
		}
		if len(locatedFields[t]) > 0 {
			g.located = append(g.located, variable{fmt.Sprintf("acc%d", n), t, false})
			continue
		}
		g.accs = append(g.accs, variable{fmt.Sprintf("*acc%d", n), t, false})
	}
	for n, t := range k.accs {
		for _, f := range locatedFields[t] {
			g.accs = append(g.accs, variable{fmt.Sprintf("acc%d.%s", n, f.name), f.typ, false})
		}
	}
	g.vars = append(g.vars, variable{"i", "int", true})
	if g.result = ""; len(k.accs) == 0 && g.r.IntN(3) == 0 {
		g.values(k)
		return k
	}
	k.form = []int{0, 0, 0, 0, 1, 2, 3, 4, 5}[g.r.IntN(9)]
	for _, name := range forms[k.form].outer {
		g.vars = append(g.vars, variable{name, "int", true})
	}
	g.loops = forms[k.form].loops
	if k.form == 0 && seed%5 == 2 && len(k.accs) < 4 {
		g.contributes(k)
	}
	g.late = g.r.IntN(2) == 0
	if len(k.accs) == 1 && k.form == 0 && g.r.IntN(2) == 0 { // few instructions, so that accumulators stay in registers
		k.body = &node{kind: "block"}
		for range 1 + g.r.IntN(2) {
			k.body.kids = append(k.body.kids, g.accumulate())
		}
	} else {
		k.body = g.block(3 + g.r.IntN(5))
	}
	if len(k.accs) == 1 && len(g.into) == 0 && k.form == 0 && seed%3 == 0 {
		k.scan = true
		k.body = &node{"stmt", "_ = final\n" + pick(g.r, []string{"if final {\n%s\n}\n%s", "%[2]sif final {\n%[1]s\n}\n", "%[2]sif !final {\nreturn\n}\n%[1]s\n"}), []*node{g.store(), k.body}}
	}
	return k
}

// values makes k a functor that returns a value.
func (g *gen) values(k *kernel) {
	k.result = pick(g.r, types)
	switch g.r.IntN(3) {
	case 0: // of a point
		k.form = 1 + g.r.IntN(3)
		for _, name := range forms[k.form].outer {
			g.vars = append(g.vars, variable{name, "int", true})
		}
	case 1: // of a value
		for k.of = "int"; k.of == "int" || k.of == "bool"; {
			k.of = pick(g.r, types)
		}
		g.vars = append(g.vars, variable{"x", k.of, true}, variable{"x", k.of, true})
	}
	g.result = k.result
	body := g.block(2 + g.r.IntN(5))
	k.body = &node{"stmt", "%sreturn %s\n", []*node{body, g.expr(k.result, 3)}}
}

// pair and two are accumulators that are structs.
const (
	pair = "trial.Pair"
	two  = "trial.Two"
)

var structFields = map[string][]variable{
	pair: {{"Sum", "float64", false}, {"N", "int", false}, {"Least", "float32", false}, {"Seen", "bool", false}, {"Few[1]", "int8", false}},
	two:  {{"Most", "float64", false}, {"Second", "float64", false}},
}

// located and outermost are accumulators with methods that find values and where they are.
const (
	located   = "builtin.ValLoc[float64,int]"
	outermost = "builtin.MinMaxLocVal[float32,int32]"
)

// What there is to assign to, and the methods with the types that these take.
var (
	locatedFields  = map[string][]variable{located: {{"Val", "float64", false}, {"Loc", "int", false}}, outermost: {{"Max", "float32", false}, {"MinLoc", "int32", false}}}
	locatedMethods = map[string][]string{located: {"Min", "MinLast", "Max", "MaxLast"}, outermost: {"Add", "AddFirstLast"}}
	locatedTypes   = map[string][2]string{located: {"float64", "int"}, outermost: {"float32", "int32"}}
)

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// parameters chooses parameters.
func (g *gen) parameters(k *kernel) {
	add := func(name, typ string) string {
		k.params = append(k.params, param{name, typ})
		return name
	}
	for n, t := range []string{"float64", "float32", "int", "int32", "uint64", "uint32", "bool", "int8", "uint8", "int16", "uint16"} {
		if g.r.IntN(2) == 0 {
			name := add(fmt.Sprintf("p%d", n), t)
			g.vars = append(g.vars, variable{name, t, true})
		}
	}
	if g.r.IntN(3) == 0 {
		add("pt", "trial.Point")
		g.vars = append(g.vars, variable{"pt.X", "float64", true}, variable{"pt.Y", "float64", true}, variable{"pt.N", "int", true}, variable{"pt.W[1]", "int32", true})
	}
	if g.r.IntN(3) == 0 {
		add("w", "[4]float64")
		g.vars = append(g.vars, variable{"w[2]", "float64", true})
		g.slices = append(g.slices, slice{"w[%s]", "", "float64", nil})
	}
	for n := range 1 + g.r.IntN(3) {
		t := pick(g.r, []string{"float64", "float64", "float32", "int", "int32", "uint64", "uint32", "bool", "int8", "uint8", "int16", "uint16"})
		name := add(fmt.Sprintf("x%d", n), "[]"+t)
		g.slices = append(g.slices, slice{name + "[%s]", "", t, nil})
	}
	for n := range 1 + g.r.IntN(2) {
		t := pick(g.r, []string{"float64", "float64", "float32", "int", "int32", "uint64", "bool", "int8", "uint8", "int16", "uint16"})
		name := add(fmt.Sprintf("y%d", n), "[]"+t)
		own := []string{"i"}
		if g.r.IntN(4) == 0 {
			own = []string{"2*i", "2*i+1"}
		}
		g.slices = append(g.slices, slice{name + "[%s]", name + "[%s] = %s", t, own})
		if t == "float64" && g.r.IntN(3) == 0 { // by another name
			g.slices = append(g.slices, slice{add(name+"again", "trial.Again") + "[%s]", "", t, own})
		}
	}
	if g.r.IntN(6) == 0 {
		g.draws = append(g.draws, add("pool", "random.Pool")+".At(i)")
	}
	g.views(add)
	g.chosen(add)
	g.far(add)
	g.complexMemory(add)
	if g.r.IntN(3) == 0 {
		for _, t := range tables {
			g.slices = append(g.slices, slice{t.name + "[%s]", "", t.typ, nil})
		}
	}
}

// tables are arrays of constants that the package has.
var tables = []variable{{"tableFloats", "float64", true}, {"tableSingles[one8&1]", "float32", true}, {"tableBytes", "uint8", true}, {"tableInts", "int", true}, {"tableBools", "bool", true}}

// far adds slices of slices and of pointers.
func (g *gen) far(add func(name, typ string) string) {
	if g.r.IntN(5) == 0 {
		rows := add("rows", "[][]float64")
		at := pick(g.r, []string{"i", "i&3", "0"})
		g.slices = append(g.slices, slice{rows + "[" + at + "][%s]", "", "float64", nil}, slice{rows + "[%s][one8]", "", "float64", nil})
		g.vars = append(g.vars, variable{"len(" + rows + ")", "int", true})
	}
	if g.r.IntN(6) == 0 { // a row for each item
		rows, set := add("yrows", "[][]int32"), "yrows[i][%s] = %s"
		at := pick(g.r, []string{"", rows + "[i][%s]"})
		g.slices = append(g.slices, slice{at, set, "int32", []string{"1", "small"}})
	}
	if g.r.IntN(5) == 0 {
		list := add("list", "[]*trial.Node")
		g.slices = append(g.slices, slice{list + "[i].X[%s]", "", "float32", nil}, slice{list + "[%s].Next.N", "", "int32", nil},
			slice{list + "[%s].W", list + "[%s].W = %s", "float64", []string{"i"}}, slice{"", list + "[i].Next.X[%s] = %s", "float32", []string{"1", "small"}})
	}
}

func (g *gen) views(add func(name, typ string) string) {
	columns := []string{"0", "2", "5", "1"}
	if g.r.IntN(4) == 0 {
		add("v1", "views.View1[float64]")
		g.slices = append(g.slices, slice{"v1.At(%s)", "v1.Set(%s, %s)", "float64", []string{"i"}})
	}
	if g.r.IntN(3) == 0 {
		add("v2", "views.View2[float64]")
		c := pick(g.r, columns)
		g.slices = append(g.slices, slice{"v2.At(i, %s)", "v2.Set(i, %s, %s)", "float64", []string{c, pick(g.r, columns)}})
		g.vars = append(g.vars, variable{"v2.Extent(1)", "int", true})
	}
	if g.r.IntN(4) == 0 {
		add("u2", pick(g.r, []string{"views.View2[float64]", "views.Strided2[float64]"}))
		g.slices = append(g.slices, slice{"u2.At(%s, 3)", "", "float64", nil}, slice{"u2.At(i, %s)", "", "float64", nil})
	}
	if g.r.IntN(4) == 0 { // a row of 6, and 2 behind it, for each item; loops that count up to 6 store there
		name, set := add("r2", "views.View2[float64]"), "r2.Set(i, %s, %s)"
		at := pick(g.r, []string{"", name + ".At(i, %s)"})
		g.slices = append(g.slices, slice{at, set, "float64", []string{"1", "small"}})
	}
	if g.r.IntN(5) == 0 {
		add("single2", "views.View2[float32]")
		g.slices = append(g.slices, slice{"single2.Row(i)[%s]", "", "float32", nil})
	}
	if g.r.IntN(5) == 0 {
		add("v3", "views.View3[float64]")
		g.slices = append(g.slices, slice{"v3.At(i, 1, %s)", "", "float64", nil})
	}
}
