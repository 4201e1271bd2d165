package vector

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/pass"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/target"
)

// A kernel whose items run along rows, one loop each, is better run row by row. Neighbouring elements belong to rounds
// of the loop there, and not to items. The vectors are then of rounds.
//
// Rounds may run beside each other if none depends on another one. The loop carries nothing, and no round
// loads an element that another round stores. Memories that may overlap are compared when the kernel runs.

// rowOf returns the loop that is all the work of an item, apart from values computed in front of it; or nil.
func rowOf(k *ir.Kernel) *ir.Value {
	n := len(k.Body.Values) - 1
	if len(k.Accs) > 0 || n < 0 || k.Body.Values[n].Op != ir.Loop {
		return nil
	}
	loop := k.Body.Values[n]
	c, ok := pass.CountOf(loop)
	if !ok || len(loop.Args) != 1 || c.Unsigned || c.Index.Type != ir.I64 || !known(k, c.From) || !known(k, c.To) {
		return nil
	}
	for _, v := range k.Body.Values[:n] {
		if !v.Op.Pure() && v.Op != ir.Load {
			return nil
		}
	}
	return loop
}

// known reports whether a value is the same for all items.
func known(k *ir.Kernel, v *ir.Value) bool {
	return v.Op == ir.Const || slices.Contains(k.Setup.Values, v)
}

// byRows makes the emitter write vectors of the rounds of a loop.
func (e *Emitter) byRows(loop *ir.Value) {
	c, _ := pass.CountOf(loop)
	e.row, e.index = loop, c.Index
	for _, v := range e.k.Body.Values {
		if v.Op == ir.Item {
			e.setup[v] = true
		}
	}
	if v := target.First(ir.Check, e.k.Body); v != nil {
		e.Refuse(v, "an index is checked in each round")
	}
	e.independentRounds()
}

// independentRounds refuses stores that another round may load or store to.
func (e *Emitter) independentRounds() {
	var stored, all []*ir.Value
	e.k.Body.Walk(func(v *ir.Value) {
		switch v.Op {
		case ir.Store:
			stored = append(stored, v)
			all = append(all, v)
		case ir.Load:
			all = append(all, v)
		}
	})
	for _, s := range stored {
		for _, v := range all {
			e.independent(s, v)
		}
	}
}

// independent refuses a store if another access may be to the element of another round.
func (e *Emitter) independent(s, v *ir.Value) {
	if s.Index != v.Index {
		e.near(s, s.Index)
		e.near(v, v.Index)
		e.keepApart(s.Index, v.Index)
		return
	}
	p, ok := e.linear(s.Args[0])
	q, ok2 := e.linear(v.Args[0])
	c, _, _ := e.ofItem(p)
	step, isConstant := c.constant()
	alike := ok && ok2 && len(c) > 0
	if alike && p.key() == q.key() && (isConstant || s == v) {
		return
	}
	if !alike || !isConstant || !e.farFrom(p, q, step) {
		e.Refuse(s, "a round may depend on another one") // if a stride is 0, all have one element
	}
}

// A distance is the difference of two indices of a round, beside the step of both from round to round. In a
// row of no more rounds than steps between the two, no round meets another one.
type distance struct {
	between poly
	step    int64
}

// farFrom reports whether two indices differ by the same number in all rounds, and demands rows that this
// distance keeps apart.
func (e *Emitter) farFrom(p, q poly, step int64) bool {
	between := sum(slices.Concat(p, q.times(poly{{-1, nil}}))...)
	isSetup := func(v *ir.Value) bool { return e.setup[v] && v.Op != ir.Item }
	for _, t := range between {
		if slices.ContainsFunc(t.f, func(v *ir.Value) bool { return !isSetup(v) }) {
			return false
		}
	}
	if n, is := between.constant(); e.row == nil || e.k.Index.Rank > 0 || step < 1 || is && max(n, -n) < step*int64(e.Width) {
		return false
	}
	d := distance{between, step}
	same := func(other distance) bool { return other.step == step && other.between.key() == between.key() }
	if !slices.ContainsFunc(e.distances, same) {
		e.distances = append(e.distances, d)
	}
	return true
}

// repeats reports whether a vector may run rounds that have been run: these store the same again, as nothing is
// loaded that they store. Masked stores take long on some processors.
func (e *Emitter) repeats() bool {
	points := e.k.Index.Rank > 0 && !e.k.Index.Row && len(e.k.Accs) == 0 && e.stops == 0
	if e.row == nil && !points || len(e.latch) > 0 || e.shape.MasksStores {
		return false
	}
	loads, stores := map[int]bool{}, map[int]bool{}
	e.k.Body.Walk(func(v *ir.Value) {
		switch v.Op {
		case ir.Load:
			loads[v.Index] = true
		case ir.Store:
			stores[v.Index] = true
		}
	})
	far := func(mem int) bool { return e.k.Mems[mem].Far }
	for mem := range stores {
		if loads[mem] || far(mem) {
			return false
		}
	}
	if slices.ContainsFunc(slices.Collect(maps.Keys(loads)), far) {
		return false
	}
	if points { // where memories overlap, other items are not run again: see ofRun
		for _, mem := range slices.Sorted(maps.Keys(stores)) {
			for _, other := range slices.Sorted(maps.Keys(loads)) {
				e.keepApart(mem, other)
			}
		}
	}
	return true
}

