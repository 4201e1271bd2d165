package reducers

import "reflect"

// IsFlat reports whether a copy of a T copies all of it, so that two copies share no
// memory that could change.
func IsFlat[T any]() bool { return isFlat(reflect.TypeFor[T]()) }

// TakesLanes reports whether values of type T may be reduced in several lanes: they are
// flat and not larger than 64 bytes, counted as on a 64-bit machine.
func TakesLanes[T any]() bool {
	t := reflect.TypeFor[T]()
	return isFlat(t) && sizeof(t) <= maxLaneBytes
}

// Load sets *val to the partial result that stands for the old content of r's result
// place, given r's traits.
func Load[T any](r Reducer[T], t Traits[T], val *T) { load(r, t, val) }

// Store writes *val, to which Final was applied, to r's result place, given r's traits.
// The place may then share memory with *val.
func Store[T any](r Reducer[T], t Traits[T], val *T) { store(r, t, val) }
