package reduction

import "github.com/gokkos/gokkos/reducers"

// Form returns the form of all elements; their number comes from Init.
func (s span[A, T]) Form() reducers.Form[Array[A]] {
	return reducers.FormOfElements(len(s.window), reducers.FormOf[A](s.cell), func(val *Array[A]) []A { return val.of })
}

// Form returns the form of the value, if there is one; the operation comes from Init.
func (r operation[T]) Form() reducers.Form[Value[T]] {
	return reducers.FormOfOptional(func(val *Value[T]) (*T, *bool) { return &val.v, &val.present })
}
