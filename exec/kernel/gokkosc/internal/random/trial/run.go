package trial

import (
	"fmt"
	"io"
	"reflect"
	"unsafe"

	"github.com/gokkos/gokkos/exec/kernel"
)

// A Kernel is a random kernel: two functions of the same parameters, which return functors.
type Kernel struct {
	Name            string
	Plain, Compiled any
}

// Run tries kernels, and writes the outcome of the closure for each case, up to an item that panics. Run also
// writes each outcome of loops that is not the same, for each level of vectors of the machine.
func Run(w io.Writer, kernels []Kernel, seeds []uint64) {
	for n, k := range kernels {
		for m, c := range Cases(seeds[n]) {
			want, next := c.closure(k.Plain)
			until := c
			if until.End = next; points(k.Plain) || scans(reflect.TypeOf(k.Plain).Out(0)) {
				until.End, until.Most = c.End, next+1
			}
			clean, _ := until.closure(k.Plain) // without an item that panics
			fmt.Fprintf(w, "%s %d closure %s\n", k.Name, m, clean)
			for _, level := range []kernel.Level{kernel.Go, kernel.AVX2, kernel.AVX512} {
				_, undo := kernel.Limit(level)
				if got, ok := c.loop(k.Compiled); ok && got != want && !panicsAlike(k.Compiled, c, until, got, clean) {
					fmt.Fprintf(w, "%s %d %v %s, expected %s\n", k.Name, m, level, got, want)
				}
				undo()
			}
		}
		if !points(k.Plain) && !scans(reflect.TypeOf(k.Plain).Out(0)) {
			runLeaves(w, k, seeds[n])
		}
	}
}

// panicsAlike reports whether a loop ended as the functor of its own constructor does. Where two operands of an item panic, Go
// says not which of them is first, and the functor is compiled twice.
func panicsAlike(constructor any, c, until Case, got, clean string) bool {
	own, _ := until.closure(constructor)
	again, _ := c.closure(constructor)
	return own == clean && again == got
}

// runLeaves writes the outcome of loops over leaves and the expected one, if they differ.
func runLeaves(w io.Writer, k Kernel, seed uint64) {
	for m, c := range leafCases(seed) {
		if _, ok := c.loop(k.Compiled); !ok {
			return
		}
		want, sums := c.closure(k.Compiled), ""
		for _, level := range []kernel.Level{kernel.AVX2, kernel.AVX512} {
			_, undo := kernel.Limit(level)
			if got, ok := c.loop(k.Compiled); ok && got != want {
				fmt.Fprintf(w, "%s %d %v leaves %s, expected %s\n", k.Name, m, level, got, want)
			}
			if got, op := c.sums(k.Compiled); op != "" {
				if sums == "" {
					sums = c.sumsOf(k.Compiled, op)
				}
				if got != sums {
					fmt.Fprintf(w, "%s %d %v sums of leaves %s, expected %s\n", k.Name, m, level, got, sums)
				}
			}
			undo()
		}
	}
}

// points reports whether a constructor's functor takes points or rows.
func points(constructor any) bool {
	rank, _ := indexed(reflect.TypeOf(constructor).Out(0).In(0))
	return rank > 0
}

// make returns the functor that a constructor makes of the case's parameters, these, and the lanes of
// its accumulators.
func (c Case) make(constructor any) (f reflect.Value, params []any, lanes []reflect.Value) {
	fn := reflect.ValueOf(constructor)
	var types []reflect.Type
	for k := range fn.Type().NumIn() {
		types = append(types, fn.Type().In(k))
	}
	params = c.Params(types)
	var in []reflect.Value
	for _, p := range params {
		in = append(in, reflect.ValueOf(p))
	}
	f = fn.Call(in)[0]
	if scans(f.Type()) {
		return f, params, []reflect.Value{c.Start(f.Type().In(1).Elem(), turning)}
	}
	for k := 1; k < f.Type().NumIn(); k++ {
		lanes = append(lanes, c.Start(f.Type().In(k).Elem(), c.leaves(points(constructor))))
	}
	return f, params, lanes
}

// item calls a functor for item i.
func (c Case) item(f reflect.Value, lanes []reflect.Value, i int) {
	in := []reflect.Value{reflect.ValueOf(i)}
	for _, l := range lanes {
		in = append(in, l.Index((c.Item+i-c.Begin)&(l.Len()-1)).Addr())
	}
	f.Call(in)
}

// closure runs a functor item by item, up to one that panics, which it returns.
func (c Case) closure(constructor any) (out string, next int) {
	f, params, lanes := c.make(constructor)
	switch {
	case valued(f.Type()):
		return c.closureValues(f, params)
	case scans(f.Type()):
		return c.scan(f, params, lanes[0], reflect.Value{})
	case points(constructor):
		return c.closureRuns(f, params, lanes)
	}
	next = c.Begin
	var message any
	func() {
		defer func() { message = recover() }()
		for ; next < c.End; next++ {
			c.item(f, lanes, next)
		}
	}()
	return Outcome(next, message, params, lanes), next
}

// loop runs the loop of a functor, and the functor for items that it stops at.
func (c Case) loop(constructor any) (out string, ok bool) {
	f, params, lanes := c.make(constructor)
	switch {
	case valued(f.Type()):
		return c.loopValues(f, params)
	case scans(f.Type()):
		loop, ok := loopOfScan(f)
		if ok {
			out, _ = c.scan(f, params, lanes[0], loop)
		}
		return out, ok
	case points(constructor):
		return c.loopRuns(f, params, lanes)
	}
	loop := kernel.Of(f.Interface())
	if loop == nil {
		return "", false
	}
	if each := reflect.ValueOf(loop).MethodByName("Each"); each.IsValid() {
		return c.body(each, params, lanes), true
	}
	span := reflect.ValueOf(loop).MethodByName("Span")
	next, message := c.Begin, any(nil)
	func() {
		defer func() { message = recover() }()
		for next < c.End {
			in := []reflect.Value{reflect.ValueOf(next), reflect.ValueOf(c.End)}
			if len(lanes) > 0 {
				in = append(append(in, reflect.ValueOf(c.Item+next-c.Begin)), lanes...)
			}
			to := int(span.Call(in)[0].Int())
			if to < next || to > c.End {
				panic(fmt.Sprintf("Span(%d, %d) = %d", next, c.End, to))
			}
			if next = to; next < c.End {
				c.item(f, lanes, next)
				next++
			}
		}
	}()
	return Outcome(next, message, params, lanes), true
}

// body runs the loop that has a functor's body, up to an item that panics.
func (c Case) body(each reflect.Value, params []any, lanes []reflect.Value) string {
	at, next := 0, c.End
	in := []reflect.Value{reflect.ValueOf(&at), reflect.ValueOf(c.Begin), reflect.ValueOf(c.End)}
	if len(lanes) > 0 {
		var a [4]unsafe.Pointer
		var n [4]int
		for k, l := range lanes {
			a[k], n[k] = l.UnsafePointer(), l.Len()
		}
		in = append(in, reflect.ValueOf(c.Item), reflect.ValueOf(&a), reflect.ValueOf(&n))
	}
	var message any
	func() {
		defer func() {
			if message = recover(); message != nil {
				next = at
			}
		}()
		each.Call(in)
	}()
	return Outcome(next, message, params, lanes)
}
