// Package trial runs kernels as PTX on the machine, in the interpreter and as closures, and compares the
// results bit by bit.
package trial

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"slices"
	"unsafe"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/interp"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ptx"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/machine"
)

// A Case is a launch.
type Case struct {
	Begin, Items int // the items 0 to Items-1 have the indices from Begin on
	First        int // the items before this one are left out; a multiple of Leaf
	Blocks       int
	Threads      int
	Seed         uint64 // of the order in which threads run

	// Of reductions.
	Leaf, Lanes int // powers of two, at most 32 lanes
	Identities  []uint64
	Joins       []int // see Join, or Apart
}

// Apart returns the codes of as many accumulators whose lanes are left apart.
func Apart(accs int) []int { return slices.Repeat([]int{len(joins)}, accs) }

// apart reports whether the lanes of leaves are left apart, as leaves of their own.
func (c Case) apart() bool { return len(c.Joins) > 0 && c.Joins[0] == len(joins) }

// A Kernel is a kernel to be tried.
type Kernel struct {
	IR          *ir.Kernel // before all passes
	Code        *ptx.Code
	Module      *machine.Module
	Constructor any  // of the closure, or nil
	left        bool // items may stop that the closure can run
}

// New compiles a kernel.
func New(k *ir.Kernel, constructor any) (*Kernel, error) {
	code, err := ptx.Compile(k, k.Name)
	if err != nil {
		return nil, err
	}
	m, err := machine.Parse(code.Text)
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, code.Text)
	}
	t := &Kernel{IR: k, Code: code, Module: m, Constructor: constructor}
	k.Body.Walk(func(v *ir.Value) {
		t.left = t.left || v.Op == ir.Check && v.Args[0].Op == ir.Const && v.Args[1].Op == ir.Const
	})
	return t, nil
}

// An outcome is the result of a launch.
type outcome struct {
	status uint64   // as the device has it, without the check's number
	leaves []column // values
	root   []uint64
	args   *interp.Args
}

type column []uint64

// Check runs a case in all ways, with parameters that are made anew for each, and returns how they differ.
// stopped says whether an item stops.
func (k *Kernel) Check(params func() []any, c Case) (stopped bool, err error) {
	want, err := k.interpret(params(), c)
	if err != nil {
		return false, err
	}
	stopped = want.status != none
	if k.Constructor != nil {
		got, err := k.closure(params(), c, stopped)
		if err == nil && (got.status == want.status || !k.left) {
			err = k.compare("closure", got, want, c, false)
		}
		if err != nil {
			return stopped, err
		}
	}
	got, err := k.device(params(), c, way{k.Code.Entry, []uint64{uint64(c.Begin)}, c.Blocks, c.Threads, false})
	if err != nil {
		return stopped, fmt.Errorf("%+v: %w\n%s", c, err, k.Code.Text)
	}
	if err := k.compare("PTX", got, want, c, k.Code.Torn); err != nil {
		return stopped, fmt.Errorf("%+v: %w\n%s\n%s", c, err, k.IR, k.Code.Text)
	}
	return stopped, nil
}

// none is the status where no item stops.
const none = math.MaxUint64

// compare says how an outcome differs. Values of reductions are open where an item stops, and so is memory
// where such items may have stored.
func (k *Kernel) compare(way string, got, want *outcome, c Case, torn bool) error {
	if got.status != want.status {
		return fmt.Errorf("%s: the lowest item that stops is %d, expected %d", way, int64(got.status), int64(want.status))
	}
	stops := want.status != none
	if !stops || !torn {
		for n, m := range k.IR.Mems {
			if err := sameMemory(m.Elem, got.args.Memory(n), want.args.Memory(n)); err != nil {
				return fmt.Errorf("%s: memory %s, %w", way, m.Name, err)
			}
		}
	}
	if stops {
		return nil
	}
	for n, a := range k.IR.Accs {
		for l := range want.leaves[n] {
			if way == "PTX" && !c.apart() && l%min(32, c.Threads/c.Lanes) == 0 {
				continue // nodes are put over the leaves that they begin with
			}
			if x, y := got.leaves[n][l], want.leaves[n][l]; !same(a.Type, x, y) {
				return fmt.Errorf("%s: accumulator %d of leaf %d is %#x, expected %#x", way, n, l, x, y)
			}
		}
		if !c.apart() && !same(a.Type, got.root[n], want.root[n]) {
			return fmt.Errorf("%s: accumulator %d is %#x, expected %#x", way, n, got.root[n], want.root[n])
		}
	}
	return nil
}

