package reduction

import "github.com/gokkos/gokkos/reducers/concept"

// Form returns the form of all elements; their number comes from Init.
func (s span[A, T]) Form() concept.Form[Array[A]] {
	return concept.FormOfElements(len(s.window), concept.FormOf[A](s.cell), func(val *Array[A]) []A { return val.of })
}

// Form returns the form of the value, if there is one; the operation comes from Init.
func (r operation[T]) Form() concept.Form[Value[T]] {
	return concept.FormOfOptional(func(val *Value[T]) (*T, *bool) { return &val.v, &val.present })
}
