package trial

import (
	"fmt"
	"math"
	"reflect"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/interp"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/scatter"
)

// extents are those of the cells of an accumulator of contributions, by their type.
var extents = map[string][]int{"float64": {12}, "int": {4, 3}}

// access returns an accumulator without contributions, if t is the type of one.
func access(t reflect.Type) (any, bool) {
	switch t {
	case reflect.TypeFor[scatter.Access[float64]]():
		return emptyOf[float64](t), true
	case reflect.TypeFor[scatter.Access[int]]():
		return emptyOf[int](t), true
	}
	return nil, false
}

func emptyOf[T builtin.Number](t reflect.Type) (a scatter.Access[T]) {
	scatter.Sum(views.Must(views.New[T](t.String(), extents[reflect.TypeFor[T]().String()]))).Init(&a)
	return a
}

// contributed returns the cells of accumulators as text.
func contributed(lanes any) (out string, ok bool) {
	switch lanes := lanes.(type) {
	case []scatter.Access[float64]:
		return cellsOf(lanes), true
	case []scatter.Access[int]:
		return cellsOf(lanes), true
	}
	return "", false
}

func cellsOf[T builtin.Number](lanes []scatter.Access[T]) (out string) {
	for k := range lanes {
		out += fmt.Sprintf(" %x", lanes[k].Cells())
	}
	return out
}

// contribute makes a contribution to an accumulator.
func contribute(to reflect.Value, c interp.Contribution) {
	method := to.MethodByName(c.Method)
	last := method.Type().NumIn() - 1
	var in []reflect.Value
	for k, bits := range c.Args {
		t := method.Type().In(min(k, last))
		switch {
		case k < last: // a part of the index
			in = append(in, reflect.ValueOf(int(bits)))
		case t == reflect.TypeFor[float64]():
			in = append(in, reflect.ValueOf(math.Float64frombits(bits)))
		default:
			in = append(in, reflect.ValueOf(int(bits)))
		}
	}
	method.Call(in)
}