// same reports whether values have the same bits, or are both NaN.
func same(t ir.Type, x, y uint64) bool {
	switch t {
	case ir.F64:
		if math.IsNaN(math.Float64frombits(x)) && math.IsNaN(math.Float64frombits(y)) {
			return true
		}
	case ir.F32:
		a, b := math.Float32frombits(uint32(x)), math.Float32frombits(uint32(y))
		if a != a && b != b {
			return true
		}
	}
	return x == y
}

func sameMemory(t ir.Type, got, want []byte) error {
	if len(got) != len(want) {
		return fmt.Errorf("%d bytes, expected %d", len(got), len(want))
	}
	size := t.Bytes()
	for at := 0; at < len(want); at += size {
		if x, y := load(got[at:], size), load(want[at:], size); !same(t, x, y) {
			return fmt.Errorf("element %d is %#x, expected %#x", at/size, x, y)
		}
	}
	return nil
}

func load(b []byte, size int) uint64 {
	switch size {
	case 8:
		return binary.NativeEndian.Uint64(b)
	case 4:
		return uint64(binary.NativeEndian.Uint32(b))
	case 2:
		return uint64(binary.NativeEndian.Uint16(b))
	}
	return uint64(b[0])
}

// interpret runs a case in the interpreter, item by item, without the effects of items that stop.
func (k *Kernel) interpret(params []any, c Case) (*outcome, error) {
	args, err := interp.Bind(k.IR, params...)
	if err != nil {
		return nil, err
	}
	out := &outcome{args: args, status: none}
	k.reduce(c, out, func(item int, lanes interp.Lanes) bool {
		i := c.Begin + item
		return interp.Span(k.IR, args, i, i+1, item, lanes) == i+1
	})
	return out, nil
}

// reduce runs items in their order, into the lanes of their leaf, and joins these by the rule.
func (k *Kernel) reduce(c Case, out *outcome, run func(item int, lanes interp.Lanes) bool) {
	one := func(item int, lanes interp.Lanes) {
		if !run(item, lanes) {
			out.status = min(out.status, uint64(item))
		}
	}
	if len(k.IR.Accs) == 0 {
		for item := c.First; item < c.Items; item++ {
			one(item, nil)
		}
		return
	}
	out.leaves = make([]column, len(k.IR.Accs))
	for first := c.First; first < c.Items; first += c.Leaf {
		lanes := make(interp.Lanes, len(k.IR.Accs))
		for n := range lanes {
			for range c.Lanes {
				lanes[n] = append(lanes[n], c.Identities[n])
			}
		}
		end := min(first+c.Leaf, c.Items)
		for item := first; item < end; item++ {
			one(item, lanes)
		}
		for n, a := range k.IR.Accs {
			l := lanes[n]
			if c.apart() { // lanes without an item are 0, as they are not stored
				out.leaves[n] = append(append(out.leaves[n], l[:min(c.Lanes, end-first)]...), make(column, max(c.Lanes-end+first, 0))...)
				continue
			}
			for h := c.Lanes / 2; h > 0; h /= 2 {
				for lane := 0; lane < h && lane+h < end-first; lane++ {
					l[lane] = Join(a.Elem, c.Joins[n], l[lane], l[lane+h])
				}
			}
			out.leaves[n] = append(out.leaves[n], l[0])
		}
	}
	for n, a := range k.IR.Accs {
		if !c.apart() {
			out.root = append(out.root, Tree(a.Elem, c.Joins[n], out.leaves[n]))
		}
	}
}

// Tree joins values as neighbours, then neighbours of these, by the operation with that code. No values are 0.
func Tree(elem ir.Type, code int, values []uint64) uint64 {
	v := append(slices.Clone(values), 0)[:len(values)]
	for w := 1; w < len(v); w *= 2 {
		for l := 0; l+w < len(v); l += 2 * w {
			v[l] = Join(elem, code, v[l], v[l+w])
		}
	}
	return append(v, 0)[0]
}

// joins are the operations that entries know, by code.
var joins = []struct {
	op       ir.Op
	unsigned bool
}{{ir.Add, false}, {ir.Mul, false}, {ir.Min, false}, {ir.Max, false}, {ir.Min, true}, {ir.Max, true}, {ir.And, false}, {ir.Or, false}, {ir.Xor, false}}

