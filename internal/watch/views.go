package watch

// ViewAt says which element of which view is at an address, or "" if none is. Package views sets
// it.
var ViewAt = noView

//go:norace
func noView(uintptr) string { return "" }

// Wanted reports whether there is a space that watches.
//
//go:norace
func Wanted() bool { return Possible && wanted.Load() }
