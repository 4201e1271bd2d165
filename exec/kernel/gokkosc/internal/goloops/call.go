package goloops

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// isOneOfSeveral reports whether a value is a result of a function that has further ones: its call is a statement.
func isOneOfSeveral(v *ir.Value) bool {
	return v.Op == ir.Call && ir.FunctionOf(v.Func).Of.Type().NumOut() > 1
}

// callOf writes the call of a function. Calls with the same arguments are made once, and share their results.
func (w *writer) callOf(v *ir.Value, b *ir.Block) {
	if !isOneOfSeveral(v) {
		if !w.inline[v] {
			w.declare(v, w.expr(v))
		}
		return
	}
	if w.text[v] != "" {
		return
	}
	of := ir.FunctionOf(v.Func)
	names := make([]string, of.Of.Type().NumOut())
	for n := range names {
		names[n] = "_"
	}
	text := w.callText(v, of)
	var converted []string
	for _, other := range b.Values {
		if other.Op != ir.Call || other.Func != v.Func || !sameArgs(v, other) || names[other.Index] != "_" {
			continue
		}
		name := w.names.free(other.Name)
		names[other.Index], w.text[other] = name, name
		if t := of.Of.Type().Out(other.Index).String(); t != other.Type.Go() {
			w.text[other] = w.names.free(other.Name)
			converted = append(converted, fmt.Sprintf("%s := %s(%s)", w.text[other], other.Type.Go(), name))
		}
	}
	w.line("%s := %s", strings.Join(names, ", "), text)
	for _, s := range converted {
		w.line("%s", s)
	}
}

func sameArgs(v, other *ir.Value) bool {
	for n, a := range v.Args {
		if other.Args[n] != a {
			return false
		}
	}
	return true
}

// called returns the call of a function with one result, of the type that its value has. A product is rounded: else Go may
// fuse it with a sum behind it.
func (w *writer) called(v *ir.Value) string {
	of := ir.FunctionOf(v.Func)
	s := w.callText(v, of)
	if t := of.Of.Type().Out(0).String(); of.Product || t != v.Type.Go() {
		s = fmt.Sprintf("%s(%s)", v.Type.Go(), s)
	}
	return s
}

// callText returns the call of a function.
func (w *writer) callText(v *ir.Value, of *ir.Function) string {
	var args []string
	for n, a := range v.Args {
		args = append(args, w.argument(a, of.Of.Type().In(n)))
	}
	name := strings.Replace(v.Func, "math/bits.", "kernelBits.", 1)
	return fmt.Sprintf("%s(%s)", name, strings.Join(args, ", "))
}

// argument returns a value as a parameter of a function has it.
func (w *writer) argument(v *ir.Value, t reflect.Type) string {
	switch {
	case v.Op == ir.Const && w.text[v] == "" && v.Type.IsInt() && t.Kind() >= reflect.Uint && t.Kind() <= reflect.Uint64:
		return w.unsigned(v)
	case t.String() == v.Type.Go():
		return w.bare(v)
	}
	return fmt.Sprintf("%s(%s)", t, w.bare(v))
}
