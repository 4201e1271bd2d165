package interp

import (
	"math"
	"reflect"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// call returns a result of a function of Go.
func call(v *ir.Value, x [3]uint64) uint64 {
	f := ir.FunctionOf(v.Func).Of
	args := make([]reflect.Value, len(v.Args))
	for n := range args {
		args[n] = argument(f.Type().In(n), x[n])
	}
	bits, err := number(f.Call(args)[v.Index])
	if err != nil {
		panic(err)
	}
	return bits
}

// argument returns the bits of a value as a number of Go.
func argument(t reflect.Type, bits uint64) reflect.Value {
	switch v := reflect.New(t).Elem(); v.Kind() {
	case reflect.Float64:
		v.SetFloat(math.Float64frombits(bits))
		return v
	case reflect.Float32: // not by way of a float64, which would quieten a NaN
		return reflect.ValueOf(math.Float32frombits(uint32(bits)))
	case reflect.Int:
		v.SetInt(int64(bits))
		return v
	default:
		v.SetUint(bits)
		return v
	}
}
