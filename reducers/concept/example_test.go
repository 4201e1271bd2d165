package concept_test

import (
	"fmt"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
)

func ExampleIdentityOf() {
	var product int
	r := reducers.New(&product, func(dst, src *int) { *dst *= *src },
		reducers.Init(func(val *int) { *val = 1 }))
	fmt.Println(concept.IdentityOf(r))

	var first reducers.Partial[string]
	_, known := concept.IdentityOf(reducers.WithoutIdentity(&first, func(a, _ string) string { return a }))
	fmt.Println(known)
	// Output:
	// 1 true
	// false
}

func ExampleTraitsOf() {
	var text string
	r := reducers.New(&text, func(dst, src *string) { *dst += *src })
	fmt.Println(concept.TraitsOf(r).Ordered)
	fmt.Println(concept.TraitsOf(reducers.Ordered(r)).Ordered)
	fmt.Println(concept.TraitsOf(reducers.New[string](nil, nil)).Err)
	// Output:
	// false
	// true
	// reducers: New was given a nil join function
}

func ExampleReducer() {
	var sum int
	var r concept.Reducer[int] = builtin.Sum(&sum)
	var same reducers.Reducer[int] = r // one type under the name that each package can give it
	fmt.Println(concept.TraitsOf(same).Exact)
	// Output: true
}
