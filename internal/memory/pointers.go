package memory

import "reflect"

// PointerIn returns a type that refers to memory elsewhere: t itself, or one that a t
// contains. It returns nil if there is none.
func PointerIn(t reflect.Type) reflect.Type {
	switch k := t.Kind(); {
	case k == reflect.Array:
		return PointerIn(t.Elem())
	case k == reflect.Struct:
		for f := range t.Fields() {
			if p := PointerIn(f.Type); p != nil {
				return p
			}
		}
		return nil
	case k <= reflect.Complex128: // bool and numbers
		return nil
	}
	return t
}