// Joins returns the codes of the operations of a type: 0 sum, 1 product, 2 minimum, 3 maximum, 4 and 5 the
// same without signs. Codes of bits are 6 and, 7 or, 8 exclusive or.
func Joins(t ir.Type) []int {
	switch {
	case t == ir.Bool:
		return []int{6, 7, 8}
	case t.IsFloat():
		return []int{0, 1, 2, 3}
	}
	return []int{0, 1, 2, 3, 4, 5, 6, 7, 8}
}

// extended returns an element of memory as a value.
func extended(t ir.Type, bits uint64) uint64 {
	switch t {
	case ir.I8:
		return uint64(uint32(int8(bits)))
	case ir.U8:
		return uint64(uint8(bits))
	case ir.I16:
		return uint64(uint32(int16(bits)))
	case ir.U16:
		return uint64(uint16(bits))
	}
	return bits
}

// Join joins two values of elements of a type by the operation with that code.
func Join(elem ir.Type, code int, x, y uint64) uint64 {
	j, t := joins[code], elem.Value()
	return extended(elem, interp.Eval(&ir.Value{Op: j.op, Type: t, Unsigned: j.unsigned, Args: []*ir.Value{{Type: t}, {Type: t}}}, [3]uint64{x, y}))
}

// closure runs a case as the closure.
func (k *Kernel) closure(params []any, c Case, stops bool) (*outcome, error) {
	args, err := interp.Bind(k.IR, params...)
	if err != nil {
		return nil, err
	}
	var in []reflect.Value
	for _, p := range params {
		in = append(in, reflect.ValueOf(p))
	}
	functor := reflect.ValueOf(k.Constructor).Call(in)[0]
	out := &outcome{args: args, status: none}
	undo := func() {}
	k.reduce(c, out, func(item int, lanes interp.Lanes) (ran bool) {
		in := []reflect.Value{reflect.ValueOf(c.Begin + item)}
		for n := 1; n < functor.Type().NumIn(); n++ {
			in = append(in, reflect.New(functor.Type().In(n).Elem()))
		}
		for n, l := range lanes {
			setBits(k.part(in, n), l[item%c.Lanes])
		}
		if stops { // an item that does has not run
			undo = k.snapshot(args)
		}
		defer func() {
			if recover() != nil {
				undo()
				ran = false
			}
		}()
		functor.Call(in)
		for n, l := range lanes {
			l[item%c.Lanes] = bitsOf(k.part(in, n))
		}
		return true
	})
	return out, nil
}

// part returns a number of the accumulators that are arguments of the functor.
func (k *Kernel) part(in []reflect.Value, n int) reflect.Value {
	a := k.IR.Accs[n]
	return reflect.NewAt(interp.Basic(a.Basic), unsafe.Add(in[a.Lanes+1].UnsafePointer(), a.Offset)).Elem()
}

// snapshot returns a function that restores the memory that the kernel stores to.
func (k *Kernel) snapshot(args *interp.Args) func() {
	var restore []func()
	k.IR.Body.Walk(func(v *ir.Value) {
		if v.Writes() {
			b := args.Memory(v.Index)
			old := append([]byte(nil), b...)
			restore = append(restore, func() { copy(b, old) })
		}
	})
	return func() {
		for _, f := range restore {
			f()
		}
	}
}

func bitsOf(v reflect.Value) uint64 {
	switch v.Kind() {
	case reflect.Float64:
		return math.Float64bits(v.Float())
	case reflect.Float32:
		return uint64(math.Float32bits(float32(v.Float())))
	case reflect.Bool:
		if v.Bool() {
			return 1
		}
		return 0
	case reflect.Int, reflect.Int64:
		return uint64(v.Int())
	case reflect.Int32, reflect.Int16, reflect.Int8:
		return uint64(uint32(v.Int()))
	}
	return v.Uint()
}

func setBits(v reflect.Value, bits uint64) {
	switch v.Kind() {
	case reflect.Float64:
		v.SetFloat(math.Float64frombits(bits))
	case reflect.Float32:
		v.Set(reflect.ValueOf(math.Float32frombits(uint32(bits))).Convert(v.Type()))
	case reflect.Bool:
		v.SetBool(bits != 0)
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(bits))
	case reflect.Int32, reflect.Int16, reflect.Int8:
		v.SetInt(int64(int32(bits)))
	default:
		v.SetUint(bits)
	}
}