// keepApart notes that two memories are asked whether they overlap. Nothing overlaps with memory of the worker's own.
func (e *Emitter) keepApart(a, b int) {
	if e.k.Mems[a].Own || e.k.Mems[b].Own {
		return
	}
	pair := [2]int{min(a, b), max(a, b)}
	if !e.k.Mems[a].Array && !e.k.Mems[b].Array && !slices.Contains(e.apart, pair) {
		e.apart = append(e.apart, pair)
	}
}

// body returns the values that a vector computes.
func (e *Emitter) body() []*ir.Value {
	if e.row == nil {
		return e.k.Body.Values
	}
	return append(slices.Clone(e.k.Body.Values[:len(e.k.Body.Values)-1]), e.row.LoopBody().Values...)
}

// rows writes the loops over rows, and over the pieces of one.
func (w *writer) rows(b *strings.Builder, otherSpan, call string) {
	w.apartOr(b, "return "+otherSpan)
	w.distancesOr(b, "return "+otherSpan)
	w.pieces(b, "return "+otherSpan)
	if w.e.plane {
		fmt.Fprintf(b, "for row := begin; row < end; {\nrows := max(1, min(end-row, piece/(%s+%d)))\n", w.lengthOfRow(), rowCost)
		w.piecesOfRow(b, w.callOfRows())
		b.WriteString("row += rows\n}\nreturn end\n}\n")
		return
	}
	b.WriteString("for row := begin; row < end; row++ {\n")
	w.piecesOfRow(b, call)
	b.WriteString("}\nreturn end\n}\n")
}

// apartOr does something else where memories overlap.
func (w *writer) apartOr(b *strings.Builder, leave string) {
	for _, apart := range w.areApart(w.e.apart) {
		fmt.Fprintf(b, "if !%s { // rounds may depend on each other\n%s\n}\n", apart, leave)
	}
}

// distancesOr leaves all items to the other loop if a row is longer than a distance.
func (w *writer) distancesOr(b *strings.Builder, leave string) {
	for _, d := range w.e.distances {
		between, length := w.sum(d.between), w.lengthOfRow()
		if d.step > 1 {
			length = fmt.Sprintf("%d*%s", d.step, length)
		}
		cond := fmt.Sprintf("d := %s; d != 0 && max(d, -d) < %s", between, length)
		if c, ok := d.between.constant(); ok {
			cond = fmt.Sprintf("%d < %s", max(c, -c), length)
		}
		fmt.Fprintf(b, "if %s { // rounds may depend on each other\n%s\n}\n", cond, leave)
	}
}

// separateOr leaves all items to the other loop where memories overlap that lanes store to.
func (w *writer) separateOr(b *strings.Builder, leave string) {
	for _, apart := range w.areApart(w.e.separate) {
		fmt.Fprintf(b, "if !%s { // lanes may depend on each other\n%s\n}\n", apart, leave)
	}
}

// areApart returns Go that asks whether memories have nothing in common.
func (w *writer) areApart(pairs [][2]int) (calls []string) {
	for _, pair := range pairs {
		w.imports["apart"] = true
		calls = append(calls, fmt.Sprintf("kernelApart%s(%s, %s)", w.shape.Suffix, w.p.Mem[pair[0]], w.p.Mem[pair[1]]))
	}
	return calls
}

// piecesOfRow writes the loop over the pieces of a row, or of several rows of one piece each.
func (w *writer) piecesOfRow(b *strings.Builder, call string) {
	from, to := w.bounds()
	fmt.Fprintf(b, "for from := %s; from < %s; {\nn := min(%[2]s-from, piece)\nfrom = %[3]s\n}\n", from, to, call)
}

// bounds returns the first round of a row, and the first one that is not in it.
func (w *writer) bounds() (from, to string) {
	c, _ := pass.CountOf(w.e.row)
	bound := func(v *ir.Value) string {
		if v.Op == ir.Const {
			return fmt.Sprint(v.Int())
		}
		return w.p.Value[v]
	}
	return bound(c.From), bound(c.To)
}

// longRow is more rounds than any memory has elements.
const longRow = 1 << 48

// lengthOfRow is the number of rounds of a row, or longRow for a larger constant number.
func (w *writer) lengthOfRow() string {
	c, _ := pass.CountOf(w.e.row)
	switch from, to := w.bounds(); {
	case c.From.Op == ir.Const && c.To.Op == ir.Const:
		return fmt.Sprint(int64(min(max(float64(c.To.Int())-float64(c.From.Int()), 0), longRow)))
	case from == "0":
		return "max(" + to + ", 0)"
	default:
		return fmt.Sprintf("max(%s - %s, 0)", to, from) // from may be a negative constant
	}
}

// apartText is the function of a generated file that compares memories.
const apartText = `
// kernelApart%[1]s reports whether slices have no memory in common.
func kernelApart%[1]s[T, U any](a []T, b []U) bool {
	p, q := uintptr(unsafe.Pointer(unsafe.SliceData(a))), uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	return p+uintptr(cap(a))*unsafe.Sizeof(*new(T)) <= q || q+uintptr(cap(b))*unsafe.Sizeof(*new(U)) <= p
}
`
