package views

// Overlap reports whether two views have elements in common, of whatever layouts they are: the
// columns of one matrix have none. Views without elements have none in common with any, and nor
// have views that are nil.
func Overlap[T, U any](x Viewer[T], y Viewer[U]) bool {
	if x == nil || y == nil {
		return false
	}
	v, w := x.view(), y.view()
	return v.Len() > 0 && w.Len() > 0 && v.region().Overlaps(w.region())
}
