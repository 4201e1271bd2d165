package trial

import (
	"fmt"
	"math/rand/v2"
	"reflect"

	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/interp"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// The trial calls functors that return values from Begin to End: for indices, for the elements of a slice, or
// for the points of runs. The results are one more parameter of a case.

// valued reports whether functors of a type return values.
func valued(f reflect.Type) bool { return f.NumOut() == 1 }

// values are the arguments of a functor and its results, by their numbers.
type values struct {
	of     reflect.Value // the slice of arguments; invalid if these are the numbers, or points
	walk   *walk         // over points, or nil
	result reflect.Value
}

// valuesOf returns them for a func(of) result.
func (c Case) valuesOf(of, result reflect.Type) (v values) {
	size := maxRuns * (c.Length + 8) // whatever End is
	v.result = reflect.MakeSlice(reflect.SliceOf(result), size, size)
	switch rank, _ := indexed(of); {
	case rank > 0:
		w := c.walkOf(rank, false)
		v.walk = &w
	case of.Kind() != reflect.Int:
		r := rand.New(rand.NewPCG(c.Seed, 17))
		v.of = reflect.MakeSlice(reflect.SliceOf(of), size, size)
		for k := range size {
			v.of.Index(k).Set(reflect.ValueOf(value(r, of)))
		}
	}
	return v
}

// call sets a result to the value that the functor returns.
func (v values) call(f reflect.Value, k int) {
	x := reflect.ValueOf(k)
	switch {
	case v.walk != nil:
		x = index(f.Type().In(0), v.walk.from(k)[0])
	case v.of.IsValid():
		x = v.of.Index(k)
	}
	v.result.Index(k).Set(f.Call([]reflect.Value{x})[0])
}

// items returns the numbers of the first value and of that behind the last one.
func (v values) items(c Case) (begin, end int) {
	if v.walk != nil {
		return 0, v.walk.items()
	}
	return c.Begin, c.End
}

// closureValues is closure for a functor that returns values.
func (c Case) closureValues(f reflect.Value, params []any) (out string, next int) {
	v := c.valuesOf(f.Type().In(0), f.Type().Out(0))
	next, end := v.items(c)
	var message any
	func() {
		defer func() { message = recover() }()
		for ; next < end; next++ {
			v.call(f, next)
		}
	}()
	return v.outcome(next, message, params), next
}

func (v values) outcome(next int, message any, params []any) string {
	return Outcome(next, message, append(params, v.result.Interface()), nil)
}

// loopValues is loop for a functor that returns values.
func (c Case) loopValues(f reflect.Value, params []any) (out string, ok bool) {
	loop := reflect.ValueOf(kernel.Of(f.Interface()))
	if !loop.IsValid() {
		return "", false
	}
	v := c.valuesOf(f.Type().In(0), f.Type().Out(0))
	next, end := v.items(c)
	var message any
	func() {
		defer func() { message = recover() }()
		for next < end {
			var done []reflect.Value
			switch dst := v.result.Slice(next, end); {
			case v.walk != nil:
				done = loop.MethodByName("Runs").Call([]reflect.Value{reflect.ValueOf(v.walk.from(next)), dst})
			case v.of.IsValid():
				done = loop.MethodByName("Map").Call([]reflect.Value{dst, v.of.Slice(next, end)})
			default:
				done = loop.MethodByName("Values").Call([]reflect.Value{reflect.ValueOf(next), dst})
			}
			n := int(done[0].Int())
			if n < 0 || n > end-next {
				panic(fmt.Sprintf("%d of %d values are done", n, end-next))
			}
			if next += n; next < end {
				v.call(f, next)
				next++
			}
		}
	}()
	return v.outcome(next, message, params), true
}

// interpretValues is Interpret for a kernel whose functor returns values. Its last two parameters are the
// results, and before them the first index or the arguments.
func (c Case) interpretValues(k *ir.Kernel, types []reflect.Type) (out string, next int, err error) {
	n := len(types) - 2
	params := c.Params(types[:n])
	of := types[n]
	if of.Kind() == reflect.Slice {
		of = of.Elem()
	}
	v := c.valuesOf(of, types[n+1].Elem())
	if k.Index.Rank > 0 {
		next, err = c.interpretPoints(k, params, v.result)
		return v.outcome(next, nil, params[:n]), next, err
	}
	further := []any{0, v.result.Interface()}
	if v.of.IsValid() {
		further[0] = v.of.Interface()
	}
	args, err := interp.Bind(k, append(params, further...)...)
	if err != nil {
		return "", 0, err
	}
	next = interp.Span(k, args, c.Begin, c.End, 0, nil)
	return v.outcome(next, nil, params[:n]), next, nil
}

// interpretPoints sets results to the values of points, a run at a time, and returns the first item that
// stops.
func (c Case) interpretPoints(k *ir.Kernel, params []any, result reflect.Value) (next int, err error) {
	w := c.walkOf(k.Index.Rank, false)
	for next < w.items() {
		r := w.from(next)[0]
		args, err := interp.Bind(k, append(params[:len(params):len(params)], r.At[r.Dim], result.Slice3(next, next+r.Len, next+r.Len).Interface())...)
		if err != nil {
			return 0, err
		}
		done := interp.Run{At: r.At[:], Len: r.Len}.Do(k, args, 0, nil)
		if next += done; done < r.Len {
			break
		}
	}
	return next, nil
}
