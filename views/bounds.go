package views

import "fmt"

// check panics unless the elements may be touched now and the numbers of the index are in range, each in its
// dimension.
func (s *shape) check(index ...int) {
	s.touch()
	for d, i := range index {
		if uint(i) >= uint(s.extent[d]) {
			panic(indexError(fmt.Sprintf("views: index %d of view %q in dimension %d, expected 0 <= index < %d", i, s.label, d, s.extent[d])))
		}
	}
}

// indexError is a run-time error, as that of an index of a slice.
type indexError string

func (e indexError) Error() string { return string(e) }

// RuntimeError tells run-time errors from others.
func (indexError) RuntimeError() {}
