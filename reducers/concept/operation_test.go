package concept_test

import (
	"fmt"

	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
)

// squares is a reducer of somebody else, that devices know.
type squares struct{ reducers.Base[float64] }

func (squares) Init(val *float64) { *val = 1 }

func (squares) Join(dst, src *float64) { *dst *= *src }

func (r squares) Fold() reducers.Fold[float64] { return reducers.NewFold[float64, float64](r, nil) }

func (squares) AddValues(lanes []float64, _ int, x []float64) {
	for k, v := range x {
		lanes[k%len(lanes)] *= v * v
	}
}

func (squares) Operation() concept.Operation {
	return concept.Operation{Join: concept.OpProd, Map: concept.MapSquare}
}

func ExampleOperation() {
	var result float64
	r := squares{reducers.Into(&result)}
	fmt.Printf("%+v %v\n", r.Operation(), r.Operation().Known())
	fmt.Println(concept.Operation{}.Known())
	// Output:
	// {Join:prod Map:square Final:} true
	// false
}
