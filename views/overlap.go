package views

import "reflect"

// Overlap reports whether two views have elements in common, of whatever layouts they are: the
// columns of one matrix have none. Views without elements have none in common with any, and nor
// have views that are nil.
func Overlap[T, U any](x Viewer[T], y Viewer[U]) bool {
	if isNil(x) || isNil(y) {
		return false
	}
	v, w := x.view(), y.view()
	return v.Len() > 0 && w.Len() > 0 && v.region().Overlaps(w.region())
}

// isNil reports whether x is nil, or a nil pointer to a view.
func isNil(x any) bool {
	if x == nil {
		return true
	}
	v := reflect.ValueOf(x)
	return v.Kind() == reflect.Pointer && v.IsNil()
}
