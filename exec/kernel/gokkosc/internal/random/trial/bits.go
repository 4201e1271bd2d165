package trial

import (
	"math"
	"reflect"
	"unsafe"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// part returns a part of a value, also one that only its own package sees.
func part(v reflect.Value, path []ir.Step) reflect.Value {
	for _, s := range path {
		if s.Kind == ir.Field {
			v = v.FieldByName(s.Field)
		} else {
			v = v.Index(s.N)
		}
	}
	if !v.CanSet() {
		v = reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
	}
	return v
}

// toBits returns a part of all lanes.
func toBits(lanes reflect.Value, path []ir.Step) (bits []uint64) {
	for k := range lanes.Len() {
		v := part(lanes.Index(k), path)
		switch v.Kind() {
		case reflect.Float64:
			bits = append(bits, math.Float64bits(v.Float()))
		case reflect.Float32:
			bits = append(bits, uint64(math.Float32bits(float32(v.Float()))))
		case reflect.Int, reflect.Int64:
			bits = append(bits, uint64(v.Int()))
		case reflect.Int32, reflect.Int16, reflect.Int8:
			bits = append(bits, uint64(uint32(v.Int())))
		case reflect.Bool:
			b := uint64(0)
			if v.Bool() {
				b = 1
			}
			bits = append(bits, b)
		default:
			bits = append(bits, v.Uint())
		}
	}
	return bits
}

func fromBits(lanes reflect.Value, path []ir.Step, bits []uint64) {
	for k, b := range bits {
		v := part(lanes.Index(k), path)
		switch v.Kind() {
		case reflect.Float64:
			v.SetFloat(math.Float64frombits(b))
		case reflect.Float32:
			v.SetFloat(float64(math.Float32frombits(uint32(b))))
		case reflect.Int, reflect.Int64:
			v.SetInt(int64(b))
		case reflect.Int32, reflect.Int16, reflect.Int8:
			v.SetInt(int64(int32(b)))
		case reflect.Bool:
			v.SetBool(b != 0)
		default:
			v.SetUint(b)
		}
	}
}
