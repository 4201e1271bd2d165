package reducers

import "reflect"

// placeOf returns the result place of r, or nil if it is not known.
func placeOf[T any](r Reducer[T]) any {
	if place := TraitsOf(r).Place; place != nil {
		return place
	}
	if p := r.Reference(); p != nil {
		return p
	}
	return nil
}

// Overlap reports whether two result places share memory. They are as [Slots.AppendPlaces]
// returns them: pointers, or slices of what their elements go to. Anything else shares
// memory with nothing.
func Overlap(p, q any) bool {
	pBegin, pEnd := extent(p)
	qBegin, qEnd := extent(q)
	return max(pBegin, qBegin) < min(pEnd, qEnd)
}

// extent returns the addresses between which a place is.
func extent(place any) (begin, end uintptr) {
	v := reflect.ValueOf(place)
	if k := v.Kind(); k != reflect.Pointer && k != reflect.Slice {
		return 0, 0
	}
	size := v.Type().Elem().Size()
	if v.Kind() == reflect.Slice {
		size *= uintptr(v.Len())
	}
	return v.Pointer(), v.Pointer() + size
}
